"""Filters and tags of the pages around a table; some of them serve the parts of the table too
(``environment.py``)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from django import template
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.defaulttags import URLNode, url
from django.urls import get_script_prefix, reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from ...box.schema import NO_LIMIT, Phase
from ...sentences import buttons
from ...titles.title import Title
from ..tables import opponents

register = template.Library()

#: A section as a page of rules cites it.
_CITATION = re.compile(r"§(F?\d+(?:\.\d+)*)")


@register.filter
def money(amount: int, view: Any) -> str:
    """An amount in the currency of the game looked at."""
    return buttons.money(view.game.rules, amount)


@register.filter
def train_limit(phase: Phase) -> str:
    """How many trains a company may have in a phase, by kind where that makes a difference."""
    limits = phase.train_limit
    if isinstance(limits, int):
        return str(limits) if limits < NO_LIMIT else "—"
    return ", ".join(f"{kind} {limit}" for kind, limit in limits.items())


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
    return colored(symbol, view.game.rules)


def colored(symbol: str, rules: Any) -> str:
    """The same, under some rules."""
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
    return _section(get_script_prefix(), rule, title)


@lru_cache(maxsize=4096)
def _section(prefix: str, rule: str, title: Title) -> SafeString:
    """The same below a prefix, each made once."""
    found = title.find_section(rule)
    if found is None:
        return format_html("§{}", rule)
    book, number = found
    url = reverse("rulebook", args=[book.id])
    return format_html('<a class="section" href="{}#{}" target="_blank">§{}</a>', url, number, rule)


@register.filter
def cited(markup: SafeString, title: Title) -> SafeString:
    """A page of marked-up text, each section it cites a link to where it can be read."""
    return link_sections(markup, title, "")


def link_sections(markup: str, title: Title, how: str) -> SafeString:
    """Markup, each section it cites a link with some more attributes."""

    def link(citation: re.Match[str]) -> str:
        found = title.find_section(citation[1])
        if found is None:
            return citation[0]
        book, number = found
        address = f"{reverse('rulebook', args=[book.id])}#{number}"
        return f'<a class="section" href="{address}"{how}>{citation[0]}</a>'

    return mark_safe(_CITATION.sub(link, markup))


#: Where a request keeps its field against forged requests.
FIELD = "roundhouse.key"


@register.simple_tag(takes_context=True)
def key(context: template.Context) -> SafeString:
    """The hidden field against forged requests."""
    return key_of(context["request"])


def key_of(request: HttpRequest) -> SafeString:
    """The hidden field against forged requests. Not masked anew each time, so that an unchanged
    panel stays unchanged; compression adds noise against guessing instead."""
    field: SafeString | None = request.META.get(FIELD)
    if field is None:
        if "CSRF_COOKIE" in request.META:  # the token with a new mask is of no use here
            request.META["CSRF_COOKIE_NEEDS_UPDATE"] = True
        else:
            get_token(request)
        field = format_html(
            '<input type="hidden" name="csrfmiddlewaretoken" value="{}">',
            request.META["CSRF_COOKIE"],
        )
        request.META[FIELD] = field
    return field


class _Address(URLNode):
    """``{% url %}``, each address made once."""

    def render(self, context: template.Context) -> str:
        if self.asvar or self.kwargs:
            return super().render(context)
        try:
            name = self.view_name.resolve(context)
            given = tuple([a.resolve(context) for a in self.args])
            return address_of(get_script_prefix(), name, given)
        except TypeError:  # not hashable
            return super().render(context)


@lru_cache(maxsize=8192)
def address_of(prefix: str, name: str, given: tuple[Any, ...]) -> str:
    """An address below a prefix, the one of the present request."""
    if not all(type(value) is int and value >= 0 for value in given):
        return conditional_escape(reverse(name, args=given))
    parts = _pattern(prefix, name, len(given))
    return "".join([p if isinstance(p, str) else str(given[p]) for p in parts])


#: What stands for numbers while an address is made.
_NUMBER = 2_111_111_100


@lru_cache(maxsize=512)
def _pattern(prefix: str, name: str, count: int) -> tuple[str | int, ...]:
    """An address with numbers in it, made once for all numbers: text, and which number follows."""
    made = conditional_escape(reverse(name, args=[_NUMBER + n for n in range(count)]))
    parts = re.split(rf"({_NUMBER // 100}\d\d)", made)
    return tuple(p if n % 2 == 0 else int(p) - _NUMBER for n, p in enumerate(parts))


@register.tag("url")
def address(parser: template.base.Parser, token: template.base.Token) -> _Address:
    """As Django's own."""
    node = url(parser, token)
    return _Address(node.view_name, node.args, node.kwargs, node.asvar)
