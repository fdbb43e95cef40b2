"""Puzzles are made of finished games, or of games only bots play; nobody is named in them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

from ... import render
from ...creation import replay
from ...digest import digest
from ...game import Game
from ...interchange import nameless
from ...model.records import MARKET
from ...puzzles import BEST_RUN, CAN_PAY, puzzles_in
from ...puzzles import Puzzle as Found
from ...stock.market import price
from ..models import Table
from ..page.drawing import line_of
from ..page.runs import STYLES
from ..tables import Held, open_game
from .models import Puzzle

#: Best runs taken from one game: those that were missed by most come first.
_RUNS = 6


def make_from_tables(*, imported: bool = False) -> int:
    """Puzzles from the server's finished games that anybody could look at; ``imported``: and from
    those that came as files. How many are new."""
    found = Table.objects.games().filter(status=Table.Status.FINISHED)
    found = found if imported else found.filter(public=True, imported=False)
    made = 0
    for table in found.order_by("pk"):
        try:
            made += make_from(open_game(table).game)
        except Held:
            continue
    return made


def make_from(game: Game) -> int:
    """Puzzles from a finished game; how many are new. Raises :class:`ValueError` if it is not
    over."""
    if not game.finished:
        raise ValueError("puzzles are made of games that are over")
    return make_from_any(game)


def make_from_any(game: Game) -> int:
    """Puzzles from a game that is over, or that nobody plays; how many are new."""
    game, _ = replay(json.dumps(nameless(game)).encode())
    return sum(_kept(game, found) for found in _chosen(game))


def _chosen(game: Game) -> Iterator[Found]:
    runs = []
    for found in puzzles_in(game):
        if found.kind == BEST_RUN:
            runs.append(found)
        else:
            yield found
    yield from sorted(runs, key=lambda f: (-len(f.routes), f.action))[:_RUNS]


def _kept(game: Game, found: Found) -> bool:
    at = game.at(found.action)
    key = f"{found.kind}:{digest(at.rules, at.state)}"
    _, new = Puzzle.objects.get_or_create(
        key=key,
        defaults={
            "title": game.title.id,
            "kind": found.kind,
            "question": found.question,
            "options": [list(option) for option in found.options],
            "answer": found.answer,
            "proof": list(found.proof),
            "facts": facts_of(at),
            "picture": packed(_picture(at, found)),
            "solution": packed(_solution(at, found)),
        },
    )
    return new


def packed(drawing: str) -> bytes:
    """A drawing as it is kept."""
    return zlib.compress(drawing.encode())


def unpacked(raw: bytes | memoryview) -> str:
    """The drawing again."""
    return zlib.decompress(bytes(raw)).decode()


def _picture(game: Game, found: Found) -> str:
    """What the question is about: the map, or the market where shares are to be sold."""
    return str(game.draw_market() if found.kind == CAN_PAY else game.draw_map())


def _solution(game: Game, found: Found) -> str:
    """The map with the routes that show the answer; empty where none do."""
    if not found.routes:
        return ""
    then = game.copy()
    for action in found.then:
        then.apply(action)
    routes = then.read_routes(found.routes, found.who)
    lines = [line_of(route, n % STYLES) for n, route in enumerate(routes)]
    return str(render.draw_map(then.rules, then.state, routes=lines))


def facts_of(game: Game) -> dict[str, Any]:
    """What is on the table beside map and market."""
    s, rules = game.state, game.rules
    names = {key: p.name for key, p in s.players.items()} | {MARKET: "market"}
    return {
        "phase": s.phase,
        "players": [[p.name, p.cash] for p in s.players.values()],
        "companies": [
            {
                "symbol": c.id,
                "president": names.get(c.president or "", ""),
                "price": price(rules.box.market, s, c.id) if c.cell else None,
                "cash": c.cash,
                "trains": [s.trains[t].variant or s.trains[t].kind for t in c.trains],
                "held": [f"{names[h]} {c.held(h)} %" for h in c.certs if h in names and c.held(h)],
            }
            for c in s.corporations.values()
            if c.president is not None or c.cell is not None
        ],
    }
