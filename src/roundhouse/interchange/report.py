"""A game as a report to print: one page of HTML that needs nothing else, with the map after each
operating round, the figures of every round, and what happened, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from ..game import Game
from ..history import Entry
from ..model.actions import Log, Message
from ..model.records import State
from ..render import draw_map, stylesheet
from ..sentences import tell
from ..sentences.buttons import money
from .figures import Figure, figures_of
from .rounds import Round, rounds_of

_STYLE = """
body { font: 11pt/1.45 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; }
h1 { font-size: 1.8rem; margin: 0; } h2 { margin: 2rem 0 .4rem; border-bottom: 1px solid #999; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; margin: .6rem 0; }
th, td { padding: .15rem .5rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; max-height: 24cm; }
figcaption { font-size: .85rem; color: #555; }
ol.log { columns: 2; column-gap: 2rem; padding: 0; list-style: none; font-size: .8rem; }
ol.log li { break-inside: avoid; padding: .05rem 0; } .number { color: #777; }
@media (max-width: 600px) { ol.log { columns: 1; } }
@media print { h2 { break-after: avoid; } figure { break-inside: avoid; } body { margin: 0; } }
"""
_PLAYERS = ("cash", "worth", "certificates", "received")
_COMPANIES = ("price", "cash", "revenue", "paid", "trains", "tokens", "loans", "president")


def report_of(game: Game, *, log: bool = True, maps: bool = True) -> str:
    """The report. ``log``: with what happened; ``maps``: with the map after each round in which it
    may have changed."""
    name = escape(game.title.box.game.name)
    parts = [*_head(game), *_rounds(game, log, maps)]
    return (
        '<!doctype html>\n<html lang="en" data-theme="light"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name}</title><style>{stylesheet()}{_STYLE}</style></head><body>"
        + "\n".join(parts)
        + "</body></html>\n"
    )


def _head(game: Game) -> Iterator[str]:
    box = game.title.box.game
    yield f"<h1>{escape(box.name)}</h1><p>{escape(box.designer)} · {escape(box.location)}</p>"
    if game.description:
        yield f"<p>{escape(game.description)}</p>"
    options = [game.title.options[o].name for o in sorted(game.options)]
    if options:
        yield f"<p>Options: {escape(', '.join(options))}</p>"
    if game.finished:
        yield f"<p>The game ended: {escape((game.end_reason or '').replace('_', ' '))}.</p>"
    else:
        yield "<p>The game is not over; this is how it stands.</p>"
    names = {seat.id: seat.name for seat in game.seats}
    scores = game.result()
    rows = [
        (1 + sum(s > score for s in scores.values()), names[key], money(game.rules, score))
        for key, score in scores.items()
    ]
    yield _table(("Place", "Player", "Worth"), rows, text={1})


def _rounds(game: Game, log: bool, maps: bool) -> Iterator[str]:
    parts = list(rounds_of(game))
    listed = list(figures_of(game))
    number, drawn = 0, ""
    for part in parts:
        number = max([number, *(e.action.id or 0 for e in part.entries)])
        if not part.entries:
            continue
        yield f"<h2>{escape(part.name)}</h2>"
        if log:
            yield _log(game, part)
        here = [f for f in listed if f.round == part.name and f.action == number]
        yield _figures(here)
        if maps and part.topic == "map":
            markup = _map(game, part.after)
            if markup != drawn:
                yield f"<figure>{markup}<figcaption>After {escape(part.name)}</figcaption></figure>"
            drawn = markup


def _map(game: Game, state: State) -> str:
    """The map. Several on one page must not share ids."""
    return re.sub(r' id="[^"]*"', "", str(draw_map(game.rules, state)))


def _log(game: Game, part: Round) -> str:
    lines = "".join(
        f'<li><span class="number">{e.action.id}</span> {escape(" ".join(said))}</li>'
        for e in part.entries
        if (said := _told(game, e))
    )
    return f'<ol class="log">{lines}</ol>'


def _told(game: Game, entry: Entry) -> list[str]:
    if isinstance(entry.action, Message | Log):
        return []
    return [str(sentence) for sentence in tell(game.rules, entry.state, entry.events)]


def _figures(listed: Sequence[Figure]) -> str:
    players = [f for f in listed if f.kind == "player"]
    companies = [f for f in listed if f.kind != "player"]
    return _of("Player", players, _PLAYERS) + _of("Company", companies, _COMPANIES)


def _of(heading: str, listed: Sequence[Figure], fields: Sequence[str]) -> str:
    if not listed:
        return ""
    used = [f for f in fields if any(getattr(one, f) not in (None, "", 0) for one in listed)]
    rows = [(one.name, *(getattr(one, f) for f in used)) for one in listed]
    return _table((heading, *(f.capitalize() for f in used)), rows, text=set())


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]], text: set[int]) -> str:
    def cells(tag: str, row: Sequence[Any]) -> str:
        return "".join(
            f"<{tag}{' class=text' if n in text else ''}>"
            f"{escape('' if value is None else str(value))}</{tag}>"
            for n, value in enumerate(row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{body}</tbody></table>"
