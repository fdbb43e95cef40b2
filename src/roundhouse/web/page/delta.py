"""Of a map that has changed a little, only the hexes that differ from what a browser shows.

What maps were sent is remembered by their fingerprints, as one number a hex; a browser that shows a
map nobody remembers gets the whole of it.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

#: Before each hex of a drawn map; and before what follows the hexes.
_HEX = '<g class="rh-hex '
_END = '<g class="rh-borders"'
#: Maps remembered.
_KEPT = 256
#: From this part of all hexes on the whole map is sent.
_MUCH = 0.6

_sent: OrderedDict[str, tuple[int, ...]] = OrderedDict()
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
    with _lock:
        _sent[digest] = tuple(map(hash, (*hexes, badges)))
        _sent.move_to_end(digest)
        while len(_sent) > _KEPT:
            _sent.popitem(last=False)


def delta(known: str, digest: str, html: str) -> str | None:
    """What has to be replaced in the map with a fingerprint to get another one; None: all of it."""
    with _lock:
        before = _sent.get(known)
    hexes, badges = _pieces(html)
    if before is None or len(before) != len(hexes) + 1 or not hexes:
        return None
    pieces = (*hexes, badges)
    changed = [p for p, old in zip(pieces, before, strict=True) if hash(p) != old]
    if len(changed) > _MUCH * len(pieces):
        return None
    return f'<svg data-map="{digest}">{"".join(changed)}</svg>'
