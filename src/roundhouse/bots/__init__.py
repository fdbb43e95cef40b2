"""Players a computer plays: :func:`player` gives one, its ``choose`` a decision with reasons."""

from .decision import Candidate, Decision, Reason
from .player import POLICIES, Follower, Player, player
from .thrifty import Foresight, Outlook, thrifty

__all__ = [
    "POLICIES",
    "Candidate",
    "Decision",
    "Follower",
    "Foresight",
    "Outlook",
    "Player",
    "Reason",
    "player",
    "thrifty",
]
