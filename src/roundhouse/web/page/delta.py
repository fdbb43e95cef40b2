"""Of a part of the page that has changed a little, only what differs from what a browser shows.

A part is cut into pieces: the hexes and cells of a map or a market and what lies over them, the
lists of the strips and the log. A piece that differs is sent with the elements in it that are new;
those it had before are named by their places, as ``<g data-from="2" data-to="7">``.

What was sent is remembered by its fingerprint, as one number a piece and one an element in it; a
browser that shows what nobody remembers gets the whole of it.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict, defaultdict
from functools import lru_cache
from threading import Lock
from typing import NamedTuple, TypeAlias

from ..remembered import Remembered


class _Form(NamedTuple):
    """How the pieces of a drawing are found in its markup."""

    #: Before each piece.
    piece: str
    #: Before what follows the group of all pieces.
    end: str
    #: Before what lies over them, and before what follows that.
    over: str
    rest: str


#: Drawings; the pieces of other parts are the elements they consist of.
_FORMS = {
    "map": _Form('<g class="rh-hex ', '<g class="rh-borders"', '<g class="rh-badges">', "</svg>"),
    "market": _Form(
        '<g class="rh-cell', '<g class="rh-previews">', '<g class="rh-previews">',
        '<g class="rh-legend">',
    ),
}  # fmt: skip
#: The parts of a page that are sent piece by piece.
NAMES = frozenset((*_FORMS, "strip", "log"))
#: Parts remembered, four for each of a thousand viewers, and pieces of them: 3 MB and 2 MB.
_KEPT, _PIECES = 4096, 8192
#: From this part of its length on the whole is sent.
_MUCH = 0.6

#: A tag: whether it ends an element, and the element's name.
_TAG = re.compile(r'<(/?)([a-zA-Z][\w-]*)[^>"]*(?:"[^"]*"[^>"]*)*>')
#: The beginning of the next tag, if no text comes before it.
_NEXT = re.compile(r"\s*<(/?)([a-zA-Z][\w-]*)")
#: Elements that always have an end of their own.
_LISTED = frozenset(("div", "li", "ol", "p", "ul"))
#: Elements without an end.
_VOID = frozenset(("br", "hr", "img", "input"))
#: The fingerprint of a part, in its first tag.
_DIGEST = re.compile(r' data-digest="\w*"')

#: A piece as it is remembered: its hash, and those of the elements in it.
_Hashes: TypeAlias = "array[int]"

_sent: OrderedDict[str, tuple[_Hashes, ...]] = OrderedDict()
_lock = Lock()
#: Pieces by their hashes; most are in many a part that was sent.
_pieces: Remembered[_Hashes] = Remembered(_PIECES)


class Cut(NamedTuple):
    """An element: its first tag, the elements in it, its last tag."""

    first: str
    elements: list[str]
    last: str


def cut(html: str) -> Cut | None:
    """An element cut into those in it; None where it has text beside them or is not alone."""
    opened = _TAG.search(html)
    if opened is None or opened[1] or _bare(opened):
        return None
    if (alike := _alike(html, opened)) is not None:
        return alike
    elements, at = list[str](), opened.end()
    while tag := _NEXT.match(html, at):
        if tag[1]:
            last = f"</{tag[2]}>"
            alone = html[tag.end(2) :].strip() == ">"
            return Cut(html[: opened.end()], elements, last) if alone else None
        end = _end(html, tag)
        if end is None:
            return None
        elements.append(html[tag.start(1) - 1 : end])
        at = end
    return None


def _alike(html: str, opened: re.Match[str]) -> Cut | None:
    """The same where it can be told at a glance: all in it are of one name, with none of that name
    in them."""
    first = _NEXT.match(html, opened.end())
    if first is None or first[1] or first[2] == opened[2] or first[2] in _VOID:
        return None
    within = html.rstrip().removesuffix(f"</{opened[2]}>")[opened.end() :]
    *parts, rest = within.split(last := f"</{first[2]}>")
    begun = f"<{first[2]}"
    if rest.strip() or within.count(begun) != len(parts):
        return None
    parts = [part.lstrip() for part in parts]
    if not all(part.startswith(begun) for part in parts):
        return None
    return Cut(html[: opened.end()], [part + last for part in parts], f"</{opened[2]}>")


def _bare(tag: re.Match[str]) -> bool:
    """Whether a tag is an element by itself."""
    return tag[2] in _VOID or tag[0].endswith("/>")


def _end(html: str, begun: re.Match[str]) -> int | None:
    """Where the element that begins with a tag ends: only tags of its own name need be counted, and
    none if the next last tag comes before another of its kind (markup escapes < in attributes)."""
    name, after = begun[2], begun.end()
    if name not in _LISTED:
        tag = _TAG.match(html, begun.start(1) - 1)
        if tag is None or _bare(tag):
            return tag and tag.end()
        after = tag.end()
    last = f"</{name}>"
    end = html.find(last, after)
    if end >= 0 and html.find(f"<{name}", after, end) < 0:
        return end + len(last)
    depth = 1
    for tag in _named(name).finditer(html, after):
        depth += -1 if tag[1] else not tag[0].endswith("/>")
        if depth == 0:
            return tag.end()
    return None


@lru_cache(maxsize=256)
def _named(name: str) -> re.Pattern[str]:
    """Tags of one name."""
    return re.compile(rf'<(/?){name}(?![\w-])[^>"]*(?:"[^"]*"[^>"]*)*>')


def pieces_of(name: str, html: str) -> list[str]:
    """The pieces of a part's markup, what lies over those of a drawing the last, the first tag of
    any other part the first; none in other markup."""
    form = _FORMS.get(name)
    if form is None:
        found = cut(html)
        return [_DIGEST.sub("", found.first), *found.elements] if found else []
    drawn, end, rest = html.partition(form.end)
    pieces = [form.piece + piece for piece in drawn.split(form.piece)[1:]]
    if not pieces:
        return []
    pieces[-1] = pieces[-1].removesuffix("</g>")  # the end of the group of all pieces
    rest = end + rest
    at = rest.find(form.over)
    return [*pieces, rest[at : rest.find(form.rest, at)] if at >= 0 else ""]


def remember(name: str, digest: str, html: str) -> None:
    """A part was sent whole."""
    _keep(digest, tuple(map(_hashed, pieces_of(name, html))))


def _hashed(piece: str) -> _Hashes:
    """The hashes of a piece, cut if it was not met lately."""
    own = hash(piece)
    return _pieces.get(own, lambda: _hashes(own, cut(piece)))


def _hashes(own: int, found: Cut | None) -> _Hashes:
    return array("q", (own, *map(hash, found.elements if found else ())))


def _keep(digest: str, hashes: tuple[_Hashes, ...]) -> None:
    with _lock:
        _sent[digest] = hashes
        _sent.move_to_end(digest)
        while len(_sent) > _KEPT:
            _sent.popitem(last=False)


def delta(name: str, known: str, digest: str, html: str) -> str | None:
    """What has to be replaced in the part with a fingerprint to get another one, which is
    remembered; None: all of it."""
    pieces = pieces_of(name, html)
    with _lock:
        before = _sent.get(known)
    if before is None or len(before) != len(pieces) or not pieces:
        _keep(digest, tuple(map(_hashed, pieces)))
        return None
    hashes, changed = list(before), list[str]()
    for n, (piece, had) in enumerate(zip(pieces, before, strict=True)):
        if (own := hash(piece)) != had[0]:
            found = cut(piece)
            hashes[n] = _pieces.put(own, _hashes(own, found))
            changed.append(_changed(piece, found, had, "g" if name in _FORMS else "i"))
    _keep(digest, tuple(hashes))
    if name not in _FORMS and hashes[0] is not before[0]:
        return None
    told = "".join(changed)
    if len(told) > _MUCH * len(html):
        return None
    shell = "svg" if name in _FORMS else "div"
    said = f'data-part="{name}" data-since="{known}" data-digest="{digest}"'
    return f"<{shell} {said}>{told}</{shell}>"


def _changed(piece: str, found: Cut | None, before: _Hashes, tag: str) -> str:
    """A piece, runs of the elements it had before named by their places, by a tag."""
    if found is None or len(before) == 1:
        return piece
    places = defaultdict[int, list[int]](list)
    for place, had in reversed([*enumerate(before[1:])]):
        places[had].append(place)
    parts: list[str | list[int]] = []
    for element in found.elements:
        if not (free := places[hash(element)]):
            parts.append(element)
        elif parts and isinstance(run := parts[-1], list) and run[-1] + 1 == free[-1]:
            run.append(free.pop())
        else:
            parts.append([free.pop()])
    inner = "".join(p if isinstance(p, str) else _run(p, tag) for p in parts)
    return f'{found.first[:-1]} data-of="{len(before) - 1}">{inner}{found.last}'


def _run(places: list[int], tag: str) -> str:
    return f'<{tag} data-from="{places[0]}" data-to="{places[-1]}"></{tag}>'
