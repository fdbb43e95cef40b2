"""The ledger of a position: when which train comes and which rusts, how long the game lasts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..model.records import Corporation, Pile, State
from ..rounds.rules import Rules
from ..rounds.steps.dividend import dividends_of
from ..rounds.steps.operating import beyond
from ..rounds.steps.progress import OperatingProgress, StockProgress
from .knowledge import Knowledge
from .prices import Rises, risen
from .sold import as_good_as_sold

#: Rounds looked ahead at most: to the top of the market, and for stock rounds.
_FAR = 30
#: Percent that players have of a company that is as good as sold out.
_FULL = 90
#: Twice the rounds by which it must be expected to have rusted, or not, for that to be certain.
_SPARE = 4.0
#: Rounds until the first train of a pile nobody has touched is bought; one that is as good as sold
#: in the round that is running, mostly after the company that operates has run.
_SOON, _IN_THIS_ROUND = 0.6, 0.5
#: The same if nobody can pay it, and the part of what companies earn that they keep for it.
_LATE, _SAVED = 6.0, 0.35
#: How much sooner a train is bought that nobody must buy yet: trains rust, so that somebody must.
_SOONER = 0.4
#: Rounds about the end of a set within which something may as well happen after it.
_CLOSE = 1.0
#: How much a slow game is thought to slow on, pile by pile, and the bounds of it.
_CATCHING_UP = 0.5
_FASTEST, _SLOWEST = 0.8, 4.0


class Ledger(Struct, frozen=True):
    """What is expected, in operating rounds from now. ``rounds``: how many are left, 0: the game
    ends with the stock round that is running; ``certain``: whether that is known; ``arrival``: when
    the first train of each kind leaves the depot (0: it has); ``rust``: until when each kind runs;
    ``owed``: what a loan costs now; ``stock``: the operating rounds, from 0, after which a stock
    round comes; -1: one is running."""

    rounds: float
    arrival: Mapping[str, float]
    rust: Mapping[str, float]
    kinds: tuple[str, ...]
    owed: int = 0
    stock: frozenset[int] = frozenset()
    certain: bool = False

    def on_sale(self, after: float) -> str | None:
        """The kind of train the bank sells then."""
        return self._last(self.kinds, after) or (self.kinds[0] if self.kinds else None)

    def begun(self, after: float) -> str | None:
        """The last kind of train the first of which has left the depot by then: what the phase
        follows from."""
        return self._last(self.arrival, after)

    def _last(self, kinds: Iterable[str], after: float) -> str | None:
        """The last of some kinds the first train of which has left the depot by then."""
        found = None
        for kind in kinds:
            if self.arrival[kind] <= after + 0.01:
                found = kind
        return found

    def life(self, kind: str, start: float = 0.0) -> float:
        """Rounds a train of a kind bought then still runs."""
        return max(0.0, min(self.rust.get(kind, inf), self.rounds) - start)

    def past(self) -> Ledger:
        """The same once the operating round that is running is over."""
        stock = frozenset([at - 1 for at in self.stock])
        return replace(self, rounds=max(1.0, self.rounds - 1.0), stock=stock)

    def stretched(self, times: float) -> Ledger:
        """The same where all that is to come takes so many times as long."""
        return replace(
            self,
            rounds=self.rounds if self.certain else max(1.0, times * self.rounds),
            arrival={kind: times * at for kind, at in self.arrival.items()},
            rust={kind: times * at for kind, at in self.rust.items()},
        )


def make_ledger(
    rules: Rules[Any], known: Knowledge, s: State, sold: tuple[int, ...] | None = None
) -> Ledger:
    """The ledger of a position. ``sold``: what is as good as sold of each pile, if more is known of
    that than the state tells."""
    sold = as_good_as_sold(rules, known, s) if sold is None else sold
    arrival = _arrivals(rules, known, s, sold)
    rust = {k: _rusts(rules, k, arrival) for k in rules.box.trains}
    told = rules.facts.rounds_left(s)
    left = _rounds_left(rules, known, s, arrival) if told is None else float(told)
    expected = min(clock(rules, known, s, arrival), left)
    over = ends_with_trade(rules, known, s)
    rounds = 0.0 if over else max(1.0, _by_deadlines(rules, known, s, sold, expected))
    selling = tuple(p.kind for p in s.depot.piles)
    stock = stock_rounds(rules, s, arrival)
    certain = over or told is not None
    return Ledger(rounds, arrival, rust, selling, rules.facts.interest_rate(s), stock, certain)


def passed_on(rules: Rules[Any], old: Ledger, s: State, sold: int) -> Ledger:
    """The ledger after something that may have brought a train forward: the clock of the game is
    everybody's, so that one train more does not end it sooner; but what has begun has begun, and
    what is as good as sold in this round begins with it: trains of so many piles."""
    selling = tuple(p.kind for p in s.depot.piles)
    gone = {k for k in old.kinds if k not in selling}
    gone |= {p.kind for p in s.depot.piles[:1] if has_left(rules, s, p)}
    soon = _IN_THIS_ROUND if operating(s) else _SOON
    arrival = {k: min(v, soon) if k in selling[:sold] else v for k, v in old.arrival.items()}
    arrival |= dict.fromkeys(gone, 0.0)
    rust = {k: _rusts(rules, k, arrival) for k in rules.box.trains}
    return replace(old, arrival=arrival, rust=rust, kinds=selling)


def _arrivals(
    rules: Rules[Any], known: Knowledge, s: State, sold: tuple[int, ...], paid: bool = False
) -> dict[str, float]:
    """When the first train of each kind leaves the depot, where some are as good as ``sold`` of
    each pile; where they do not wait until companies can have ``paid`` the others, if they did."""
    left = {p.kind: p for p in s.depot.piles}
    found = dict.fromkeys(rules.box.trains, 0.0)
    clock = 0.0
    slow = _slowness(rules, known, s)
    for number, pile in enumerate(s.depot.piles):
        kind, taken = pile.kind, sold[number] if number < len(sold) else 0
        touched = number == 0 and has_left(rules, s, pile)
        if number == 0:
            clock = first_sale(rules, known, s)
        if touched or taken:
            soon = _IN_THIS_ROUND if operating(s) else _SOON
            clock = 0.0 if touched else min(clock, soon)
        if number and not taken and known.compulsory and not known.patient:
            clock = max(clock, _SOONER * payable(rules, known, s, kind))
        found[kind] = clock
        lasting = slow * _lasting(rules, known, kind, _rest(left[kind].left, taken))
        if known.patient or paid:
            lasting = max(lasting, _paid_for(rules, known, s, number))
        clock += lasting
        slow = 1.0 + (slow - 1.0) * _CATCHING_UP
    return found


def first_sale(rules: Rules[Any], known: Knowledge, s: State) -> float:
    """Rounds until somebody can pay the first train of a pile nobody has touched, in halves: with
    what is in a treasury, what may be borrowed, and a part of what is earned."""
    pile = s.depot.piles[0] if s.depot.piles else None
    if pile is None or not known.patient or has_left(rules, s, pile):
        return _SOON
    cost = rules.box.trains[pile.kind].price
    waits = [_saving(rules, known, s, c, cost) for c in s.corporations.values()]
    return max(_SOON, round(2 * min(_LATE, min(waits, default=0.0))) / 2)


def payable(rules: Rules[Any], known: Knowledge, s: State, kind: str) -> float:
    """Rounds until a company can pay for a train of a kind that none must buy, beside the one it
    must have first."""
    cost, first = rules.box.trains[kind].price, rules.box.trains[s.depot.piles[0].kind].price
    firms = s.corporations.values()
    waits = [_saving(rules, known, s, c, cost + (0 if c.trains else first)) for c in firms]
    return min(_LATE, min(waits, default=0.0))


def _paid_for(rules: Rules[Any], known: Knowledge, s: State, number: int) -> float:
    """Rounds until companies can have paid the rest of a pile out of what they keep, while they run
    trains of the kind before it and of its own."""
    pile, kinds = s.depot.piles[number], list(rules.box.trains)
    before = kinds[max(0, kinds.index(pile.kind) - 1)] if number else pile.kind
    each = (known.typical.get(pile.kind, 0.0) + known.typical.get(before, 0.0)) / 2
    kept = _SAVED * each * running(s)
    cost = (pile.left or 0) * rules.box.trains[pile.kind].price
    return min(_SLOWEST * _LATE, cost / kept) if kept else 0.0


def running(s: State) -> int:
    """How many companies run trains."""
    return sum([c.floated and bool(c.trains) for c in s.corporations.values()])


def _saving(rules: Rules[Any], known: Knowledge, s: State, c: Corporation, cost: int) -> float:
    """Rounds until a company can pay a train it has room for."""
    limit = rules.train_limit(s, c.id)
    if c.cell is None or not c.floated or (limit and len(c.trains) >= limit):
        return inf
    earns = _SAVED * _typically(known, s, c)
    missing = cost - c.cash
    if missing <= 0:
        return 0.0
    return missing / earns if earns else inf


def _slowness(rules: Rules[Any], known: Knowledge, s: State) -> float:
    """How much slower than most the game is so far, by the trains that are gone."""
    pile = s.depot.piles[0] if s.depot.piles else None
    if pile is None or pile.kind not in known.pace:
        return 1.0
    count = rules.box.trains[pile.kind].count or 1
    sold = 1.0 - (count if pile.left is None else pile.left) / count
    usual = known.pace[pile.kind] + sold * _lasting(rules, known, pile.kind, count)
    elapsed = _rounds_before(rules, known, s) + _rounds_of_turn(s)
    return min(_SLOWEST, max(_FASTEST, (elapsed + 1.0) / (usual + 1.0)))


def _rounds_before(rules: Rules[Any], known: Knowledge, s: State) -> int:
    """Operating rounds in the turns that are over, as many in each as at the usual pace."""
    rounds, phases = 0, _phases(rules, known.pace)
    for _ in range(s.turn - 1):
        rounds += _set_size(phases, rounds)
    return rounds


def _rounds_of_turn(s: State) -> float:
    """Operating rounds of this turn that are over, and the part of the one that is running by the
    companies that have had their turn."""
    m = s.round
    if not isinstance(m, OperatingProgress):
        return 0.0
    return m.number - 1 + max(0, m.index) / max(1, len(m.order))


def _phases(rules: Rules[Any], arrival: Mapping[str, float]) -> list[tuple[float, int]]:
    """When phases begin, in order, and how many operating rounds a set then has: the first, and
    those a train begins; when others come no arrival tells."""
    first, *later = rules.box.phases.values()
    begun = [(min([arrival.get(k, inf) for k in p.on]), p.operating_rounds) for p in later if p.on]
    return [(0.0, first.operating_rounds), *begun]


def _set_size(phases: Sequence[tuple[float, int]], at: float) -> int:
    """Operating rounds in a set that begins then: as in the last phase that has begun."""
    return max(1, [rounds for begins, rounds in phases if begins <= at][-1])


def stock_rounds(rules: Rules[Any], s: State, arrival: Mapping[str, float]) -> frozenset[int]:
    """The operating rounds from now on after which a stock round comes; -1: one is running."""
    found = {-1} if isinstance(s.round, StockProgress) else set[int]()
    at, phases = rules.facts.left_of_set(s, _turn(rules, s)) - 1, _phases(rules, arrival)
    while at < _FAR:
        found.add(at)
        at += _set_size(phases, at + 1)
    return frozenset(found)


def has_left(rules: Rules[Any], s: State, pile: Pile) -> bool:
    """Whether the first train of a pile has left the depot; of one that never ends, by the phase it
    brings, as what is given back to it is not missed."""
    count = rules.box.trains[pile.kind].count
    if pile.left is not None and count is not None:
        return pile.next > 0 and pile.left < count
    phases = list(rules.box.phases)
    begun = phases[: phases.index(s.phase) + 1]
    return pile.next > 0 or any(pile.kind in rules.box.phases[name].on for name in begun)


def _rest(left: int | None, taken: int) -> int | None:
    return None if left is None else left - taken


def _lasting(rules: Rules[Any], known: Knowledge, kind: str, left: int | None) -> float:
    """Rounds the rest of a pile lasts."""
    kinds = list(rules.box.trains)
    at = known.pace.get(kind)
    following = [known.pace[k] for k in kinds[kinds.index(kind) + 1 :] if k in known.pace]
    if left is None or at is None or not following:
        return inf if left is None else 2.0
    count = rules.box.trains[kind].count or left
    return max(0.3, (following[0] - at) * min(1.0, left / max(1, count)))


def _rusts(rules: Rules[Any], kind: str, arrival: Mapping[str, float]) -> float:
    """When trains of a kind rust; obsolete ones run once more."""
    definition = rules.box.trains[kind]
    last = inf
    for trigger, extra in ((definition.rusts_on, 0.0), (definition.obsolete_on, 1.0)):
        names = (trigger,) if isinstance(trigger, str) else trigger or ()
        for name in names:
            if not extra and kind not in rules.rusted_by(name):
                continue  # by an option it does not
            last = min(last, arrival.get(name, inf) + extra)
    return last


def _rounds_left(
    rules: Rules[Any], known: Knowledge, s: State, arrival: Mapping[str, float]
) -> float:
    """Operating rounds to the end, where the rules do not tell it yet: expected from the trains
    still to come."""
    end = known.pace.get("end")
    coming = [k for k in known.pace if k != "end" and arrival.get(k, 0.0) > 0]
    if end is None:
        return 8.0
    if coming:
        first = coming[0]
        return min(end, arrival[first] + end - known.pace[first])
    if due := rules.facts.deadlines(s):
        # trains that stay for good end it: those of the next stock round at the latest
        return float(max(at for at, _ in due) + _turn(rules, s))
    last = max((v for k, v in known.pace.items() if k != "end"), default=0.0)
    return max(1.0, 0.7 * (end - last))


def _by_deadlines(
    rules: Rules[Any], known: Knowledge, s: State, sold: tuple[int, ...], expected: float
) -> float:
    """Rounds to the end where trains end it unless they are gone by then: the less time to spare
    they rust with, once companies can have paid what comes before, the less likely that is."""
    deadlines = rules.facts.deadlines(s)
    arrival = _arrivals(rules, known, s, sold, paid=True) if deadlines else {}
    for at, kind in deadlines:
        gone = _rusts(rules, kind, arrival)
        if at < expected and gone > 0:
            ends = min(1.0, max(0.0, 0.5 + (gone - at) / _SPARE))
            expected += ends * (at - expected)
    return expected


def clock(
    rules: Rules[Any], known: Knowledge, s: State, arrival: Mapping[str, float] | None = None
) -> float:
    """Rounds until a price is at the top, or to the end of the set in which the bank is empty, if
    that ends the game. The farther off it seems the longer it takes (``Knowledge.drag``). In
    halves, so that not every payment changes it. ``arrival``: when trains come, if that is reckoned
    already."""
    found = inf
    if known.peak:
        if arrival is None:
            arrival = _arrivals(rules, known, s, as_good_as_sold(rules, known, s))
        found = min(found, _to_peak(rules, known, s, arrival))
    if known.bank:
        found = min(found, _to_end_of_set(rules, s, _drawn_out(known, _to_empty(known, s))))
    return found


def _drawn_out(known: Knowledge, rounds: float) -> float:
    """Rounds with what comes between, in halves."""
    return rounds if rounds == inf else round(2 * rounds * (1.0 + known.drag * rounds)) / 2


def _to_end_of_set(rules: Rules[Any], s: State, rounds: float) -> float:
    """Rounds until the set of operating rounds is over that something happens in: of this one all
    are left, of a later one half as many beside as it has; where it is expected about the end of
    this one it may as well be that the next is played to its end."""
    turn = _turn(rules, s)
    left = rules.facts.left_of_set(s, turn)
    if rounds <= left - _CLOSE:
        return float(left)
    if rounds < left + _CLOSE:
        return left + turn * (0.5 + (rounds - left) / (2 * _CLOSE))
    return rounds + turn / 2


def _to_peak(rules: Rules[Any], known: Knowledge, s: State, arrival: Mapping[str, float]) -> float:
    """Rounds until the first company is at the top: those that live on the runs of others miss no
    train, and withhold nothing."""
    stock = stock_rounds(rules, s, arrival) if known.sold_out else frozenset()
    leaders = [
        c
        for c in s.corporations.values()
        if c.cell is not None and (c.trains or known.lives_on_visits(c.id))
    ]
    climbs = [(c, _climb(rules, known, s, c, arrival, stock)) for c in leaders]
    return min([_drawn_out(known, n) if c.trains else n for c, n in climbs], default=inf)


def _climb(
    rules: Rules[Any],
    known: Knowledge,
    s: State,
    c: Corporation,
    arrival: Mapping[str, float],
    stock: Container[int],
) -> float:
    """Rounds until a company is at the top: as many steps a round as what trains typically earn
    then brings at its price, and one more after each stock round in which players have all of it,
    as likely as that is."""
    market, typical, dividends = rules.box.market, known.typical, dividends_of(rules)
    first = 1 if beyond(rules, s, c.id, "dividend") else 0
    top, own = max(market.price.values()), _typically(known, s, c)
    everywhere = known.visits.everywhere if known.visits is not None else ()
    cell, rises = c.cell or "", Rises(is_full(s, c))
    for now in range(-1, _FAR):
        if market.price[cell] >= top:
            return float(max(0, now))
        steps = 0
        if now >= first and known.lives_on_visits(c.id):
            steps = int(any(arrival.get(k, inf) <= now for k in everywhere))
        elif now >= first:
            coming = max([typical.get(k, 0.0) for k, at in arrival.items() if at <= now])
            paid = max(own, (1.0 + known.another) * coming)
            steps = dividends.steps_for(c.id, paid / max(1, market.price[cell])) if dividends else 0
        for _ in range(max(0, steps)):
            cell = market.right(cell)
        if now in stock and rises.due():
            cell = risen(known, market, cell)
    return inf


def _typically(known: Knowledge, s: State, c: Corporation) -> float:
    """What the trains of a company typically earn, each by itself."""
    return sum([known.typical.get(s.trains[t].kind, 0.0) for t in c.trains])


def ends_with_trade(rules: Rules[Any], known: Knowledge, s: State) -> bool:
    """Whether the game ends with the stock round that is running: one company of which players have
    everything is at the top of the market then."""
    if not known.peak or known.sold_out != "up" or not isinstance(s.round, StockProgress):
        return False
    market = rules.box.market
    top = max(market.price.values())
    started = [c for c in s.corporations.values() if c.cell is not None]
    near = [c for c in started if market.price[market.up(c.cell or "")] >= top]
    return any(_with_players(s, c) >= 100 for c in near)


def is_full(s: State, c: Corporation) -> bool:
    """Whether players have as good as all shares of a company."""
    return _with_players(s, c) >= _FULL


def _with_players(s: State, c: Corporation) -> int:
    """Percent of a company players have."""
    return sum([c.held(p) for p in s.players])


def _turn(rules: Rules[Any], s: State) -> int:
    """Operating rounds between two stock rounds now."""
    return max(1, rules.box.phases[s.phase].operating_rounds)


def _to_empty(known: Knowledge, s: State) -> float:
    """Rounds the money of the bank lasts, if companies earn what their trains typically do."""
    out = sum(
        [known.typical.get(t.kind, 0.0) for t in s.trains.values() if t.owner in s.corporations]
    )
    return s.bank / out if out else inf


def operating(s: State) -> bool:
    """Whether an operating round is running."""
    return isinstance(s.round, OperatingProgress)
