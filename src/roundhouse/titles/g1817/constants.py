"""The numbers and powers only 1817 has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import Amount, CompanyName, Count, HexName, TileName, TrainName

#: Zones of the market (§7.1).
RED, GREY, WHITE = "liquidation", "acquisition", ""
#: Size → percent of the president's certificate, number of certificates (§6.2).
CERTIFICATES = {2: (100, 1), 5: (40, 4), 10: (20, 9)}


class BidRange(Struct, frozen=True, forbid_unknown_fields=True):
    min: Amount
    max: Amount
    step: Count


class Acquisition(Struct, frozen=True, forbid_unknown_fields=True):
    dividend_price: Amount
    min: Amount
    step: Count


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in dollars; tables by size or train type."""

    seed_money: Amount
    minimum_raise: Count
    founding: BidRange
    station_cost: Amount
    stations: dict[int, Amount]
    loans: Amount
    loan_value: Count
    loans_per_step: Count
    interest_step: Amount
    max_holding: dict[int, Amount]
    max_shorts: dict[int, Amount]
    acquisition: Acquisition
    max_tokens: Count
    bonuses: dict[str, Amount]
    modern_trains: dict[TrainName, Amount]
    city_tile: TileName | None
    city_tile_companies: tuple[CompanyName, ...]
    pyramid: tuple[int, ...]
    tile_lays: tuple[int, int]


class MarkerTiles(Struct, frozen=True, forbid_unknown_fields=True):
    """Mines and ranches (§8.1, §14.1)."""

    marker: str
    count: Amount
    discount: Amount
    hexes: tuple[HexName, ...]


class Bridges(Struct, frozen=True, forbid_unknown_fields=True):
    count: Amount
    hexes: tuple[HexName, ...]


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """What a private company does (§8, §14.1)."""

    city_tile: HexName | None = None
    tiles: MarkerTiles | None = None
    bridges: Bridges | None = None
    free_rivers: bool = False
    #: What the bank pays for a first tile on a kind of terrain.
    terrain_income: dict[str, Amount] = {}
    extra_token: bool = False
    mail: Amount = 0
    scrap_values: dict[TrainName, Amount] = {}
    contribution_bonus: Amount = 0
    extra_interest: Amount = 0
    closes_at_founding: bool = False
    inventor: dict[TrainName, Amount] = {}
    lay_costs: tuple[int, int] | None = None
    parachute: Amount = 0
    station_subsidy: Amount = 0
