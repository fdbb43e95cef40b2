"""Hints and reviews, where the table gives them."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from ...bots import LEVELS, Player, player
from ...bots.advice import Turn, advise, review, said
from ...bots.decision import Candidate
from ...game import Game
from ...model.actions import LayTile
from ...render import draw_badges
from ...sentences.buttons import hex_of
from ...sentences.words import money, signed
from ...threats import Threat, by_hex, threats
from ..models import Table
from ..remembered import Remembered, position_of
from ..tables import Aid, Refused, open_game
from ..tables.assistance import check
from ..working import ask_for, carry_out
from .models import Review

#: Possibilities that are told.
_TOLD = 4
#: Turns that are told.
_TURNS = 20


class Possibility(Struct):
    """Something that may be done, what it is worth, and why. ``hex``: where, if it is done on the
    map; ``tile``, ``rotation``: what is laid there."""

    what: str
    worth: str
    reasons: list[str]
    hex: str = ""
    tile: str = ""
    rotation: int = 0


class Hint(Struct):
    """What a bot of a level would do for somebody, the best first. ``better``: the level that may
    be asked next; empty: none."""

    who: str
    level: str
    better: str
    few: list[Possibility]


#: The levels that advise, the first unless another one is asked for: those whose answer is there
#: within two seconds.
ADVISING = tuple(LEVELS)[:2]


def adviser(game: Game, level: str = ADVISING[0]) -> Player:
    """Whose advice it is."""
    return player(level=level, seed=game.seed)


def hint_of(table: Table, game: Game, level: str = "") -> Hint | None:
    """What a bot would do now for whoever is waited for; None once the game is over. ``level``: one
    that advises, else the first. Raises :class:`Forbidden` at a table that gives no advice."""
    check(table, Aid.ADVICE)
    asked = level if level in ADVISING else ADVISING[0]
    return _HINTS.get((position_of(game), asked), lambda: _hint(game, asked))


_HINTS: Remembered[Hint | None] = Remembered(64)


def _hint(game: Game, level: str) -> Hint | None:
    found = advise(game, adviser(game, level))
    if found is None:
        return None
    few = [_possibility(game, c) for c in found.decision.candidates[:_TOLD]]
    better = ADVISING[-1] if level != ADVISING[-1] else ""
    return Hint(game.state.players[found.who].name, level, better, few)


def _possibility(game: Game, c: Candidate) -> Possibility:
    a = c.action
    laid = (a.tile.rpartition("-")[0], a.rotation) if isinstance(a, LayTile) else ()
    return Possibility(
        said(game, a),
        signed(game.rules, round(c.score)),
        [r.text for r in c.reasons],
        hex_of(game.rules, game.state, a) or "",
        *laid,
    )


def threats_of(table: Table, game: Game, who: str) -> SafeString:
    """What rivals could cost a company, to be laid over the map. Raises :class:`Forbidden` at a
    table that gives no advice, :class:`ValueError` if there is no such company."""
    check(table, Aid.ADVICE)
    return _THREATS.get((position_of(game), who), lambda: _threats(game, who))


_THREATS: Remembered[SafeString] = Remembered(128)


def _threats(game: Game, who: str) -> SafeString:
    losses = {}
    for coord, found in by_hex(threats(game, who)).items():
        told = [f"{said(game, t.action)} ({t.rival}): {_loss(game, t)}" for t in found]
        short = _loss(game, found[0]) if found[0].searched else "?"
        losses[coord] = (short, "\n".join(told))
    return mark_safe(draw_badges(game.rules, who, losses))


def _loss(game: Game, threat: Threat) -> str:
    """What is lost; ``?``: the best run before or after is not proven."""
    if not threat.searched:
        return f"not searched, at most −{money(game.rules, threat.loss)}"
    return f"−{money(game.rules, threat.loss)}{'' if threat.sure else '?'}"


# reviews


def ask_for_review(table_id: int) -> Review:
    """The review of a finished game; one is begun if there is none of it as it ended. Raises
    :class:`Refused` while the game runs."""
    from ..tasks import review_game

    found = ask_for(Review, table_id, review_game.enqueue, _check_over)
    found.refresh_from_db()
    return found


def _check_over(table: Table) -> None:
    if {table.status, table.root.status} != {Table.Status.FINISHED}:
        raise Refused("Games are looked back on when they are over.", "not_over")


def make_review(table_id: int) -> None:
    """Look a game over and write down what the turns cost."""
    carry_out(Review, table_id, _review, "The game cannot be looked over")


def _review(found: Review) -> None:
    game = open_game(found.table).game
    turns = review(game, adviser(game), most=_TURNS, progress=found.progress)
    found.turns = [_row(game, turn) for turn in turns]


def _row(game: Game, turn: Turn) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(turn)
    row["name"] = game.state.players[turn.who].name
    row["money"] = money(game.rules, round(turn.cost))
    for one in row["decisions"]:
        one["money"] = money(game.rules, round(one["cost"]))
    return row
