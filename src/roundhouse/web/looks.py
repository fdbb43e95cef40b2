"""The colours and patterns people choose for tables, kept with their account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .models import Account
from .tables.faults import Refused

#: What may be chosen, the usual first; ``templates/roundhouse/parts/looks.html`` offers the same.
CHOICES: dict[str, tuple[str, ...]] = {
    "tiles": ("printed", "safe", "pale", "ink"),
    "tokens": ("devices", "letters", "ringed"),
    "players": ("usual", "safe", "ink"),
    "patterns": ("off", "on"),
}


def looks_of(user: Any) -> dict[str, str]:
    """What somebody chose, by name; empty: nothing yet, or nobody is signed in."""
    if not user.is_authenticated:
        return {}
    return Account.objects.filter(user=user).values_list("looks", flat=True).first() or {}


def keep_looks(user: Any, chosen: Mapping[str, Any]) -> None:
    """Keep what somebody chose, in place of what he had. Raises :class:`Refused` for what is not
    to be chosen."""
    looks = {name: chosen[name] for name in CHOICES if name in chosen}
    for name, value in looks.items():
        if value not in CHOICES[name]:
            raise Refused(f"For {name} one may choose {', '.join(CHOICES[name])}.", "no_such_look")
    Account.objects.filter(user=user).update(looks=looks)
