"""Keeping promises: what a promise does in a game as it stands.

Whatever a promise says, nothing is done but what the game waits for from its owner, what the rules
allow, and what no other player has a say in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..game import Game
from ..model.actions import (
    Action,
    BuyCompany,
    BuyCorporation,
    BuyTrain,
    Merge,
)
from .bidding import keep_bidding
from .kinds import (
    Act,
    Agree,
    BidUpTo,
    BuyUntil,
    Held,
    Order,
    PassFor,
    PassUntil,
    Plan,
    Promise,
    RunAsLast,
    Stopped,
    Verdict,
    Wait,
)
from .orders import keep_order, keep_plan
from .repeating import keep_running
from .shares import keep_buying, keep_passing, keep_passing_for
from .situation import Situation, round_key

Keeper = Callable[[Held, Any, Situation], Verdict]

_KEEPERS: Mapping[type[Promise], Keeper] = {
    BidUpTo: keep_bidding,
    PassUntil: keep_passing,
    PassFor: keep_passing_for,
    BuyUntil: keep_buying,
    Order: keep_order,
    RunAsLast: keep_running,
    Plan: keep_plan,
    Agree: lambda held, promise, at: Wait(),  # it acts only when its owner is asked
}


def hold(promise: Any, game: Game, owner: str) -> Held:
    """A promise made now."""
    history = game.history
    since = max((e.action.id or 0 for e in history), default=0)
    return Held(promise, owner, since, round_key(game))


def keep(held: Held, game: Game) -> Verdict:
    """What a promise does now. The game is not changed."""
    if game.finished:
        return Stopped("The game is over.")
    if game.state.players[held.owner].bankrupt:
        return Stopped("You are bankrupt.")
    at = Situation(game, held.owner)
    verdict = _KEEPERS[type(held.promise)](held, held.promise, at)
    if not isinstance(verdict, Act):
        return verdict
    return _checked(verdict, at)


def _checked(verdict: Act, at: Situation) -> Verdict:
    """An act, if it is legal and nobody else's."""
    if not at.covers(verdict.action):
        return Stopped("It is not for you alone to decide.")
    fault = at.game.why_not(verdict.action)
    return verdict if fault is None else Stopped(fault.message)


def answer(promise: Agree, game: Game, action: Action) -> bool | None:
    """What a promise says to an action its owner is asked to agree to; None: nothing."""
    if promise.types and action.type not in promise.types:
        return None
    if promise.about is not None and promise.about not in _about(game, action):
        return None
    price = getattr(action, "price", None)
    if promise.from_ is not None and (price is None or price < promise.from_):
        return None
    if promise.up_to is not None and (price is None or price > promise.up_to):
        return None
    return promise.yes


def _about(game: Game, action: Action) -> set[str]:
    """The names of what an action is about."""
    found: set[str | None] = {action.actor}
    match action:
        case BuyTrain(train=train):
            record = game.state.trains.get(train)
            found |= {train, record.kind, record.owner} if record else {train}
        case BuyCompany(company=company):
            found.add(company)
        case BuyCorporation(minor=minor):
            found.add(minor)
        case Merge(corporation=corporation, minor=minor):
            found |= {corporation, minor}
    for extra in action.auto_actions or ():
        found |= _about(game, extra)
    return {name for name in found if name is not None}
