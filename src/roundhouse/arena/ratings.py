"""Who is stronger, and how sure that is: shares of won games and ratings, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from .match import Played

#: Samples drawn of the games for an interval.
_SAMPLES = 200
#: Half of what an interval leaves out.
_TAIL = 0.025


class Standing(Struct, frozen=True):
    """How a contestant did. ``seats``: games he had a seat in, counted by seat; ``wins``: of them,
    a shared win in parts; ``share``: wins a seat, with its interval; ``fair``: what it would be if
    all were alike; ``rating``: of Plackett and Luce, 25 to begin with, and its interval;
    ``worth``: against the mean of the table; ``ms``: a decision; ``faults``: games forfeited."""

    name: str
    seats: int
    wins: float
    share: tuple[float, float, float]
    fair: float
    rating: tuple[float, float, float]
    worth: float
    ms: float
    faults: int


def standings(played: Sequence[Played], seed: int = 0) -> list[Standing]:
    """The contestants of some games, the best rated first. For intervals whole deals are drawn
    anew, as games of one deal from other seats are alike. Raises :class:`RuntimeError` if the
    library for ratings is not installed."""
    names = sorted({name for p in played for name in p.match.seats})
    rng = Random(seed)
    deals = _deals(played)
    draws = [rng.choices(deals, k=len(deals)) for _ in range(_SAMPLES)]
    drawn = [[p for deal in draw for p in deal] for draw in draws]
    rated = rate(played)
    samples = [rate(games) for games in drawn]
    shares = [{n: _share(games, n) for n in names} for games in drawn]
    found = [
        _standing(
            played, name,
            _interval(_share(played, name), [s[name] for s in shares]),
            _interval(rated[name], [s[name] for s in samples if name in s]),
        )
        for name in names
    ]  # fmt: skip
    return sorted(found, key=lambda s: -s.rating[0])


def _deals(played: Sequence[Played]) -> list[list[Played]]:
    """The games by what was dealt."""
    found: dict[tuple[object, ...], list[Played]] = {}
    for p in played:
        key = (p.match.title, p.match.options, len(p.match.seats), p.match.seed)
        found.setdefault(key, []).append(p)
    return list(found.values())


def _standing(
    played: Sequence[Played],
    name: str,
    share: tuple[float, float, float],
    rating: tuple[float, float, float],
) -> Standing:
    own = [(p, n) for p in played for n, who in enumerate(p.match.seats) if who == name]
    decisions = sum(p.decisions[n] for p, n in own)
    return Standing(
        name=name,
        seats=len(own),
        wins=sum(_won(p, n) for p, n in own),
        share=share,
        fair=sum(1 / len(p.match.seats) for p, _ in own) / len(own),
        rating=rating,
        worth=sum(p.worth[n] / max(1.0, sum(p.worth) / len(p.worth)) for p, n in own) / len(own),
        ms=1_000 * sum(p.seconds[n] for p, n in own) / max(1, decisions),
        faults=sum(bool(p.faults[n]) for p, n in own),
    )


def _won(p: Played, seat: int) -> float:
    """What a seat has of the win."""
    return 1 / p.place.count(1) if p.place[seat] == 1 else 0.0


def _share(played: Sequence[Played], name: str) -> float:
    own = [_won(p, n) for p in played for n, who in enumerate(p.match.seats) if who == name]
    return sum(own) / len(own) if own else 0.0


def rate(played: Sequence[Played]) -> dict[str, float]:
    """Ratings after some games, from the places at each table. A contestant with several seats has
    the mean of what they would each be rated."""
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise RuntimeError("openskill is not installed; it comes with roundhouse[arena]") from error
    model = PlackettLuce()
    ratings = {n: model.rating(name=n) for p in played for n in p.match.seats}
    for p in played:
        teams = [[ratings[name]] for name in p.match.seats]
        after = model.rate(teams, ranks=[float(place) for place in p.place])
        for name in set(p.match.seats):
            own = [after[n][0] for n, who in enumerate(p.match.seats) if who == name]
            mu = sum(r.mu for r in own) / len(own)
            sigma = sum(r.sigma for r in own) / len(own)
            ratings[name] = model.rating(mu=mu, sigma=sigma, name=name)
    return {name: rating.mu for name, rating in ratings.items()}


def _interval(value: float, samples: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(samples) or [value]
    cut = int(_TAIL * len(ordered))
    return value, ordered[cut], ordered[-1 - cut]
