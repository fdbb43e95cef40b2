"""Where the money of a game went, as a picture of flows: on the left where it came from, in the
middle who had it, on the right where it went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from ...interchange import Flow
from .drawing import Link

_WIDE, _BAR, _GAP, _LEAST = 840.0, 12.0, 5.0, 11.0
_LEFT, _MIDDLE, _RIGHT = 150.0, 414.0, 678.0
#: Height all money of the fuller side takes together.
_TALL = 460.0
#: Ends that are less than this part of everything are told together.
_SMALL = 0.012


class _Node(Struct):
    """Somebody's bar: where it begins, and how much of it is taken by bands on either side."""

    name: str
    amount: int
    y: float = 0.0
    tall: float = 0.0
    taken: dict[bool, float] = {}


def flow_chart(
    flows: Sequence[Flow],
    told: Callable[[int], str],
    look: Mapping[str, str],
    link: Link,
) -> SafeString:
    """The picture; ``told`` writes an amount, ``look`` is each company's class, ``link`` leads to
    the largest payment of a band."""
    flows = _gathered(flows)
    if not flows:
        return SafeString("")
    columns = [_column(flows, False), _column(flows, None), _column(flows, True)]
    scale = _TALL / max(sum(n.amount for n in c.values()) for c in columns)
    tall = max(_place(column.values(), scale) for column in columns)
    bands = "".join(_band(f, columns, scale, told, look, link) for f in _in_order(flows, columns))
    nodes = "".join(
        _bar(node, x, side, told, look)
        for column, x, side in zip(columns, (_LEFT, _MIDDLE, _RIGHT), (-1, 0, 1), strict=True)
        for node in column.values()
    )
    return mark_safe(
        f'<svg class="chart flow" viewBox="0 0 {_WIDE:.0f} {tall + 8:.0f}" role="group" '
        f'aria-label="where the money of the game came from and went"><g class="bands">{bands}</g>'
        f'<g class="bars">{nodes}</g></svg>'
    )


def _gathered(flows: Sequence[Flow]) -> list[Flow]:
    """The flows, those to and from small ends as one to or from all others."""
    ends: dict[tuple[bool, str], int] = defaultdict(int)
    for f in flows:
        ends[f.out, f.end] += f.amount
    least = _SMALL * sum(ends.values())
    found: dict[tuple[bool, str, str], Flow] = {}
    for f in flows:
        end = f.end if ends[f.out, f.end] >= least else "the rest"
        key = (f.out, f.middle, end)
        before = found.get(key)
        found[key] = Flow(*key, f.amount + (before.amount if before else 0),
                          before.at if before else f.at)  # fmt: skip
    return list(found.values())


def _column(flows: Iterable[Flow], out: bool | None) -> dict[str, _Node]:
    """The bars of a column (None: the middle one), the largest first."""
    sums: dict[str, dict[bool, int]] = defaultdict(lambda: {False: 0, True: 0})
    for f in flows:
        if out is None or f.out is out:
            sums[f.middle if out is None else f.end][f.out] += f.amount
    nodes = [
        _Node(name, max(s.values()), taken={False: 0.0, True: 0.0}) for name, s in sums.items()
    ]
    return {n.name: n for n in sorted(nodes, key=lambda n: (-n.amount, n.name))}


def _place(nodes: Iterable[_Node], scale: float) -> float:
    """Put bars below each other; returns how far they reach."""
    y = 4.0
    for node in nodes:
        node.tall = max(1.0, node.amount * scale)
        node.y = y + max(0.0, _LEAST - node.tall) / 2
        y += max(_LEAST, node.tall) + _GAP
    return y


def _in_order(flows: Sequence[Flow], columns: Sequence[Mapping[str, _Node]]) -> list[Flow]:
    """Bands from the top, so that they cross as little as may be."""
    middle = {name: n for n, name in enumerate(columns[1])}
    ends = [{name: n for n, name in enumerate(columns[c])} for c in (0, 2)]
    return sorted(flows, key=lambda f: (f.out, middle[f.middle], ends[f.out][f.end]))


def _band(
    f: Flow,
    columns: Sequence[Mapping[str, _Node]],
    scale: float,
    told: Callable[[int], str],
    look: Mapping[str, str],
    link: Link,
) -> str:
    thick = f.amount * scale
    middle = _taken(columns[1][f.middle], f.out, thick)
    end = _taken(columns[2 if f.out else 0][f.end], not f.out, thick)
    x1, y1, x2, y2 = (
        (_MIDDLE + _BAR, middle, _RIGHT, end) if f.out else (_LEFT + _BAR, end, _MIDDLE, middle)
    )
    half = (x1 + x2) / 2
    d = f"M{x1:.0f} {y1:.1f}C{half:.0f} {y1:.1f} {half:.0f} {y2:.1f} {x2:.0f} {y2:.1f}"
    ends = (f.middle, f.end) if f.out else (f.end, f.middle)
    return (
        f'<a href="{escape(link(f.at))}"><title>{escape(ends[0])} → {escape(ends[1])}: '
        f'{escape(told(f.amount))}</title><path class="band {look.get(f.middle, "")}" '
        f'stroke-width="{max(0.6, thick):.1f}" d="{d}"/></a>'
    )


def _taken(node: _Node, side: bool, thick: float) -> float:
    """The middle of the next free part of a bar's side, which is taken."""
    y = node.y + node.taken[side] + thick / 2
    node.taken[side] += thick
    return y


def _bar(
    node: _Node, x: float, side: int, told: Callable[[int], str], look: Mapping[str, str]
) -> str:
    """A bar with its name: outside on the left and right, behind it in the middle."""
    at, anchor = {-1: (x - 6, "end"), 0: (x + _BAR + 5, "start"), 1: (x + _BAR + 6, "start")}[side]
    name = node.name if len(node.name) < 15 else node.name[:13] + "…"
    return (
        f'<rect class="{look.get(node.name, "")}" x="{x:.0f}" y="{node.y:.1f}" width="{_BAR:.0f}" '
        f'height="{node.tall:.1f}"/><text x="{at:.0f}" y="{node.y + node.tall / 2 + 4:.1f}" '
        f'text-anchor="{anchor}">{escape(name)} <tspan>{escape(told(node.amount))}</tspan></text>'
    )
