"""Starting a corporation (§5.1.6): opening bid, home token, auction, size, privates, stations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...bank import cash, pay
from ...board import laying
from ...board.derived import Derived
from ...model.actions import Assign, Choose, Pass
from ...model.choices import Choice
from ...model.events import Converted, Founded
from ...model.records import BANK, CLOSED, Token, set_corporation
from ...rounds.bidding import Bidding
from ...rounds.step import Asking, Fault, Kept
from ...rounds.steps.auctions import RisingAuction
from ...rounds.steps.homes import ChooseCity
from ...rounds.steps.tokens import City
from ...stock import market, shares
from .rules import Rules1817
from .state import Founding, State1817, StockRound

#: Where a home may be placed.
_HOMES: Derived[tuple[City, ...]] = Derived("homes_1817", "tiles", "cities")


#: The founding in progress.
_FOUNDING = Kept(StockRound, "founding", Founding)
current, founding_of, _change = _FOUNDING.get, _FOUNDING.of, _FOUNDING.change


# paying a bid (§5.1.6 steps 1 and 7)


def subset_sums(values: list[int]) -> set[int]:
    """All sums of some of the values, none included."""
    sums = {0}
    for value in values:
        sums |= {value + other for other in sums}
    return sums


def _values(rules: Rules1817, s: State1817, player: str) -> list[int]:
    return [rules.box.companies[c].value for c in rules.privates(s, player)]


def makes_up(price: int, money: int, sums: set[int]) -> bool:
    """Whether money and privates with one of some sums of values come to a price."""
    return any(total <= price <= total + money for total in sums)


def choose_size(rules: Rules1817, s: State1817, size: int) -> None:
    """Step 5; goes on to the privates, and to the end if none can be paid in."""
    founding = founding_of(s)
    rules.trading.resize(s, founding.corporation, size)
    if size > 2:
        s.now.emit(Converted(founding.corporation, size))
    _change(s, stage="privates")
    if not contributable(rules, s):
        complete(rules, s)


def contributable(rules: Rules1817, s: State1817) -> list[str]:
    """Step 7: privates the winner may pay in now."""
    founding = current(s)
    if founding is None or founding.winner is None:
        return []
    owned = rules.privates(s, founding.winner)
    if not owned:
        return []
    low = max(0, -cash(s, founding.winner))
    high = cash(s, founding.corporation)
    values = _values(rules, s, founding.winner)
    found = []
    for at, company in enumerate(owned):
        rest = values[:at] + values[at + 1 :]
        if any(low <= total + values[at] <= high for total in subset_sums(rest)):
            found.append(company)
    return found


def complete(rules: Rules1817, s: State1817) -> None:
    """Step 8: stations, Ponzi Scheme; what is left is the home token and the opener's turn."""
    founding = founding_of(s)
    symbol = founding.corporation
    assert founding.winner is not None
    s.now.emit(Founded(symbol, founding.winner, s.corporations[symbol].shares))
    buy_stations(rules, s, symbol)
    for company in rules.privates(s, symbol):
        if rules.powers[company].closes_at_founding:
            rules.give_company(s, company, CLOSED)
    _change(s, stage="done")


# stations (§6.7)


def stations_needed(rules: Rules1817, s: State1817, symbol: str) -> int:
    """How many stations a corporation has still to buy."""
    corporation = s.corporations[symbol]
    extra = rules.one_with(s, symbol, "extra_token") is not None
    total = rules.constants.stations[corporation.shares] + extra
    return max(0, total - len(corporation.tokens))


def buy_stations(rules: Rules1817, s: State1817, symbol: str) -> None:
    """Buy all missing stations of a corporation that has not operated, if it can pay for all."""
    corporation = s.corporations[symbol]
    needed = 0 if corporation.operated else stations_needed(rules, s, symbol)
    cost = needed * rules.constants.station_cost
    if add_stations(rules, s, symbol, needed, cost) and needed:
        rules.stations_bought(s, symbol)


def add_stations(rules: Rules1817, s: State1817, symbol: str, count: int, cost: int) -> bool:
    """Buy stations if the corporation can pay for them."""
    corporation = s.corporations[symbol]
    if count == 0:
        return True
    if corporation.cash < cost:
        return False
    pay(s, symbol, BANK, cost, "stations")
    set_corporation(s, symbol, tokens=s.corporations[symbol].tokens + (Token(0),) * count)
    return True


# steps


def home_cities(rules: Rules1817, s: State1817) -> tuple[City, ...]:
    """Every city with a free slot, as hex and number."""
    found = laying.cities_with_room(rules.box, s.board)
    return _HOMES.known(s.board) or _HOMES.keep(s.board, tuple(found))


class HomeToken(ChooseCity[State1817, Rules1817]):
    """Step 2: the opener places the home token before anything else."""

    name = "home token"
    rule = "5.1.6"

    def due(self, s: State1817) -> tuple[str, str] | None:
        founding = current(s)
        if founding is None or not founding.home_due:
            return None
        return founding.corporation, founding.corporation

    def cities(self, s: State1817, owner: str) -> Iterable[City]:
        return home_cities(self.rules, s)

    def chosen(self, s: State1817, owner: str) -> None:
        _change(s, home_due=False)


class FoundingAuction(RisingAuction[State1817, Rules1817]):
    """Steps 1 and 3–5: the opener, then the others, bid or pass."""

    name = "founding auction"
    rule = "5.1.6"
    names = "corporation"
    drops_out = True

    def bidding(self, s: State1817) -> Bidding | None:
        founding = current(s)
        return founding.bidding if founding and founding.stage == "auction" else None

    def keep(self, s: State1817, bidding: Bidding | None) -> None:
        _change(s, bidding=bidding)

    def on_offer(self, s: State1817) -> list[str]:
        """Any corporation that has not started, while some city has room for its home."""
        if next(laying.cities_with_room(self.box, s.board), None) is None:
            return []
        return [c.id for c in s.corporations.values() if c.cell is None]

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        """What can be bid is the same for all corporations."""
        items = tuple(self.items(s, who))
        if items and self.why_not_bid(s, who) is None:
            spans = tuple(self.spans(s, who, items[0]))
            yield from (self.bid_in(s, who, item, span) for item in items for span in spans)

    def begin(self, s: State1817, bidding: Bidding) -> None:
        founding = Founding(bidding.item, bidding.opener, bidding)
        self.change(s, founding=founding, acted=True, done=True)

    def increment(self) -> int:
        return self.rules.constants.founding.step

    def first_bid(self, s: State1817, item: str) -> int:
        return self.rules.constants.founding.min

    def most(self, s: State1817, who: str, item: str) -> int:
        money = cash(s, who) + self.rules.face_value(s, who)
        return min(self.rules.constants.founding.max, money)

    def why_not_bid(self, s: State1817, who: str) -> Fault | None:
        return self.rules.trading.why_full(s, who)

    def why_not_pay(self, s: State1817, who: str, price: int) -> Fault | None:
        """Cash and some of his privates must make up a bid, no change given."""
        if makes_up(price, cash(s, who), subset_sums(_values(self.rules, s, who))):
            return None
        text = f"Your cash and privates cannot make up {self.money(price)}; no change is given."
        return "no_change", text

    def ranges(self, s: State1817, who: str, low: int, high: int) -> Iterator[tuple[int, int]]:
        money, sums = cash(s, who), subset_sums(_values(self.rules, s, who))
        first, step = None, self.increment()
        for price in range(low, high + step + 1, step):
            if price <= high and makes_up(price, money, sums):
                first = price if first is None else first
            elif first is not None:
                yield first, price - step
                first = None

    def won(self, s: State1817, bidding: Bidding) -> None:
        """Steps 4–5: the winner founds the corporation."""
        winner, price, symbol = bidding.winner or "", bidding.price, bidding.item
        market.place(s, symbol, self.box.market.up_to(price // 2), "par")
        pay(s, winner, symbol, price, "founding", debt=True)
        shares.take_presidency(s, symbol, winner)
        set_corporation(s, symbol, floated=True)
        sizes = self.box.phases[s.phase].corporation_sizes
        _change(s, winner=winner, stage="size")
        if len(sizes) == 1:
            choose_size(self.rules, s, sizes[0])


class ChooseSize(Asking[State1817, Rules1817]):
    """Step 5, where the phase allows two sizes."""

    name = "size"
    rule = "5.1.6"
    takes = frozenset({Choose})

    def asked(self, s: State1817) -> str | None:
        founding = current(s)
        return founding.winner if founding and founding.stage == "size" else None

    def _sizes(self, s: State1817) -> tuple[int, ...]:
        return self.rules.sizes(s, founding_of(s).corporation)

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        for size in self._sizes(s):
            yield self.choice(s, who, Choose, choice=size)

    def why_no_answer(self, s: State1817, a: Choose) -> Fault:
        return "size", f"The size is one of {', '.join(map(str, self._sizes(s)))}."

    def answer(self, s: State1817, a: Choose) -> None:
        choose_size(self.rules, s, int(a.choice))


class PayInPrivates(Asking[State1817, Rules1817]):
    """Step 7: the winner pays privates in at face value."""

    name = "privates"
    rule = "5.1.6"
    takes = frozenset({Assign, Pass})

    def asked(self, s: State1817) -> str | None:
        founding = current(s)
        return founding.winner if founding and founding.stage == "privates" else None

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        for company in contributable(self.rules, s):
            yield self.choice(s, who, Assign, target=company, target_type="company")

    def why_no_pass(self, s: State1817, who: str) -> Fault | None:
        if (short := -cash(s, who)) <= 0:
            return None
        return "debt", f"You must still pay {self.money(short)} with privates."

    def why_no_answer(self, s: State1817, a: Assign) -> Fault:
        return "not_contributable", f"{a.target} cannot be paid in now."

    def decline(self, s: State1817, who: str) -> None:
        """That is not told: he has founded it."""
        complete(self.rules, s)

    def answer(self, s: State1817, a: Assign) -> None:
        symbol, powers = founding_of(s).corporation, self.rules.powers[a.target]
        self.rules.give_company(s, a.target, symbol)
        pay(s, symbol, a.actor, self.box.companies[a.target].value, "private", debt=True)
        if powers.contribution_bonus:
            pay(s, BANK, symbol, powers.contribution_bonus, "private")
        if powers.extra_token:
            set_corporation(s, symbol, tokens=(*s.corporations[symbol].tokens, Token(0)))
        if not contributable(self.rules, s):
            complete(self.rules, s)
