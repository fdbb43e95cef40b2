"""Loading and compiling a title's data files, with all their faults told at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from ..board.hexes import Map, MapData
from ..board.tiles import TileDef
from ..board.tileset import TileData, TileSet, standard_tiles
from ..model.errors import TitleDataError
from ..model.frozen import EMPTY, FrozenDict, freeze
from ..model.records import BANK, MARKET
from ..stock.market import Market
from ..trains.distances import distance_faults
from . import needs
from .forms import ANY_FORM, Forms, misfits
from .json_schema import FILES
from .names import Known, unknown_names
from .overlay import in_currency, laid_over
from .schema import CompanyDef, CorporationDef, GameData, MarketData, TrainData

T = TypeVar("T")
E = TypeVar("E", CompanyDef, CorporationDef)

#: Folders of one title: a file is read from the first of them that has it.
Layer: TypeAlias = Sequence[Traversable]

#: Files a title need not have.
_OPTIONAL = frozenset({"help.json"})

_RESERVED = frozenset({BANK, MARKET, "depot", "closed", "gone"})


class Box:
    """The compiled contents of a title's data folder; shared by all games of it.

    ``layers``: where its files lie, those of the titles it is made from first, its own last;
    ``forms``: those of the data only one title has. Raises :class:`TitleDataError` with everything
    that is wrong, as far as one fault does not hide another.
    """

    def __init__(self, *layers: Layer, forms: Forms = ANY_FORM) -> None:
        self._layers = layers
        files = {name: _read(layers, f"{name}.json", kind) for name, kind in FILES.items()}
        faults = [fault for file in files.values() for fault in file.faults]
        whole = {name: file.value for name, file in files.items() if file.value is not None}
        self._whole = whole
        #: What names in the data, and in a title's own forms, may stand for.
        self.known: Known = _known(whole)
        for name, value in whole.items():
            faults += _faults_of(name, value, self.known)
        faults += _home_faults(whole)
        for own in _own(whole, forms):
            faults += _unfit(*own, self.known)
        if faults:
            raise TitleDataError(faults)
        #: What a player may do in each step, by step name, in words for players.
        self.help: Mapping[str, str] = whole["help"]
        self.game: GameData = whole["game"]
        self.market = Market(whole["market"])
        trains: TrainData = whole["trains"]
        self.trains = FrozenDict({t.name: t for t in trains.trains})
        self.phases = FrozenDict({p.name: p for p in trains.phases})
        self.companies: Mapping[str, CompanyDef] = _by_id(whole["companies"])
        self.corporations: Mapping[str, CorporationDef] = _by_id(whole["corporations"])
        self.map = Map(whole["map"])
        self.tiles = TileSet(whole["tiles"])

    def contents(self, name: str) -> Any:
        """A data file as JSON values, whole: with what was laid over it. Raises
        :class:`FileNotFoundError`."""
        return _contents(self._layers, name)

    def constants(self, form: type[T]) -> T:
        """The title's own numbers and names. Raises :class:`TitleDataError`."""
        made: T = self._typed(Forms(form))[0]
        return made

    def powers(self, form: type[T]) -> dict[str, T]:
        """What each private company can do, by its id. Raises :class:`TitleDataError`."""
        return dict(zip(self.companies, self._typed(Forms(powers=form)), strict=True))

    def facts(self, form: type[T], kind: str) -> dict[str, T]:
        """What only corporations of one kind have, by their id. Raises :class:`TitleDataError`."""
        some = [c.id for c in self.corporations.values() if c.kind == kind]
        return dict(zip(some, self._typed(Forms(facts={kind: form})), strict=True))

    def _typed(self, forms: Forms) -> list[Any]:
        """What only one title has, as records of its own."""
        own = list(_own(self._whole, forms))
        if faults := [fault for one in own for fault in _unfit(*one, self.known)]:
            raise TitleDataError(faults)
        return [freeze(msgspec.convert(raw, form, str_keys=True)) for _, raw, form in own]


class _File(NamedTuple):
    """A data file as it was read; without ``value`` if it has ``faults``."""

    value: Any
    faults: list[str]


def _read(layers: Sequence[Layer], name: str, kind: Any) -> _File:
    try:
        raw = _contents(layers, name)
    except FileNotFoundError:
        missing = [] if name in _OPTIONAL else [f"{name}: the file is missing"]
        return _File(EMPTY if name in _OPTIONAL else None, missing)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _File(None, [f"{name}: {error}"])
    faults = [f"{name}: {fault}" for fault in misfits(raw, kind)]
    return _File(None if faults else freeze(msgspec.convert(raw, kind)), faults)


def _known(whole: Mapping[str, Any]) -> Known:
    """By kind, the names in those data files that could be read."""
    known: dict[str, Collection[str]] = {}
    if (hexes := whole.get("map")) is not None:
        known["hex"] = {h.coord for h in hexes.hexes}
    if (tiles := whole.get("tiles")) is not None:
        known["tile"] = tiles.counts
    if (trains := whole.get("trains")) is not None:
        known["train"] = {x.name for t in trains.trains for x in (t, *t.variants)}
        known["phase"] = {p.name for p in trains.phases}
    if (market := whole.get("market")) is not None:
        known |= {"market cell": Market(market).cells, "market zone": market.zones}
    if (game := whole.get("game")) is not None:
        known["option"] = {o.id for o in game.options}
    if (companies := whole.get("companies")) is not None:
        known["private company"] = {c.id for c in companies}
    if (corporations := whole.get("corporations")) is not None:
        known["corporation"] = {c.id for c in corporations}
    if companies is not None and corporations is not None:
        known["company"] = {*known["private company"], *known["corporation"]}
    return known


def _faults_of(name: str, file: Any, known: Known) -> Iterator[str]:
    """What is wrong with a data file that is of its form."""
    checks, entries = _CHECKS[name]
    yield from checks(file)
    yield from _dangling(f"{name}.json", entries(file), known)
    yield from _twice(f"{name}.json", entries(file))


def _own(whole: Mapping[str, Any], forms: Forms) -> Iterator[tuple[str, dict[str, Any], type]]:
    """The data only one title has: where, what, and the form it must be of."""
    if forms.constants is not None and "game" in whole:
        yield "game.json: special", whole["game"].special, forms.constants
    if forms.powers is not None:
        for c in whole.get("companies", ()):
            yield f"companies.json: {c.id}, powers", c.powers, forms.powers
    for c in whole.get("corporations", ()):
        if c.kind in forms.facts:
            yield f"corporations.json: {c.id}, special", c.special, forms.facts[c.kind]


def _unfit(where: str, raw: dict[str, Any], form: type, known: Known) -> Iterator[str]:
    """What is wrong with data only one title has."""
    faults = [f"{where}: {fault}" for fault in misfits(raw, form)]
    if faults:
        return iter(faults)
    return unknown_names(msgspec.convert(raw, form, str_keys=True), form, known, where)


def _by_id(entries: Sequence[E]) -> FrozenDict[str, E]:
    return FrozenDict({entry.id: entry for entry in entries})


def _contents(layers: Sequence[Layer], name: str) -> Any:
    """A data file with what later layers lay over it. Raises :class:`FileNotFoundError`."""
    found = [path for layer in layers if (path := _first(layer, name)) is not None]
    if not found:
        raise FileNotFoundError(name)
    base, *over = (path.read_text("utf-8") for path in found)
    base = in_currency(base, _currency(layers[:1]), _currency(layers))
    first, *later = map(msgspec.json.decode, (base, *over))
    return reduce(partial(laid_over, name), later, first)


def _currency(layers: Sequence[Layer]) -> str:
    """How amounts are written; empty where that is not said."""
    games = [path for layer in layers if (path := _first(layer, "game.json")) is not None]
    said = [msgspec.json.decode(path.read_bytes()) for path in games]
    return next((game["currency"] for game in reversed(said) if "currency" in game), "")


def _first(layer: Layer, name: str) -> Traversable | None:
    return next((folder / name for folder in layer if (folder / name).is_file()), None)


def _dangling(file: str, entries: Sequence[Any], known: Known) -> Iterator[str]:
    """Names of things that are not in the box."""
    for entry in entries:
        name = _name(entry)
        where = f"{file}: {name}" if name else file
        yield from unknown_names(entry, type(entry), known, where)


def _twice(file: str, entries: Sequence[Any]) -> Iterator[str]:
    """Entries of one kind with the same name."""
    names = Counter((type(entry).__name__, _name(entry)) for entry in entries)
    for (_, name), count in names.items():
        if count > 1:
            yield f"{file}: {name!r} is defined twice"


def _name(entry: Any) -> str:
    """What an entry of a data file is called; empty for a whole file."""
    if isinstance(entry, GameData | MarketData):
        return ""
    return str(getattr(entry, "coord", "") or getattr(entry, "id", "") or entry.name)


def _corporation_faults(corporations: Sequence[CorporationDef]) -> Iterator[str]:
    for corporation in corporations:
        if corporation.id in _RESERVED or ":" in corporation.id:
            yield f"corporations.json: {corporation.id!r} is a reserved word"
        if sum(corporation.certificates) not in (0, 100):
            yield f"corporations.json: certificates of {corporation.id!r} are not 100 %"


def _company_faults(companies: Sequence[CompanyDef]) -> Iterator[str]:
    for c in companies:
        if c.min_price is not None and c.max_price is not None and c.min_price > c.max_price:
            yield f"companies.json: {c.id!r} costs {c.min_price} at least, {c.max_price} at most"


def _home_faults(whole: Mapping[str, Any]) -> Iterator[str]:
    """Homes in cities that are not printed."""
    printed = {h.coord: h.tile for h in whole["map"].hexes} if "map" in whole else {}
    for c in whole.get("corporations", ()):
        for home in [h for h in c.home if h.city is not None and h.hex in printed]:
            if home.city >= sum(n.kind == "city" for n in printed[home.hex].nodes):
                yield f"corporations.json: {c.id}, home: {home.hex} has no city {home.city}"


def _market_faults(market: MarketData) -> Iterator[str]:
    cells = [cell for row in market.rows for cell in row if cell is not None]
    for zone in market.zones:
        if not any(zone in cell.zones for cell in cells):
            yield f"market.json: no cell is in the zone {zone!r}"


def _seat_faults(game: GameData) -> Iterator[str]:
    if game.players.min > game.players.max:
        yield f"game.json: players: {game.players.min} at least, {game.players.max} at most"
    seats = [str(n) for n in range(game.players.min, game.players.max + 1)]
    for name, table in (("cash", game.cash), ("cert_limit", game.cert_limit)):
        yield from needs.entries(f"game.json: {name}", table, seats)


def _train_faults(data: TrainData) -> Iterator[str]:
    """What is wrong with the distances of trains and their variants."""
    every = [(train.name, train.distance) for train in data.trains]
    every += [(v.name, v.distance) for train in data.trains for v in train.variants]
    for name, distance in every:
        yield from (f"trains.json: {name}, distance: {f}" for f in distance_faults(distance))


def _tile_faults(data: TileData) -> Iterator[str]:
    known = {t.name for t in data.own} | set(standard_tiles())
    yield from (f"tiles.json: tile {n!r} is not defined" for n in data.counts if n not in known)
    for tile in data.own:
        yield from _path_faults(f"tiles.json: tile {tile.name!r}", tile)


def _map_faults(data: MapData) -> Iterator[str]:
    for entry in data.hexes:
        yield from _path_faults(f"map.json: hex {entry.coord!r}", entry.tile)
        if not entry.id.startswith(f"{entry.coord}-"):
            yield f"map.json: hex {entry.coord!r} has the tile id {entry.id!r}"


def _path_faults(where: str, tile: TileDef) -> Iterator[str]:
    """Ends of track that are no edges, and no nodes of the tile."""
    refs = {n.ref for n in tile.nodes}
    for end in (end for path in tile.paths for end in (path.a, path.b)):
        if isinstance(end, str) and end not in refs:
            yield f"{where} has no node {end!r}"
        if isinstance(end, int) and not 0 <= end < 6:
            yield f"{where} has no edge {end}"


def _none(file: Any) -> tuple[()]:
    return ()


#: By file: what must hold of it beside its form, and its entries, none of which may be there twice.
_CHECKS: dict[str, tuple[Callable[[Any], Iterable[str]], Callable[[Any], Sequence[Any]]]] = {
    "game": (_seat_faults, lambda file: (file,)),
    "market": (_market_faults, lambda file: (file,)),
    "trains": (_train_faults, lambda file: (*file.trains, *file.phases)),
    "companies": (_company_faults, tuple),
    "corporations": (_corporation_faults, tuple),
    "map": (_map_faults, lambda file: tuple(file.hexes)),
    "tiles": (_tile_faults, _none),
    "help": (_none, _none),
}
