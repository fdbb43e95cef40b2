"""Who decides: the players who speak for an entity, and those a game waits for."""

from __future__ import annotations

from collections.abc import Set

from .game import Game
from .model.actions import player_key
from .model.choices import Choice


def decides(game: Game, actor: str) -> frozenset[str]:
    """The players who may decide for an entity; where it has none, those the game waits for, and
    also where it is the way in which they answer."""
    s = game.state
    if _answers_for_others(game, actor):
        return frozenset(player_key(p) for p in game.players_to_act)
    if (leader := leader_of(game, actor)) is not None:
        return frozenset((leader,))
    return frozenset(player_key(p) for p in game.players_to_act) or frozenset(s.players)


def leader_of(game: Game, actor: str) -> str | None:
    """The player who leads an entity; None if nobody does, or it is no more."""
    leader = game.rules.president(game.state, actor) if _known(game, actor) else None
    return leader if leader in game.state.players else None


def offered(game: Game, players: Set[str]) -> list[Choice]:
    """What may be done now for which one of some players decides. A turn may have hundreds of
    choices for an actor or two: each is asked about once."""
    acting = [(choice.actor, choice) for choice in game.choices()]
    theirs = {a for a in {actor for actor, _ in acting} if not players.isdisjoint(decides(game, a))}
    return [choice for actor, choice in acting if actor in theirs]


def waited_for(game: Game) -> frozenset[str]:
    """The players who decide for those the game waits for."""
    found: frozenset[str] = frozenset()
    return found.union(*(decides(game, actor) for actor in game.acting))


def _answers_for_others(game: Game, actor: str) -> bool:
    """Whether the step that waits takes the answer of somebody else from this entity."""
    s = game.state
    if actor in s.acting or s.finished is not None:
        return False
    step = game.waiting
    return step is not None and any(step.admits(s, actor, kind) for kind in step.takes)


def _known(game: Game, actor: str) -> bool:
    s = game.state
    company = actor.removeprefix("company:")
    return actor in s.players or actor in s.corporations or company in s.companies
