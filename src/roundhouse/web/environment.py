"""What the templates of a table's parts may use. They are compiled by Jinja2, as an act draws
several of them; the pages around are Django's.

Nothing is called in them unless it is written so: what hangs on a view is an attribute.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, MutableMapping
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any
from urllib.parse import quote

import msgspec
from django.http import HttpRequest
from django.template import defaultfilters, engines
from django.urls import get_script_prefix
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from jinja2 import ChainableUndefined, Environment, pass_context
from jinja2.runtime import Context

from ..sentences import Ref, Sentence
from ..titles.title import Title
from .clocks.templatetags.clocks_tags import deadline
from .page import drawing
from .page.log import Chip, Excerpt, Line
from .page.story import Mark
from .remembered import Remembered
from .templatetags import roundhouse_tags as tags


class _Environment(Environment):
    """Jinja2's, with what is known everywhere in one map: of chained ones it asks key by key, for
    every part that is drawn."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return self.globals | dict(d or {})


def environment(**options: Any) -> Environment:
    """The environment of the parts, as Django's backend asks for it."""
    made = _Environment(**options | {"undefined": ChainableUndefined})
    made.globals |= {
        "url": url,
        "key": key,
        "section": tags.section,
        "deadline": deadline,
        "entries": entries,
        "included": included,
        "once": once,
        "kept": kept,
    }
    made.filters |= {
        "capfirst": defaultfilters.capfirst,
        "cited_beside": cited_beside,
        "co": tags.co,
        "date": date,
        "money": tags.money,
        "options": options_of,
        "pluralize": defaultfilters.pluralize,
        "runs": runs,
        "sieves": sieves,
        "token": token,
        "written": written,
    }
    return made


def draw_part(name: str, context: dict[str, Any], request: HttpRequest | None = None) -> SafeString:
    """A part of a table by its name, as ``panels/now``."""
    around: dict[str, Any] = {"prefix": get_script_prefix()}
    if request is not None:
        around["request"] = request
    drawn: SafeString = _template(name).render(context | around)
    return drawn


@lru_cache(maxsize=256)
def _template(name: str) -> Any:
    """Asked for by its engine: a search through several leaves exceptions, with all they refer to,
    for the collection of garbage."""
    engine: Any = engines["jinja2"]
    return engine.env.get_template(f"roundhouse/{name}.html")


@pass_context
def url(context: Context, name: str, *given: Any) -> SafeString:
    """The address of a page, as Django's tag gives it."""
    return SafeString(tags.address_of(context["prefix"], name, given))


@pass_context
def key(context: Context) -> SafeString:
    """The hidden field against forged requests."""
    return tags.key_of(context["request"])


@pass_context
def included(context: Context, name: str) -> str:
    """A template of Django's with all that is at hand here."""
    drawn: str = _other(name).render(context.get_all(), context["request"])
    return drawn


@lru_cache(maxsize=256)
def _other(name: str) -> Any:
    return engines["django"].get_template(name)


@pass_context
def once(context: Context, name: str, caller: Callable[[], str]) -> SafeString:
    """What is within, drawn for the first who sees a version and taken from there for the others.
    It must not depend on who looks."""
    found: SafeString = context["view"].once(("piece", name), lambda: mark_safe(caller()))
    return found


#: What stands in pieces for the field against forged requests.
_ANY_KEY = SafeString("<!--key-->")
#: Pieces by all they are drawn from.
_PIECES: Remembered[str] = Remembered(2048)


def _safe(text: str) -> tuple[str, str]:
    """Markup, as another value than the same characters as text. Raises :class:`TypeError`."""
    return "safe", str.__str__(text)


_bytes = msgspec.msgpack.Encoder(enc_hook=_safe).encode


@pass_context
def kept(context: Context, name: str, *given: Any, caller: Callable[[], str]) -> SafeString:
    """What is within, drawn once for some values, which must be all it depends on but the key
    against forged requests; records are compared by what is in them."""
    drawn = _PIECES.get((name, _bytes(given)), lambda: _without_key(context, caller))
    return SafeString(drawn.replace(_ANY_KEY, key(context)) if _ANY_KEY in drawn else drawn)


def _without_key(context: Context, draw: Callable[[], str]) -> str:
    """A piece, without the key of who happens to be the first."""
    request = context.get("request")
    if request is None:  # a shared part, which holds no key
        return draw()
    own = tags.key_of(request)
    request.META[tags.FIELD] = _ANY_KEY
    try:
        return draw()
    finally:
        request.META[tags.FIELD] = own


#: Lines of logs as they were drawn last: those on view at some sixty tables.
_ENTRIES: Remembered[str] = Remembered(2048)


def entries(excerpt: Excerpt, view: Any) -> SafeString:
    """Lines of the log, drawn once for all who see an excerpt."""
    if excerpt.drawn is None:
        lines, at, times = excerpt.lines, view.at, view.times
        about = [(line, line.id == at, times.get(line.id)) for line in lines]
        questions = [(view.table.pk, *_compared(*line)) for line in about]
        drawn = _ENTRIES.all(questions, lambda n: _entry(lines[n], view))
        excerpt.drawn = mark_safe("".join(drawn))
    return excerpt.drawn


def _compared(line: Line, here: bool, done: datetime.datetime | None) -> tuple[Any, ...]:
    """All that a line is drawn from: quick to compare where it is shown whole."""
    if line.told:
        return line.told, line.undone, line.later, here, done
    return line, here, done


def _entry(line: Line, view: Any) -> str:
    if line.between is not None:
        return _drawn("between", line=line)
    return _drawn("line", line=line, view=view)


def _drawn(part: str, **context: Any) -> str:
    return draw_part(f"parts/{part}", context).strip()


def cited_beside(text: str, title: Title) -> SafeString:
    """A plain text, each section it cites a link that opens beside the page."""
    return tags.link_sections(conditional_escape(text), title, ' target="_blank"')


def date(moment: datetime.datetime, form: str) -> str:
    """A moment in the server's zone, in one of Django's forms."""
    here = localtime(moment)
    plain = _PLAIN.get(form)
    return plain(here) if plain else defaultfilters.date(here, form)


#: The forms lines and the bar are written in, which Django would read letter by letter.
_PLAIN: dict[str, Callable[[datetime.datetime], str]] = {
    "c": datetime.datetime.isoformat,
    "H:i": lambda moment: f"{moment:%H:%M}",
}


def runs(things: Iterable[Any], by: str) -> list[tuple[Any, list[Any]]]:
    """Things in their order; neighbours that are alike in an attribute are together."""
    return [(value, list(some)) for value, some in groupby(things, attrgetter(by))]


def token(symbol: str, view: Any) -> SafeString:
    """A company's mark."""
    if symbol not in view.game.state.corporations:
        return SafeString("")
    return drawing.token_of(view.game.rules, symbol)


def written(sentence: Sentence, view: Any) -> SafeString:
    """A sentence of the log, what it names as chips."""
    return _written(sentence, view.game.rules)


@lru_cache(maxsize=4096)
def _written(sentence: Sentence, rules: Any) -> SafeString:
    return mark_safe("".join(_part(p, rules) for p in sentence.parts))


def _part(part: str | Ref, rules: Any) -> str:
    if not isinstance(part, Ref):
        return conditional_escape(part)
    if part.kind == "corporation":
        return format_html('<b class="chip {}">{}</b>', tags.colored(part.key, rules), part.text)
    if part.kind == "hex":
        return format_html(
            '<a class="ref" href="#hex-{0}" data-show="{0}">{1}</a>', part.key, part.text
        )
    return format_html('<b class="ref">{}</b>', part.text)


@lru_cache(maxsize=256)
def sieves(chips: tuple[Chip, ...]) -> SafeString:
    """The log's filters as links."""
    return format_html_join(
        "",
        '<a class="sieve" href="?show={}" data-log="{}"{}>{}</a>',
        (
            (quote(c.filter), c.filter, SafeString(' aria-current="true"' * c.on), c.label)
            for c in chips
        ),
    )


@lru_cache(maxsize=256)
def options_of(rounds: tuple[Mark, ...], here: int) -> SafeString:
    """The rounds of a game to choose from."""
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((mark.id, SafeString(" selected" * (mark.id == here)), mark.name) for mark in rounds),
    )
