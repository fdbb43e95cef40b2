"""Of a map that has changed a little, only the hexes that differ from what a browser shows.

What maps were sent is remembered by their fingerprints, as one number a hex; a browser that shows a
map nobody remembers gets the whole of it.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from threading import Lock

#: Before each hex of a drawn map; and before what follows the hexes.
_HEX = '<g class="rh-hex '
_END = '<g class="rh-borders"'
#: Maps remembered, one for each viewer of some hundred tables.
_KEPT = 2048
#: From this part of all hexes on the whole map is sent.
_MUCH = 0.6

_sent: OrderedDict[str, array[int]] = OrderedDict()
_lock = Lock()


def _pieces(html: str) -> tuple[list[str], str]:
    """The hexes of a map's markup, and the train badges over them."""
    drawn, _, rest = html.partition(_END)
    hexes = [_HEX + piece for piece in drawn.split(_HEX)[1:]]
    if hexes:
        hexes[-1] = hexes[-1].removesuffix("</g>")  # the end of the group of all hexes
    at = rest.find('<g class="rh-badges">')
    return hexes, rest[at : rest.find("</svg>")] if at >= 0 else ""


def remember(digest: str, html: str) -> None:
    """A map was sent."""
    hexes, badges = _pieces(html)
    _keep(digest, array("q", map(hash, (*hexes, badges))))


def _keep(digest: str, hashes: array[int]) -> None:
    with _lock:
        _sent[digest] = hashes
        _sent.move_to_end(digest)
        while len(_sent) > _KEPT:
            _sent.popitem(last=False)


def delta(known: str, digest: str, html: str) -> str | None:
    """What has to be replaced in the map with a fingerprint to get another one, which is
    remembered; None: all of it."""
    hexes, badges = _pieces(html)
    pieces = (*hexes, badges)
    hashes = array("q", map(hash, pieces))
    with _lock:
        before = _sent.get(known)
    _keep(digest, hashes)
    if before is None or len(before) != len(pieces) or not hexes:
        return None
    three = zip(pieces, hashes, before, strict=True)
    changed = [piece for piece, now, old in three if now != old]
    if len(changed) > _MUCH * len(pieces):
        return None
    return f'<svg data-map="{digest}">{"".join(changed)}</svg>'
