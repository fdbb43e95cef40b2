"""Who has won already: proven bounds of what everybody is worth in the end.

Once nothing but operating rounds, and what belongs to them, is left and a title can tell how worth
still changes then (:meth:`~roundhouse.facts.Facts.closing`), what companies can still earn is
bounded: by best routes where a company is about to run, else by what its trains would earn on the
best tiles that could ever lie anywhere. With the steps prices can take this bounds what each player
is worth in the end, and how far another one can get past him. The bounds are loose, and never
wrong: whatever the others do, and whatever the leader does except to his own harm where he need
not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import floor
from typing import Any

from msgspec import Struct

from .board.tiles import NODE, Face
from .facts import Closing
from .game import Game
from .model.records import Corporation, State
from .rounds.rules import Rules
from .rounds.steps.dividend import dividends_of
from .rounds.steps.operating import beyond
from .rounds.steps.progress import OperatingProgress
from .routes.model import RouteModel
from .routes.whatif import with_trains

#: Counted work of a search of routes.
EFFORT = 2_000


class Bounds(Struct, frozen=True):
    """What a player (by key) is worth in the end: at least ``low``, at most ``high``."""

    who: str
    low: int
    high: int


class Clinch(Struct, frozen=True):
    """A proof that nobody can pass a player any more, whom ``leader`` names by key.

    ``rounds``: operating rounds left, the running one included; ``bounds`` of all players, the
    leader's first; ``margins``: what he stays ahead of each other one by at least; ``income``: what
    each company can still earn at most.
    """

    leader: str
    rounds: int
    bounds: tuple[Bounds, ...]
    margins: Mapping[str, int]
    income: Mapping[str, int]


def clinched(game: Game, *, effort: int = EFFORT) -> Clinch | None:
    """The proof that somebody has won; None if there is none, which does not say that anybody else
    can still win."""
    return _Closing(game.rules, game.state, effort).clinch()


def bounds(game: Game, *, effort: int = EFFORT) -> tuple[Bounds, ...]:
    """What each player is worth in the end, as far as it is certain; nothing where it is open, as
    before the last operating rounds."""
    found = _Closing(game.rules, game.state, effort)
    return found.bounds() if found.closing is not None else ()


def told(game: Game, found: Clinch) -> list[str]:
    """A proof in sentences: that somebody has won, then why."""
    players, money = game.state.players, game.rules.facts.money
    rounds = (
        f"{found.rounds} operating round{'s' * (found.rounds > 1)} left, the running one included"
    )
    if not found.rounds:
        rounds = "Only what follows the last operating round is left"
    name = players[found.leader].name
    own = found.bounds[0]
    lines = [
        f"{name} has won: nobody can pass {name} any more.",
        f"{rounds}, and nothing else before the end.",
        f"{name} ends with {money(own.low)} at least.",
    ]
    for b in found.bounds[1:]:
        rest = found.margins.get(b.who)
        stays = f", and {money(rest)} behind {name} at least" if rest is not None else ""
        lines.append(f"{players[b.who].name} ends with {money(b.high)} at most{stays}.")
    earning = [f"{c} {money(most)}" for c, most in found.income.items() if most]
    if earning:
        lines.append(f"What companies can still earn is at most: {', '.join(earning)}.")
    return lines


class _Closing:
    """A position in which nothing but operating rounds, and what belongs to them, is left; each
    bound is found when needed. ``steady``: who does nothing with what is his that he need not."""

    def __init__(
        self,
        rules: Rules[Any],
        s: State,
        effort: int,
        steady: str = "",
        income: dict[str, int] | None = None,
    ) -> None:
        self.rules, self.s, self.effort, self.steady = rules, s, effort, steady
        self.before: Closing | None = None
        if s.finished is None:
            self.before = rules.facts.closing(s, steady)
        self.closing = self.before
        self._income: dict[str, int] = {} if income is None else income

    def steadily(self, who: str) -> _Closing:
        """The same position, if a player does nothing he need not."""
        return type(self)(self.rules, self.s, self.effort, who, self._income)

    def clinch(self) -> Clinch | None:
        s = self.s
        alive = [p for p in s.players if not s.players[p].bankrupt]
        if self.closing is None or len(alive) < 2:
            return None
        leader = max(alive, key=lambda p: self.rules.value(s, p))
        rivals = [p for p in alive if p != leader]
        own = self.steadily(leader)
        if not own.leads(rivals, {}):
            return None  # not even if nobody earned anything
        income = self.incomes()
        low = own.low()
        if low < 1 or not own.leads(rivals, income):
            return None
        margins = {p: int(min(low, own.margin(p, income))) for p in rivals}
        found = sorted(self.bounds(), key=lambda b: (b.who != leader, -b.high))
        return Clinch(leader, self.closing.rounds, tuple(found), margins, income)

    def bounds(self) -> tuple[Bounds, ...]:
        return tuple(
            Bounds(p, floor(self.steadily(p).low()), int(self.high(p)) + 1) for p in self.s.players
        )

    def low(self) -> float:
        """What the player who does nothing he need not is worth in the end at least."""
        who, income = self.steady, self.incomes()
        closing = self._after(income)
        worth = self.purse(who) - self.help(who) - closing.due
        for c in self._companies():
            held, part = self._held(c, who), self._part(c, who)
            worth += held * self.prices(c)[held < 0] - max(0.0, -part) * income[c.id]
        worth -= self._sales(lambda c: -self._part(c, who))
        return min(0.0, worth) if self._unsafe() else max(0.0, worth)

    def high(self, who: str) -> float:
        """What a player is worth in the end at most; whoever is bankrupt owes nothing."""
        income = self.incomes()
        closing = self._after(income)
        worth = self.purse(who) + closing.more.get(who, 0)
        for c in self._companies():
            held, part = self._held(c, who), self._part(c, who)
            worth += held * self.prices(c)[held > 0]
            worth += max(0.0, part) * income[c.id] + self.turns(c)
        return max(0.0, worth + self._sales(lambda c: self._part(c, who)))

    def leads(self, rivals: Iterable[str], income: Mapping[str, int]) -> bool:
        """Whether the player who does nothing he need not stays ahead of all others."""
        return not self._unsafe() and all(self.margin(p, income) > 0 for p in rivals)

    def margin(self, rival: str, income: Mapping[str, int]) -> float:
        """What the player who does nothing he need not stays ahead of another one by at least, if
        companies earn no more than is told (nothing is told of: nothing)."""
        leader, closing = self.steady, self._after(income)
        found = self.purse(leader) - self.purse(rival) - self.help(leader)
        found -= closing.due + closing.more.get(rival, 0)
        for c in self._companies():
            mine, his = self._held(c, leader), self._held(c, rival)
            prices = least, most = self.prices(c)
            more = max(0.0, self._part(c, rival) - self._part(c, leader))
            found -= more * income.get(c.id, 0) + self.turns(c) * (his > 0)
            alike = min((mine - his) * least, (mine - his) * most)
            apart = c.id in closing.trading or self._sells(rival)
            found += min(alike, mine * least - his * prices[his > 0]) if apart else alike
        return found - self._sales(lambda c: self._part(c, rival) - self._part(c, leader))

    def _unsafe(self) -> bool:
        """Whether the player who does nothing he need not could still become bankrupt: by what he
        may have to pay, or because he is short of a company."""
        who, closing = self.steady, self.closing
        assert closing is not None
        short = any(self._held(c, who) < 0 for c in self._companies())
        return short or closing.due > self.s.players[who].cash

    def _after(self, income: Mapping[str, int]) -> Closing:
        assert self.before is not None
        self.closing = self.rules.facts.aftermath(self.s, self.before, income, self.steady)
        return self.closing

    def _sales(self, part: Callable[[Corporation], float]) -> float:
        """The greatest part somebody may have of what is paid for companies."""
        assert self.closing is not None
        total, sales, trading = 0.0, self.closing.sales, self.closing.trading
        for c in self._companies():
            if sales.get(c.id):
                total += sales[c.id] * (1 if c.id in trading else max(0, part(c)))
        return total

    # players

    def purse(self, who: str) -> float:
        """What a player is worth beside shares."""
        price = self.rules.box.market.price
        started = [c for c in self.s.corporations.values() if c.cell is not None]
        shares = sum(self._held(c, who) * price[c.cell] for c in started if c.cell is not None)
        return self.rules.value(self.s, who) - shares

    def _held(self, c: Corporation, who: str) -> float:
        """The shares a player has of a company."""
        return c.held(who) / c.unit if c.cell is not None else 0.0

    def _part(self, c: Corporation, who: str) -> float:
        """A player's part of a dividend; what has no shares pays its owner."""
        if c.cell is None:
            return float(c.president == who)
        return c.held(who) / 100

    def _sells(self, who: str) -> bool:
        """Whether a player may have to sell shares to help companies of his with trains, even if he
        brings that about himself."""
        assert self.closing is not None
        if not self.closing.helped:
            return who in self.closing.selling
        led = [c for c in self._companies() if c.president == who]
        needed = self._dearest() * sum(self.turns(c, trains=True) for c in led)
        return self.s.players[who].cash < needed

    def help(self, who: str) -> float:
        """What a player may have to add to trains of his companies, if he sells none himself."""
        if self.closing is None or not self.closing.helped:
            return 0.0
        return sum(self._help(c) for c in self._companies() if c.president == who)

    def _help(self, c: Corporation) -> float:
        if any(not self._may_rust(t) for t in c.trains):
            return 0.0
        return float(self._dearest() * self.turns(c, trains=True))

    def _dearest(self) -> int:
        return max((self.rules.box.trains[k].price for k in self._coming()), default=0)

    def _coming(self) -> list[str]:
        return [p.kind for p in self.s.depot.piles]

    def _may_rust(self, train: str) -> bool:
        definition = self.rules.box.trains[self.s.trains[train].kind]
        if self.s.trains[train].obsolete:
            return True
        return not {*_names(definition.rusts_on), *_names(definition.obsolete_on)}.isdisjoint(
            self._coming()
        )

    # companies

    def _companies(self) -> Iterator[Corporation]:
        for c in self.s.corporations.values():
            if c.cell is not None or c.president in self.s.players:
                yield c

    def turns(self, c: Corporation, *, trains: bool = False) -> int:
        """How often a company still runs at most, or still comes to buying trains."""
        assert self.closing is not None
        gone = beyond(self.rules, self.s, c.id, "trains" if trains else "dividend")
        return self.closing.rounds - gone

    def prices(self, c: Corporation) -> tuple[int, int]:
        """The least and the most a company's shares may be worth in the end."""
        assert self.closing is not None
        least, most = self._prices(c)
        if c.id in self.closing.trading:
            others = [o for o in self._companies() if o.id in self.closing.trading]
            most = max(self._prices(o)[1] for o in others if o.shares == c.shares)
        return 0 if c.id in self.closing.fragile else least, most

    def _prices(self, c: Corporation) -> tuple[int, int]:
        """The lowest and the highest price a company may have in the end."""
        assert self.closing is not None
        if c.cell is None:
            return 0, 0
        market = self.rules.box.market
        up, down = self.rules.facts.price_moves(self.s, c.id, self.turns(c), self.steady)
        sold = sum(self._shares_sold(c, p) for p in self.s.players) if self.closing.helped else 0
        low = _reached(c.cell, down + sold, (market.left, market.down))
        high = _reached(c.cell, up, (market.right, market.up))
        ends = any(market.left(cell) == cell for cell in low)
        least = 0 if ends else min(market.price[cell] for cell in low)
        return least, max(market.price[cell] for cell in high)

    def _shares_sold(self, c: Corporation, who: str) -> int:
        return -(-c.held(who) // c.unit) if self._sells(who) and c.held(who) > 0 else 0

    def incomes(self) -> dict[str, int]:
        """What each company earns at most until the end."""
        return {c.id: self.income(c) for c in self._companies()}

    def income(self, c: Corporation) -> int:
        """What a company earns at most until the end."""
        if c.id not in self._income:
            times = self.turns(c)
            first = self._next_run(c) if times else 0
            later = self._later_run(c) if times > 1 else 0
            self._income[c.id] = first + max(0, times - 1) * later
        return self._income[c.id]

    def _next_run(self, c: Corporation) -> int:
        m, trains = self.s.round, c.trains
        assert isinstance(m, OperatingProgress)
        begun = m.index >= 0 and m.who == c.id
        if begun and m.stage == "dividend":
            dividends = dividends_of(self.rules)
            assert dividends is not None
            return dividends.revenue(self.s, c.id)
        if self.rules.facts.most_earned(self.s, c.id) is not None:
            return self._later_run(c)
        if begun and m.stage == "routes":
            return self.rules.route_model(self.s, c.id).best(effort=self.effort).bound
        assert self.closing is not None
        if begun or self.turns(c) == self.closing.rounds:
            return self._most(c, trains)
        return self._later_run(c)

    def _later_run(self, c: Corporation) -> int:
        """What as many trains as it may own earn at most, of any kind there may be."""
        told = self.rules.facts.most_earned(self.s, c.id)
        if told is not None:
            return told
        kinds = {t.kind for t in self.s.trains.values()} | {*self._coming()}
        room = max(len(c.trains), self.rules.train_limit(self.s, c.id) * len(c.train_groups))
        return room * max((self._most(c, (k,)) for k in kinds), default=0)

    def _most(self, c: Corporation, trains: tuple[str, ...]) -> int:
        """What some trains of a company earn at most, whatever track there is."""
        if not trains:
            return 0
        return max(self._in_phase(c, trains, phase) for phase in self._phases())

    def _in_phase(self, c: Corporation, trains: tuple[str, ...], phase: str) -> int:
        supposed = with_trains(self.rules.box, self.s, c.id, trains)
        if phase != supposed.phase:
            supposed = supposed.fork()
            supposed.phase = phase
        model = self.rules.route_model(supposed, c.id)
        ideal = _Ideal(self.rules, supposed, model)
        own = supposed.corporations[c.id].trains
        added = self.closing.markers if self.closing is not None else 0
        return sum(ideal.most(t) + added for t in own) + max(0, model.set_limit())

    def _phases(self) -> list[str]:
        """The present phase and those that may follow."""
        names = list(self.rules.box.phases)
        return names[names.index(self.s.phase) :] if self._coming() else [self.s.phase]


class _Ideal:
    """The best tiles that could ever lie on each hex, as a train sees them."""

    def __init__(self, rules: Rules[Any], s: State, model: RouteModel) -> None:
        self.model = model
        self.printed = dict(model.faces)
        self.ever = {h: _ever(rules, s, h, f) for h, f in self.printed.items()}

    def most(self, train: str) -> int:
        """No route of a train earns more."""
        model = self.model.for_train(train)
        counted, free = [], 0
        for coord, faces in self.ever.items():
            stops, passing = self._pays(model, train, coord, faces)
            counted += stops
            free += passing
        model.faces = self.printed
        reach = model.reach_of(train)
        best = sorted(counted, reverse=True)[: max(0, reach)]
        return free + sum(best) + model.bonus_most(train)

    def _pays(
        self, model: RouteModel, train: str, coord: str, faces: Iterable[Face]
    ) -> tuple[list[int], int]:
        """The best a hex's stops pay: those that use up reach, the dearest first; and the rest."""
        counted: list[int] = []
        free = 0
        for face in faces:
            model.faces = {**self.printed, coord: face}
            stops = [(coord, NODE + n) for n in face.tile.stops]
            paid = sorted(
                (model.stop_value(train, s) for s in stops if model.count(train, s) > 0),
                reverse=True,
            )
            free = max(free, sum(model.stop_value(train, s) for s in stops) - sum(paid))
            longer = max(len(paid), len(counted))
            pad = [[*x, *[0] * (longer - len(x))] for x in (paid, counted)]
            counted = [max(a, b) for a, b in zip(*pad, strict=True)]
        return counted, free


def _ever(rules: Rules[Any], s: State, coord: str, face: Face) -> list[Face]:
    """The faces that lie on a hex or may come to lie there, one of each tile."""
    map_ = rules.map_now(s.board)
    found, new = {face.tile.name: face}, [face]
    if coord not in map_.hexes:
        return new
    while new:
        following = [f for old in new for f in rules.upgrades.over(map_, coord, old)]
        new = [f for f in following if f.tile.name not in found]
        found.update({f.tile.name: f for f in new})
    return list(found.values())


def _reached(cell: str, steps: int, moves: tuple[Any, ...]) -> set[str]:
    """The cells of the market that so many steps may lead to."""
    found = new = {cell}
    for _ in range(min(steps, 60)):
        new = {move(c) for c in new for move in moves} - found
        if not new:
            break
        found = found | new
    return found


def _names(trigger: str | Iterable[str] | None) -> tuple[str, ...]:
    return (trigger,) if isinstance(trigger, str) else tuple(trigger or ())


__all__ = ["Bounds", "Clinch", "bounds", "clinched", "told"]
