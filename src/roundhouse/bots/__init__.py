"""Players a computer plays: :func:`player` gives one, its ``choose`` a decision with reasons."""

from .decision import Candidate, Decision, Reason
from .foresight import Foresight, Outlook, thrifty
from .players import POLICIES, Follower, Player, player

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
