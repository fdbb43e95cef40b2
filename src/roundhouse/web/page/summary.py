"""A title's pages as markup. Their source is Markdown; markup within it is shown as text."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from ...titles.rulebook import section_of

if TYPE_CHECKING:
    from markdown_it.token import Token

    from ...titles.title import Title


#: How Markdown aligns a cell, with a style our pages' policy does not let be → the class that does.
_ALIGNED = {"text-align:center": "amid", "text-align:right": "num"}


@lru_cache(maxsize=64)
def summary_of(text: str, level: int = 2) -> SafeString:
    """The page without its heading, its parts under headings of a level. A heading that begins with
    the number of a section has it as its anchor."""
    from markdown_it import MarkdownIt  # read by who shows a page of rules

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = _without_title(parser.parse(text))
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + level - 2)}"
        if token.type == "heading_open" and following and (at := section_of(following.content)):
            token.attrSet("id", at)
        if token.type == "table_open":
            token.attrSet("class", "plain")
        if (aligned := token.attrs.pop("style", "")) in _ALIGNED:
            token.attrSet("class", _ALIGNED[str(aligned)])
        token.children = [t for t in token.children or [] if not _leads_away(t)]
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)


def in_short(title: Title) -> SafeString:
    """A title's rules in short, as they stand beside a table."""
    return summary_of(title.page, 4)


def _without_title(tokens: list[Token]) -> list[Token]:
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return tokens[3:]
    return tokens


def _leads_away(token: Token) -> bool:
    """Links lead to other documents of the repository, which the server has not."""
    return token.type in ("link_open", "link_close", "image")
