"""The games for research: observations as arrays, actions as numbered lists, rewards, roll-outs.

Needs ``pip install 'roundhouse[env]'``. :func:`aec` is a PettingZoo environment,
:class:`SpielGame` the same in the style of OpenSpiel; docs/environment.md has the layout of arrays.
"""

from __future__ import annotations

from .candidates import COLUMNS, KINDS, Candidates, decider
from .layout import Layout, squeezed
from .observation import observe
from .playing import Episode, Policy, Turn, rollouts
from .rewards import REWARDS, Money, Rank, Reward, Worth
from .spiel import SpielGame, SpielState
from .terms import Terms, layout_of
from .trajectories import Trajectories, write_trajectories
from .zoo import RoundhouseAEC, aec

__all__ = [
    "COLUMNS",
    "KINDS",
    "REWARDS",
    "Candidates",
    "Episode",
    "Layout",
    "Money",
    "Policy",
    "Rank",
    "Reward",
    "RoundhouseAEC",
    "SpielGame",
    "SpielState",
    "Terms",
    "Trajectories",
    "Turn",
    "Worth",
    "aec",
    "decider",
    "layout_of",
    "observe",
    "rollouts",
    "squeezed",
    "write_trajectories",
]
