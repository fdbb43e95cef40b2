"""A title's rules for players: a page in Markdown whose headings begin with their number.

``#### 5.1.4 Selling`` is section 5.1.4, and its anchor is ``5.1.4``: that is what a refusal, a help
text or an option cites.
"""

from __future__ import annotations

import re

_HEADING = re.compile(r"^#{2,6} (F?\d+(?:\.\d+)*) (.+)$", re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    """The numbers of a page's sections, each with its heading."""
    return {number: heading.strip() for number, heading in _HEADING.findall(text)}


def section_of(heading: str) -> str:
    """The number a heading begins with; empty if it has none."""
    found = _HEADING.match(f"## {heading}")
    return found[1] if found else ""


def nearest(number: str, known: dict[str, str]) -> str | None:
    """The section a citation leads to: the one cited, or the one it is a part of."""
    while number and number not in known:
        number = number.rpartition(".")[0]
    return number or None
