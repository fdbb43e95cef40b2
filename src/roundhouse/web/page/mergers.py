"""The board of a merger: the company that may merge, each it may merge with, and both together."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ...game import Game
from ...model.actions import Merge
from .now import Item, Now
from .panels import CompanyCard, TrainTag


class Together(Struct):
    """What two companies have between them: money, trains, loans, tokens on the map and left."""

    cash: int
    trains: list[TrainTag]
    loans: int
    placed: int
    left: int


class Partner(Struct):
    """A company one may merge with, or buy. ``items``: what the viewer may do about it."""

    card: CompanyCard
    together: Together | None
    items: list[Item]


class MergerBoard(Struct):
    """``subject``: the company that looks for another one; None where one is only named.
    ``named``: who is to merge is known, and asked is whether they do."""

    subject: CompanyCard | None
    partners: list[Partner]
    named: bool

    @property
    def loans(self) -> bool:
        """Whether any of them has borrowed."""
        cards = [p.card for p in self.partners] + ([self.subject] if self.subject else [])
        return any(c.loans for c in cards)


def mergers_of(
    game: Game, now: Now, cards: tuple[list[CompanyCard], list[CompanyCard]]
) -> MergerBoard | None:
    """The merger there is to decide on, for everybody who looks on; None if there is none."""
    known = {c.symbol: c for some in cards for c in some}
    merges = [c.action for c in game.choices() if isinstance(c.action, Merge)]
    merging = game.rules.facts.merging(game.state)
    others = dict.fromkeys(_target(m) for m in merges) or dict.fromkeys(merging[1:])
    if not others:
        return None
    looking = [*(m.actor for m in merges[:1]), _on_offer(game)]
    if len(merging) == 1 or not merges:
        looking += merging[:1]
    subject = next((known[who] for who in looking if who in known), None)
    items = [i for g in now.groups if g.kind == "merge" for i in g.items]
    partners = [
        Partner(card, _together(subject, card), [i for i in items if i.symbol == card.symbol])
        for card in map(known.get, others)
        if card is not None
    ]
    return MergerBoard(subject, partners, not merges)


def _target(action: Merge) -> str:
    return action.corporation or action.minor or ""


def _on_offer(game: Game) -> str:
    lots: Iterable[str] = (lot.item for lot in game.rules.facts.lots(game.state) if lot.open)
    return next(iter(lots), "")


def _together(a: CompanyCard | None, b: CompanyCard) -> Together | None:
    if a is None:
        return None
    return Together(
        a.cash + b.cash,
        [*a.trains, *b.trains],
        a.loans + b.loans,
        len({*a.placed, *b.placed}),
        sum(n for _, n in (*a.stations, *b.stations)),
    )
