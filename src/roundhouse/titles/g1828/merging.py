"""Mergers: when they are possible (§5.6.1), and the making of a system (§5.6.2–3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...board import laying
from ...model.actions import Action, Choose, FailedMerge, Merge
from ...model.choices import Choice
from ...model.events import Merged
from ...model.frozen import FrozenDict, put
from ...model.records import Cert, Token, set_corporation
from ...rounds.step import Asking, Fault
from ...rounds.steps.removal import RemoveTokens, Spot
from ...stock import market
from . import exchange
from .constants import COAL
from .current_merger import change, present
from .powers import close_presidencies
from .rules import Rules1828
from .state import Charter, State1828, StockRound

# when (§5.6.1)


def candidates(rules: Rules1828, s: State1828, who: str) -> Iterator[tuple[str, str]]:
    """Pairs the player could merge; the first of each may be one without a price."""
    plain = [c for c in s.corporations.values() if c.certs and not c.system]
    own = [c for c in plain if c.president == who]
    fit = {(x.id, y.id) for x in own for y in _fitting(rules, s, x, plain)}
    for x in plain if fit else ():
        for y in plain:
            if y.cell is not None and ((x.id, y.id) in fit or (y.id, x.id) in fit):
                yield x.id, y.id


def _fitting(
    rules: Rules1828, s: State1828, x: Charter, plain: Sequence[Charter]
) -> Iterator[Charter]:
    """What a company could merge with: somebody holds six shares of the two, or five if he has sold
    none of either in this round."""
    sold, holdings = StockRound.of(s).barred, rules.trading.holdings
    of_x = holdings(x, s.order)
    for y in plain:
        if x.operated != y.operated or not (x.floated or y.floated) or x is y:
            continue
        for player, own, other in zip(s.order, of_x, holdings(y, s.order), strict=True):
            percent = own + other
            if percent >= 60 or (percent >= 50 and {x.id, y.id}.isdisjoint(sold.get(player, ()))):
                yield y
                break


def startable(rules: Rules1828, s: State1828, who: str) -> list[tuple[str, str]]:
    """Candidates that have a price both."""
    return [p for p in candidates(rules, s, who) if s.corporations[p[0]].cell is not None]


def has_failed(s: State1828, who: str, pair: tuple[str, str]) -> bool:
    """§5.6.7.4: whether a player has tried a merger in vain and nothing has changed since."""
    return (who, *pair) in StockRound.of(s).failed


def partners(rules: Rules1828, s: State1828, survivor: str) -> list[str]:
    """What could be merged into a survivor by the player on turn."""
    return [b for a, b in startable(rules, s, StockRound.of(s).player) if a == survivor]


def promising(rules: Rules1828, s: State1828, survivor: str) -> list[str]:
    """Of these, those with which it has not just failed."""
    who = StockRound.of(s).player
    return [b for b in partners(rules, s, survivor) if not has_failed(s, who, (survivor, b))]


def start_choices(rules: Rules1828, s: State1828, who: str) -> Iterator[Choice]:
    """Name the survivor."""
    player = s.players[who].id
    pairs = [pair for pair in startable(rules, s, who) if not has_failed(s, who, pair)]
    for survivor in dict.fromkeys(a for a, _ in pairs):
        yield Choice(Choose(entity=player, entity_type="player", choice=survivor))


def why_no_start(
    rules: Rules1828, s: State1828, survivor: str, target: str | None = None
) -> Fault | None:
    """§5.6.1: why a survivor takes over nothing now, or not the target that is named."""
    found = [b for b in partners(rules, s, survivor) if target in (None, b)]
    if not found:
        return "no_merger", f"{survivor} cannot take over {target or 'any corporation'}.", "5.6.1"
    if s.now.recorded or not set(found).isdisjoint(promising(rules, s, survivor)):
        return None
    text = f"The merger of {survivor} with {' or '.join(found)} has failed; first a share or the"
    return "failed", f"{text} price of one of them must move.", "5.6.7"


def why_no_failure(rules: Rules1828, s: State1828, a: FailedMerge) -> Fault | None:
    """§5.6.7.4: why no merger can have failed."""
    if len(a.corporations) != 2:
        return "pair", "A merger is of two corporations.", "5.6.7"
    if not any(True for _ in candidates(rules, s, a.actor)):
        return "no_merger", "No merger is possible.", "5.6.7"
    return None


# the target, and the system (§5.6.2)


class NameTarget(Asking[State1828, Rules1828]):
    """The corporation that is taken over."""

    name = "merger target"
    rule = "5.6.1"
    takes = frozenset({Merge})

    def asked(self, s: State1828) -> str | None:
        merger = StockRound.of(s).merger
        return merger.player if merger and merger.target is None else None

    def admits(self, s: State1828, who: str, kind: type[Action]) -> bool:
        return kind in self.takes and bool(self.actors(s)) and who == present(s).survivor

    def answers(self, s: State1828, who: str) -> Iterator[Choice]:
        survivor = present(s).survivor
        for target in promising(self.rules, s, survivor):
            yield self.choice(s, survivor, Merge, corporation=target)

    def check_answer(self, s: State1828, a: Merge) -> None:
        if a.minor is not None:
            raise self.refuse("no_merger", "Corporations merge with corporations.")
        survivor = present(s).survivor
        self.insist(why_no_start(self.rules, s, survivor, a.corporation or ""))

    def answer(self, s: State1828, a: Merge) -> None:
        change(s, target=a.corporation)
        create_system(self.rules, s)


def create_system(rules: Rules1828, s: State1828) -> None:
    """§5.6.2: cash, tokens, privates, trains, coal and the price; then the exchange."""
    merger = present(s)
    symbol, pair = merger.system, merger.pair
    both = [s.corporations[p] for p in pair]
    system = Charter(
        id=symbol,
        members=pair,
        late=not all(c.floated for c in both),
        train_shells=tuple((train, c.id) for c in both for train in c.trains),
        certs=FrozenDict({symbol: tuple(Cert(i, 20 if i == 0 else 10, i) for i in range(9))}),
    )
    s.corporations = put(s.corporations, symbol, system)
    s.now.emit(Merged(*pair))
    for part in pair:
        rules.inherit(s, symbol, part)
    if system.train_shells:
        close_presidencies(rules, s, symbol)
    _move_tokens(rules, s, symbol, pair)
    _join_coal(rules, s, symbol, pair)
    _place_price(rules, s, symbol, pair)
    exchange.begin(rules, s)


def _place_price(rules: Rules1828, s: State1828, symbol: str, pair: tuple[str, str]) -> None:
    """§5.6.2.4, and with option ``merger_500_ends`` §13."""
    cell = system_cell(rules, s, pair)
    market.place(s, symbol, cell, "merger")
    if "merger_500_ends" in rules.options and cell == rules.last_cell:
        s.topped = True


def system_cell(rules: Rules1828, s: State1828, pair: tuple[str, str]) -> str:
    """§5.6.2.4."""
    cells = [rules.box.market.cells[s.corporations[p].cell or ""] for p in pair]
    prices = sorted(c.price for c in cells)
    value, column = prices[1] + prices[0] // 2, min(c.column for c in cells)
    grid = rules.box.market.grid
    if grid[0, column].price < value:
        return [c for c in grid.values() if c.row == 0 and c.price <= value][-1].id
    return next(c for c in grid.values() if c.column == column and c.price <= value).id


def _join_coal(rules: Rules1828, s: State1828, symbol: str, pair: tuple[str, str]) -> None:
    """§5.6.2.3: one marker at most; a second one goes back."""
    field = rules.constants.coal.field
    owners = s.board.closed[field]
    having = [p for p in pair if p in owners]
    if not having:
        return
    others = tuple(o for o in owners if o not in pair)
    laying.open_only_to(s, field, (*others, symbol))
    if len(having) == 2:
        laying.add_marker(s, symbol, field, COAL)


# tokens (§5.6.3)


def _move_tokens(rules: Rules1828, s: State1828, symbol: str, pair: tuple[str, str]) -> None:
    moved: list[tuple[Token, int]] = []
    for part in pair:
        for token in s.corporations[part].tokens:
            slot = _replace_token(rules, s, part, symbol, token.city) if token.city else 0
            moved.append((token, slot))
        set_corporation(s, part, tokens=())
        _move_reservations(s, part, symbol)
    moved.sort(key=lambda m: (m[0].city is None, m[0].price))
    tokens = tuple(_return_doubles(rules, s, moved))
    set_corporation(s, symbol, tokens=tokens)
    hexes = [laying.split_place(t.city)[0] for t in tokens if t.city]
    change(s, clashes=tuple(dict.fromkeys(h for h in hexes if hexes.count(h) > 1)))


def _replace_token(rules: Rules1828, s: State1828, part: str, symbol: str, place: str) -> int:
    """§5.6.3.1: lift one token, put the system's into the first free unreserved slot; which."""
    coord, city = laying.split_place(place)
    row = s.board.cities[coord][city]
    laying.fill_slot(rules.box, s, coord, city, row.index(part), None)
    slot = laying.free_slot(rules.box, s.board, coord, city, part)
    assert slot is not None
    laying.fill_slot(rules.box, s, coord, city, slot, symbol)
    return slot


def _move_reservations(s: State1828, part: str, symbol: str) -> None:
    """§9.7: places kept for a part are kept for the system."""
    for coord, places in s.board.reserved.items():
        if any(p.entity == part for p in places):
            kept = tuple(replace(p, entity=symbol) if p.entity == part else p for p in places)
            laying.reserve(s, coord, kept)


def _return_doubles(
    rules: Rules1828, s: State1828, moved: list[tuple[Token, int]]
) -> Iterator[Token]:
    """§5.6.3.2: the second token in a city, in the order of the list, returns to the charter; a
    blocker takes its slot. ``moved``: tokens, each with the slot it has."""
    seen: set[str] = set()
    for token, slot in moved:
        if token.city in seen:
            laying.block(rules.box, s, *laying.split_place(token.city), slot)
            token = replace(token, city=None)
        elif token.city is not None:
            seen.add(token.city)
        yield token


class RemoveClash(RemoveTokens[State1828, Rules1828]):
    """§5.6.3.3: of two tokens in different cities of one hex one is taken off."""

    name = "merger tokens"
    rule = "5.6.3"

    def asked(self, s: State1828) -> str | None:
        merger = StockRound.of(s).merger
        return merger.player if merger and merger.clashes else None

    def company(self, s: State1828) -> str | None:
        return present(s).system if self.asked(s) else None

    def spots(self, s: State1828) -> Iterator[Spot]:
        merger = present(s)
        for coord in merger.clashes:
            for city, row in enumerate(s.board.cities[coord]):
                if merger.system in row:
                    yield coord, city, row.index(merger.system)

    def take_off(self, s: State1828, spot: Spot) -> None:
        """A blocker takes its slot; by option it comes back to the charter."""
        coord, city, slot = spot
        system = s.corporations[present(s).system]
        gone = next(t for t in system.tokens if t.city == f"{coord}/{city}")
        returned = "merger_token_returns" in self.rules.options
        left = (replace(gone, city=None),) if returned else ()
        at = system.tokens.index(gone)
        set_corporation(s, system.id, tokens=(*system.tokens[:at], *left, *system.tokens[at + 1 :]))
        laying.block(self.box, s, coord, city, slot)
        change(s, clashes=tuple(c for c in present(s).clashes if c != coord))
        exchange.go_on(self.rules, s)
