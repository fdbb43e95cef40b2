"""The numbers and powers only 18Ireland has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import Amount, CompanyName, CorporationName, Count, HexName, PhaseName, TrainName
from .upgrades import Terms

#: Kinds of corporations: five shares, ten shares.
MINOR, MAJOR = "minor", "major"


class Mergers(Struct, frozen=True, forbid_unknown_fields=True):
    """How many minors may merge."""

    least: Amount
    most: Amount


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in pounds, holdings in percent."""

    larger_bank: Amount
    companies_kept: tuple[CompanyName, ...]
    companies_left_out: Amount
    first_minor: CorporationName
    first_train: TrainName
    minimum_raise: Count
    discount_step: Count
    #: Least bid for a minor, and the highest par it can get.
    minor_bid: Amount
    minor_par: Amount
    #: Surcharge for a second lay.
    second_lay: Amount
    #: By kind of corporation.
    max_holding: dict[str, Amount]
    max_pool: dict[str, Amount]
    #: Rusted train type → the type it comes back as.
    rusted: dict[TrainName, TrainName]
    majors_start_with: PhaseName
    mergers: Mergers
    trade_in_phases: tuple[PhaseName, ...]


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two tiles laid in one go (§8.1)."""

    first: Terms
    second: Terms


class Marker(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus for routes that visit the marked hex (§8.3)."""

    bonus: Amount
    hexes: tuple[HexName, ...]


class Powers(Struct, frozen=True, forbid_unknown_fields=True):
    """What a private company does (§8)."""

    #: Hexes nobody may build on until a corporation owns the company.
    blocks: tuple[HexName, ...] = ()
    pair: Pair | None = None
    #: How many lays are free of terrain cost.
    free_terrain: Amount = 0
    marker: Marker | None = None
    free_lay: Terms | None = None
    #: Two cities; a route to one also earns the other.
    link: tuple[HexName, HexName] | None = None
    #: What an upgrade as second build costs.
    second_upgrade: Amount = 0
    #: The off-board tile (§8.5).
    sea_tile: Terms | None = None
    #: The minor its buyer starts.
    founds: CorporationName | None = None
