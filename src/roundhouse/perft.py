"""Perft: how many legal sequences of actions lead out of a position.

Two engines, or two versions of one, that count differently differ in a rule; :func:`divide` helps
to find which."""

from __future__ import annotations

from collections.abc import Iterator

from .game import Game
from .model.actions import Action


def moves(game: Game) -> Iterator[Action]:
    """Every action that differs for the rules; of sets of routes only the usual one."""
    for choice in game.choices():
        yield from choice.actions()


def perft(game: Game, depth: int) -> int:
    """The number of legal sequences of ``depth`` actions."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in moves(game))
    return sum(divide(game, depth).values())


def divide(game: Game, depth: int) -> dict[Action, int]:
    """For each first action, the number of sequences of ``depth`` actions that start with it."""
    counts = {}
    for action in moves(game):
        after = game.copy()
        after.apply(action)
        counts[action] = perft(after, depth - 1)
    return counts
