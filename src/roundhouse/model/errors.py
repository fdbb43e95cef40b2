"""Every error Roundhouse raises on purpose.

    RoundhouseError
    ├── IllegalAction     an action the rules refuse; the state is untouched
    ├── GameFileError     a game file that cannot be read or replayed
    ├── OptionError       an argument of a wrong kind, or of a new game that cannot be
    ├── UnknownName       a name or number nothing has; a ValueError, too
    ├── TitleDataError    a title's data files contradict themselves
    └── BrokenInvariant   a bug: a verb was asked for something impossible

All of them carry a sentence fit for a player, and come out of a pickle as they went in.
"""

from __future__ import annotations

from typing import Any


class RoundhouseError(Exception):
    """Base of all deliberate errors."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[RoundhouseError], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


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
    """What was asked of a new game cannot be: an unknown title or option, options that exclude each
    other, a wrong number of players; or an argument is of a wrong kind. The sentence names it."""


class UnknownName(RoundhouseError, ValueError):
    """Nothing has the name or number that was given: there is no such company, train, tile, player
    or reward, no action with that id, or the number is out of bounds."""


class TitleDataError(RoundhouseError):
    """All the faults found in a title's data, one a line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class BrokenInvariant(RoundhouseError):
    """Never raised by legal or illegal play; only by a mistake in rules code."""
