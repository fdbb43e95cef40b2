"""Players by name and level."""

from __future__ import annotations

from ..model.errors import UnknownName
from ..selfplay import Policy, lively, uniform
from .foresight import thrifty
from .magnate import LEVELS, Magnate
from .players import Follower, Player

#: Policies by name, the simplest first; those that are a level of the usual player by its name.
POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "lively": lively,
    "thrifty": thrifty,
    **{level: Magnate(level) for level in LEVELS},
}


def player(name: str = "magnate", level: str = "", seed: int = 0) -> Player:
    """A player by name and, where it has levels, by level. Raises :class:`UnknownName` if there is
    none."""
    if name == Magnate.name:
        if (level or "quick") not in LEVELS:
            raise UnknownName(f"{name} has no level {level!r}; it has {', '.join(LEVELS)}")
        return Magnate(level or "quick", seed)
    if name not in POLICIES or name in LEVELS:
        known = [Magnate.name, *(n for n in POLICIES if n not in LEVELS)]
        raise UnknownName(f"there is no player {name!r}; there are {', '.join(known)}")
    if level:
        raise UnknownName(f"{name} has no levels")
    return Follower(name, POLICIES[name], seed)
