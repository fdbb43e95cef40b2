"""Titles: their options, what is in their boxes, their rules."""

from __future__ import annotations

from typing import Any

from ninja import Schema


class OptionOut(Schema):
    """A rule one may switch on."""

    id: str
    name: str
    explanation: str
    rule: str
    conflicts: list[str]


class PresetOut(Schema):
    """A named set of options."""

    id: str
    name: str
    explanation: str
    options: list[str]


class TitleOut(Schema):
    """A game one may play here."""

    id: str
    file_title: str
    name: str
    designer: str
    location: str
    players_min: int
    players_max: int
    currency: str
    options: list[OptionOut]
    presets: list[PresetOut]
    revision: int


class TitleFacts(TitleOut):
    """A title with what is in its box, as its data files hold it: money and limits, trains and
    phases, private companies, corporations, the market, the map and the tiles."""

    base: str | None
    game: dict[str, Any]
    trains: list[dict[str, Any]]
    phases: list[dict[str, Any]]
    companies: list[dict[str, Any]]
    corporations: list[dict[str, Any]]
    market: dict[str, Any]
    map: dict[str, Any]
    tiles: dict[str, Any]


class RulesOut(Schema):
    """The rules of a title, in Markdown; ``page``: what is particular about it."""

    title: str
    rules: str
    page: str
