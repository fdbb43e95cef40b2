"""The numbers and powers only 1817 has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import CompanyName, HexName, TileName, TrainName

#: Zones of the market (§7.1).
RED, GREY, WHITE = "liquidation", "acquisition", ""


class BidRange(Struct, frozen=True, forbid_unknown_fields=True):
    min: int
    max: int
    step: int


class Acquisition(Struct, frozen=True, forbid_unknown_fields=True):
    dividend_price: int
    min: int
    step: int


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in dollars; tables by size or train type."""

    seed_money: int
    minimum_raise: int
    founding: BidRange
    station_cost: int
    stations: dict[int, int]
    loans: int
    loan_value: int
    loans_per_step: int
    interest_step: int
    max_holding: dict[int, int]
    max_shorts: dict[int, int]
    acquisition: Acquisition
    max_tokens: int
    bonuses: dict[str, int]
    modern_trains: dict[TrainName, int]
    city_tile: TileName | None
    city_tile_companies: tuple[CompanyName, ...]
    pyramid: tuple[int, ...]
    tile_lays: tuple[int, int]


class MarkerTiles(Struct, frozen=True, forbid_unknown_fields=True):
    """Mines and ranches (§8.1, §14.1)."""

    marker: str
    count: int
    discount: int
    hexes: tuple[HexName, ...]


class Bridges(Struct, frozen=True, forbid_unknown_fields=True):
    count: int
    hexes: tuple[HexName, ...]


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """What a private company does (§8, §14.1)."""

    city_tile: HexName | None = None
    tiles: MarkerTiles | None = None
    bridges: Bridges | None = None
    free_rivers: bool = False
    #: What the bank pays for a first tile on a kind of terrain.
    terrain_income: dict[str, int] = {}
    extra_token: bool = False
    mail: int = 0
    scrap_values: dict[TrainName, int] = {}
    contribution_bonus: int = 0
    extra_interest: int = 0
    closes_at_founding: bool = False
    inventor: dict[TrainName, int] = {}
    lay_costs: tuple[int, int] | None = None
    parachute: int = 0
    station_subsidy: int = 0
