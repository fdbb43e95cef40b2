"""Loading and compiling a title's data files, with all their faults told at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias, TypeVar

import msgspec

from ..board.hexes import Map, MapData
from ..board.tiles import TileDef
from ..board.tileset import TileData, TileSet, standard_tiles
from ..model.errors import TitleDataError
from ..model.frozen import EMPTY, FrozenDict, freeze
from ..model.records import BANK, MARKET
from ..stock.market import Market
from . import needs
from .names import Known, unknown_names
from .overlay import laid_over
from .schema import (
    CompanyDef,
    CorporationDef,
    GameData,
    MarketData,
    TrainData,
    TrainDef,
)

T = TypeVar("T")

#: Folders of one title: a file is read from the first of them that has it.
Layer: TypeAlias = Sequence[Traversable]

_RESERVED = frozenset({BANK, MARKET, "depot", "closed", "gone"})


class Box:
    """The compiled contents of a title's data folder; shared by all games of it.

    ``layers``: where its files lie, those of the titles it is made from first, its own last.
    """

    def __init__(self, *layers: Layer) -> None:
        faults: list[str] = []
        self._layers = layers

        def read(name: str, kind: type[T], default: T | None = None) -> T | None:
            try:
                return freeze(msgspec.convert(_contents(layers, name), kind))
            except FileNotFoundError:
                if default is None:
                    faults.append(f"{name}: the file is missing")
                return default
            except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
                faults.append(f"{name}: {error}")
            return None

        game = read("game.json", GameData)
        market = read("market.json", MarketData)
        trains = read("trains.json", TrainData)
        companies = read("companies.json", tuple[CompanyDef, ...])
        corporations = read("corporations.json", tuple[CorporationDef, ...])
        map_data = read("map.json", MapData)
        tile_data = read("tiles.json", TileData)
        if not (
            game and market and trains and companies is not None and corporations is not None
            and map_data and tile_data
        ):  # fmt: skip
            raise TitleDataError(faults)
        faults += [*_tile_faults(tile_data), *_map_faults(map_data)]
        faults += [fault for train in trains.trains for fault in _train_faults(train)]
        if faults:
            raise TitleDataError(faults)
        #: What a player may do in each step, by step name, in words for players.
        self.help: Mapping[str, str] = read("help.json", dict[str, str], {}) or EMPTY
        self.game = game
        self.market = Market(market)
        self.trains = FrozenDict({t.name: t for t in trains.trains})
        self.phases = FrozenDict({p.name: p for p in trains.phases})
        self.companies = FrozenDict({c.id: c for c in companies})
        self.corporations = FrozenDict({c.id: c for c in corporations})
        self.map = Map(map_data)
        self.tiles = TileSet(tile_data)
        #: What names in the data, and in a title's own forms, may stand for.
        self.known: Known = {
            "hex": self.map.hexes,
            "tile": self.tiles.tiles,
            "train": self.trains.keys() | {v.name for t in trains.trains for v in t.variants},
            "phase": self.phases,
            "private company": self.companies,
            "corporation": self.corporations,
            "company": {*self.companies, *self.corporations},
            "market cell": self.market.cells,
            "market zone": market.zones,
            "option": {o.id for o in game.options},
        }
        for file, entries in (
            ("game.json", (game,)),
            ("market.json", (market,)),
            ("trains.json", (*trains.trains, *trains.phases)),
            ("companies.json", companies),
            ("corporations.json", corporations),
            ("map.json", map_data.hexes),
        ):
            faults += _dangling(file, entries, self.known)
            faults += _twice(file, entries)
        faults += [*_corporation_faults(corporations), *_market_faults(market), *_seat_faults(game)]
        if faults:
            raise TitleDataError(faults)

    def contents(self, name: str) -> Any:
        """A data file as JSON values, whole: with what was laid over it. Raises
        :class:`FileNotFoundError`."""
        return _contents(self._layers, name)

    def constants(self, form: type[T]) -> T:
        """The title's own numbers and names. Raises :class:`TitleDataError`."""
        return self._typed({"game.json: special": self.game.special}, form)["game.json: special"]

    def powers(self, form: type[T]) -> dict[str, T]:
        """What each private company can do, by its id. Raises :class:`TitleDataError`."""
        raw = {f"companies.json: {c.id}, powers": c.powers for c in self.companies.values()}
        return dict(zip(self.companies, self._typed(raw, form).values(), strict=True))

    def facts(self, form: type[T], kind: str) -> dict[str, T]:
        """What only corporations of one kind have, by their id. Raises :class:`TitleDataError`."""
        some = [c for c in self.corporations.values() if c.kind == kind]
        raw = {f"corporations.json: {c.id}, special": c.special for c in some}
        return dict(zip((c.id for c in some), self._typed(raw, form).values(), strict=True))

    def _typed(self, raw: Mapping[str, dict[str, Any]], form: type[T]) -> dict[str, T]:
        """What only one title has, as records of its own, by where it is."""
        found: dict[str, T] = {}
        faults: list[str] = []
        for where, values in raw.items():
            try:
                found[where] = freeze(msgspec.convert(values, form, str_keys=True))
            except msgspec.ValidationError as error:
                faults.append(f"{where}: {error}")
            else:
                faults += unknown_names(found[where], form, self.known, where)
        if faults:
            raise TitleDataError(faults)
        return found


def _contents(layers: Sequence[Layer], name: str) -> Any:
    """A data file with what later layers lay over it. Raises :class:`FileNotFoundError`."""
    found = [path for layer in layers if (path := _first(layer, name)) is not None]
    if not found:
        raise FileNotFoundError(name)
    first, *later = (msgspec.json.decode(path.read_bytes()) for path in found)
    return reduce(partial(laid_over, name), later, first)


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


def _market_faults(market: MarketData) -> Iterator[str]:
    cells = [cell for row in market.rows for cell in row if cell is not None]
    for zone in market.zones:
        if not any(zone in cell.zones for cell in cells):
            yield f"market.json: no cell is in the zone {zone!r}"


def _seat_faults(game: GameData) -> Iterator[str]:
    seats = [str(n) for n in range(game.players.min, game.players.max + 1)]
    for name, table in (("cash", game.cash), ("cert_limit", game.cert_limit)):
        yield from needs.entries(f"game.json: {name}", table, seats)


def _train_faults(train: TrainDef) -> Iterator[str]:
    """What no route says: that only the best of more stops pay. A train pays all stops of a kind it
    makes, or none of them."""
    distances = [(train.name, train.distance), *[(v.name, v.distance) for v in train.variants]]
    for name, distance in distances:
        rows = () if isinstance(distance, int) else distance
        for row in rows:
            where = f"trains.json: {name}, distance"
            for key in row.keys() - {"nodes", "pay", "visit", "multiplier"}:
                yield f"{where}: {key!r} has no meaning"
            if 0 < row.get("pay", 0) < row.get("visit", 0):
                yield f"{where}: pays the best {row['pay']} of {row['visit']} stops; no route does"


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
