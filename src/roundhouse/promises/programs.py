"""Promises as the file format's ``program_*`` actions, and back (game-file format, section 8)."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..model.actions import (
    Program,
    ProgramAuctionBid,
    ProgramBuyShares,
    ProgramHarzbahnDraftPass,
    ProgramIndependentMines,
    ProgramMergerPass,
    ProgramSharePass,
)
from .kinds import AnyPromise, BidUpTo, BuyUntil, PassFor, PassUntil

#: What a mine that is left to itself passes: the flag of the program, and the action's type.
_SKIPPED = (("skip_track", "lay_tile"), ("skip_buy", "buy_train"), ("skip_close", "convert"))
_OPERATING = "OR"


def from_program(a: Program, game: Game) -> AnyPromise | None:
    """The promise a program stands for; None: there is none, or it says too little."""
    match a:
        case ProgramSharePass():
            return PassUntil(
                until="all" if a.indefinite else "round", heedless=bool(a.unconditional)
            )
        case ProgramBuyShares():
            return _buying(a, game)
        case ProgramMergerPass(corporations_by_round=where) if where:
            return PassFor(where=where, until_another="disable_others" in (a.options or ()))
        case ProgramHarzbahnDraftPass():
            return PassUntil(heedless=bool(a.unconditional), surcharge=a.until_premium)
        case ProgramIndependentMines():
            doing = tuple(kind for flag, kind in _SKIPPED if getattr(a, flag))
            lasting = bool(a.indefinite)
            return PassFor(where={_OPERATING: ()}, doing=doing, minors=True, lasting=lasting)
        case ProgramAuctionBid():
            return _bidding(a, game)
    return None


def _buying(a: ProgramBuyShares, game: Game) -> BuyUntil | None:
    c, until = game.state.corporations.get(a.corporation), a.until_condition
    if c is None or (until != "float" and not (isinstance(until, int) and until > 0)):
        return None
    return BuyUntil(
        corporation=a.corporation,
        until=until * c.unit if isinstance(until, int) else "float",
        source="market" if a.from_market else "treasury",
        then_pass=bool(a.auto_pass_after),
    )


def _bidding(a: ProgramAuctionBid, game: Game) -> BidUpTo | None:
    wanted = [
        amount
        for on, amount in ((a.enable_maximum_bid, a.maximum_bid), (a.enable_buy_price, a.buy_price))
        if on and (isinstance(amount, int) or str(amount).isdigit())
    ]
    if not a.bid_target or not wanted:
        return None
    company = game.state.companies.get(a.bid_target)
    private = company is not None and company.owner is None
    thing = {"company" if private else "corporation": a.bid_target}
    return BidUpTo(limit=max(map(int, wanted)), start=True, rest=bool(a.auto_pass_after), **thing)  # type: ignore[arg-type]


def to_program(promise: AnyPromise, game: Game, owner: str) -> Program | None:
    """The program that says the same as a promise; None: the format knows none."""
    who: dict[str, Any] = {"entity": game.state.players[owner].id, "entity_type": "player"}
    match promise:
        case PassUntil(until="once"):
            return None
        case PassUntil(surcharge=int(surcharge)):
            return ProgramHarzbahnDraftPass(
                **who, until_premium=surcharge, unconditional=promise.heedless
            )
        case PassUntil():
            indefinite = promise.until == "all"
            return ProgramSharePass(**who, unconditional=promise.heedless, indefinite=indefinite)
        case BuyUntil():
            return _as_buying(promise, game, who)
        case PassFor(minors=True, where={"OR": ()}):
            flags: dict[str, Any] = {flag: kind in promise.doing for flag, kind in _SKIPPED}
            return ProgramIndependentMines(**who, **flags, indefinite=promise.lasting)
        case PassFor(doing=(), minors=False):
            options = ("disable_others",) if promise.until_another else ()
            return ProgramMergerPass(**who, corporations_by_round=promise.where, options=options)
        case BidUpTo() if promise.item is not None:
            return ProgramAuctionBid(
                **who, bid_target=promise.item, enable_maximum_bid=True, maximum_bid=promise.limit,
                auto_pass_after=promise.rest,
            )  # fmt: skip
    return None


def _as_buying(p: BuyUntil, game: Game, who: dict[str, Any]) -> Program | None:
    c = game.state.corporations.get(p.corporation)
    if c is None or p.until == "gone" or p.source == "any" or p.at_most is not None:
        return None
    until = "float" if p.until == "float" else p.until // c.unit
    return ProgramBuyShares(
        **who, corporation=p.corporation, until_condition=until,
        from_market=p.source == "market", auto_pass_after=p.then_pass,
    )  # fmt: skip
