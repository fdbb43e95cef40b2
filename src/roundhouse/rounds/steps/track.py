"""Track: on what terms tiles are laid, what they cost, and the step of a turn for them.

A tile is never looked for among the choices: whether it may be laid is found from the tile, the
cheap questions first, and the choices ask the same of every tile that fits on a hex.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct

from ...bank import cash, pay
from ...board import laying
from ...board.hexes import Map
from ...board.tiles import Face, Tile
from ...box.names import HexName, TileName
from ...model.actions import Action, LayTile, Pass, company_key
from ...model.choices import Choice, Equal
from ...model.kept import MOST
from ...model.records import BANK, Board
from ..rules import R, S
from ..step import Domains, Fault
from .homes import choose_again
from .operating import TurnStep


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """On what terms somebody lays a tile; of a private company the data may say them.

    ``hexes``, ``tiles``: only on these hexes, only these tiles; empty: on any, any. ``connect``: an
    exit of it must join the network. ``upgrade``: it may lie over a tile, not on bare hexes only.
    ``terrain``: what the hex costs is due; ``cost``: what is due besides, or the less.
    ``counts``: it uses up one of the lays of the turn. ``rule``: the section that allows it.
    """

    cost: int = 0
    hexes: tuple[HexName, ...] = ()
    tiles: tuple[TileName, ...] = ()
    connect: bool = True
    upgrade: bool = True
    terrain: bool = True
    counts: bool = True
    rule: str = ""


ORDINARY = Terms()
#: Of edges, where it does not matter over which a tile has track.
ANY = -1


class Lay(NamedTuple):
    """A tile to be laid: for which company, where, how, on what terms; by which private company of
    it, if one does."""

    who: str
    coord: str
    face: Face
    terms: Any = ORDINARY
    company: str | None = None


class LaysTiles(TurnStep[S, R]):
    """A step of a turn in which tiles are laid.

    ``sections``: where the rules speak of a fault, by its code, if not where the step or the terms
    say. ``chooses_again``: tokens on a hex with several cities choose theirs anew (a step that is
    :class:`.ChooseAgain`) when it gets its first track.
    """

    takes = frozenset({LayTile})
    sections: ClassVar[Mapping[str, str]] = {}
    chooses_again: ClassVar[bool] = False

    # policies

    def lays_by(self, s: S, who: str) -> Iterable[tuple[str | None, Any]]:
        """Who may lay a tile for ``who`` now, on what :class:`Terms`: a private company of it, or
        None for the company itself."""
        raise NotImplementedError

    def hexes(self, s: S, who: str, terms: Any) -> Iterable[str]:
        """Where it is worth looking for lays on some terms."""
        return terms.hexes or self.rules.reach(s.board, who).edges

    def faces(self, map_: Map, coord: str, old: Face, terms: Any) -> Collection[Face]:
        """What fits on a hex over a tile, phase and connection aside."""
        fitting = self.rules.upgrades.over(map_, coord, old)
        return [f for f in fitting if f.tile.name in terms.tiles] if terms.tiles else fitting

    def colors(self, s: S) -> tuple[str, ...]:
        """The colours of tiles that may be laid."""
        return self.box.phases[s.phase].tiles

    def why_not_here(self, s: S, who: str, coord: str, terms: Any) -> Fault | None:
        """Why no tile at all may be laid on a hex."""
        return None

    def has_upgraded(self, s: S) -> bool:
        """Whether the one upgrade of a turn has been made."""
        m: Any = s.round
        upgraded: bool = m.upgraded
        return upgraded

    def edges(self, s: S, who: str, coord: str) -> int:
        """The edges of a hex the network leads to, as a mask."""
        return self.rules.reach(s.board, who).on(coord)

    def suited(self, s: S, who: str, coord: str, terms: Any) -> Collection[Face]:
        """The tiles that fit on a hex and may be laid in this phase, and to whose track the network
        leads if it has to."""
        return self.fitting(s, coord, terms, self.edges(s, who, coord) if terms.connect else ANY)

    def joins(self, s: S, lay: Lay) -> bool:
        """Whether the network leads to track of a tile."""
        return self.rules.leads_to(s.board, lay.who, lay.coord, lay.face.exits)

    def why_not(self, s: S, lay: Lay) -> Fault | None:
        """Why a tile that fits may not be laid."""
        return None

    def terrain(self, s: S, lay: Lay) -> int:
        """What the hex costs: by default what is printed on what lies there."""
        return laying.face_at(self.box, s.board, lay.coord).tile.cost

    def laid(self, s: S, lay: Lay, before: Board) -> None:
        """What a tile brings that lies now; ``before``: the board without it."""

    def allowed(self, s: S, lays: list[Lay]) -> list[Lay]:
        """Those of some tiles for one hex that fit and may be laid: what they have in common need
        be asked only once."""
        return [lay for lay in lays if not self.why_not(s, lay)]

    # what follows from them

    def __init__(self, rules: R) -> None:
        super().__init__(rules)
        self._suited = lru_cache(MOST)(self._suiting)

    def fitting(self, s: S, coord: str, terms: Any, edges: int = ANY) -> Collection[Face]:
        """The tiles that fit on a hex and may be laid in this phase, with track over some edges."""
        return self._suited(*self._lying(s, coord), terms, self.colors(s), edges)

    def _lying(self, s: S, coord: str) -> tuple[Map, str, Face]:
        """What lies on a hex of a map."""
        board = s.board
        return self.rules.map_now(board), coord, laying.face_at(self.box, board, coord)

    def _suiting(
        self,
        map_: Map,
        coord: str,
        old: Face,
        terms: Any,
        colors: tuple[str, ...],
        edges: int,
    ) -> tuple[Face, ...]:
        """The tiles that fit over one, of some colours, with track over some edges."""
        fitting = self.faces(map_, coord, old, terms)
        return tuple(
            [f for f in fitting if f.tile.color in colors and (edges == ANY or f.exits & edges)]
        )

    def terms(self, s: S, who: str, company: str | None) -> Any:
        """The terms on which one may lay a tile for ``who`` now; None if it may not."""
        return next((t for c, t in self.lays_by(s, who) if c == company), None)

    def affordable(self, s: S, lays: list[Lay]) -> list[Lay]:
        """Those of some tiles for one hex that can be paid: by default all cost the same there."""
        return lays if lays and self.cost(s, lays[0]) <= cash(s, lays[0].who) else []

    def cost(self, s: S, lay: Lay) -> int:
        """What a tile costs in all."""
        cost: int = lay.terms.cost
        if lay.terms.terrain:
            cost += self.terrain(s, lay)
        return max(cost, 0)

    def lays(self, s: S, who: str) -> Iterator[Lay]:
        """Everything that may be laid for ``who`` now."""
        for company, terms in self.lays_by(s, who):
            for coord in self.hexes(s, who, terms):
                yield from self.lays_on(s, who, coord, terms, company)

    def lays_on(
        self, s: S, who: str, coord: str, terms: Any, company: str | None = None
    ) -> Iterator[Lay]:
        """Everything the supply has that may be laid on a hex on some terms."""
        suited = self.suited(s, who, coord, terms)
        if suited and self._why_no_tile(s, who, coord, terms) is None:
            left = [f for f in suited if laying.free_copies(self.box, s.board, f.tile.name)]
            lays = self.affordable(s, [Lay(who, coord, f, terms, company) for f in left])
            yield from self.allowed(s, lays)

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        own, supply = None, dict[str, tuple[str, Domains]]()
        for _, coord, face, _, company in self.lays(s, who):
            tile = face.tile
            if (found := supply.get(tile.name)) is None:
                free = laying.free_copies(self.box, s.board, tile.name)
                found = supply[tile.name] = free[0], {"tile": Equal(*free)}
            if company is None:
                sender = own = own or self.sender(s, who)
            else:
                sender = self.sender(s, company_key(company))
            copy, others = found
            yield Choice(LayTile(**sender, hex=coord, tile=copy, rotation=face.rotation), others)

    def check_answer(self, s: S, a: LayTile) -> None:
        lay = s.now.checked = self.named(s, a)
        if (fault := self.fault(s, lay)) is not None:
            code, text, *rule = fault
            raise self.refuse(code, text, *rule or [self.sections.get(code, lay.terms.rule)])

    def named(self, s: S, a: LayTile) -> Lay:
        """What an action wants to lay. Raises :class:`IllegalAction` if there is no such hex or no
        such copy in the supply, or if the sender may lay no tile now."""
        if a.hex not in self.box.map.hexes:
            raise self.refuse("unknown_hex", f"There is no hex {a.hex}.")
        if not laying.is_free_copy(self.box, s.board, a.tile):
            raise self.refuse("no_tile", f"Tile {a.tile} is not in the supply.")
        face = self.box.tiles.tiles[a.tile.rpartition("-")[0]].turned(a.rotation)
        who = self.operator(s) or ""
        company = str(a.entity) if a.entity_type == "company" else None
        terms = self.terms(s, who, company)
        if terms is None:
            raise self.refuse("lays", f"{company or who} has no tile to lay now.")
        return Lay(who, a.hex, face, terms, company)

    def fault(self, s: S, lay: Lay) -> Fault | None:
        """Why a tile cannot be laid, its copy aside."""
        return (
            self._why_no_tile(s, lay.who, lay.coord, lay.terms)
            or self._why_misfit(s, lay)
            or self._why_unconnected(s, lay)
            or self.why_not(s, lay)
            or self.rules.why_no_cash(s, lay.who, self.cost(s, lay))
        )

    def _why_no_tile(self, s: S, who: str, coord: str, terms: Any) -> Fault | None:
        """Faults of the hex, whatever the tile."""
        if terms.hexes and coord not in terms.hexes:
            return "hex", f"Nothing can be laid on {coord} with that."
        return self.why_not_here(s, who, coord, terms) or self._why_no_upgrade(s, coord, terms)

    def _why_no_upgrade(self, s: S, coord: str, terms: Any) -> Fault | None:
        if laying.face_at(self.box, s.board, coord).tile.color == "white":
            return None
        if not terms.upgrade:
            return "no_upgrade", f"{coord} has a tile already; this lay is no upgrade."
        if terms.counts and self.has_upgraded(s):
            return "upgraded", "Only one upgrade is possible in a turn."
        return None

    def _why_misfit(self, s: S, lay: Lay) -> Fault | None:
        tile: Tile = lay.face.tile
        if lay.terms.tiles and tile.name not in lay.terms.tiles:
            return "tile", f"Tile {tile.name} cannot be laid with that."
        if tile.color not in self.colors(s):
            return "colour", f"{tile.color} tiles come in a later phase."
        if lay.face not in self.faces(*self._lying(s, lay.coord), lay.terms):
            fitting = self.rules.upgrades
            return "misfit", fitting.misfit(s.board, lay.coord, lay.face) or fitting.unsuited(
                lay.coord, lay.face
            )
        return None

    def _why_unconnected(self, s: S, lay: Lay) -> Fault | None:
        if lay.terms.connect and not self.joins(s, lay):
            return "unconnected", f"{lay.who} has no track to {lay.coord} there."
        return None

    def answer(self, s: S, a: LayTile) -> None:
        lay: Lay = s.now.checked
        cost, before = self.cost(s, lay), s.board
        old = laying.face_at(self.box, before, a.hex)
        if lay.terms.counts:
            self._count(s, old)
        if self.chooses_again:
            choose_again(self.box, s, a.hex, old, lay.face)
        pay(s, lay.who, BANK, cost, "tile")
        laying.lay(self.box, s, lay.who, a.hex, a.tile, a.rotation, cost)
        self.laid(s, lay, before)

    def _count(self, s: S, old: Face) -> None:
        m: Any = s.round
        upgraded = m.upgraded or old.tile.color != "white"
        self.change(s, lays=m.lays + 1, upgraded=upgraded)


class PrivateLays(LaysTiles[S, R]):
    """A step in which private companies lay tiles for the company on turn, their owner."""

    quiet = True

    def lays_by(self, s: S, who: str) -> Sequence[tuple[str, Any]]:
        """Which may lay a tile for ``who`` now, on what terms."""
        raise NotImplementedError

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        company = self.rules.company_of(s, who) if kind in self.takes else None
        if company is None or company.owner is None or company.owner != self.operator(s):
            return False
        return self.terms(s, company.owner, company.id) is not None

    def choices(self, s: S) -> Iterator[Choice]:
        who = self.operator(s)
        return self.answers(s, who) if who is not None and self.lays_by(s, who) else iter(())


class FreeLays(PrivateLays[S, R]):
    """Lays of a ``power`` of private companies, each as often as their data say."""

    power: ClassVar[str]

    def lays_by(self, s: S, who: str) -> list[tuple[str, Any]]:
        return self.rules.usable(s, who, self.power)

    def laid(self, s: S, lay: Lay, before: Board) -> None:
        super().laid(s, lay, before)
        self.rules.use_up(s, lay.company or "", closes=False)


class Track(LaysTiles[S, R]):
    """The lays of a turn, one after the other, until the company passes or none is left."""

    name = stage = "track"
    takes = frozenset({LayTile, Pass})

    # policies

    def hosts(self, kind: type[Action]) -> bool:
        return kind is LayTile

    def allowances(self, s: S, who: str) -> tuple[Any, ...]:
        """The lays of a turn in the order they are used, each on its :class:`Terms`."""
        return (ORDINARY,)

    def affords(self, s: S, who: str, cost: int) -> bool:
        """Whether a company that has to pay so much for a tile, terrain aside, is asked."""
        return cash(s, who) >= cost

    def special(self, s: S, who: str, terms: Any) -> Iterator[tuple[str, Any]]:
        """Private companies that lay tiles in this step, on their terms; ``terms``: those of the
        next ordinary lay, None if there is none."""
        return iter(())

    # what follows from them

    def next_lay(self, s: S, who: str) -> Any:
        """The terms of the next lay of the turn; None if none is left."""
        m: Any = s.round
        left = self.allowances(s, who)[m.lays :]
        return left[0] if left and self.affords(s, who, left[0].cost) else None

    def waits(self, s: S, who: str) -> bool:
        return self.next_lay(s, who) is not None

    def terms(self, s: S, who: str, company: str | None) -> Any:
        return self.next_lay(s, who) if company is None else super().terms(s, who, company)

    def lays_by(self, s: S, who: str) -> Iterator[tuple[str | None, Any]]:
        terms = self.next_lay(s, who)
        if terms is not None:
            yield None, terms
        yield from self.special(s, who, terms)
