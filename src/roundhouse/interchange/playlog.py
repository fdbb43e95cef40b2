"""A game as an entry of a play-log: the JSON that Board Game Stats takes in and gives out."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid5

from ..game import Game

_SPACE = UUID("5f0f3a52-96a1-5f0a-a6d5-0e6a3b3a7d10")
#: Minutes after which a pause between two actions counts as time off.
_PAUSE = 30


def playlog_of(game: Game, at: datetime | None = None, place: str = "") -> dict[str, Any]:
    """The play-log of one play. ``at``: when it began, if its actions do not say; ``place``: where
    it was played. Raises :class:`ValueError` if nobody says when."""
    times = _times(game)
    began = times[0] if times else at
    if began is None:
        raise ValueError("the file does not say when the game was played")
    ended = times[-1] if times else began
    scores = game.result()
    stamp = _written(ended)
    players = [
        {"id": n, "uuid": _id("player", s.name), "name": s.name, "isAnonymous": False,
         "modificationDate": stamp, "bggUsername": ""}
        for n, s in enumerate(game.seats, start=1)
    ]  # fmt: skip
    play = {
        "uuid": _id("play", game.title.id, str(game.id), str(game.seed), _written(began)),
        "modificationDate": stamp,
        "entryDate": stamp,
        "playDate": _written(began),
        "durationMin": _minutes(times),
        "gameRefId": 1,
        "locationRefId": 1 if place else 0,
        "usesTeams": False,
        "manualWinner": False,
        "ignored": False,
        "rating": 0,
        "rounds": 0,
        "scoringSetting": 0,
        "bggId": 0,
        "nemestatsId": 0,
        "board": ", ".join(game.title.options[o].name for o in sorted(game.options)),
        "comments": game.description,
        "playerScores": _scores(game, scores),
    }
    return {
        "games": [_game(game, stamp)],
        "players": players,
        "locations": _places(place, stamp),
        "plays": [play],
        "groups": [],
        "challenges": [],
        "tags": [],
        "deletedObjects": [],
        "userInfo": {"meRefId": 0},
    }


def _scores(game: Game, scores: dict[int | str, int]) -> list[dict[str, Any]]:
    best = max(scores.values())
    return [
        {
            "playerRefId": n,
            "score": str(scores[seat.id]),
            "rank": 1 + sum(s > scores[seat.id] for s in scores.values()),
            "winner": game.finished and scores[seat.id] == best,
            "seatOrder": n,
            "startPlayer": n == 1,
            "newPlayer": False,
        }
        for n, seat in enumerate(game.seats, start=1)
    ]


def _game(game: Game, stamp: str) -> dict[str, Any]:
    box = game.title.box.game
    return {
        "id": 1,
        "uuid": _id("game", game.title.id),
        "name": box.name,
        "designers": box.designer,
        "minPlayerCount": box.players.min,
        "maxPlayerCount": box.players.max,
        "isBaseGame": 1,
        "isExpansion": 0,
        "cooperative": False,
        "highestWins": True,
        "noPoints": False,
        "usesTeams": False,
        "bggId": 0,
        "bggName": "",
        "bggYear": 0,
        "modificationDate": stamp,
    }


def _places(place: str, stamp: str) -> list[dict[str, Any]]:
    if not place:
        return []
    return [{"id": 1, "uuid": _id("place", place), "name": place, "modificationDate": stamp}]


def _times(game: Game) -> list[datetime]:
    """When the actions were sent, as far as the file says so."""
    found = []
    for entry in game.log:
        at = entry.action.created_at
        if isinstance(at, int | float) and 0 < at < 2**35 and not isinstance(at, bool):
            found.append(datetime.fromtimestamp(at, UTC))
    return sorted(found)


def _minutes(times: list[datetime]) -> int:
    """How long people sat over it: long pauses left out."""
    gaps = ((b - a).total_seconds() / 60 for a, b in pairwise(times))
    return round(sum(g for g in gaps if g <= _PAUSE))


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S")


def _id(*names: str) -> str:
    """The same for the same thing, so that a file taken in twice makes one entry."""
    return str(uuid5(_SPACE, "\n".join(names))).upper()
