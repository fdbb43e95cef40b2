"""Filters and tags of the templates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

import msgspec
from django import template
from django.http import HttpRequest
from django.template.defaulttags import URLNode, url
from django.template.loader import render_to_string
from django.urls import get_script_prefix, reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from ...sentences import Ref, Sentence, buttons
from ...titles.title import Title
from ..page import drawing
from ..page.log import Chip, Excerpt, Line
from ..page.story import Mark
from ..remembered import Remembered
from ..tables import opponents

register = template.Library()

#: A section as a page of rules cites it.
_CITATION = re.compile(r"§(F?\d+(?:\.\d+)*)")


@register.filter
def money(amount: int, view: Any) -> str:
    """An amount in the currency of the game looked at."""
    return buttons.money(view.game.rules, amount)


@register.filter
def under(found: Mapping[str, Any], key: str) -> Any:
    """What a map has under a key; nothing if it has not."""
    return found.get(key)


@register.filter
def called(bot: str) -> str:
    """How the server plays a seat, in a word."""
    return opponents.called(bot)


@register.simple_tag
def bot_levels(chosen: str = "") -> SafeString:
    """What a bot's seat may be played by, to choose from."""
    options = format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        (
            (kind, SafeString(" selected" * (kind == chosen)), text)
            for kind, text in opponents.kinds().items()
        ),
    )
    return format_html('<select name="kind" aria-label="Level of the bot">{}</select>', options)


@register.filter
def co(symbol: str, view: Any) -> str:
    """The class that gives an element a company's colours."""
    return _colored(symbol, view.game.rules)


def _colored(symbol: str, rules: Any) -> str:
    number = _numbers(rules).get(symbol)
    return "co" if number is None else f"co co-{number}"


@lru_cache(maxsize=64)
def _numbers(rules: Any) -> dict[str, int]:
    """A company made of two (``A-B``) wears the colours of the first, as its token does."""
    own = {symbol: n for n, symbol in enumerate(rules.box.corporations)}
    return {f"{a}-{b}": own[a] for a in own for b in own} | own


@register.simple_tag
def section(rule: str, title: Title) -> SafeString:
    """A section of the rules as a link to where it can be read."""
    found = title.find_section(rule)
    if found is None:
        return format_html("§{}", rule)
    book, number = found
    url = reverse("rulebook", args=[book.id])
    return format_html('<a class="section" href="{}#{}" target="_blank">§{}</a>', url, number, rule)


@register.filter
def cited(markup: SafeString, title: Title) -> SafeString:
    """A page of marked-up text, each section it cites a link to where it can be read."""
    return _cited(markup, title, "")


@register.filter
def cited_beside(text: str, title: Title) -> SafeString:
    """A plain text, each section it cites a link that opens beside the page."""
    return _cited(conditional_escape(text), title, ' target="_blank"')


def _cited(markup: str, title: Title, how: str) -> SafeString:
    def link(citation: re.Match[str]) -> str:
        found = title.find_section(citation[1])
        if found is None:
            return citation[0]
        book, number = found
        address = f"{reverse('rulebook', args=[book.id])}#{number}"
        return f'<a class="section" href="{address}"{how}>{citation[0]}</a>'

    return mark_safe(_CITATION.sub(link, markup))


@register.filter
def token(symbol: str, view: Any) -> SafeString:
    """A company's mark."""
    if symbol not in view.game.state.corporations:
        return SafeString("")
    return drawing.token_of(view.game.rules, symbol)


@register.filter
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
        return format_html('<b class="chip {}">{}</b>', _colored(part.key, rules), part.text)
    if part.kind == "hex":
        return format_html(
            '<a class="ref" href="#hex-{0}" data-show="{0}">{1}</a>', part.key, part.text
        )
    return format_html('<b class="ref">{}</b>', part.text)


@register.filter
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


@register.filter
@lru_cache(maxsize=256)
def options(rounds: tuple[Mark, ...], here: int) -> SafeString:
    """The rounds of a game to choose from."""
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((mark.id, SafeString(" selected" * (mark.id == here)), mark.name) for mark in rounds),
    )


@register.simple_tag(takes_context=True)
def key(context: template.Context) -> SafeString:
    """The hidden field against forged requests. Not masked anew each time, so that an unchanged
    panel stays unchanged; compression adds noise against guessing instead."""
    from django.middleware.csrf import get_token

    request: HttpRequest = context["request"]
    field: SafeString | None = request.META.get(_FIELD)
    if field is None:
        get_token(request)
        field = format_html(
            '<input type="hidden" name="csrfmiddlewaretoken" value="{}">',
            request.META["CSRF_COOKIE"],
        )
        request.META[_FIELD] = field
    return field


@register.filter
def get(mapping: Any, name: Any) -> Any:
    """An entry of a mapping."""
    return mapping.get(name)


#: Lines of logs as they were drawn last: those on view at some two hundred tables.
_ENTRIES: Remembered[tuple[str, str]] = Remembered(8192)


@register.simple_tag
def entries(excerpt: Excerpt, view: Any) -> SafeString:
    """Lines of the log. What a viewer has not seen yet is new to him, the rest is not: both looks
    of each line are drawn once for all who see an excerpt."""
    if excerpt.drawn is None:
        excerpt.drawn = [_entry(line, view) for line in excerpt.lines]
    since, both = view.since, zip(excerpt.lines, excerpt.drawn, strict=True)
    return mark_safe("".join([drawn[line.id > since] for line, drawn in both]))


def _entry(line: Line, view: Any) -> tuple[str, str]:
    """A line as one has seen it before, and as it is new; both drawn once."""
    table = view.table.pk
    if line.between is not None:
        texts = tuple(s.parts for s in line.sentences)
        key: tuple[Any, ...] = (table, line.between, line.who, line.chat, texts)
        return _ENTRIES.get(key, lambda: (_drawn("between", line=line),) * 2)
    done, told = view.times.get(line.id), tuple(line.sentences)
    looks = (line.turn, line.undone, line.later, line.id == view.at)
    key = (table, line.id, line.who, line.chat, line.round, looks, done, told)

    def draw() -> tuple[str, str]:
        seen, new = (_drawn("line", line=line, view=view, new=new) for new in (False, True))
        return seen, new

    return _ENTRIES.get(key, draw)


def _drawn(part: str, **context: Any) -> str:
    return render_to_string(f"roundhouse/parts/{part}.html", context).strip()


class _Once(template.Node):
    """A piece of a part that is the same for everybody who looks at a version."""

    def __init__(self, name: str, inner: template.NodeList) -> None:
        self.name, self.inner = name, inner

    def render(self, context: template.Context) -> SafeString:
        view = context["view"]
        found: SafeString = view.once(("piece", self.name), lambda: self.inner.render(context))
        return found


@register.tag
def once(parser: template.base.Parser, token: template.base.Token) -> _Once:
    """``{% once NAME %}…{% endonce %}``: drawn for the first who sees a version, for the others
    taken from there. What is within must not depend on who looks."""
    inner = parser.parse(("endonce",))
    parser.delete_first_token()
    return _Once(token.split_contents()[1], inner)


#: Where a request keeps its field against forged requests; what stands for that in pieces.
_FIELD = "roundhouse.key"
_ANY_KEY = SafeString("<!--key-->")
#: Pieces by all they are drawn from.
_PIECES: Remembered[str] = Remembered(4096)


def _safe(text: str) -> tuple[str, str]:
    """Markup, as another value than the same characters as text. Raises :class:`TypeError`."""
    return "safe", str.__str__(text)


_bytes = msgspec.msgpack.Encoder(enc_hook=_safe).encode


class _Kept(template.Node):
    """A piece of a part that follows from some values alone."""

    def __init__(
        self, given: list[template.base.FilterExpression], inner: template.NodeList
    ) -> None:
        self.given, self.inner = given, inner

    def render(self, context: template.Context) -> SafeString:
        values = _bytes([one.resolve(context) for one in self.given])
        drawn = _PIECES.get((id(self), values), lambda: self._draw(context))
        return mark_safe(drawn.replace(_ANY_KEY, key(context)) if _ANY_KEY in drawn else drawn)

    def _draw(self, context: template.Context) -> str:
        """The piece, without the key of who happens to be the first."""
        request: HttpRequest | None = context.get("request")
        if request is None:  # a shared part, which holds no key
            return self.inner.render(context)
        own = key(context)
        request.META[_FIELD] = _ANY_KEY
        try:
            return self.inner.render(context)
        finally:
            request.META[_FIELD] = own


@register.tag
def kept(parser: template.base.Parser, token: template.base.Token) -> _Kept:
    """``{% kept VALUE … %}…{% endkept %}``: drawn once for these values, which must be all it
    depends on but the key against forged requests; records are compared by what is in them."""
    inner = parser.parse(("endkept",))
    parser.delete_first_token()
    return _Kept([parser.compile_filter(v) for v in token.split_contents()[1:]], inner)


class _Address(URLNode):
    """``{% url %}``, each address made once."""

    def render(self, context: template.Context) -> str:
        if self.asvar or self.kwargs:
            return super().render(context)
        try:
            name = self.view_name.resolve(context)
            given = tuple([a.resolve(context) for a in self.args])
            return _address(get_script_prefix(), name, given)
        except TypeError:  # not hashable
            return super().render(context)


@lru_cache(maxsize=8192)
def _address(prefix: str, name: str, given: tuple[Any, ...]) -> str:
    """An address below a prefix, the one of the present request."""
    return conditional_escape(reverse(name, args=given))


@register.tag("url")
def address(parser: template.base.Parser, token: template.base.Token) -> _Address:
    """As Django's own."""
    node = url(parser, token)
    return _Address(node.view_name, node.args, node.kwargs, node.asvar)
