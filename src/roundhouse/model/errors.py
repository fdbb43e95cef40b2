"""Every error Roundhouse raises on purpose.

    RoundhouseError
    ├── IllegalAction     an action the rules refuse; the state is untouched
    ├── GameFileError     a game file that cannot be read or replayed
    ├── OptionError       a set of options that cannot be played together
    ├── TitleDataError    a title's data files contradict themselves
    └── BrokenInvariant   a bug: a verb was asked for something impossible

All of them carry a sentence fit for a player.
"""

from __future__ import annotations


class RoundhouseError(Exception):
    """Base of all deliberate errors."""


class IllegalAction(RoundhouseError):
    """The rules refuse an action.

    ``code`` is a short stable word for programs, ``message`` a sentence with the numbers in it,
    ``rule`` the section of the title's rules text it rests on (may be empty).
    """

    def __init__(self, code: str, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} [§{self.rule}]" if self.rule else self.message


class GameFileError(RoundhouseError):
    """A game file is damaged; ``where`` names the place, such as ``actions[12]`` or ``players``."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


class OptionError(RoundhouseError):
    """Unknown options, or options that exclude each other."""


class TitleDataError(RoundhouseError):
    """All the faults found in a title's data, one a line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class BrokenInvariant(RoundhouseError):
    """Never raised by legal or illegal play; only by a mistake in rules code."""
