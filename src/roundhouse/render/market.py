"""The stock market."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .drawings import Drawings, drawings_of
from .free_space import text_width
from .svg import Svg, attr, framed, num, text_of, write
from .tokens import RADIUS

if TYPE_CHECKING:
    from ..model.records import State
    from ..rounds.rules import Rules
    from ..stock.market import Cell, Market

_WIDTH = 48.0
_GAP = 2.0
#: Heights of cells that lie in columns and rows; lower ones have their markers in one row.
_HIGHEST, _LOWEST, _TWO_ROWS = 58.0, 40.0, 56.0
#: The foot of a cell's price.
_FOOT = 20.5
_TOKEN = 11.0
#: Most columns before a single row is folded into several.
_FOLD = 20
_TINTS = 7
#: Cells kept as they were drawn, of one title.
_DRAWN = 4096
#: Zones whose tint is a custom of the field; others take the remaining tints in order.
_USUAL = {
    "liquidation": 0, "close": 0, "acquisition": 1, "par": 2, "endgame": 5,
    "par_yellow": 2, "par_green": 4, "par_blue": 3, "par_brown": 6,
}  # fmt: skip


def draw_market(
    rules: Rules[Any], state: State, *, preview: Mapping[str, str] | None = None
) -> Svg:
    """The market. One ``<g class="rh-cell" data-cell="100,0,6">`` a cell; the markers in it
    (``data-corporation``) stacked in operating order, turned once they have operated this round.
    ``preview``: label (``payout``, ``half``, …) → id of the cell it would lead to, drawn over them
    in ``<g class="rh-previews">``."""
    drawings, sheet = drawings_of(rules.box), _sheet(rules.box.market)
    turned = _operated(rules, state)
    cells = dict(sheet.bare(drawings))
    for name, markers in state.market.items():
        if markers:
            cells[name] = sheet.cell(drawings, rules.box.market.cells[name], markers, turned)
    body = "".join(cells.values())
    over = "".join(_previews(sheet.places, sheet.height, preview or {}))
    named = attr(rules.box.game.name + ": stock market")
    more = f' preserveAspectRatio="xMidYMin" role="group" aria-label={named}'
    body = f'<g class="rh-all-cells">{body}</g><g class="rh-previews">{over}</g>{sheet.legend}'
    return framed(*sheet.size, body, sheet.css, left=-2, top=-2, more=more)


@lru_cache(maxsize=32)
def _sheet(market: Market) -> _Sheet:
    return _Sheet(market)


class _Sheet:
    """What a printed market always looks like, and its cells as they were drawn last."""

    def __init__(self, market: Market) -> None:
        self.places, self.height = _places(market)
        self.tints = _tints(market)
        right = max(x for x, _ in self.places.values()) + _WIDTH
        bottom = max(y for _, y in self.places.values()) + self.height
        self.legend, rows = _legend(market, self.tints, right, bottom + 20)
        self.size = right + 4, bottom + 8 + 20 * rows
        flat = market.data.kind == "two_dimensional"
        self.css = "rh-market" if flat else "rh-market rh-row"
        self._cells = market.cells
        self._bare: dict[str, str] = {}
        self._drawn: dict[tuple[str, tuple[tuple[str, bool], ...]], str] = {}

    def bare(self, drawings: Drawings) -> Mapping[str, str]:
        """All cells without markers."""
        if not self._bare:
            drawn = {n: self.cell(drawings, c, (), frozenset()) for n, c in self._cells.items()}
            self._bare = drawn
        return self._bare

    def cell(
        self, drawings: Drawings, cell: Cell, markers: tuple[str, ...], turned: frozenset[str]
    ) -> str:
        """A cell with the markers in it, some of them turned; drawn once."""
        key = cell.id, tuple([(m, m in turned) for m in markers])
        drawn = self._drawn.get(key)
        if drawn is None:
            if len(self._drawn) >= _DRAWN:
                self._drawn.clear()
            drawn = self._drawn[key] = _cell(
                drawings, cell, self.places[cell.id], self.height, markers, turned, self.tints
            )
        return drawn


def _places(market: Market) -> tuple[dict[str, tuple[float, float]], float]:
    """The upper left corner of each cell, and the height of all."""
    cells = market.cells.values()
    single = market.data.kind == "one_dimensional"
    columns, rows = max(c.column for c in cells) + 1, max(c.row for c in cells) + 1
    height = 104.0 if single else _flat_height(columns, rows)
    folds = -(-columns // _FOLD) if single else 1
    per_row = -(-columns // folds)
    places = {}
    for cell in cells:
        row, column = (cell.row, cell.column)
        if single:
            row, column = divmod(column, per_row)
        gap = 10.0 if single else _GAP
        places[cell.id] = (column * (_WIDTH + _GAP), row * (height + gap))
    return places, height


def _flat_height(columns: int, rows: int) -> float:
    """The height of cells in columns and rows: less where these are many, so that the market is
    hardly taller than wide and what is written in it large enough in any box."""
    fair = columns * (_WIDTH + _GAP) / rows - _GAP
    return min(_HIGHEST, max(_LOWEST, fair))


def _operated(rules: Rules[Any], state: State) -> frozenset[str]:
    """The companies whose turn in this round is over."""
    order, operator = rules.facts.order_of_play(state), rules.operator(state)
    return frozenset(order[: order.index(operator)]) if operator in order else frozenset()


def _tints(market: Market) -> dict[str, int]:
    """A tint for each zone."""
    zones = [z for c in market.cells.values() for z in c.zones]
    ordered = [z for z in market.data.zones if z in zones]
    taken = {_USUAL[z] for z in ordered if z in _USUAL}
    others = iter([n for n in reversed(range(_TINTS)) if n not in taken] * len(ordered))
    return {z: _USUAL[z] if z in _USUAL else next(others, 0) for z in ordered}


def _cell(
    drawings: Drawings, cell: Cell, place: tuple[float, float], height: float,
    markers: tuple[str, ...], turned: frozenset[str], tints: Mapping[str, int],
) -> str:  # fmt: skip
    x, y = place
    zone = f" rh-z{tints[cell.zone]}" if cell.zone else ""
    named = f" ({cell.zone.replace('_', ' ')})" if cell.zone else ""
    there = f": {', '.join(markers)}" if markers else ""
    title = f"{drawings.money(cell.price)}{named}{there}"
    body = (
        f"<title>{text_of(title)}</title>"
        f'<rect width="{num(_WIDTH)}" height="{num(height)}" rx="3"/>'
        + write(_WIDTH / 2, 12, cell.price, "rh-price", 16.5)
        + "".join(_markers(drawings, markers, height, turned))
    )
    return (
        f'<g class="rh-cell{zone}" data-cell={attr(cell.id)} '
        f'transform="translate({num(x)} {num(y)})">{body}</g>'
    )


def _markers(
    drawings: Drawings, markers: tuple[str, ...], height: float, turned: frozenset[str]
) -> Iterator[str]:
    """The markers of a cell, the first to operate on top."""
    for n, symbol in reversed(list(enumerate(markers))):
        x, y, radius = _place_in_cell(n, len(markers), height)
        turn = "rotate(90)" if symbol in turned else ""
        css = " rh-turned" if turn else ""
        yield (
            f'<g class="rh-price-marker{css}" data-corporation={attr(symbol)} transform="translate('
            f'{num(x)} {num(y)})scale({radius / RADIUS:.2f}){turn}">'
            f"<title>{text_of(symbol)}</title>{drawings.token(symbol)}</g>"
        )


def _place_in_cell(n: int, of: int, height: float) -> tuple[float, float, float]:
    """Where marker ``n`` of a cell lies and its radius: below each other in tall cells, else in
    one row, on top of each other where they are many, or, smaller, in two."""
    if height > 2 * _WIDTH:
        step = min(2 * _TOKEN + 1, (height - 36 - _TOKEN) / max(1, of - 1))
        return _WIDTH / 2, 34 + n * step, _TOKEN
    if height < _TWO_ROWS:
        radius = min(_TOKEN, (height - _FOOT) / 2, 8.0 if of > 2 else _TOKEN)
        step = min(2 * radius + 1, (_WIDTH - 2 * radius) / max(1, of - 1))
        return _WIDTH / 2 + (n - (of - 1) / 2) * step, height - radius - 0.5, radius
    if of <= 2:
        return _WIDTH / 2 + (n - (of - 1) / 2) * (2 * _TOKEN + 1), 39, _TOKEN
    columns = -(-of // 2)
    step = _WIDTH / columns
    row, column = divmod(n, columns)
    return step * (column + 0.5), 29 + 19 * row, min(9.0, max(6.0, step / 2 - 0.5))


def _previews(
    places: Mapping[str, tuple[float, float]], height: float, preview: Mapping[str, str]
) -> Iterator[str]:
    """Outlines with labels; labels of the same cell below each other."""
    labels: dict[str, list[str]] = {}
    for label, cell in preview.items():
        labels.setdefault(cell, []).append(label)
    for cell, words in labels.items():
        x, y = places[cell]
        body = f'<rect width="{num(_WIDTH)}" height="{num(height)}" rx="3"/>'
        for n, word in enumerate(words):
            top = max(height - 9 - 15 * (len(words) - 1 - n), _FOOT + 8 + 15 * n)
            body += (
                f'<rect class="rh-tag" x="-3" y="{num(top - 7)}" width="{num(_WIDTH + 6)}" '
                f'height="14" rx="7"/>' + write(_WIDTH / 2, top, word, "rh-word", 10.5)
            )
        yield f'<g class="rh-preview" transform="translate({num(x)} {num(y)})">{body}</g>'


def _legend(market: Market, tints: Mapping[str, int], width: float, top: float) -> tuple[str, int]:
    """Swatches with the zones' names, and in how many rows; the explanation is in the title."""
    x, row, markup = 0.0, 1, ""
    for zone, tint in tints.items():
        name = zone.replace("_", " ")
        need = 22 + 1.25 * text_width(name, 17) + 12  # on a small page type is larger than all else
        if x + need > width and x:
            x, row = 0.0, row + 1
        y = top + 20 * (row - 1)
        markup += (
            f'<g class="rh-z{tint}"><title>{text_of(market.data.zones[zone])}</title>'
            f'<rect class="rh-swatch" x="{num(x)}" y="{num(y - 13)}" width="16" height="16" '
            f'rx="3"/>'
            f'<text class="rh-zone-name" x="{num(x + 22)}" y="{num(y)}" font-size="17">'
            f"{text_of(name)}</text></g>"
        )
        x += need
    return f'<g class="rh-legend">{markup}</g>', row if tints else 0
