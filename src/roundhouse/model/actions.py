"""The actions: what players send, exactly as the community's JSON game files spell it.

One frozen record a type, joined in the tagged union :data:`AnyAction`. Decoding is strict about
types and bounds, tolerant about unknown fields. ``entity`` is the id as in the file; code that
needs to know who acts uses :attr:`Action.actor`, the engine's own key for that entity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

# Bounds keep hostile files from making numbers or texts of any size.
Amount: TypeAlias = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
EntityId: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Name
EntityType: TypeAlias = Literal["player", "corporation", "minor", "company", "system"]

PLAYER_PREFIX = "player:"
COMPANY_PREFIX = "company:"


def player_key(player_id: int | str) -> str:
    """The engine's key of a player, ``player:<id>``."""
    return f"{PLAYER_PREFIX}{player_id}"


def company_key(company_id: str) -> str:
    """The engine's key of a private company that acts, ``company:<id>``."""
    return f"{COMPANY_PREFIX}{company_id}"


class Action(Struct, gc=False, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What all actions share. Fields after ``id`` never influence the game."""

    #: Fields that do not distinguish two actions of this type for the rules.
    loose: ClassVar[frozenset[str]] = frozenset()

    entity: EntityId
    entity_type: EntityType
    id: Number | None = None
    auto_actions: tuple[AnyAction, ...] | None = ()
    user: Any = None
    created_at: Any = None
    original_id: Any = None
    skip: Any = None

    @property
    def type(self) -> str:
        """The ``type`` word of the file format."""
        return str(self.__struct_config__.tag)

    @property
    def actor(self) -> str:
        """The engine's key of the acting entity."""
        kind = self.entity_type
        if kind == "player":
            return f"{PLAYER_PREFIX}{self.entity}"
        if kind == "company":
            return f"{COMPANY_PREFIX}{self.entity}"
        return str(self.entity)


class Pass(Action, tag="pass", frozen=True):
    """Decline, or done."""


class Bid(Action, tag="bid", frozen=True):
    """A bid or an outright purchase in an auction."""

    price: Amount
    company: Name | None = None
    corporation: Name | None = None
    minor: Name | None = None


class BuyShares(Action, tag="buy_shares", frozen=True):
    """Buy certificates; where they lie now tells the seller. By a corporation: buy back."""

    shares: tuple[Name, ...]
    percent: Amount | None = None
    share_price: Any = None


class SellShares(Action, tag="sell_shares", frozen=True):
    """Sell certificates of one corporation to the market."""

    shares: tuple[Name, ...]
    percent: Amount | None = None
    share_price: Any = None
    swap: Any = None


class Par(Action, tag="par", frozen=True):
    """Start a corporation at a price cell (``"79,9,5"``)."""

    corporation: Name
    share_price: Name


class LayTile(Action, tag="lay_tile", frozen=True):
    """Lay or upgrade a tile; ``rotation`` counts clockwise sixths from the tile's definition."""

    hex: Name
    tile: Name
    rotation: Annotated[int, Meta(ge=0, le=5)]


class PlaceToken(Action, tag="place_token", frozen=True):
    """Place a station token in a city."""

    city: Name
    slot: Count | None = None
    tokener: Name | None = None
    cost: Amount | None = None
    token_type: Name | None = None


class Run(Struct, gc=False, frozen=True, omit_defaults=True):
    """One route of a ``run_routes``: the hexes of each piece between two stops, and its worth."""

    train: Name
    connections: tuple[tuple[Name, ...], ...] = ()
    hexes: tuple[Name, ...] | None = None
    revenue: Amount | None = None
    revenue_str: str | None = None
    nodes: tuple[Name, ...] | None = None
    subsidy: Any = None
    halts: Any = None
    abilities: tuple[Name, ...] | None = None


class RunRoutes(Action, tag="run_routes", frozen=True):
    """Run trains."""

    routes: tuple[Run, ...]
    extra_revenue: Amount | None = None
    subsidy: Amount | None = None


class Dividend(Action, tag="dividend", frozen=True):
    """What is done with the revenue; it follows from ``kind``, ``amount`` is informative."""

    loose: ClassVar[frozenset[str]] = frozenset({"amount"})
    kind: Literal["payout", "withhold", "half"]
    amount: Amount | None = None


class BuyTrain(Action, tag="buy_train", frozen=True):
    """Buy a train from the bank, the market or another corporation."""

    train: Name
    price: Amount
    variant: Name | None = None
    exchange: Name | None = None
    shell: Name | None = None
    slots: tuple[Count, ...] | None = None
    extra_due: bool | None = None


class DiscardTrain(Action, tag="discard_train", frozen=True):
    """Give up a train over the limit."""

    train: Name


class Bankrupt(Action, tag="bankrupt", frozen=True):
    """Declare bankruptcy."""


class EndGame(Action, tag="end_game", frozen=True):
    """End the game at once by agreement."""


class Assign(Action, tag="assign", frozen=True):
    """Put a private, marker or corporation to a use the moment defines."""

    target: Name
    target_type: Name


class Choose(Action, tag="choose", frozen=True):
    """Answer a question the moment asks."""

    choice: Amount | Annotated[str, Meta(max_length=2000)]


class Short(Action, tag="short", frozen=True):
    """Sell short."""

    corporation: Name


class TakeLoan(Action, tag="take_loan", frozen=True):
    """Take a loan; which number is named makes no difference."""

    loose: ClassVar[frozenset[str]] = frozenset({"loan"})
    loan: Count


class PayoffLoan(Action, tag="payoff_loan", frozen=True):
    """Pay a loan back; which number is named makes no difference."""

    loose: ClassVar[frozenset[str]] = frozenset({"loan"})
    loan: Count


class Convert(Action, tag="convert", frozen=True):
    """Convert a corporation to its next form."""


class Merge(Action, tag="merge", frozen=True):
    """Merge with, or choose, another company."""

    corporation: Name | None = None
    minor: Name | None = None


class RemoveToken(Action, tag="remove_token", frozen=True):
    """Take a token off the map."""

    city: Name
    slot: Count


class FailedMerge(Action, tag="failed_merge", frozen=True):
    """A merger that could not be completed."""

    corporations: tuple[Name, ...]


class BuyCompany(Action, tag="buy_company", frozen=True):
    """A corporation buys a private company."""

    company: Name
    price: Amount


class SellCompany(Action, tag="sell_company", frozen=True):
    """A player sells a private company to the bank."""

    company: Name
    price: Amount | None = None


class SpecialBuy(Action, tag="special_buy", frozen=True):
    """Buy an extra of the title, such as a marker."""

    description: Name
    cost: Amount


class SwapTrain(Action, tag="swap_train", frozen=True):
    """Move a train to the other half of its owner."""

    train: Name


class BuyCorporation(Action, tag="buy_corporation", frozen=True):
    """A company buys a minor."""

    minor: Name
    price: Amount


class SwitchTrains(Action, tag="switch_trains", frozen=True):
    """Exchange the equipment of two slots."""

    slots: tuple[Count, ...]


class ScrapTrain(Action, tag="scrap_train", frozen=True):
    """Scrap a piece of equipment."""

    train: Name


class DestinationConnection(Action, tag="destination_connection", frozen=True):
    """Report which minors are connected now."""

    minors: tuple[Name, ...]


class ChooseAbility(Action, tag="choose_ability", frozen=True):
    """Use a private's power in one of several ways."""

    choice: Name


class Message(Action, tag="message", frozen=True):
    """Chat."""

    message: Annotated[str, Meta(max_length=100_000)] = ""


class Log(Action, tag="log", frozen=True):
    """A line put into the log by a server."""

    message: Annotated[str, Meta(max_length=100_000)] = ""


class Undo(Action, tag="undo", frozen=True):
    """Take back: the last action, or everything after ``action_id`` (0: everything)."""

    action_id: Number | None = None


class Redo(Action, tag="redo", frozen=True):
    """Restore what the latest undo took back."""


class Program(Action, frozen=True):
    """A standing order. Stored with the game; replay takes its effects from ``auto_actions``."""


class ProgramSharePass(Program, tag="program_share_pass", frozen=True):
    unconditional: bool | None = None
    indefinite: bool | None = None


class ProgramBuyShares(Program, tag="program_buy_shares", frozen=True):
    corporation: Name
    until_condition: int | str | None = None
    from_market: bool | None = None
    auto_pass_after: bool | None = None


class ProgramMergerPass(Program, tag="program_merger_pass", frozen=True):
    corporations_by_round: dict[str, tuple[Name, ...]] | None = None
    options: tuple[Name, ...] | None = None


class ProgramHarzbahnDraftPass(Program, tag="program_harzbahn_draft_pass", frozen=True):
    until_premium: Amount | None = None
    unconditional: bool | None = None


class ProgramIndependentMines(Program, tag="program_independent_mines", frozen=True):
    skip_track: bool | None = None
    skip_buy: bool | None = None
    skip_close: bool | None = None
    indefinite: bool | None = None


class ProgramAuctionBid(Program, tag="program_auction_bid", frozen=True):
    bid_target: Name | None = None
    enable_maximum_bid: bool | None = None
    maximum_bid: Any = None
    enable_buy_price: bool | None = None
    buy_price: Any = None
    auto_pass_after: bool | None = None


class ProgramClosePass(Program, tag="program_close_pass", frozen=True):
    unconditional: bool | None = None


class ProgramDisable(Program, tag="program_disable", frozen=True):
    reason: str | None = None
    original_type: Name | None = None


AnyAction: TypeAlias = (
    Pass
    | Bid
    | BuyShares
    | SellShares
    | Par
    | LayTile
    | PlaceToken
    | RunRoutes
    | Dividend
    | BuyTrain
    | DiscardTrain
    | Bankrupt
    | EndGame
    | Assign
    | Choose
    | Short
    | TakeLoan
    | PayoffLoan
    | Convert
    | Merge
    | RemoveToken
    | FailedMerge
    | BuyCompany
    | SellCompany
    | SpecialBuy
    | SwapTrain
    | BuyCorporation
    | SwitchTrains
    | ScrapTrain
    | DestinationConnection
    | ChooseAbility
    | Message
    | Log
    | Undo
    | Redo
    | ProgramSharePass
    | ProgramBuyShares
    | ProgramMergerPass
    | ProgramHarzbahnDraftPass
    | ProgramIndependentMines
    | ProgramAuctionBid
    | ProgramClosePass
    | ProgramDisable
)

#: Everything that is not a move in the game.
Talk: TypeAlias = Message | Log

_COMMON = frozenset(Action.__struct_fields__) - {"entity", "entity_type"}


def same_move(a: Action, b: Action) -> bool:
    """Whether two actions are one move: ids, senders, times and loose fields aside."""
    if type(a) is not type(b):
        return False
    skip = _COMMON | a.loose
    return all(getattr(a, f) == getattr(b, f) for f in a.__struct_fields__ if f not in skip)


#: The types of actions by their words in files.
_BY_WORD: Mapping[object, type[Action]] = {
    kind.__struct_config__.tag: kind for kind in get_args(AnyAction)
}


def decode_action(raw: object) -> Action:
    """An action from plain JSON values (a ``dict``). Raises :class:`msgspec.ValidationError`.

    It is read as the type its word names: what the union of all types looks like would be found out
    anew with every call, which takes ten times as long as the reading.
    """
    word = raw.get("type") if isinstance(raw, dict) else None
    kind: Any = _BY_WORD.get(word) if isinstance(word, str) else None
    action: Action = msgspec.convert(raw, kind or AnyAction)
    return action
