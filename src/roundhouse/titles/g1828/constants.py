"""The numbers and powers only 1828 has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import CompanyName, CorporationName, HexName, TileName, TrainName, ZoneName

#: The marker on the coalfields and the tunnel (§9.9).
COAL = "coal"
#: The zone of the market without a limit of holdings (§7).
GREY = "unlimited"


class Minor(Struct, frozen=True, forbid_unknown_fields=True):
    """The railway of the private with the same name (§2.5)."""

    id: CorporationName
    train: str
    train_kind: TrainName


class Coal(Struct, frozen=True, forbid_unknown_fields=True):
    """Virginia Coalfields and Tunnel (§9.9)."""

    field: HexName
    field_markers: int
    tunnel: HexName
    tunnel_tile: TileName
    cost: int


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in dollars, holdings in percent."""

    minimum_raise: int
    random_privates: tuple[CompanyName, ...]
    good_privates: tuple[CompanyName, ...]
    privates_removed: dict[str, int]
    trains: dict[str, dict[TrainName, int]]
    minor: Minor
    exchange: CompanyName
    par_zones: dict[str, tuple[ZoneName, ...]]
    max_holding: int
    pool_limit: int
    float_units: int
    coal: Coal
    extra_lay_cost: int


class HexTiles(Struct, frozen=True, forbid_unknown_fields=True):
    """Some tiles on one hex."""

    hex: HexName
    tiles: tuple[TileName, ...]
    cost: int = 0


class ExtraTile(Struct, frozen=True, forbid_unknown_fields=True):
    """One more yellow tile (§8.4.3)."""

    cost: int
    tiles: tuple[TileName, ...]


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """What a private company does (§8)."""

    blocks: HexName | None = None
    corporate_revenue: int | None = None
    free_tile: HexTiles | None = None
    teleport: HexTiles | None = None
    town_tile: HexTiles | None = None
    extra_tile: ExtraTile | None = None
    minor: bool = False
    exchange: bool = False
    share: CorporationName | None = None
    presidency: CorporationName | None = None
