"""Of a map or a market that has changed a little, only the pieces that differ from what a browser
shows: hexes, cells, and what lies over them.

What was sent is remembered by its fingerprint, as one number a piece; a browser that shows a
drawing nobody remembers gets the whole of it.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple


class _Form(NamedTuple):
    """How the pieces of a drawing are found in its markup."""

    #: Before each piece.
    piece: str
    #: Before what follows the group of all pieces.
    end: str
    #: Before what lies over them, and before what follows that.
    over: str
    rest: str


_FORMS = {
    "map": _Form('<g class="rh-hex ', '<g class="rh-borders"', '<g class="rh-badges">', "</svg>"),
    "market": _Form(
        '<g class="rh-cell', '<g class="rh-previews">', '<g class="rh-previews">',
        '<g class="rh-legend">',
    ),
}  # fmt: skip
#: The parts of a page that are sent piece by piece.
NAMES = frozenset(_FORMS)
#: Drawings remembered, a map and a market for each viewer of some hundred tables.
_KEPT = 4096
#: From this part of all pieces on the whole is sent.
_MUCH = 0.6

_sent: OrderedDict[str, array[int]] = OrderedDict()
_lock = Lock()


def pieces_of(name: str, html: str) -> list[str]:
    """The pieces of a drawing's markup, what lies over them the last; none in other markup."""
    form = _FORMS[name]
    drawn, end, rest = html.partition(form.end)
    pieces = [form.piece + piece for piece in drawn.split(form.piece)[1:]]
    if not pieces:
        return []
    pieces[-1] = pieces[-1].removesuffix("</g>")  # the end of the group of all pieces
    rest = end + rest
    at = rest.find(form.over)
    return [*pieces, rest[at : rest.find(form.rest, at)] if at >= 0 else ""]


def remember(name: str, digest: str, html: str) -> None:
    """A drawing was sent whole."""
    _keep(digest, array("q", map(hash, pieces_of(name, html))))


def _keep(digest: str, hashes: array[int]) -> None:
    with _lock:
        _sent[digest] = hashes
        _sent.move_to_end(digest)
        while len(_sent) > _KEPT:
            _sent.popitem(last=False)


def delta(name: str, known: str, digest: str, html: str) -> str | None:
    """What has to be replaced in the drawing with a fingerprint to get another one, which is
    remembered; None: all of it."""
    pieces = pieces_of(name, html)
    hashes = array("q", map(hash, pieces))
    with _lock:
        before = _sent.get(known)
    _keep(digest, hashes)
    if before is None or len(before) != len(pieces) or not pieces:
        return None
    three = zip(pieces, hashes, before, strict=True)
    changed = [piece for piece, now, old in three if now != old]
    if len(changed) > _MUCH * len(pieces):
        return None
    return f'<svg data-part="{name}" data-digest="{digest}">{"".join(changed)}</svg>'
