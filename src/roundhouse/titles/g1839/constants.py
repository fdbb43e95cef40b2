"""The numbers and powers only 1839 has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import (
    Amount,
    CellName,
    CompanyName,
    CorporationName,
    Count,
    HexName,
    OptionName,
    PhaseName,
    TileName,
    TrainName,
    ZoneName,
)
from ...rounds.steps.track import Terms


class LinkedPresident(Struct, frozen=True, forbid_unknown_fields=True):
    company: CompanyName
    cell: CellName


class LinkedShare(Struct, frozen=True, forbid_unknown_fields=True):
    company: CompanyName
    index: Amount


class LimitBonus(Struct, frozen=True, forbid_unknown_fields=True):
    """§5.8: certificates more for each company of which one holds so many percent."""

    holding: Amount
    certificates: Amount


class NamedCities(Struct, frozen=True, forbid_unknown_fields=True):
    cost: Amount
    hexes: tuple[HexName, ...]


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in guilders, holdings in percent."""

    draw_over: Amount
    linked_president: LinkedPresident
    linked_share: LinkedShare
    discount_step: Count
    max_holding: Amount
    bulk: Amount
    bonus: LimitBonus
    par_zones: dict[ZoneName, PhaseName]
    second_tile: Amount
    named_cities: NamedCities
    city_upgrade_fee: Amount
    permanent_option: dict[OptionName, tuple[TrainName, ...]]
    income_percent: Amount
    countries: tuple[CorporationName, ...]
    ranks_watched: tuple[TrainName, ...]


class AutomaticTile(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile a private lays by itself."""

    hex: HexName
    tile: TileName
    rotation: Amount


class Port(Struct, frozen=True, forbid_unknown_fields=True):
    """What a port adds to the places of its hex, for its owner and for others (VES)."""

    hexes: tuple[HexName, ...]
    owner: Amount
    others: Amount


class CityForTown(Struct, frozen=True, forbid_unknown_fields=True):
    """Which yellow city replaces which yellow town (LS)."""

    cost: Amount
    tiles: dict[TileName, TileName]


class Builds(Struct, frozen=True, forbid_unknown_fields=True):
    """Ids of the trains a private may become, ``later`` ones with option ``jjb_any_train`` too, and
    of the one it becomes in the end (JJB)."""

    trains: tuple[str, ...]
    later: tuple[str, ...]
    at_last: str


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """What a private company does (§8). ``closes_in``: the phase that closes it; ``outpost``: tile
    and station without a connection (SHZ)."""

    blocks: tuple[HexName, ...] = ()
    closes_in: PhaseName | None = None
    not_for_sale: bool = False
    company_revenue: Amount | None = None
    tiles: tuple[AutomaticTile, ...] = ()
    extra_tile: Terms | None = None
    outpost: Terms | None = None
    marker_percent: Amount | None = None
    port: Port | None = None
    terrain_percent: Amount | None = None
    spares_train: bool = False
    train_discount: dict[TrainName, Amount] = {}
    town_bonus: Amount = 0
    trains_any_time: bool = False
    city_for_town: CityForTown | None = None
    mail: Amount = 0
    pays_connections: bool = False
    builds: Builds | None = None


class Foreign(Struct, frozen=True, forbid_unknown_fields=True):
    """A foreigner: its country, hexes and value by phase (empty: computed, §11.3)."""

    country: CorporationName
    hexes: tuple[HexName, ...]
    values: dict[PhaseName, Amount] = {}
