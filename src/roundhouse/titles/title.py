"""What a title registers: its box, its rules, and how options select among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from importlib import resources
from importlib.metadata import entry_points
from typing import Any

from ..box.box import Box
from ..box.schema import OptionDef, Preset
from ..model.errors import OptionError
from ..rounds.rules import Rules


class Title:
    """A game title. Cheap to create; data are loaded when first needed."""

    def __init__(self, package: str, rules: Callable[[], type[Rules[Any]]]) -> None:
        self._package = package
        self._rules = rules
        self._made: dict[tuple[frozenset[str], int], Rules[Any]] = {}

    @cached_property
    def box(self) -> Box:
        """The compiled data files."""
        return Box(resources.files(self._package) / "data")

    @property
    def id(self) -> str:
        return self.box.game.title

    @property
    def options(self) -> dict[str, OptionDef]:
        return {o.id: o for o in self.box.game.options}

    @property
    def presets(self) -> dict[str, Preset]:
        return {p.id: p for p in self.box.game.presets}

    def select(self, chosen: Iterable[str], *, strict: bool = True) -> frozenset[str]:
        """The set of options meant by option and preset ids.

        Raises :class:`OptionError` for unknown ids (ignored if not ``strict``, as game files
        require) and for options that exclude each other.
        """
        selected: set[str] = set()
        for name in chosen:
            if name in self.presets:
                selected.update(self.presets[name].options)
            elif name in self.options:
                selected.add(name)
            elif strict:
                known = ", ".join([*self.options, *self.presets])
                raise OptionError(f"{self.id} has no option {name!r}; it has: {known}")
        for name in sorted(selected):
            for other in self.options[name].conflicts:
                if other in selected:
                    raise OptionError(f"the options {name!r} and {other!r} exclude each other")
        return frozenset(selected)

    def rules(self, options: frozenset[str], seats: int) -> Rules[Any]:
        """The rules for a set of options and a number of players; one instance each."""
        limits = self.box.game.players
        if not limits.min <= seats <= limits.max:
            raise OptionError(
                f"{self.id} is for {limits.min} to {limits.max} players, not {seats}"
            )
        key = (options, seats)
        if key not in self._made:
            self._made[key] = self._rules()(self.box, options, seats)
        return self._made[key]


@lru_cache(maxsize=1)
def titles() -> dict[str, Title]:
    """All installed titles by short name."""
    found = entry_points(group="roundhouse.titles")
    return {e.name: e.load() for e in sorted(found, key=lambda e: e.name)}


@lru_cache(maxsize=64)
def find_title(name: str) -> Title:
    """A title by short name or by the name used in game files. Raises :class:`OptionError`."""
    found = entry_points(group="roundhouse.titles")
    for entry in found:
        if entry.name.casefold() == name.casefold():
            title: Title = entry.load()
            return title
    for title in titles().values():
        if title.box.game.file_title == name:
            return title
    raise OptionError(f"there is no title {name!r}; installed: {', '.join(titles())}")


def names(items: Sequence[str]) -> str:
    """A list of words for a sentence."""
    return ", ".join(items)
