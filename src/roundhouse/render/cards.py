"""Share certificates and charters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .drawings import Drawings, drawings_of
from .svg import Svg, attr, framed, num, text_of, write
from .tokens import crown, readable

if TYPE_CHECKING:
    from ..model.records import Corporation, State
    from ..rounds.rules import Rules

_CARD = (340.0, 168.0)


def draw_certificate(
    rules: Rules[Any], symbol: str, percent: int, *, president: bool = False
) -> Svg:
    """A tiny share certificate in company colours; the president's is crowned, a short (negative
    ``percent``) outlined."""
    drawings = drawings_of(rules.box)
    _, color, text_color = drawings.look(symbol)
    short = percent < 0
    fill, text = ("none", "currentColor") if short else (color, readable(color, text_color))
    words = f"{symbol} {percent} %" + (", president" if president else "")
    body = (
        f"<title>{text_of(words)}</title>"
        f'<rect x="1" y="1" width="40" height="26" rx="3" fill={attr(fill)} '
        f"stroke={attr(color if short else 'currentColor')} "
        f'stroke-opacity="{"1" if short else ".45"}" stroke-width="1.2"/>'
        f'<rect x="3.2" y="3.2" width="35.6" height="21.6" rx="1.5" fill="none" '
        f'stroke={attr(text)} stroke-opacity=".55" stroke-width=".7"/>'
    )
    letters = drawings.letters.get(symbol, symbol[:2])
    body += f"<g color={attr(text)}>{write(26 if president else 21, 9.3, letters, 'rh-letters', 9)}"
    body += write(21, 19.3, percent, "rh-percent", 11.5)
    body += (crown(11, 9.6, 0.8) if president else "") + "</g>"
    css = "rh-cert" + (" rh-short" if short else "")
    return framed(42, 28, body, css, more=f' role="img" aria-label={attr(words)}')


def draw_charter(rules: Rules[Any], state: State, symbol: str) -> Svg:
    """A company's charter: mark, name, price, treasury, loans, trains and station tokens."""
    drawings = drawings_of(rules.box)
    name, color, _ = drawings.look(symbol)
    record = state.corporations[symbol]
    width, height = _CARD
    body = (
        f"<title>{text_of(name)}</title>"
        f'<rect class="rh-card" x="1" y="1" width="{num(width - 2)}" height="{num(height - 2)}" '
        f'rx="6"/><path d="M7 1H{num(width - 7)}A6 6 0 0 1 {num(width - 1)} 7V9H1V7A6 6 0 0 1 7 '
        f'1Z" fill={attr(color)}/>'
        f'<g transform="translate(38 46)scale(1.15)">{drawings.token(symbol)}</g>'
        f'<text class="rh-title" x="74" y="42" font-size="{num(_title_size(name))}">'
        f"{text_of(name)}</text>{_president(state, record)}"
    )
    body += "".join(
        _fact(14 + n * 106, 90, name, value)
        for n, (name, value) in enumerate(_facts(rules, drawings, state, record))
    )
    body += _trains(state, record) + _tokens(drawings, record)
    more = f' role="img" data-corporation={attr(symbol)} aria-label={attr(name)}'
    return framed(width, height, body, "rh-charter", more=more)


def _title_size(name: str) -> float:
    return max(10.0, min(17.0, 480 / max(1, len(name))))


def _president(state: State, record: Corporation) -> str:
    player = state.players.get(record.president or "")
    who = player.name if player else "no president"
    return f'<text class="rh-left rh-fact" x="74" y="62" font-size="13">{text_of(who)}</text>'


def _facts(
    rules: Rules[Any], drawings: Drawings, state: State, record: Corporation
) -> list[tuple[str, str]]:
    price = rules.box.market.price[record.cell] if record.cell else None
    facts = [
        ("price", "–" if price is None else drawings.money(price)),
        ("treasury", drawings.money(record.cash)),
    ]
    if record.loans:
        facts.append(("loans", str(record.loans)))
    return facts


def _fact(x: float, y: float, name: str, value: str) -> str:
    return (
        f'<text class="rh-left rh-fact" x="{num(x)}" y="{num(y)}" font-size="11">'
        f'{text_of(name)}</text><text class="rh-left rh-number" x="{num(x)}" y="{num(y + 18)}" '
        f'font-size="16">{text_of(value)}</text>'
    )


def _trains(state: State, record: Corporation) -> str:
    """The trains as small cards with their names."""
    markup, x = "", 14.0
    for train in record.trains:
        found = state.trains.get(train)
        name = (found.variant or found.kind) if found else train.rpartition("-")[0]
        old = " rh-obsolete" if found and found.obsolete else ""
        width = 14.0 + 9 * len(name)
        markup += (
            f'<g class="rh-train{old}"><rect x="{num(x)}" y="122" width="{num(width)}" height="24" '
            f'rx="4"/>{write(x + width / 2, 134, name, "rh-number", 14)}</g>'
        )
        x += width + 6
    return markup


def _tokens(drawings: Drawings, record: Corporation) -> str:
    """Tokens still to be placed, with their prices."""
    left = [t for t in record.tokens if t.city is None]
    markup = ""
    for n, token in enumerate(reversed(left)):
        x = _CARD[0] - 24 - n * 34
        markup += (
            f'<g transform="translate({num(x)} 130)scale(.6)">{drawings.token(record.id)}</g>'
            + write(x, 152, drawings.money(token.price), "rh-fact", 10)
        )
    return markup
