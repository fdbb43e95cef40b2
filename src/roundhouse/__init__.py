"""Roundhouse: 18xx railway games, rules enforced.

>>> import roundhouse
>>> game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=1)
>>> len(game.choices()) > 0
True
"""

from __future__ import annotations

from .creation import load, new, replay
from .game import Game
from .history import Entry, Stored
from .model.actions import Action
from .model.choices import Choice, Domain
from .model.errors import (
    BrokenInvariant,
    GameFileError,
    IllegalAction,
    OptionError,
    RoundhouseError,
    TitleDataError,
    UnknownName,
)
from .model.records import State
from .rounds.rules import Rules
from .titles.title import Title, all_titles, find_title

__version__ = "0.2.0"

__all__ = [
    "Action",
    "BrokenInvariant",
    "Choice",
    "Domain",
    "Entry",
    "Game",
    "GameFileError",
    "IllegalAction",
    "OptionError",
    "RoundhouseError",
    "Rules",
    "State",
    "Stored",
    "Title",
    "TitleDataError",
    "UnknownName",
    "all_titles",
    "find_title",
    "load",
    "new",
    "replay",
]
