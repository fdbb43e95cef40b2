"""Deals as one viewer sees them, and what he may offer."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...game import Game
from ...model.actions import Action, BuyCompany, EndGame, Redo, Undo, player_key
from ...model.records import State as GameState
from ...sentences.buttons import Wording, company_name, doing, money
from .. import archive
from ..models import Place, Table
from ..page.asking import wish
from ..page.drawing import called
from ..seats.page import seat_of
from .models import Deal, standing


class Line(Struct):
    """A deal; ``mine``: the viewer is asked; ``own``: he has offered it; ``price``: what may be
    countered."""

    number: int
    who: str
    text: str
    note: str
    waiting: list[str]
    state: str
    said: str
    until: Any
    mine: bool
    own: bool
    party: bool
    price: int | None


#: Deals that are over which the page of deals shows.
_OVER = 20


class Deals(Struct):
    """Living deals, and those that ended of late."""

    living: list[Line]
    ended: list[Line]


def deals_of(table: Table, game: Game, user: Any, *, whole: bool = False) -> Deals | None:
    """The offers of a table, as they stand beside its question; ``whole``: with that, and with what
    is over. None: there can be none."""
    if table.hotseat:
        return None
    names = {p.number: p.name for p in table.all_places}
    mine = seat_of(table, user)
    now = [r for r in standing(table) if r.living]
    living = now if whole else [r for r in now if not r.now]
    over = table.deals.exclude(pk__in=[r.pk for r in now]).order_by("-number") if whole else ()
    return Deals([_line(r, game, names, mine) for r in living],
                 [_line(r, game, names, mine) for r in over[:_OVER]])  # fmt: skip


def _line(deal: Deal, game: Game, names: dict[int, str], mine: Place | None) -> Line:
    action = archive.read_action(deal.action)
    number = mine.number if mine is not None else 0
    return Line(
        deal.number,
        deal.place.name,
        words(game, action),
        deal.note,
        [names[n] for n in deal.waiting if n in names],
        deal.state,
        deal.get_state_display(),
        deal.until,
        number in deal.waiting and deal.state == Deal.State.OPEN,
        mine is not None and deal.place_id == mine.pk,
        number in deal.parties,
        getattr(action, "price", None),
    )


def words(game: Game, action: Action) -> str:
    """What a deal is about; of things that are gone only what kind it was."""
    if isinstance(action, Undo | Redo | EndGame):
        return f"to {wish(game, action)}"
    try:
        label = Wording(game.rules, game.state).label(action)
    except (KeyError, IndexError, AttributeError):
        label = ""
    price = getattr(action, "price", None)
    cost = f" for {money(game.rules, price)}" if price is not None else ""
    done = action.auto_actions[0] if action.auto_actions else action
    said = f"{called(game.rules, game.state, action.actor)} is to {doing(done)}"
    return f"{said}{': ' if label else ''}{label}{cost}"


class Offers(Struct):
    """What the viewer may offer: trains and privates of others for his companies, and his for
    theirs: (form value, label)."""

    trains: list[tuple[str, str]]
    privates: list[tuple[str, str]]
    buyers: list[str]


def offers_of(table: Table, game: Game, user: Any) -> Offers | None:
    """What may be offered; None for who has no seat."""
    place = seat_of(table, user)
    if place is None or table.status != Table.Status.RUNNING:
        return None
    s = game.state
    led = [c.id for c in s.corporations.values() if c.president in s.players and c.cell is not None]
    sells = any(BuyCompany in step.takes for p in game.rules.rounds.values() for step in p.sequence)
    return Offers(
        [_train(game, t.id) for t in s.trains.values() if t.owner in s.corporations],
        _privates(game, s) if sells else [],
        _first(led, s, player_key(place.key)),
    )


def _first(led: list[str], s: GameState, owner: str) -> list[str]:
    """One's own companies before the others."""
    return sorted(led, key=lambda c: s.corporations[c].president != owner)


def _train(game: Game, train: str) -> tuple[str, str]:
    record = game.state.trains[train]
    return train, f"{record.variant or record.kind} train of {record.owner}"


def _privates(game: Game, s: GameState) -> list[tuple[str, str]]:
    return [
        (c.id, f"{company_name(game.rules, c.id)} of {s.players[c.owner].name}")
        for c in s.companies.values()
        if c.owner is not None and c.owner in s.players
    ]
