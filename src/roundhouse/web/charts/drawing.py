"""Line and bar charts as SVG without scripts and styles of their own: pygal draws them, and what it
makes is turned into what the page's policy and screen readers want."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

import pygal
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

# pygal puts a finder for maps, which we have none of, on the path of every import; it is of a kind
# Python no longer knows, and every module that is not found would warn of it.
sys.meta_path[:] = [f for f in sys.meta_path if type(f).__module__ != "pygal"]

#: Makes the address of a moment of its action's id.
Link = Callable[[int], str]

_WIDE, _TALL, _NAMES = 680, 260, 84
#: Labels beside each other below a chart; the least distance of two names beside the lines.
_LABELS, _APART = 10, 12.0
_XLINK: Final = "{http://www.w3.org/1999/xlink}href"


class Point(Struct, frozen=True):
    """A value, the moment it is of, and how it is told."""

    value: int
    at: int
    told: str


class Series(Struct, frozen=True):
    """The values of one player or company; None: there is none. ``look``: the class that gives it
    its colour."""

    name: str
    look: str
    points: tuple[Point | None, ...]


def lines(told: str, labels: Sequence[str], series: Sequence[Series], link: Link) -> SafeString:
    """A line for each series, its name at the end of it; ``told``: what the chart shows."""
    chart = pygal.Line(
        **_LOOK, classes=("chart", "chart-lines"), dots_size=2.6, margin_right=_NAMES
    )
    return _drawn(chart, told, labels, series, link)


def bars(told: str, labels: Sequence[str], series: Sequence[Series], link: Link) -> SafeString:
    """A bar for each label, the series on top of each other."""
    chart = pygal.StackedBar(**_LOOK, classes=("chart", "chart-bars"))
    return _drawn(chart, told, labels, series, link)


_LOOK: dict[str, Any] = {
    "width": _WIDE, "height": _TALL, "js": [], "css": [], "show_legend": False, "margin": 6,
    "explicit_size": False, "no_prefix": True, "disable_xml_declaration": True,
    "truncate_label": -1,
}  # fmt: skip


def _drawn(
    chart: Any, told: str, labels: Sequence[str], series: Sequence[Series], link: Link
) -> SafeString:
    chart.config(value_formatter=lambda value: f"{value:.0f}")
    every = max(1, -(-len(labels) // _LABELS))
    chart.x_labels = [label if n % every == 0 else "" for n, label in enumerate(labels)]
    for one in series:
        chart.add(one.name, [_value(p, link) for p in one.points])
    chart.add_xml_filter(lambda root: _ours(root, told, series))
    drawn: SafeString = mark_safe(chart.render(is_unicode=True))
    return drawn


def _value(point: Point | None, link: Link) -> dict[str, Any] | None:
    if point is None:
        return None
    address = {"href": link(point.at), "target": "_self"}
    return {"value": point.value, "label": point.told, "xlink": address}


def _ours(root: Any, told: str, series: Sequence[Series]) -> Any:
    """The drawing without what a page may not hold, with titles, classes and names."""
    root.attrib.pop("id", None)
    root.set("role", "group")
    root.set("aria-label", told)
    _without(root, _unwanted)
    for group in root.iter():
        css = str(group.get("class", "")).split()
        if css[:1] == ["series"]:
            group.set("class", f"series {series[int(css[1].removeprefix('serie-'))].look}")
        elif css[:1] in (["dots"], ["bar"]):
            _tell(group)
    _name_lines(root, series)
    return root


def _unwanted(one: Any) -> bool:
    css = str(one.get("class", ""))
    plain = one.tag in ("defs", "title") or not isinstance(one.tag, str)
    return plain or css.endswith("-overlay")


def _without(root: Any, unwanted: Callable[[Any], bool]) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if unwanted(child):
                parent.remove(child)


def _tell(group: Any) -> None:
    """Descriptions meant for a script as one title."""
    inner = group.find("a") if group.find("a") is not None else group
    label = next((d.text for d in inner.findall("desc") if d.get("class") == "label"), "")
    for one in inner.findall("desc"):
        inner.remove(one)
    title = ElementTree.Element("title")
    title.text = label
    inner.insert(0, title)
    if _XLINK in inner.attrib:
        inner.set("href", inner.attrib.pop(_XLINK))


class _End(NamedTuple):
    """Where a line ends: how far right, how far down, and whose it is."""

    x: float
    y: float
    series: Series


def _name_lines(root: Any, series: Sequence[Series]) -> None:
    """Each line's name behind its last point, moved apart where they end together."""
    plot = next((g for g in root.iter() if g.get("class") == "plot overlay"), None)
    if plot is None:
        return
    ends = []
    for one, group in zip(series, plot.findall("g"), strict=False):
        dots = list(group.iter("circle"))
        if dots:
            ends.append(_End(float(dots[-1].get("cx")), float(dots[-1].get("cy")), one))
    names = ElementTree.SubElement(plot, "g", {"class": "names", "aria-hidden": "true"})
    for x, together in groupby(sorted(ends, key=lambda e: (e.x, e.y)), key=lambda e: e.x):
        for y, one in _apart(list(together)):
            mark = {"d": f"M{x + 6:.1f} {y:.1f}h14", "class": one.look}
            ElementTree.SubElement(names, "path", mark)
            place = {"x": f"{x + 24:.1f}", "y": f"{y + 3.5:.1f}"}
            text = ElementTree.SubElement(names, "text", place)
            text.text = one.name if len(one.name) < 11 else one.name[:9] + "…"


def _apart(ends: Sequence[_End]) -> Iterator[tuple[float, Series]]:
    """Heights for names below each other, from the top, none too near the one above it."""
    last = 0.0
    room = _TALL - 34 - _APART * len(ends)
    for number, end in enumerate(ends):
        last = max(last + _APART, min(end.y, room + _APART * number))
        yield last, end.series
