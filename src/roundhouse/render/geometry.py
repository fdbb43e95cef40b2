"""Hexes and track as points and arcs. Lengths are in hundredths of a hex side, y downwards.

One rule gives all track: a piece leaves the middle of an edge at a right angle and follows the
circle that leads to its other end. Between two edges that is the usual curve of printed tiles.
"""

from __future__ import annotations

from functools import cache
from math import asin, atan2, ceil, cos, degrees, hypot, pi, sin, sqrt
from typing import NamedTuple

SIDE = 100.0
APOTHEM = SIDE * sqrt(3) / 2
_FIRST_EDGE = {"flat": 90.0, "pointy": 120.0}


class Point(NamedTuple):
    x: float
    y: float


def polar(angle: float, distance: float) -> Point:
    """The point at an angle in degrees, clockwise from the right."""
    return Point(distance * cos(angle * pi / 180), distance * sin(angle * pi / 180))


def edge_angle(layout: str, edge: float) -> float:
    """Direction of an edge's middle; fractions lie between edges."""
    return (_FIRST_EDGE[layout] + 60 * edge) % 360


@cache
def middle(layout: str, edge: int) -> Point:
    """The middle of an edge."""
    return polar(edge_angle(layout, edge), APOTHEM)


@cache
def corner(layout: str, number: int) -> Point:
    """The corner between edge ``number`` and the next one."""
    return polar(edge_angle(layout, number + 0.5), SIDE)


@cache
def corners(layout: str, size: float = SIDE) -> tuple[Point, ...]:
    """The six corners of a hex of a given side."""
    return tuple(polar(edge_angle(layout, n + 0.5), size) for n in range(6))


@cache
def normals(layout: str) -> tuple[Point, ...]:
    """Three unit vectors across the pairs of opposite edges."""
    return tuple(polar(edge_angle(layout, e), 1) for e in range(3))


def center(layout: str, x: int, y: int) -> Point:
    """Where the hex with doubled coordinates x, y lies."""
    if layout == "flat":
        return Point(1.5 * SIDE * x, APOTHEM * y)
    return Point(APOTHEM * x, 1.5 * SIDE * y)


def turned(point: Point, angle: float) -> Point:
    """A point turned clockwise about the origin."""
    c, s = cos(angle * pi / 180), sin(angle * pi / 180)
    return Point(point.x * c - point.y * s, point.x * s + point.y * c)


class Curve(NamedTuple):
    """An arc of a circle, or with ``radius`` 0 a straight line. ``side`` +1 bends clockwise."""

    start: Point
    end: Point
    radius: float = 0
    side: int = 1

    @property
    def middle(self) -> Point:
        """The circle's centre."""
        (ax, ay), (bx, by) = self.start, self.end
        half = hypot(bx - ax, by - ay) / 2
        rise = sqrt(max(0.0, self.radius**2 - half**2))
        ux, uy = (bx - ax) / (2 * half), (by - ay) / (2 * half)
        return Point((ax + bx) / 2 - uy * rise * self.side, (ay + by) / 2 + ux * rise * self.side)

    @property
    def length(self) -> float:
        chord = hypot(self.end.x - self.start.x, self.end.y - self.start.y)
        if not self.radius:
            return chord
        return 2 * self.radius * asin(min(1.0, chord / 2 / self.radius))

    def at(self, part: float) -> Point:
        """The point after a part (0–1) of the way."""
        (ax, ay), (bx, by) = self.start, self.end
        if not self.radius:
            return Point(ax + (bx - ax) * part, ay + (by - ay) * part)
        cx, cy = self.middle
        turn = degrees(self.length / self.radius) * part * self.side
        x, y = turned(Point(ax - cx, ay - cy), turn)
        return Point(cx + x, cy + y)

    def heading(self, part: float) -> float:
        """Direction of travel there, in degrees."""
        (ax, ay), (bx, by) = self.start, self.end
        if not self.radius:
            return degrees(atan2(by - ay, bx - ax))
        (cx, cy), (x, y) = self.middle, self.at(part)
        return degrees(atan2(y - cy, x - cx)) + 90 * self.side

    def reversed(self) -> Curve:
        return Curve(self.end, self.start, self.radius, -self.side)

    def samples(self, step: float = 9) -> list[Point]:
        """Points along it, both ends included."""
        n = max(1, ceil(self.length / step))
        return [self.at(i / n) for i in range(n + 1)]

    def beside(self, offset: float) -> Curve:
        """The parallel curve ``offset`` to the right of travel."""
        if not offset:
            return self
        start = polar(self.heading(0) + 90, offset)
        end = polar(self.heading(1) + 90, offset)
        return Curve(
            Point(self.start.x + start.x, self.start.y + start.y),
            Point(self.end.x + end.x, self.end.y + end.y),
            max(1.0, self.radius - offset * self.side) if self.radius else 0,
            self.side,
        )


def from_edge(layout: str, edge: int, goal: Point) -> Curve:
    """The curve that leaves an edge at a right angle and leads to a point of the hex."""
    start = middle(layout, edge)
    dx, dy = -start.x / APOTHEM, -start.y / APOTHEM
    vx, vy = goal.x - start.x, goal.y - start.y
    bend = dx * vy - dy * vx
    if abs(bend) < 0.01:
        return Curve(start, goal)
    return Curve(start, goal, (vx * vx + vy * vy) / (2 * abs(bend)), 1 if bend > 0 else -1)
