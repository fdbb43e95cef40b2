"""The numbers and tables only 1873 has, typed and checked when the title loads."""

from __future__ import annotations

from msgspec import Struct

from ...box.names import Amount, CellName, CorporationName, Count, HexName, PhaseName, TileName


class ConcessionTile(Struct, frozen=True, forbid_unknown_fields=True):
    """§9.5: what ``railway`` must have on a hex: a tile joining the two ``exits``."""

    railway: CorporationName
    tile: TileName
    exits: tuple[int, int]

    @property
    def mask(self) -> int:
        """The two exits as a bit mask."""
        return 1 << self.exits[0] | 1 << self.exits[1]


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """``special`` of ``game.json``. Money in Mark; tables by hex, phase, tile or company."""

    concession_tiles: dict[HexName, ConcessionTile]
    route_exits: dict[HexName, tuple[int, Amount]]
    factories: dict[HexName, Amount]
    state_railway: tuple[HexName, ...]
    maintenance: dict[PhaseName, dict[str, Amount]]
    switcher_prices: dict[int, Amount]
    switcher_level: dict[PhaseName, Amount]
    double_lay_tiles: tuple[TileName, ...]
    locked_hexes: tuple[HexName, ...]
    upgrades: dict[str, tuple[TileName, ...]]
    hw_bonus: dict[CorporationName, Amount]
    external_start: CellName
    external_per_size: Amount
    token_price: Amount
    replacement_price: Amount
    stop_revenue: Amount
    diesel_revenue: Amount
    local_bonus: dict[CorporationName, HexName]
    diesels_from: PhaseName
    first_diesel_carriers: Amount
    slots: dict[int, Amount]
    first_merger: dict[CorporationName, CorporationName]
    aag_terrain: dict[HexName, Amount]
    minimum_raise: Count


class MineFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A mine (§6.1): revenues by size of machine from 1 and of switcher from 2."""

    value: Amount
    vor_harzer: bool
    machine_revenue: tuple[int, ...]
    switcher_revenue: tuple[int, ...]
    multiplier: Amount
    connected: bool = False


class RailwayFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A railway (§6.3). ``advanced``: its concession cannot come earlier any more."""

    concession_phase: PhaseName
    concession_routes: tuple[tuple[HexName, ...], ...]
    concession_incomplete: bool
    extra_tokens: Amount
    advanced: bool


class PublicMineFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A public mining company (§6.2): whether it takes Vor-Harzer mines only."""

    vor_harzer: bool
