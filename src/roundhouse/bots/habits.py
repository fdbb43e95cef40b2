"""What people mostly do where it makes hardly a difference: of candidates worth about the same one
is preferred as in real games, by weights ``benchmarks/habits.py`` finds (``habits.json``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from math import copysign, log1p
from random import Random
from typing import TypeAlias

import msgspec
from msgspec import Struct

from ..model.actions import (
    Action,
    Bid,
    BuyShares,
    BuyTrain,
    Dividend,
    LayTile,
    Pass,
    PayoffLoan,
    PlaceToken,
    Short,
    TakeLoan,
)
from ..model.records import Corporation
from ..rounds.steps.progress import OperatingProgress
from ..stock.shares import company_of
from .decision import Candidate, Reason
from .view import View

Told: TypeAlias = Iterator[tuple[str, float]]

#: Candidates compared at most.
_MOST = 16
#: Money below which amounts differ little, of players and of companies.
_LITTLE, _TREASURY = 10.0, 50.0
#: Rounds beyond which it does not matter how much longer a train runs.
_LONG = 10.0
#: How far chance moves a preference.
_CHANCE = 0.1


class Habits(Struct, frozen=True, forbid_unknown_fields=True):
    """``near``: what candidates may differ by, as a part of what the leading player is thought to
    be worth; ``weights``: how much each trait counts, by its name."""

    near: float
    weights: Mapping[str, float]

    def preference(self, traits: Mapping[str, float]) -> float:
        """How much people prefer a candidate with some traits; only differences mean anything."""
        weights = self.weights
        return sum([weights[name] * value for name, value in traits.items() if name in weights])


@lru_cache(maxsize=1)
def habits() -> Habits:
    """What is known of people."""
    raw = files(__package__).joinpath("habits.json").read_bytes()
    return msgspec.json.decode(raw, type=Habits)


def preferred(
    view: View, found: Sequence[Candidate], rng: Random, vague: float = 1.0
) -> list[Candidate]:
    """Candidates as they are ranked, but first, of those worth about as much as the best, the one
    people would prefer. ``vague``: how many times as far apart as plain scores they may be."""
    known = habits()
    tied = close(view, found, vague * known.near)
    if len(tied) < 2:
        return list(found)
    likings = [known.preference(traits(view, c, tied)) + _CHANCE * rng.random() for c in tied]
    chosen = tied[likings.index(max(likings))]
    return [_leading(chosen, found[0]), *(c for c in found if c is not chosen)]


def close(view: View, found: Sequence[Candidate], near: float) -> list[Candidate]:
    """The candidates worth about as much as the first."""
    if not found:
        return []
    least = found[0].score - _margin(view, near)
    return [c for c in found if c.score >= least and not c.last][:_MOST]


def _margin(view: View, near: float) -> float:
    """What candidates may differ by: nothing once all is told by prices."""
    return near * max(0.0, *view.standing.values()) if view.ledger.rounds > 0 else 0.0


def _leading(chosen: Candidate, first: Candidate) -> Candidate:
    """A candidate that is done though another one scores more."""
    missing = first.score - chosen.score
    if missing <= 0:
        return chosen
    why = Reason(
        "habit", "most would do so, and hardly anything is missed", 0.0, {"missed": round(missing)}
    )
    return Candidate(chosen.action, chosen.score, (*chosen.reasons, why), chosen.unseen)


# traits


def traits(view: View, c: Candidate, tied: Sequence[Candidate]) -> dict[str, float]:
    """What tells a candidate from others worth about the same, by the kind of its action."""
    a = c.action
    kind = f"{a.type} {a.kind}" if isinstance(a, Dividend) else a.type
    alike = [other for other in tied if other.action.type == a.type]
    told = {"best": float(c is tied[0]), "gain": _log(c.score, _LITTLE), kind: 1.0}
    told["behind"] = -log1p(max(0.0, tied[0].score - c.score) / _LITTLE)
    told["best of its kind"] = float(c is alike[0])
    told["second of its kind"] = float(len(alike) > 1 and c is alike[1])
    of_kind = _TRAITS.get(type(a))
    if of_kind is not None:
        told.update((f"{kind}: {name}", value) for name, value in of_kind(view, c))
    return told


def _log(amount: float, unit: float) -> float:
    """An amount of money by its order of magnitude, with its sign."""
    return copysign(log1p(abs(amount) / unit), amount)


def _operating(view: View) -> Corporation | None:
    return view.now.corporations.get(view.rules.operator(view.now) or "")


def _lays(view: View) -> int:
    m = view.now.round
    return m.lays if isinstance(m, OperatingProgress) else 0


def _figures(c: Candidate, code: str) -> Mapping[str, int | float | str]:
    return next((r.figures for r in c.reasons if r.code == code), {})


def _amounts(c: Candidate, code: str, *names: str) -> Told:
    """Some figures of a reason, as amounts."""
    figures = _figures(c, code)
    for name in names:
        yield name, _log(float(figures.get(name, 0)), _LITTLE)


def _pass(view: View, c: Candidate) -> Told:
    s, company = view.now, _operating(view)
    money = sum(p.cash for p in s.players.values())
    yield "money", s.players[view.me].cash * len(s.players) / max(1, money)
    yield "tiles laid", float(_lays(view))
    yield "acted", float(bool(getattr(s.round, "acted", False)))
    yield "no train", float(company is not None and not company.trains)


def _tile(view: View, c: Candidate) -> Told:
    assert isinstance(c.action, LayTile)
    tile = view.rules.box.tiles.tiles[c.action.tile.rpartition("-")[0]]
    company = _operating(view)
    yield "tiles laid", float(_lays(view))
    yield "free", float(not _figures(c, "track").get("cost", 0))
    yield tile.color, 1.0
    yield from _amounts(c, "track", "cost", "more", "reach")
    if company is not None:
        own = {(token.city or "").partition("/")[0] for token in company.tokens}
        yield "own city", float(c.action.hex in own)


def _share(view: View, c: Candidate) -> Told:
    assert isinstance(c.action, BuyShares)
    symbol = company_of(c.action.shares[0])
    company = view.now.corporations.get(symbol)
    if company is None:
        return
    yield "leads it", float(company.president == view.me)
    yield "part", company.held(view.me) / 100
    yield "has trains", float(bool(company.trains))
    cash = max(1, view.now.players[view.me].cash)
    yield "of his money", min(3.0, view.rules.price(view.now, symbol) / cash)


def _short(view: View, c: Candidate) -> Told:
    assert isinstance(c.action, Short)
    yield "part", view.now.corporations[c.action.corporation].held(view.me) / 100


def _bid(view: View, c: Candidate) -> Told:
    assert isinstance(c.action, Bid)
    company = view.now.corporations.get(c.action.corporation or "")
    yield "passed", float(len(getattr(view.now.round, "passed", None) or ()))
    yield "leads it", float(company is not None and company.president == view.me)
    yield "of his money", c.action.price / max(1, view.now.players[view.me].cash)


def _train(view: View, c: Candidate) -> Told:
    assert isinstance(c.action, BuyTrain)
    s, company = view.now, _operating(view)
    train = s.trains.get(c.action.train)
    kind = c.action.variant or (train.kind if train else c.action.train.rpartition("-")[0])
    yield "of a company", float(any(c.action.train in o.trains for o in s.corporations.values()))
    yield "life", min(_LONG, view.ledger.life(kind))
    if company is not None:
        yield "part", view.part(company)
        yield "first", float(not company.trains)
        yield "of its money", min(3.0, c.action.price / max(1, company.cash))


def _station(view: View, c: Candidate) -> Told:
    yield from _amounts(c, "station", "more", "cost")


def _loan(view: View, c: Candidate) -> Told:
    company = _operating(view)
    yield "treasury", _log(company.cash if company is not None else 0, _TREASURY)


def _dividend(view: View, c: Candidate) -> Told:
    company = _operating(view)
    if company is None:
        return
    yield "treasury", _log(company.cash, _TREASURY)
    yield "loans", float(company.loans)
    yield "two shares", float(company.shares == 2)
    yield "five shares", float(company.shares == 5)


#: What is told of actions of each type, beside how they score.
_TRAITS: dict[type[Action], Callable[[View, Candidate], Told]] = {
    Bid: _bid,
    BuyShares: _share,
    BuyTrain: _train,
    Dividend: _dividend,
    LayTile: _tile,
    Pass: _pass,
    PayoffLoan: _loan,
    PlaceToken: _station,
    Short: _short,
    TakeLoan: _loan,
}
