"""The schema of a title's data files (JSON, one concern a file).

``game.json`` constants and options, ``market.json``, ``trains.json`` trains and phases,
``companies.json``, ``corporations.json``, ``map.json``, ``tiles.json``. Unknown keys are errors.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .names import Amount, Count, HexName, OptionName, TrainName, ZoneName

#: A colour of the screen, as ``#rrggbb`` or by its name; those of tiles that are laid.
Color = Annotated[str, Meta(pattern="^(#[0-9A-Fa-f]{6}|[a-z]+)$")]
TileColor = Literal["yellow", "green", "brown", "gray"]


#: Data write a limit that is none as a number nobody reaches.
NO_LIMIT = 99


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    min: Count
    max: Count


class OptionDef(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule one may switch on. ``portable``: the common file format knows it.

    ``rule``: section of the rules text; ``conflicts``: ids that exclude it.
    """

    id: str
    name: str
    explanation: str
    rule: str = ""
    portable: bool = True
    conflicts: tuple[OptionName, ...] = ()


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """A named set of options."""

    id: str
    name: str
    explanation: str
    options: tuple[OptionName, ...]


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """Constants of a title. Cash and certificate limit by number of players."""

    name: str
    designer: str
    location: str
    players: Seats
    currency: Annotated[str, Meta(pattern="%s")]
    bank: Count | None
    cash: dict[str, Amount]
    cert_limit: dict[str, Count]
    options: tuple[OptionDef, ...] = ()
    presets: tuple[Preset, ...] = ()
    #: Whether anything is drawn by lot, if only with some option.
    chance: bool = True
    #: Sentences for what only this title tells of, with ``{who}``, ``{what}`` and ``{amount}``.
    notes: dict[str, str] = {}
    #: Numbers only this title has, typed by its own rules.
    special: dict[str, Any] = {}


class CellDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    price: Amount
    zones: tuple[ZoneName, ...] = ()


class MarketData(Struct, frozen=True, forbid_unknown_fields=True):
    """Rows of price cells, top row first; null where there is no cell."""

    kind: Literal["one_dimensional", "two_dimensional"]
    rows: tuple[tuple[CellDef | None, ...], ...]
    zones: dict[str, str] = {}
    #: What "up" does in the top row.
    up_at_top: Literal["stay", "right"] = "stay"


class Phase(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``on``: trains whose purchase starts it; ``tiles``: colours that may be laid."""

    name: str
    train_limit: Amount | dict[str, Amount]
    tiles: tuple[TileColor, ...]
    operating_rounds: Count
    on: tuple[TrainName, ...] = ()
    status: tuple[str, ...] = ()
    corporation_sizes: tuple[int, ...] = ()


class Variant(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    price: Amount
    distance: Count | tuple[dict[str, Any], ...]


class TrainEvent(Struct, frozen=True, forbid_unknown_fields=True):
    """What the first train of a type brings about; the title says how."""

    type: str


class TrainDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A train type, in depot order. ``count`` None: unlimited."""

    name: str
    price: Amount
    count: Count | None
    distance: Count | tuple[dict[str, Any], ...]
    rusts_on: TrainName | tuple[TrainName, ...] | None = None
    obsolete_on: TrainName | None = None
    discount: dict[TrainName, int] = {}
    variants: tuple[Variant, ...] = ()
    events: tuple[TrainEvent, ...] = ()
    reserved: bool = False

    @property
    def countless(self) -> bool:
        """Whether there are as many as anybody wants, so that nobody counts them."""
        return self.count is None or self.count >= NO_LIMIT


class TrainData(Struct, frozen=True, forbid_unknown_fields=True):
    trains: Annotated[tuple[TrainDef, ...], Meta(min_length=1)]
    phases: Annotated[tuple[Phase, ...], Meta(min_length=1)]


class CompanyDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A private company. ``powers`` are typed by the title; ``text`` explains it to players."""

    id: str
    name: str
    value: Amount
    revenue: Amount = 0
    text: str = ""
    kind: str = ""
    min_price: Amount | None = None
    max_price: Amount | None = None
    #: Option that brings it in; without, it is always in the game.
    option: OptionName | None = None
    powers: dict[str, Any] = {}


class Home(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    hex: HexName
    city: Amount | None = None


class CorporationDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A corporation or minor. ``certificates``: percents, the president's first;
    ``tokens``: prices."""

    id: str
    name: str
    color: Color
    text_color: Color
    certificates: tuple[Count, ...] = ()
    kind: str = ""
    float_percent: Amount = 0
    tokens: tuple[Amount, ...] = ()
    home: tuple[Home, ...] = ()
    special: dict[str, Any] = {}
