"""Times and clocks in words."""

from __future__ import annotations

from datetime import timedelta

from .models import Clock

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def span(amount: timedelta) -> str:
    """A length of time, in its two largest units."""
    left, parts = int(amount.total_seconds()), []
    for size, name in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
        if len(parts) == 2 or (parts and not count):
            break
    return " ".join(parts) or "nothing"


_SHORT = {"day": "d", "hour": "h", "minute": "min", "second": "s"}


def short(amount: timedelta) -> str:
    """The same for a narrow column: ``2 d 4 h``; a dash for nothing."""
    parts = span(amount).split()
    if len(parts) < 2:
        return "–"
    return " ".join(f"{n} {_SHORT[u.rstrip('s')]}" for n, u in zip(*[iter(parts)] * 2, strict=True))


def terms_of(clock: Clock) -> str:
    """The terms of a clock in a sentence."""
    if clock.kind == Clock.Kind.TURN:
        text = f"{span(clock.turn)} for each turn"
    else:
        text = f"{span(clock.budget)} for the game"
        if clock.increment:
            text += f", {span(clock.increment)} more after each turn"
        if clock.daily:
            text += f", {span(clock.daily)} more every day"
        if clock.most:
            text += f", {span(clock.most)} at most"
    free = [w for w, on in (("hours of sleep", clock.nights), ("weekends", clock.weekends)) if on]
    if clock.vacation:
        free.append(f"up to {clock.vacation} days of vacation")
    if free:
        text += f"; {', '.join(free)} do not count"
    return f"{text[0].upper()}{text[1:]}. At zero: {clock.get_at_zero_display()}."
