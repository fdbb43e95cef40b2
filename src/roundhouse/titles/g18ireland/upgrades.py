"""Which tile may be laid where (§9.3), costs and allowances aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from ...board import laying, network, trails
from ...board.derived import DerivedTable
from ...board.hexes import Map, opposite
from ...board.lines import nodes_met
from ...board.network import Reach, ends_in
from ...board.tiles import NODE, Face, Track, revenue_of
from ...board.upgrades import Upgrades
from ...model.frozen import FrozenDict
from ...model.records import Board
from ...rounds.step import Fault
from ...rounds.steps import track as steps
from .state import State18Ireland

if TYPE_CHECKING:
    from .rules import Rules18Ireland

BROAD, NARROW = "broad", "narrow"

#: A piece of track without the names of its nodes: edges or kinds of its ends, and its gauge.
Shape = tuple[frozenset[int | str], str]


class Terms(steps.Terms, frozen=True):
    """The network must ``reach`` the hex, and have use of an upgrade (``improve``)."""

    reach: bool = True
    improve: bool = True


ORDINARY = Terms()
#: §8.2
WITHOUT_TERRAIN = Terms(improve=False, terrain=False, rule="8.2")


@cache
def narrow_only(face: Face) -> bool:
    """Whether a tile has nothing but narrow gauge."""
    return all(t.gauge == NARROW for t in face.tracks)


def shape(face: Face, track: Track) -> Shape:
    """A piece of track by which pieces of two tiles are compared (§9.3.4)."""
    ends = [e if e < NODE else face.tile.nodes[e - NODE].kind for e in (track.a, track.b)]
    return frozenset(ends), track.gauge


def new_tracks(old: Face, face: Face) -> list[Track]:
    """The pieces of a tile that the old one did not have."""
    known = {shape(old, t) for t in old.tracks}
    return [t for t in face.tracks if shape(face, t) not in known]


@lru_cache(maxsize=8192)
def is_broad_lay(old: Face, face: Face) -> bool:
    """§9.3.7: all broad, or something new is."""
    return all(t.gauge == BROAD for t in face.tracks) or any(
        t.gauge == BROAD for t in new_tracks(old, face)
    )


#: Where the two networks of a corporation lead to on a hex, and where they come in over its sides,
#: as masks of edges: broad, narrow, and the same of what they come in over.
Sides: TypeAlias = tuple[int, int, int, int]
NOWHERE: Sides = (0, 0, 0, 0)


class Networks(Struct, frozen=True, dict=True):
    """A corporation's two networks (§9.4)."""

    broad: Reach
    narrow: Reach

    @cached_property
    def sides(self) -> Mapping[str, Sides]:
        """By hex either leads to: the sides."""
        broad, narrow = self.broad, self.narrow
        hexes = dict.fromkeys((*broad.edges, *narrow.edges))
        return FrozenDict(
            {c: (broad.on(c), narrow.on(c), broad.over(c), narrow.over(c)) for c in hexes}
        )


class Site(NamedTuple):
    """A hex as a corporation comes to it: what lies there and around it, and the sides its networks
    lead to. ``bare``: there is no token, and nobody is shut out."""

    map: Map
    coord: str
    old: Face
    around: tuple[Face, ...]
    sides: Sides
    bare: bool


_NETWORKS: DerivedTable[str, Networks] = DerivedTable(
    "networks_18ireland", "tiles", "cities", "closed", "open"
)
#: The hexes these lead to.
_SITES: DerivedTable[str, Mapping[str, Site]] = DerivedTable("sites_18ireland")
#: Whether an upgrade is of use to a company, by company, hex, tile and rotation.
_IMPROVES: DerivedTable[tuple[object, ...], bool] = DerivedTable("improves_18ireland")


def networks(rules: Rules18Ireland, board: Board, who: str) -> Networks:
    """Both networks of a corporation; kept with the board."""
    known = _NETWORKS.of(board)
    if who not in known:
        known[who] = Networks(rules.reach(board, who), narrow_reach(rules, board, who))
    return known[who]


def narrow_reach(rules: Rules18Ireland, board: Board, who: str) -> Reach:
    """From every place of the broad network, never blocked."""
    starts = tuple(rules.reach(board, who).nodes)
    map_, tiles = rules.map_now(board), rules.box.tiles
    return network.reach(map_, tiles, board, who, gauge=NARROW, starts=starts, blocking=False)


class Upgrades18Ireland(Upgrades):
    """The rules of laying; what depends on the hex and its tile alone is computed once."""

    def __init__(self, rules: Rules18Ireland) -> None:
        super().__init__(rules.box, rules.map_now)
        self.rules = rules
        #: By hex: the private companies that keep it.
        self._keepers: dict[str, list[str]] = {}
        for company in rules.box.companies:
            for coord in rules.powers[company].blocks:
                self._keepers.setdefault(coord, []).append(company)

    # the tile alone (§9.3.1–6)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        """§9.3.6."""
        return (f for f in faces if _nodes_match(old, f))

    def unsuited(self, coord: str, new: Face) -> str:
        return f"Laid like that, {new.tile.name} joins the wrong places on {coord}."

    # the surroundings (§9.3.7–10)

    def why_blocked(self, s: State18Ireland, coord: str) -> Fault | None:
        """§8: hexes of privates no corporation owns."""
        for name in self._keepers.get(coord, ()):
            company = s.companies.get(name)
            if company is None or company.closed:
                continue
            if company.owner not in s.corporations:
                text = f"Nobody may build on {coord} until a corporation owns {company.id}."
                return "blocked", text
        return None

    def site(self, board: Board, who: str, coord: str) -> Site:
        """A hex as a corporation comes to it."""
        found = self.sites(board, who).get(coord)
        return found or next(self._sites(board, {coord: NOWHERE}))

    def sites(self, board: Board, who: str) -> Mapping[str, Site]:
        """The hexes the networks of a corporation lead to, in their order."""
        known = _SITES.of(board)
        if (found := known.get(who)) is None:
            sites = self._sites(board, networks(self.rules, board, who).sides)
            found = known[who] = FrozenDict({site.coord: site for site in sites})
        return found

    def _sites(self, board: Board, sides: Mapping[str, Sides]) -> Iterator[Site]:
        map_, faces = self.rules.map_now(board), network.faces(self.box.map, self.box.tiles, board)
        for coord, edges in sides.items():
            around = tuple(map(faces.__getitem__, map_.neighbors[coord].values()))
            bare = coord not in board.cities and coord not in board.closed
            yield Site(map_, coord, faces[coord], around, edges, bare)

    def why_gauge(self, site: Site, face: Face) -> Fault | None:
        """§9.3.8: track meets track of its own gauge."""
        for (edge, neighbor), there in zip(_around(site), site.around, strict=True):
            gauges = there.gauges[opposite(edge)]
            if gauges and not face.gauges[edge] <= gauges:
                return "gauge", f"The gauges between {site.coord} and {neighbor} differ."
        return None

    def why_unconnected(
        self, board: Board, who: str, site: Site, face: Face, terms: Terms
    ) -> Fault | None:
        """Why the network of a corporation has no part in a tile that fits."""
        if not terms.reach:
            return None
        if why := self._why_unreached(who, site, face, terms):
            return why
        if terms.improve and site.old.exits and not self.improves(board, who, site.coord, face):
            return "no_use", f"That upgrade would give {who} no new track and no better place."
        return None

    def _why_unreached(self, who: str, site: Site, face: Face, terms: Terms) -> Fault | None:
        broad, narrow, *_ = site.sides
        if not (broad if is_broad_lay(site.old, face) else broad | narrow):
            return "unconnected", f"The network of {who} does not reach {site.coord}."
        if terms.connect and not face.exits & (broad | narrow):
            return "unconnected", f"No track of that tile would join the network of {who}."
        return None

    def promising(
        self, site: Site, faces: Iterable[Face], terms: Terms
    ) -> Iterator[tuple[Face, bool]]:
        """Those of some tiles for a hex that can be laid there, as far as ``site`` tells; and
        whether they are sure to be of use."""
        any_use = not (terms.reach and terms.improve and site.old.exits)
        for face in faces:
            if self.why_gauge(site, face) is None and (
                not terms.reach or self._why_unreached("", site, face, terms) is None
            ):
                sure = any_use or (site.bare and sure_of_use(site, face, 0, 0))
                if sure or not site.bare or perhaps_of_use(site, face, 0):
                    yield face, sure

    def improves(self, board: Board, who: str, coord: str, face: Face) -> bool:
        """§9.3.9: whether an upgrade is of use to a corporation."""
        known = _IMPROVES.of(board)
        key = (who, coord, face.tile.name, face.rotation)
        if key not in known:
            known[key] = self._has_use(board, who, self.site(board, who, coord), face)
        return known[key]

    def _has_use(self, board: Board, who: str, site: Site, face: Face) -> bool:
        coord, old = site.coord, site.old
        own = laying.own_cities(board, who, coord, old, face)
        shut = laying.shut_cities(board, who, coord, old, face)
        if sure_of_use(site, face, own, shut):
            return True
        perhaps, wide = perhaps_of_use(site, face, own), is_broad_lay(old, face)
        return perhaps and self._would_improve(board, who, coord, old, face, wide)

    def _would_improve(
        self, board: Board, who: str, coord: str, old: Face, face: Face, wide: bool
    ) -> bool:
        after = laying.with_tile(self.box, board, coord, f"{face.tile.name}-0", face.rotation)
        if not wide:
            reach = narrow_reach(self.rules, after, who)
            return has_use(old, face, reached_tracks(after, face, coord, reach, who, NARROW))
        # what is not even joined no trail leads to
        for reach_of in (network.reach, trails.reach):
            reach = reach_of(self.rules.map_now(after), self.box.tiles, after, who)
            if not has_use(old, face, reached_tracks(after, face, coord, reach, who, BROAD)):
                return False
        return True


def _around(site: Site) -> Iterable[tuple[int, str]]:
    """The sides of a hex, each with the hex beyond."""
    return site.map.neighbors[site.coord].items()


def sure_of_use(site: Site, face: Face, own: int, shut: int) -> bool:
    """Whether a tile is surely of use: see :func:`surely_of_use`."""
    _, _, broad, narrow = site.sides
    if not laying.no_city_shrinks(site.old, face):
        broad = narrow = 0
    wide = is_broad_lay(site.old, face)
    return surely_of_use(site.old, face, broad, narrow, own, shut, wide)


@lru_cache(maxsize=8192)
def surely_of_use(
    old: Face, face: Face, broad: int, narrow: int, own: int, shut: int, wide: bool
) -> bool:
    """Whether pieces of a tile that need no looking for are of use: at the sides the networks come
    in over now and go on doing, ``broad`` and ``narrow``; at its cities with a token, ``own``; and
    at what its track joins to these, past cities that are not ``shut``. All are masks."""
    met = nodes_met(face, BROAD, broad | own, shut)
    if wide:
        return has_use(old, face, _pieces_at(face, broad | own | met & ~(shut << NODE), wide))
    met |= own | nodes_met(face, NARROW, narrow | own | met, 0)
    return has_use(old, face, _pieces_at(face, narrow | met, wide))


def perhaps_of_use(site: Site, face: Face, own: int) -> bool:
    """Whether a tile can be of use at all: see :func:`maybe_of_use`."""
    beside = zip(_around(site), site.around, strict=True)
    around = sum([1 << edge for (edge, _), there in beside if there.gauges[opposite(edge)]])
    return maybe_of_use(site.old, face, own, around, is_broad_lay(site.old, face))


@lru_cache(maxsize=8192)
def maybe_of_use(old: Face, face: Face, own: int, around: int, wide: bool) -> bool:
    """Whether pieces of a tile would be of use if all track ``around`` were the network's, and its
    cities with a token are, ``own``; both are masks."""
    live = set(ends_in(own | around))
    if live and (not wide or face.tile.junctions):
        live |= {NODE + node for node in range(len(face.tile.nodes))}
    links, coming = face.links[BROAD if wide else NARROW], list(live)
    while coming:
        fresh = [end for end in links[coming.pop()] if end not in live]
        live.update(fresh)
        coming += fresh
    return has_use(old, face, _pieces_at(face, sum([1 << end for end in live]), wide))


def has_use(old: Face, face: Face, mine: Iterable[Track]) -> bool:
    """§9.3.9: whether a company's pieces of a tile are new, or lead to a better place."""
    useful = useful_tracks(old, face)
    return any(t in useful for t in mine)


@lru_cache(maxsize=8192)
def useful_tracks(old: Face, face: Face) -> frozenset[Track]:
    """The pieces of a tile the old one did not have, or that lead to a better place."""
    better = {t for t in face.tracks if _better_place(old, face, t)}
    return frozenset(better.union(new_tracks(old, face)))


def _pieces_at(face: Face, ends: int, wide: bool) -> list[Track]:
    """The pieces of a tile, of broad or of narrow gauge, with one of some ends; a junction is one
    of them where a side with track is."""
    gauge = BROAD if wide else NARROW
    if ends & face.exits:
        ends |= sum([1 << NODE + node for node in face.tile.junctions])
    return [t for t in face.tracks if t.gauge == gauge and (ends >> t.a | ends >> t.b) & 1]


def _nodes_match(old: Face, face: Face) -> bool:
    """§9.3.6: places that have nothing of an old one are no more than were added."""
    before = [m for m in old.node_exits if m]
    after = [m for m in face.node_exits if m]
    fresh = [m for m in after if not any(m & b for b in before)]
    return len(fresh) <= max(0, len(after) - len(before))


def reached_tracks(
    board: Board, face: Face, coord: str, reach: Reach, who: str, gauge: str
) -> Iterator[Track]:
    """The pieces of a tile that belong to a network."""
    for track in face.tracks:
        if track.gauge != gauge:
            continue
        if any(_joined(board, face, coord, reach, who, gauge, end) for end in (track.a, track.b)):
            yield track


def _joined(
    board: Board, face: Face, coord: str, reach: Reach, who: str, gauge: str, end: int
) -> bool:
    """Whether a network comes over an end of track."""
    if end < NODE:
        return reach.comes_to(coord, end)
    if face.tile.nodes[end - NODE].kind == "junction":
        return any(reach.comes_to(coord, e) for e in range(6) if face.exits >> e & 1)
    if not reach.comes_to(coord, end):
        return False
    return gauge == NARROW or not network.blocked(board, face, coord, end, who)


def _better_place(old: Face, face: Face, track: Track) -> bool:
    """Whether a piece ends at a place that pays otherwise than the one of the piece it extends."""
    value = _place_value(face, track)
    if value is None:
        return False
    return any(
        shape(old, t) == shape(face, track) and _place_value(old, t) != value for t in old.tracks
    )


def _place_value(face: Face, track: Track) -> int | None:
    nodes = [face.tile.nodes[e - NODE] for e in (track.a, track.b) if e >= NODE]
    if not nodes or nodes[0].kind == "junction":
        return None
    return revenue_of(nodes[0], ("yellow", "green", "brown", "gray"))
