"""Parts of a table's page that are the same for everybody: drawn once a version, sent to all.

A shared part is drawn for nobody in particular, without a request, so it cannot hold anything of
one viewer's. Lines of the log, which never change, are drawn once for all versions
(``environment.py``).
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from itertools import count
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from ..board.derived import Derived
from ..game import Game
from ..model.records import Board
from .environment import draw_part
from .page.view import View
from .remembered import Remembered

#: Parts that show the table and not its viewer.
SHARED = frozenset({"strip", "companies", "players", "sheet", "trains", "tiles", "result"})
#: What of a view follows from the game alone.
_COMMON = ("round", "tale", "company_lines", "player_lines", "state_hash", "times")


class Part(NamedTuple):
    """A part of a page: its name, its markup, and a fingerprint of that."""

    name: str
    html: str
    digest: str

    @classmethod
    def of(cls, name: str, html: str) -> Part:
        """Markup with its fingerprint written into it."""
        whole = hashlib.sha1(html.encode(), usedforsecurity=False)  # what machines are quick at
        digest = whole.hexdigest()[:12]
        return cls(name, html.replace('data-digest=""', f'data-digest="{digest}"', 1), digest)


#: Fingerprints of maps by what they follow from, the board by its number.
_MAPS: Remembered[str] = Remembered(512)
_NUMBER: Derived[int] = Derived("number of the board")
_numbers = count()


def _number_of(board: Board) -> int:
    """A number no other board has: a board itself is too much to be remembered by."""
    known = _NUMBER.known(board)
    return _NUMBER.keep(board, next(_numbers)) if known is None else known


def map_part(view: View, known: str) -> Part:
    """The map as somebody sees it, without its markup if it is the one with a fingerprint: most of
    what happens changes nothing on it."""
    board, shown = view.map_key
    drawn: list[Part] = []

    def draw() -> Part:
        context = {"view": view, "table": view.table}
        drawn.append(Part.of("map", draw_part("panels/map", context)))
        return drawn[0]

    digest = _MAPS.get((_number_of(board), shown), lambda: draw().digest)
    if digest == known:
        return Part("map", "", digest)
    return drawn[0] if drawn else draw()


class Common:
    """One version of a game as nobody sees it, and the parts drawn of it so far."""

    def __init__(self, view: View) -> None:
        self._view = View(view.table, AnonymousUser())
        self._parts: dict[str, Part] = {}
        self._lock = threading.Lock()

    def part(self, name: str) -> Part:
        """A part; while one viewer's request draws it, others wait for it."""
        with self._lock:
            if name not in self._parts:
                context = {"view": self._view, "table": self._view.table}
                self._parts[name] = Part.of(name, draw_part(f"panels/{name}", context))
            return self._parts[name]

    def lend(self, view: View) -> None:
        """Give a viewer's view what is the same for everybody."""
        with self._lock:
            for name in _COMMON:
                if name not in view.__dict__:
                    view.__dict__[name] = getattr(self._view, name)
        view.kept = self._view.kept

    @property
    def live(self) -> Game:
        """The game that is shown."""
        return self._view.live


#: Tables of which the present version is kept.
_KEPT = 64

_commons: OrderedDict[int, Common] = OrderedDict()
_guard = threading.Lock()


def common_of(view: View) -> Common | None:
    """What is shared of the version a view shows; None for a look back, which few share."""
    if view.past:
        return None
    with _guard:
        found = _commons.get(view.table.pk)
        if found is None or found.live is not view.live:
            found = _commons[view.table.pk] = Common(view)
        _commons.move_to_end(view.table.pk)
        while len(_commons) > _KEPT:
            _commons.popitem(last=False)
    return found if found.live is view.live else None  # the table may have moved on meanwhile
