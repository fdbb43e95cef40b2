"""Starting a corporation (§5.1.6): opening bid, home token, auction, size, privates, stations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Assign, Bid, Choose, Pass
from ...model.choices import Choice, Span
from ...model.errors import IllegalAction
from ...model.events import AuctionWon, BidMade, Converted, Founded, Passed
from ...model.records import BANK, CLOSED, Token, put
from ...rounds.bidding import Bidding, leave, raise_bid
from ...rounds.step import Step
from ...rounds.steps.homes import ChooseCity
from ...rounds.steps.tokens import City
from ...stock import market, shares
from .sizes import set_size
from .state import Founding, State1817, StockRound

if TYPE_CHECKING:
    from .rules import Rules1817

replace = msgspec.structs.replace


def current(s: State1817) -> Founding | None:
    """The founding in progress."""
    return s.round.founding if isinstance(s.round, StockRound) else None


def founding_of(s: State1817) -> Founding:
    """The founding in progress where there is one."""
    founding = current(s)
    assert founding is not None
    return founding


def _change(s: State1817, **fields: object) -> None:
    assert isinstance(s.round, StockRound)
    assert s.round.founding is not None
    s.round = replace(s.round, founding=replace(s.round.founding, **fields))


# paying a bid (§5.1.6 steps 1 and 7)


def subset_sums(values: list[int]) -> set[int]:
    """All sums of some of the values, none included."""
    sums = {0}
    for value in values:
        sums |= {value + other for other in sums}
    return sums


def _values(rules: Rules1817, s: State1817, player: str) -> list[int]:
    return [rules.box.companies[c].value for c in rules.privates(s, player)]


def bid_limit(rules: Rules1817, s: State1817, player: str) -> int:
    """The most a player may bid; 0 at the certificate limit."""
    limit = min(rules.constants.founding.max, cash(s, player) + rules.face_value(s, player))
    if limit < rules.constants.founding.min:
        return limit
    return 0 if rules.certificates(s, player) >= rules.cert_limit(s) else limit


def can_pay(rules: Rules1817, s: State1817, player: str, price: int) -> bool:
    """Whether cash and some of his privates make up a bid, no change given."""
    money = cash(s, player)
    if price <= money:
        return True
    sums = subset_sums(_values(rules, s, player))
    return any(total <= price <= total + money for total in sums)


def payable(
    rules: Rules1817, s: State1817, player: str, low: int, high: int
) -> list[tuple[int, int]]:
    """The payable bids from ``low`` to ``high`` as unbroken ranges."""
    step = rules.constants.founding.step
    ranges: list[tuple[int, int]] = []
    for price in range(low, high + 1, step):
        if can_pay(rules, s, player, price):
            if ranges and ranges[-1][1] == price - step:
                ranges[-1] = (ranges[-1][0], price)
            else:
                ranges.append((price, price))
    return ranges


def _check_bid(rules: Rules1817, s: State1817, a: Bid, minimum: int) -> None:
    limits, player = rules.constants.founding, a.actor
    if a.price < minimum:
        raise IllegalAction("bid_too_low", f"The minimum bid is ${minimum}.", "5.1.6")
    if (a.price - minimum) % limits.step:
        raise IllegalAction("bid_step", f"Bids go up in steps of ${limits.step}.", "5.1.6")
    if rules.certificates(s, player) >= rules.cert_limit(s):
        limit = rules.cert_limit(s)
        raise IllegalAction("cert_limit", f"You hold {limit} certificates, the limit.", "2.2")
    high = bid_limit(rules, s, player)
    if a.price > high:
        raise IllegalAction("bid_too_high", f"You may bid ${high} at most.", "5.1.6")
    if not can_pay(rules, s, player, a.price):
        raise IllegalAction(
            "no_change",
            f"Your cash and privates cannot make up ${a.price}; no change is given.",
            "5.1.6",
        )


def check_opening(rules: Rules1817, s: State1817, a: Bid) -> None:
    """Step 1: the bid that opens the auction of an unstarted corporation."""
    corporation = s.corporations.get(a.corporation or "")
    if corporation is None or a.company or a.minor:
        raise IllegalAction("unknown", "Bid for a corporation.", "5.1.6")
    if corporation.cell is not None:
        raise IllegalAction("started", f"{corporation.id} has started already.", "5.1.6")
    if not any(True for _ in home_cities(rules, s)):
        raise IllegalAction("no_home", "No city on the map has a free slot.", "5.1.6")
    _check_bid(rules, s, a, rules.constants.founding.min)


def open_auction(rules: Rules1817, s: State1817, a: Bid) -> None:
    """Steps 1–3."""
    assert isinstance(s.round, StockRound)
    symbol = a.corporation or ""
    bidding = Bidding(symbol, a.actor, rules.alive(s))
    founding = Founding(symbol, a.actor, bidding)
    s.round = replace(s.round, founding=founding, acted=True, done=True)
    _bid(rules, s, a)


def _bid(rules: Rules1817, s: State1817, a: Bid) -> None:
    founding = founding_of(s)
    following = a.price + rules.constants.founding.step
    bidding = raise_bid(
        founding.bidding, a.actor, a.price, following, lambda p: bid_limit(rules, s, p)
    )
    s.now.emit(BidMade(a.actor, founding.corporation, a.price))
    _change(s, bidding=bidding)
    _settle(rules, s)


def _settle(rules: Rules1817, s: State1817) -> None:
    """Steps 4–5: once one bidder is left he founds the corporation."""
    founding = founding_of(s)
    bidding, symbol = founding.bidding, founding.corporation
    winner, price = bidding.winner, bidding.price
    if winner is None:
        return
    s.now.emit(AuctionWon(winner, symbol, price))
    cell = max(
        (c for c in rules.box.market.cells.values() if c.price <= price // 2),
        key=lambda c: c.column,
    )
    market.place(s, symbol, cell.id, "par")
    pay(s, winner, symbol, price, "founding", debt=True)
    presidency = s.corporations[symbol].certs[symbol][0]
    shares.move(s, symbol, (presidency,), symbol, winner)
    shares.set_president(s, symbol, winner)
    record = s.corporations[symbol]
    s.corporations = put(s.corporations, symbol, replace(record, floated=True))
    sizes = rules.box.phases[s.phase].corporation_sizes
    _change(s, winner=winner, stage="size")
    if len(sizes) == 1:
        choose_size(rules, s, sizes[0])


def choose_size(rules: Rules1817, s: State1817, size: int) -> None:
    """Step 5; goes on to the privates, and to the end if none can be paid in."""
    founding = founding_of(s)
    set_size(s, founding.corporation, size)
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
    laying.set_tokens(s, symbol, s.corporations[symbol].tokens + (Token(0),) * count)
    return True


# steps


def home_cities(rules: Rules1817, s: State1817) -> Iterator[tuple[str, int]]:
    """Every city with a free slot, as hex and number."""
    for coord in rules.box.map.hexes:
        for number, slots in enumerate(laying.slots_at(rules.box, s.board, coord)):
            if None in slots:
                yield coord, number


class HomeToken(ChooseCity[State1817]):
    """Step 2: the opener places the home token before anything else."""

    name = "home token"
    rule = "5.1.6"
    rules: Rules1817

    def due(self, s: State1817) -> tuple[str, str] | None:
        founding = current(s)
        if founding is None or not founding.home_due:
            return None
        return founding.corporation, founding.corporation

    def cities(self, s: State1817, owner: str) -> Iterable[City]:
        return home_cities(self.rules, s)

    def chosen(self, s: State1817, owner: str) -> None:
        _change(s, home_due=False)


class FoundingAuction(Step[State1817]):
    """Step 3: the others bid or pass."""

    name = "founding auction"
    rule = "5.1.6"
    takes = frozenset({Bid, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        founding = current(s)
        if founding is None or founding.stage != "auction" or founding.bidding.turn is None:
            return ()
        return (founding.bidding.turn,)

    def choices(self, s: State1817) -> Iterator[Choice]:
        founding = current(s)
        if founding is None:
            return
        step = self.rules.constants.founding.step
        for who in self.actors(s):
            player, high = s.players[who], bid_limit(self.rules, s, who)
            low = founding.bidding.price + step
            for first, last in payable(self.rules, s, who, low, high):
                bid = Bid(
                    entity=player.id,
                    entity_type="player",
                    corporation=founding.corporation,
                    price=first,
                )
                yield Choice(bid, {"price": Span(first, last, step)})
            yield Choice(Pass(entity=player.id, entity_type="player"))

    def check(self, s: State1817, a: Bid | Pass) -> None:
        founding = founding_of(s)
        if isinstance(a, Pass):
            return
        if a.corporation != founding.corporation or a.company or a.minor:
            raise self.refuse("other_auction", f"The auction is for {founding.corporation}.")
        _check_bid(self.rules, s, a, founding.bidding.price + self.rules.constants.founding.step)

    def apply(self, s: State1817, a: Bid | Pass) -> None:
        if isinstance(a, Bid):
            _bid(self.rules, s, a)
            return
        founding = founding_of(s)
        s.now.emit(Passed(a.actor, self.name))
        _change(s, bidding=leave(founding.bidding, a.actor))
        _settle(self.rules, s)


class ChooseSize(Step[State1817]):
    """Step 5, where the phase allows two sizes."""

    name = "size"
    rule = "5.1.6"
    takes = frozenset({Choose})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        founding = current(s)
        if founding is None or founding.stage != "size" or founding.winner is None:
            return ()
        return (founding.winner,)

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            for size in self.rules.sizes(s, founding_of(s).corporation):
                yield Choice(Choose(entity=s.players[who].id, entity_type="player", choice=size))

    def check(self, s: State1817, a: Choose) -> None:
        sizes = self.rules.sizes(s, founding_of(s).corporation)
        if isinstance(a.choice, bool) or a.choice not in sizes:
            raise self.refuse("size", f"The size is one of {', '.join(map(str, sizes))}.")

    def apply(self, s: State1817, a: Choose) -> None:
        choose_size(self.rules, s, int(a.choice))


class PayInPrivates(Step[State1817]):
    """Step 7: the winner pays privates in at face value."""

    name = "privates"
    rule = "5.1.6"
    takes = frozenset({Assign, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        founding = current(s)
        if founding is None or founding.stage != "privates" or founding.winner is None:
            return ()
        return (founding.winner,)

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            player = s.players[who]
            for company in contributable(self.rules, s):
                yield Choice(
                    Assign(
                        entity=player.id,
                        entity_type="player",
                        target=company,
                        target_type="company",
                    )
                )
            if player.cash >= 0:
                yield Choice(Pass(entity=player.id, entity_type="player"))

    def check(self, s: State1817, a: Assign | Pass) -> None:
        if isinstance(a, Pass):
            if (short := -cash(s, a.actor)) > 0:
                raise self.refuse("debt", f"You must still pay ${short} with privates.")
            return
        if a.target_type != "company" or a.target not in contributable(self.rules, s):
            raise self.refuse("not_contributable", f"{a.target} cannot be paid in now.")

    def apply(self, s: State1817, a: Assign | Pass) -> None:
        founding = founding_of(s)
        if isinstance(a, Pass):
            complete(self.rules, s)
            return
        symbol, powers = founding.corporation, self.rules.powers[a.target]
        self.rules.give_company(s, a.target, symbol)
        pay(s, symbol, a.actor, self.box.companies[a.target].value, "private", debt=True)
        if powers.contribution_bonus:
            pay(s, BANK, symbol, powers.contribution_bonus, "private")
        if powers.extra_token:
            laying.set_tokens(s, symbol, (*s.corporations[symbol].tokens, Token(0)))
        if not contributable(self.rules, s):
            complete(self.rules, s)
