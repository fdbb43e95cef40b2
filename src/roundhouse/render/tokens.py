"""Tokens: each company's own mark, made of simple shapes.

A mark is a disc in the company's colour with a device at its rim, chosen by the symbol, and at
most two letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from zlib import crc32

from .svg import Svg, attr, framed, num, text_of

if TYPE_CHECKING:
    from ..rounds.rules import Rules

RADIUS = 22.0

_CAP = "M-15.2-13.4A20.3 20.3 0 0 1 15.2-13.4Z"
_STAR = "l1.6 4.1 4.4.3-3.4 2.8 1.1 4.3-3.7-2.4-3.7 2.4 1.1-4.3-3.4-2.8 4.4-.3Z"


def _ring(radius: float, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<circle r="{num(radius)}" fill="none" stroke="currentColor" stroke-width="{num(width)}"{dashed}/>'  # noqa: E501


def _filled(d: str) -> str:
    return f'<path d="{d}" fill="currentColor"/>'


#: What stands at the rim, in the colour of the letters.
DEVICES = (
    _ring(18.6, 1.6),
    _filled(_CAP + "M-15.2 13.4A20.3 20.3 0 0 0 15.2 13.4Z"),
    _filled("M-15.2-13.4A20.3 20.3 0 0 0-15.2 13.4ZM15.2-13.4A20.3 20.3 0 0 1 15.2 13.4Z"),
    _filled(f"M0-20.5{_STAR}M0 9.3{_STAR}"),
    '<path d="M-17.5-3A17.7 17.7 0 0 1-3-17.5M17.5 3A17.7 17.7 0 0 1 3 17.5" fill="none" '
    'stroke="currentColor" stroke-width="5"/>',
    _filled("M0-20.5L5-15L0-9.5L-5-15ZM0 20.5L5 15L0 9.5L-5 15Z"),
    '<path d="M-9-11L0-17L9-11M-9 11L0 17L9 11" fill="none" stroke="currentColor" '
    'stroke-width="3"/>',
    _ring(18, 4.4, "4.7 4.72"),
    _filled(_CAP) + '<path d="M-12 15H12" stroke="currentColor" stroke-width="2.6"/>',
    _ring(19.2, 1.3) + _ring(16.2, 1.3),
    _filled("M-7-11L0-20.5L7-11ZM-7 11L0 20.5L7 11Z"),
    '<path d="M-11-14.5H11M-14-11.2H14M-11 14.5H11M-14 11.2H14" stroke="currentColor" '
    'stroke-width="1.9"/>',
)


#: Colours by the names titles use.
_NAMED = {
    "white": "#ffffff", "black": "#000000", "gray": "#808080", "red": "#ff0000",
    "green": "#008000", "yellow": "#ffff00", "brown": "#a52a2a", "purple": "#800080",
    "coral": "#ff7f50", "pink": "#ffc0cb", "lightblue": "#add8e6",
}  # fmt: skip


def _light(color: str) -> float | None:
    """Relative luminance of a hex colour or one whose name is known; None for others."""
    match = re.fullmatch(r"#([0-9a-fA-F]{6})", _NAMED.get(color, color))
    if not match:
        return None
    parts = [int(match[1][i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float | None:
    """Contrast of two colours, 1 to 21; None if the name of one is not known."""
    one, two = _light(a), _light(b)
    if one is None or two is None:
        return None
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)


def readable(color: str, text_color: str, least: float = 3.5) -> str:
    """The given text colour, or black or white if its contrast with ``color`` is not ``least``:
    3.5 for the large letters of marks, 4.5 for running text."""
    if (contrast(color, text_color) or 21) >= least:
        return text_color
    return max(("#ffffff", "#16130f"), key=lambda c: contrast(color, c) or 0)


def _variants(symbol: str) -> list[str]:
    """Two-letter forms of a symbol, the best first."""
    plain = re.sub(r"[^0-9A-Za-z]", "", symbol) or symbol[:1]
    if len(plain) <= 2:
        return [plain]
    first, rest = plain[0], plain[1:]
    order = rest if any(c.islower() for c in rest) else rest[-1] + rest[:-1]
    return [first + c for c in order] + [first + d for d in "123456789"]


def letters_of(symbols: Iterable[str]) -> dict[str, str]:
    """Letters for the symbols of one title, all different where two letters can be."""
    ordered = sorted(symbols, key=lambda s: len(_variants(s)) > 1)
    taken: set[str] = set()
    found = {}
    for symbol in ordered:
        ways = _variants(symbol)
        found[symbol] = next((w for w in ways if w not in taken), ways[0])
        taken.add(found[symbol])
    return found


def joint_mark(symbol: str, left: tuple[str, str], right: tuple[str, str]) -> str:
    """The token of a company made of two: half of each one's colour, the first letters of both.
    ``left`` and ``right``: symbol and colour."""
    halves = []
    for side, (name, color) in ((-1, left), (1, right)):
        arc = f"M0-21.3A21.3 21.3 0 0 {1 if side > 0 else 0} 0 21.3Z"
        ink = readable(color, "#ffffff")
        halves.append(
            f'<path d="{arc}" fill={attr(color)}/><text class="rh-mark" x="{num(side * 9.5)}" '
            f'y="5.4" font-size="15" color={attr(ink)} stroke={attr(color)}>'
            f"{text_of(_variants(name)[0][:1])}</text>"
        )
    return (
        f'<g class="rh-token" data-company={attr(symbol)}><circle class="rh-disc" r="22" '
        f'fill="#16130f"/>{"".join(halves)}</g>'
    )


def mark(symbol: str, color: str, text_color: str, letters: str) -> str:
    """The markup of a token of radius 22 about the origin."""
    ink = readable(color, text_color)
    device = DEVICES[crc32(symbol.encode()) % len(DEVICES)]
    size = 17 if len(letters) < 2 else 14.5
    return (
        f'<g class="rh-token" color={attr(ink)}>'
        f'<circle class="rh-disc" r="{num(RADIUS)}" fill={attr(color)}/>{device}'
        f'<text class="rh-mark" y="{num(size * 0.36)}" font-size="{num(size)}" '
        f'fill="currentColor" stroke={attr(color)}>{text_of(letters)}</text></g>'
    )


def blocker() -> str:
    """A token that belongs to nobody and stays for ever."""
    return (
        '<g class="rh-token rh-blocker"><circle class="rh-disc" r="22"/>'
        '<path d="M-9-9L9 9M9-9L-9 9"/></g>'
    )


def crown(x: float, y: float, scale: float = 1) -> str:
    """A small crown."""
    return (
        f'<path class="rh-crown" d="M-6 4L-7-4L-3-1L0-6L3-1L7-4L6 4Z" '
        f'transform="translate({num(x)} {num(y)})scale({num(scale)})"/>'
    )


def draw_token(symbol: str, color: str, text_color: str, letters: str | None = None) -> Svg:
    """A company's token; ``letters``: at most two, made from the symbol if not given."""
    chosen = (letters if letters is not None else _variants(symbol)[0])[:2]
    return _alone(symbol, mark(symbol, color, text_color, chosen))


def draw_company_token(rules: Rules[Any], symbol: str) -> Svg:
    """The token of a company of a game, with letters no other company of its title has."""
    from .drawings import drawings_of

    return _alone(symbol, drawings_of(rules.box).token(symbol))


def _alone(symbol: str, markup: str) -> Svg:
    return framed(
        48, 48, f"<title>{text_of(symbol)}</title>{markup}", "rh-token-drawing", left=-24, top=-24,
        more=f' role="img" aria-label={attr(symbol)}',
    )  # fmt: skip
