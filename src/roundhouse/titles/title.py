"""What a title registers: its box, its rules, and how options select among them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from importlib import import_module, resources
from pathlib import Path
from typing import Any

from ..box.box import Box, Layer
from ..box.schema import OptionDef, Preset
from ..model.arguments import text
from ..model.errors import OptionError, TitleDataError
from ..model.records import State
from ..model.revisions import FIRST, Revisions, Terms, latest
from ..rounds.contents import Contents
from ..rounds.rules import Rules
from .rulebook import nearest, sections

__all__ = ["Contents", "Title", "all_titles", "find_title", "register"]

#: Rules of so many terms are kept for new games of a title; every game keeps its own.
_RULES = 64


class Title:
    """A game title. Cheap to create; data are loaded when first needed.

    ``id`` is our short name, ``file_title`` the one used in game files, ``package`` holds the
    ``data`` folder, ``contents`` gives what it is made of when first needed. ``base``: the
    title it is made from, whose data its own are laid over (:mod:`roundhouse.box.overlay`) and
    whose rules and rounds are its own unless it gives others.
    """

    def __init__(
        self,
        id: str,
        file_title: str,
        package: str,
        contents: Callable[[], Contents] | None = None,
        base: Title | None = None,
    ) -> None:
        self.id = id
        self.file_title = file_title
        self._package = package
        self._contents = contents
        self.base = base
        self._made: dict[Terms, Rules[Any]] = {}
        self._boxes: list[tuple[tuple[Layer, ...], Box]] = []

    @cached_property
    def box(self) -> Box:
        """The compiled data files, as they are today."""
        return self._box(self._layers())

    def contents(self) -> Contents:
        """What it is made of."""
        if self._contents is not None:
            return self._contents()
        if self.base is None:
            raise TitleDataError([f"{self.id} has neither rules of its own nor a base"])
        return self.base.contents()

    def box_of(self, revision: int) -> Box:
        """The data files of a revision. A file that later ones changed is read from the first
        folder ``until-<n>`` that has it, n being that revision or later; else it is today's."""
        layers = self._layers(revision)
        if layers == self._layers():
            return self.box
        for known, box in self._boxes:
            if known == layers:
                return box
        box = self._box(layers)
        self._boxes.append((layers, box))
        return box

    def _box(self, layers: tuple[Layer, ...]) -> Box:
        return Box(*layers, forms=self.contents().rules.forms)

    def _layers(self, revision: int | None = None) -> tuple[Layer, ...]:
        """Where the data files of a revision (None: today's) lie: those of its base, over them its
        own."""
        before = self.base._layers(revision) if self.base is not None else ()
        folder = resources.files(self._package) / "data"
        later = range(revision, self.latest) if revision is not None else ()
        named = [folder / f"until-{n}" for n in later]
        return (*before, (*(f for f in named if f.is_dir()), folder))

    def __repr__(self) -> str:
        return f"<Title {self.id}>"

    @property
    def revisions(self) -> Revisions:
        """What each revision of the rules after the first one mended."""
        return self.contents().rules.revisions

    @property
    def latest(self) -> int:
        """The revision new games are played under. Raises :class:`TitleDataError` if there are gaps
        in the list of revisions."""
        listed = self.revisions
        if list(listed) != list(range(FIRST + 1, latest(listed) + 1)):
            raise TitleDataError([f"revisions of {self.id} are not counted up from {FIRST + 1}"])
        return latest(listed)

    @cached_property
    def page(self) -> str:
        """What is particular about the title, options and readings, in Markdown. Empty if it has
        none."""
        return self._document("page.md", "titles")

    @cached_property
    def rulebook(self) -> str:
        """The title's rules for players, in Markdown (:mod:`.rulebook`). Empty if it has none."""
        return self._document("rules.md", "rules")

    def _document(self, name: str, folder: str) -> str:
        """A text about the title. In an installed package it lies beside the rules, in a checkout
        in a folder of ``docs``."""
        checkout = Path(__file__).parents[3] / "docs" / folder / f"{self.id.casefold()}.md"
        for place in (resources.files(self._package) / name, checkout):
            if place.is_file():
                return place.read_text(encoding="utf-8")
        return ""

    def extra(self, name: str) -> bytes | None:
        """A file that lies beside its rules, or else beside those of the title it is made from;
        None if there is none. For what stands around the engine, such as what bots know."""
        found = self.own(name)
        return self.base.extra(name) if found is None and self.base is not None else found

    def own(self, name: str) -> bytes | None:
        """A file that lies beside its own rules; None if there is none."""
        place = resources.files(self._package) / name
        return place.read_bytes() if place.is_file() else None

    @cached_property
    def sections(self) -> dict[str, str]:
        """The sections of its rulebook by number, each with its heading."""
        return sections(self.rulebook)

    def find_section(self, number: str) -> tuple[Title, str] | None:
        """Where a section that is cited can be read: in the title's own rulebook, or in that of the
        title it is made from. None if it is nowhere."""
        found = nearest(number, self.sections)
        if found is not None:
            return self, found
        return self.base.find_section(number) if self.base is not None else None

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

    def rules(
        self, options: frozenset[str], seats: int, revision: int | None = None
    ) -> Rules[State]:
        """The rules for a set of options, a number of players and a revision (None: the latest);
        one instance each. Raises :class:`OptionError` where there are none."""
        limits = self.box.game.players
        if not limits.min <= seats <= limits.max:
            raise OptionError(f"{self.id} is for {limits.min} to {limits.max} players, not {seats}")
        terms = Terms(options, seats, self._known(revision))
        if terms not in self._made:
            contents = self.contents()
            made = contents.rules(self.box_of(terms.revision), terms)
            made.compose(contents)
            if len(self._made) >= _RULES:
                del self._made[next(iter(self._made))]
            self._made[terms] = made
        return self._made[terms]

    def _known(self, revision: int | None) -> int:
        if revision is None:
            return self.latest
        if not FIRST <= revision <= self.latest:
            known = f"the latest here is {self.latest}"
            raise OptionError(f"{self.id} has no rules revision {revision}; {known}")
        return revision


def all_titles() -> dict[str, Title]:
    """All titles by short name: the folders beside this file, what other packages register under
    the entry point ``roundhouse.titles``, and what :func:`register` was given."""
    return dict(sorted((_own() | _installed() | _registered).items()))


def register(title: Title) -> None:
    """Make a title known to this process, as in a notebook or a test. Raises :class:`OptionError`
    if there is another one of that name."""
    if all_titles().get(title.id, title) is not title:
        raise OptionError(f"there is a title {title.id!r} already")
    _registered[title.id] = title


_registered: dict[str, Title] = {}


@lru_cache(maxsize=1)
def _installed() -> dict[str, Title]:
    from importlib.metadata import entry_points  # slow to import, seldom needed

    return {e.name: e.load() for e in entry_points(group="roundhouse.titles")}


@lru_cache(maxsize=1)
def _own() -> dict[str, Title]:
    here = __package__ or ""
    names = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.ispkg]
    own = [import_module(f"{here}.{name}").TITLE for name in names]
    return {title.id: title for title in own}


def find_title(name: str) -> Title:
    """A title by short name or by the name used in game files. Raises :class:`OptionError`."""
    wanted = text(name, "title").casefold()
    for known in (_own, all_titles):
        for title in known().values():
            if wanted in (title.id.casefold(), title.file_title.casefold()):
                return title
    raise OptionError(f"there is no title {name!r}; installed: {', '.join(all_titles())}")
