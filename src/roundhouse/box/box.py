"""Loading and compiling a title's data files, with all their faults told at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias, TypeVar

import msgspec

from ..board.hexes import Map, MapData
from ..board.tileset import TileData, TileSet, standard_tiles
from ..model.errors import TitleDataError
from ..model.records import BANK, MARKET
from ..stock.market import Market
from .overlay import laid_over
from .schema import (
    CompanyDef,
    CorporationDef,
    GameData,
    MarketData,
    Phase,
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

        def read(name: str, kind: type[T], default: T | None = None) -> T | None:
            try:
                return msgspec.convert(_contents(layers, name), kind)
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
        faults += _tile_faults(tile_data) + _map_faults(map_data)
        if faults:
            raise TitleDataError(faults)
        #: What a player may do in each step, by step name, in words for players.
        self.help: dict[str, str] = read("help.json", dict[str, str], {}) or {}
        self.game = game
        self.market = Market(market)
        self.trains: dict[str, TrainDef] = {t.name: t for t in trains.trains}
        self.phases: dict[str, Phase] = {p.name: p for p in trains.phases}
        self.companies: dict[str, CompanyDef] = {c.id: c for c in companies}
        self.corporations: dict[str, CorporationDef] = {c.id: c for c in corporations}
        self.map = Map(map_data)
        self.tiles = TileSet(tile_data)
        faults += self._faults(trains, companies, corporations)
        if faults:
            raise TitleDataError(faults)

    def constants(self, form: type[T]) -> T:
        """The title's own numbers and names. Raises :class:`TitleDataError`."""
        return _typed(self.game.special, form, "game.json: special")

    def powers(self, form: type[T]) -> dict[str, T]:
        """What each private company can do, by its id. Raises :class:`TitleDataError`."""
        return {
            c.id: _typed(c.powers, form, f"companies.json: {c.id}") for c in self.companies.values()
        }

    def facts(self, form: type[T], kind: str) -> dict[str, T]:
        """What only corporations of one kind have, by their id. Raises :class:`TitleDataError`."""
        return {
            c.id: _typed(c.special, form, f"corporations.json: {c.id}")
            for c in self.corporations.values()
            if c.kind == kind
        }

    def _faults(
        self,
        trains: TrainData,
        companies: tuple[CompanyDef, ...],
        corporations: tuple[CorporationDef, ...],
    ) -> Iterator[str]:
        """Checks across files; each a sentence naming file and entry."""
        for kind, names in (
            ("trains.json: train", [t.name for t in trains.trains]),
            ("trains.json: phase", [p.name for p in trains.phases]),
            ("companies.json:", [c.id for c in companies]),
            ("corporations.json:", [c.id for c in corporations]),
        ):
            for name in {n for n in names if names.count(n) > 1}:
                yield f"{kind} {name!r} is defined twice"
        for phase in self.phases.values():
            for name in phase.on:
                if name not in self.trains:
                    yield f"trains.json: phase {phase.name!r} starts with unknown train {name!r}"
        for train in self.trains.values():
            triggers = train.rusts_on if isinstance(train.rusts_on, tuple) else (train.rusts_on,)
            for name in (*triggers, train.obsolete_on):
                if name is not None and name not in self.trains:
                    yield f"trains.json: train {train.name!r} names unknown train {name!r}"
        for corporation in corporations:
            if corporation.id in _RESERVED or ":" in corporation.id:
                yield f"corporations.json: {corporation.id!r} is a reserved word"
            for home in corporation.home:
                if home.hex not in self.map.hexes:
                    yield f"corporations.json: home of {corporation.id!r}, {home.hex!r}, is no hex"
            if sum(corporation.certificates) not in (0, 100):
                yield f"corporations.json: certificates of {corporation.id!r} are not 100 %"
        yield from self._zone_faults()

    def _zone_faults(self) -> Iterator[str]:
        for cell in self.market.cells.values():
            for zone in cell.zones:
                if zone not in self.market.data.zones:
                    yield f"market.json: cell {cell.id!r} has unknown zone {zone!r}"
        known = {o.id for o in self.game.options}
        for preset in self.game.presets:
            for option in preset.options:
                if option not in known:
                    yield f"game.json: preset {preset.id!r} names unknown option {option!r}"
        for company in self.companies.values():
            if company.option is not None and company.option not in known:
                yield f"companies.json: {company.id!r} needs unknown option {company.option!r}"


def _contents(layers: Sequence[Layer], name: str) -> Any:
    """A data file with what later layers lay over it. Raises :class:`FileNotFoundError`."""
    found = [path for layer in layers if (path := _first(layer, name)) is not None]
    if not found:
        raise FileNotFoundError(name)
    first, *later = (msgspec.json.decode(path.read_bytes()) for path in found)
    return reduce(partial(laid_over, name), later, first)


def _first(layer: Layer, name: str) -> Traversable | None:
    return next((folder / name for folder in layer if (folder / name).is_file()), None)


def _typed(raw: dict[str, Any], form: type[T], where: str) -> T:
    """What only one title has, as a record of its own."""
    try:
        return msgspec.convert(raw, form, str_keys=True)
    except msgspec.ValidationError as error:
        raise TitleDataError([f"{where}: {error}"]) from error


def _tile_faults(data: TileData) -> list[str]:
    known = {t.name for t in data.own} | set(standard_tiles())
    return [f"tiles.json: tile {n!r} is not defined" for n in data.counts if n not in known]


def _map_faults(data: MapData) -> list[str]:
    faults = []
    seen: set[str] = set()
    for entry in data.hexes:
        if entry.coord in seen:
            faults.append(f"map.json: hex {entry.coord!r} is listed twice")
        seen.add(entry.coord)
        refs = {n.ref for n in entry.tile.nodes}
        for path in entry.tile.paths:
            for end in (path.a, path.b):
                if isinstance(end, str) and end not in refs:
                    faults.append(f"map.json: hex {entry.coord!r} has no node {end!r}")
                if isinstance(end, int) and not 0 <= end < 6:
                    faults.append(f"map.json: hex {entry.coord!r} has no edge {end}")
        if not entry.id.startswith(f"{entry.coord}-"):
            faults.append(f"map.json: hex {entry.coord!r} has the tile id {entry.id!r}")
    return faults
