"""How worth still changes in the last operating rounds (§13): what companies and mines can earn at
most, and whose shares may be lost.

Shares are lost by insolvency (§6.6), which the president of a company can bring about as soon as
there is maintenance it may be unable to pay. Presidents never add money (§10.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...board.tiles import Face, revenue_of
from ...facts import Closing, Facts
from ...rounds.steps.operating import beyond
from . import fleet
from .rules import Rules1873
from .state import (
    EXTERNAL,
    PUBLIC_MINE,
    Charter,
    Mine,
    OperatingRound,
    State1873,
    mine_of,
    mines_of,
)


class Ending(Facts[State1873, Rules1873]):
    """See the module's text."""

    moves = (3, 1)  # §5.8.6

    def closing(self, s: State1873, steady: str = "") -> Closing | None:
        """§13.1–2: in the last set, or in the round in which a marker has come to 1000. Nothing is
        told while players hold cards."""
        running = isinstance(s.round, OperatingRound)
        rounds = 1 if running and self.rules.at_end_price(s) else self.last_set(s)
        if rounds is None or any(c.owner in s.players for c in s.companies.values()):
            return None
        formed = [c for c in s.corporations.values() if c.cell is not None]
        mines = [m for m in mines_of(s) if m.owner in s.players]
        lost = [m.id for m in mines if m.owner == steady and not self._safe(s, m.id, rounds)]
        more = dict.fromkeys(s.players, self._terrain(s))
        for mine in mines:
            more[str(mine.owner)] += self._most_of_mine(mine, rounds)
        return Closing(
            rounds,
            helped=False,
            fragile=frozenset(c.id for c in formed if self._fragile(s, c, rounds, steady)),
            due=sum(self.rules.mines[m].value for m in lost),
            more=more,
        )

    def price_moves(self, s: State1873, who: str, turns: int, steady: str = "") -> tuple[int, int]:
        """§6.4.1."""
        fixed = self.rules.external_fixed(s, who)
        return (0, 0) if fixed else super().price_moves(s, who, turns)

    def most_earned(self, s: State1873, who: str) -> int | None:
        """§5.8: before maintenance; whatever is bought, built and connected."""
        c = s.corporations[who]
        if isinstance(c, Mine):
            return self._mine_earns(who)
        if c.kind == EXTERNAL:
            return fleet.gross_revenue(self.rules, s, who)
        if c.kind != PUBLIC_MINE:
            return self._railway_earns(s, c)
        constants = self.rules.constants
        free = [m.id for m in mines_of(s) if m.owner not in s.corporations]
        room = max(constants.slots.values()) - len(c.mines)
        best = sorted(map(self._mine_earns, free), reverse=True)[:room]
        return sum(map(self._mine_earns, c.mines)) + sum(best) + constants.hw_bonus.get(who, 0)

    # revenue

    def _mine_earns(self, mine: str) -> int:
        """§6.1.3."""
        facts = self.rules.mines[mine]
        return max(facts.machine_revenue) + max(facts.switcher_revenue)

    def _railway_earns(self, s: State1873, c: Charter) -> int:
        """§11.3, §11.6–7: every place of the map once, the best ones with its tokens, by the best
        tiles that could lie there; all factories and mines, with the biggest train."""
        constants, places = self.rules.constants, self._places(s)
        tokens = len(c.tokens) + self.rules.railways[c.id].extra_tokens * (c.shares < 10)
        stop = constants.stop_revenue
        stations = sorted((max(0, best - stop) for best in places.values()), reverse=True)
        biggest = max(map(fleet.size, self.box.trains))
        total = stop * len(places) + sum(stations[:tokens]) + sum(constants.factories.values())
        total += biggest * sum(m.multiplier for m in self.rules.mines.values())
        total += 2 * constants.diesel_revenue * len(places)
        return total + places.get(constants.local_bonus.get(c.id, ""), 0)

    def _places(self, s: State1873) -> dict[str, int]:
        """Hexes with places, and what the dearest one there may ever pay."""
        found = {h: max(self._paid(s, h), default=-1) for h in self.box.map.printed}
        return {h: best for h, best in found.items() if best >= 0}

    def _paid(self, s: State1873, coord: str) -> Iterator[int]:
        """What the places of all tiles pay that lie on a hex or may come to lie there."""
        every = tuple(dict.fromkeys(c for p in self.box.phases.values() for c in p.tiles))
        found = {}
        new: list[Face] = [laying.face_at(self.box, s.board, coord)]
        while new:
            face = new.pop()
            if face.tile.name in found:
                continue
            found[face.tile.name] = face
            for n in face.tile.stops:
                for colors in (every[: k + 1] for k in range(len(every))):
                    yield revenue_of(face.tile.nodes[n], colors)
            new += [t.turned(0) for t in self.rules.upgrades.followers(coord, face)]

    # players

    def _terrain(self, s: State1873) -> int:
        """§9.6.3: what the bank may still pay those who build the routes of others."""
        constants = self.rules.constants
        bare = [h for h in constants.concession_tiles if h not in s.board.tiles]
        printed = self.box.map.printed
        return sum(max(printed[h].tile.cost, constants.aag_terrain.get(h, 0)) for h in bare)

    def _most_of_mine(self, mine: Mine, rounds: int) -> int:
        """§6.1.5–6, §6.2.8: all it earns, its cash if it is closed, up to double its value if it is
        sold, and what it may sell: the switcher it has and one after each of its turns (§5.9.5)."""
        facts = self.rules.mines[mine.id]
        sold = 2 * max(self.rules.constants.switcher_prices.values())
        return mine.cash + facts.value + rounds * self._mine_earns(mine.id) + (rounds + 1) * sold

    # insolvency

    def _fragile(self, s: State1873, c: Charter | Mine, rounds: int, steady: str) -> bool:
        """Whether a company may become insolvent (§6.6)."""
        assert isinstance(c, Charter)
        if c.kind == EXTERNAL:
            return False
        if c.pending or c.incomplete:
            return rounds > beyond(self.rules, s, c.id, "equipment")
        if rounds == beyond(self.rules, s, c.id, "dividend"):
            return False
        if c.president == steady:
            return not self._safe(s, c.id, rounds)
        if rounds > 1 and self._may_burden(s, c):
            return True
        return self._worst(s, c.id, kept=False) < 0

    def _safe(self, s: State1873, who: str, rounds: int) -> bool:
        """Whether who spends nothing can pay its maintenance in any case."""
        worst = self._worst(s, who, kept=True)
        return s.corporations[who].cash + rounds * min(0, worst) >= 0

    def _worst(self, s: State1873, who: str, *, kept: bool) -> int:
        """The least an entity earns with its machines, trains earning nothing, less maintenance in
        any phase to come; ``kept``: it keeps its switchers where they are."""
        mines = [m for m in fleet.holders(s, who) if isinstance(s.corporations[m], Mine)]
        earned = sum(self._machines_earn(s, m, kept) for m in mines)
        costs = []
        for phase in self._phases(s):
            supposed = s.fork()
            supposed.phase = phase
            costs.append(fleet.maintenance(self.rules, supposed, who))
        return earned - max(costs)

    def _machines_earn(self, s: State1873, mine: str, kept: bool) -> int:
        earned = fleet.revenue_of_mine(self.rules, s, mine)
        facts, size = self.rules.mines[mine], fleet.switcher_size(s, mine)
        connected = mine_of(s, mine).connected
        by_switcher = facts.switcher_revenue[size - 2] if size and connected else 0
        return earned if kept else earned - by_switcher

    def _phases(self, s: State1873) -> tuple[str, ...]:
        """The present phase and those to come."""
        return self.rules.phase_names[self.rules.phase_names.index(s.phase) :]

    def _may_burden(self, s: State1873, c: Charter) -> bool:
        """Whether a company could take on maintenance before it pays some: anything that costs any
        and is not its own, a mine (without machine), or machines scrapped (§14)."""
        mines = any(m.owner not in s.corporations for m in mines_of(s))
        if c.kind == PUBLIC_MINE and (mines or "machine_scrapping" in self.rules.options):
            return True
        own = fleet.holders(s, c.id)
        faces = {fleet.face(t) for t in s.trains.values() if t.owner not in own}
        faces |= {x for p in s.depot.piles if p.left != 0 for x in fleet.sides(self.box, p.kind)}
        switchers = self.rules.constants.switcher_level
        faces |= {f"{switchers[p]}S" for p in self._phases(s) if switchers.get(p)}
        table = self.rules.constants.maintenance
        return any(table[p].get(x) for p in self._phases(s) if p in table for x in faces)
