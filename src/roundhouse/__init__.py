"""Roundhouse: 18xx railway games, rules enforced.

>>> import roundhouse
>>> game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=1)
>>> len(game.choices()) > 0
True
"""

from __future__ import annotations

from .game import Game
from .history import Entry, Stored
from .making import load, new, replay
from .model.choices import Choice
from .model.errors import (
    BrokenInvariant,
    GameFileError,
    IllegalAction,
    OptionError,
    RoundhouseError,
    TitleDataError,
)
from .titles.title import Title, find_title, titles

__all__ = [
    "BrokenInvariant",
    "Choice",
    "Entry",
    "Game",
    "GameFileError",
    "IllegalAction",
    "OptionError",
    "RoundhouseError",
    "Stored",
    "Title",
    "TitleDataError",
    "find_title",
    "load",
    "new",
    "replay",
    "titles",
]
