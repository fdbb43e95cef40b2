"""Finished games for study, in which nobody is named."""

from __future__ import annotations

import gzip
import json
import os
import secrets
from pathlib import Path
from random import SystemRandom

from ..interchange import nameless
from .models import Table
from .tables import Held, open_game


def write(path: Path, *, imported: bool = False, public: bool = False) -> tuple[int, int]:
    """Write the finished games of the server, one a line as a game file without names, packed with
    gzip; how many there are, and how many the program cannot play any more.

    In an order of no meaning, under numbers drawn by lot: nothing tells which table a game comes
    from, or when it was played. ``imported``: with games that came as files, which may be known
    elsewhere; ``public``: only those of tables anybody could look at. Raises :class:`OSError`.
    """
    found = Table.objects.games().filter(status=Table.Status.FINISHED)
    if not imported:
        found = found.filter(imported=False)
    if public:
        found = found.filter(public=True)
    tables = list(found.values_list("pk", flat=True))
    SystemRandom().shuffle(tables)
    held = 0
    with (
        open(path, "xb", opener=lambda p, flags: os.open(p, flags, 0o600)) as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines,
    ):
        for pk in tables:
            line = _line(pk)
            held += not line
            lines.write(line)
    return len(tables) - held, held


def _line(pk: int) -> bytes:
    """A game as a line; empty: it is held."""
    table = Table.objects.get(pk=pk)
    try:
        game = open_game(table).game
    except Held:
        return b""
    file = nameless(game, secrets.randbelow(2**48) + 1)
    return json.dumps(file, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
