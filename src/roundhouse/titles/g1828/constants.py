"""The numbers and powers only 1828 has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import (
    Amount,
    CompanyName,
    CorporationName,
    Count,
    HexName,
    TileName,
    TrainName,
    ZoneName,
)
from ...rounds.steps.track import Terms

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
    field_markers: Amount
    tunnel: HexName
    tunnel_tile: TileName
    cost: Amount


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in dollars, holdings in percent."""

    minimum_raise: Count
    random_privates: tuple[CompanyName, ...]
    good_privates: tuple[CompanyName, ...]
    privates_removed: dict[str, Amount]
    trains: dict[str, dict[TrainName, Amount]]
    minor: Minor
    exchange: CompanyName
    par_zones: dict[str, tuple[ZoneName, ...]]
    max_holding: Amount
    pool_limit: Amount
    float_units: Amount
    coal: Coal
    extra_lay_cost: Amount


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """What a private company does (§8). A teleport is a lay of the turn, on top of its terms."""

    blocks: HexName | None = None
    corporate_revenue: Amount | None = None
    free_tile: Terms | None = None
    teleport: Terms | None = None
    town_tile: Terms | None = None
    extra_tile: Terms | None = None
    minor: bool = False
    exchange: bool = False
    share: CorporationName | None = None
    presidency: CorporationName | None = None
