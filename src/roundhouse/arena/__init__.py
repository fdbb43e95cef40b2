"""Matches between players: rotated seats, over processes or a cluster, with ratings and figures of
what games they make.

:mod:`.contestants` are players by what they are called; :mod:`.match` is one game;
:mod:`.running` plays many; :mod:`.economy` tells what kind of game it was; :mod:`.ratings` who is
stronger, and how sure that is.
"""

from .match import Match, Played, lineups, play
from .ratings import Standing, standings
from .running import run

__all__ = ["Match", "Played", "Standing", "lineups", "play", "run", "standings"]
