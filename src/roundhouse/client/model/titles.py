"""Titles: their options, what is in their boxes, their rules."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class Option(Struct, frozen=True):
    """A rule one may switch on."""

    id: str
    name: str
    explanation: str
    rule: str = ""
    conflicts: tuple[str, ...] = ()


class Preset(Struct, frozen=True):
    """A named set of options."""

    id: str
    name: str
    explanation: str
    options: tuple[str, ...] = ()


class Title(Struct, frozen=True):
    """A game one may play."""

    id: str
    file_title: str
    name: str
    designer: str
    players_min: int
    players_max: int
    currency: str
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    revision: int = 1


class TitleFacts(Title, frozen=True):
    """A title with what is in its box, as its data files hold it."""

    base: str | None = None
    game: dict[str, Any] = field(default_factory=dict)
    trains: tuple[dict[str, Any], ...] = ()
    phases: tuple[dict[str, Any], ...] = ()
    companies: tuple[dict[str, Any], ...] = ()
    corporations: tuple[dict[str, Any], ...] = ()
    market: dict[str, Any] = field(default_factory=dict)
    map: dict[str, Any] = field(default_factory=dict)
    tiles: dict[str, Any] = field(default_factory=dict)


class Rulebook(Struct, frozen=True):
    """The rules of a title in Markdown."""

    title: str
    rules: str
    page: str
