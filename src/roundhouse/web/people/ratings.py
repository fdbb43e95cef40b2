"""Ratings by title, from the games that were played.

Each game is a ranking of its seats, and Plackett and Luce's model of rankings (OpenSkill) says
what it tells of them. A seat is as strong as those who played it, by the part of its decisions each
of them made; what is learned of the seat counts for each of them by the same part. Who played half
of a game learns, and risks, half of it. Bots are rated like people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()


class Part(NamedTuple):
    """Who played a seat, and which part of it, from 0 to 1."""

    who: str
    share: float


class Seat(NamedTuple):
    """A seat of a finished game: its worth at the end, and who played it."""

    worth: float
    parts: Sequence[Part]


@dataclass
class Standing:
    """What is known of somebody: ``mu``, the uncertainty ``sigma``, games and wins."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0
    wins: int = 0


def rate(games: Iterable[Sequence[Seat]]) -> dict[str, Standing]:
    """The standings after some games of one title, in their order. Games that tell nothing, as one
    person had all seats, are left out."""
    found: dict[str, Standing] = {}
    for game in games:
        seats = [Seat(s.worth, _whole(s.parts)) for s in game]
        seats = [s for s in seats if s.parts]
        if len({part.who for seat in seats for part in seat.parts}) > 1 and len(seats) > 1:
            _learn(found, seats)
    return found


def _whole(parts: Sequence[Part]) -> list[Part]:
    """Shares of one person together, all together 1."""
    shares: dict[str, float] = {}
    for part in parts:
        if part.share > 0:
            shares[part.who] = shares.get(part.who, 0.0) + part.share
    total = sum(shares.values())
    return [Part(who, share / total) for who, share in shares.items()]


def _learn(found: dict[str, Standing], seats: Sequence[Seat]) -> None:
    before = [_strength(found, seat) for seat in seats]
    teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    worths = sorted({s.worth for s in seats}, reverse=True)
    after = _MODEL.rate(teams, ranks=[float(worths.index(s.worth)) for s in seats])
    changes: dict[str, list[tuple[float, float, float]]] = {}
    for seat, (mu, sigma), ((new,), *_) in zip(seats, before, ([t] for t in after), strict=True):
        for part in seat.parts:
            change = (part.share, new.mu - mu, new.sigma**2 / sigma**2)
            changes.setdefault(part.who, []).append(change)
    best = worths[0]
    for who, several in changes.items():
        _take_over(found.setdefault(who, Standing()), several)
    winners = {p.who for s in seats if s.worth == best for p in s.parts if p.share >= 0.5}
    for who in winners:
        found[who].wins += 1


def _strength(found: dict[str, Standing], seat: Seat) -> tuple[float, float]:
    known = [(found.get(p.who, Standing()), p.share) for p in seat.parts]
    mu = sum(s.mu * share for s, share in known)
    return mu, sqrt(sum(s.sigma**2 * share for s, share in known))


def _take_over(standing: Standing, changes: Iterable[tuple[float, float, float]]) -> None:
    """What several seats of one game tell of somebody, each by its share."""
    for share, moved, narrowed in changes:
        standing.mu += share * moved
        standing.sigma *= sqrt(1 - share * (1 - min(1.0, narrowed)))
    standing.games += 1
