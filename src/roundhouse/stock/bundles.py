"""Bundles: certificates of one corporation that are sold together, offered as a choice and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..model.actions import EntityId, SellShares
from ..model.choices import Choice, Domain, Equal, Pick
from ..model.errors import IllegalAction
from ..model.records import Cert, Corporation, State
from .shares import locate


class Bundle(NamedTuple):
    """How many ordinary certificates, whether the president's, and the percent sold: less than
    their sum if part of the president's certificate is kept."""

    singles: int
    president: bool
    percent: int


def possible(unit: int, singles: int, president: int = 0) -> Iterator[Bundle]:
    """What can be named of a holding of ``singles`` shares of ``unit`` percent and a president's
    certificate of ``president`` percent (0: none, or it may not be sold), smaller ones first.
    Singles go first: the president's certificate is named with all of them, whole or, if it is
    worth more than that, less one share, so that nobody loses more or less than he is paid for."""
    for count in range(1, singles + 1):
        yield Bundle(count, False, count * unit)
    whole = singles * unit + president
    if president > unit:
        yield Bundle(singles, True, whole - unit)
    if president:
        yield Bundle(singles, True, whole)


def president_percent(certs: Sequence[Cert]) -> int:
    """What the president's certificate is worth, if it is among some certificates; else 0."""
    return next((c.percent for c in certs if c.index == 0), 0)


def trader(s: State, who: str) -> tuple[EntityId, Any]:
    """How an action names who trades, a player or a company its own shares: entity and type."""
    if (player := s.players.get(who)) is not None:
        return player.id, "player"
    return who, s.corporations[who].sender_type


def bundle_choice(
    s: State, seller: str, c: Corporation, pool: tuple[str, ...], bundle: Bundle, prices: Domain
) -> Choice:
    """Sell a bundle of a corporation. ``pool``: the ids of the seller's equal shares; which of them
    are named makes no difference. ``prices``: what the action may say of the price of a share."""
    fixed = (f"{c.id}_0",) if bundle.president else ()
    president = president_percent(c.certs[seller]) if fixed else 0
    full = bundle.singles * c.unit + president == bundle.percent
    entity, kind = trader(s, seller)
    return Choice(
        SellShares(
            entity=entity,
            entity_type=kind,
            shares=pool[: bundle.singles] + fixed,
            percent=bundle.percent,
            share_price=next(prices.values()),
        ),
        {
            "shares": Pick(bundle.singles, pool, fixed),
            "percent": Equal(bundle.percent, None) if full else Equal(bundle.percent),
            "share_price": prices,
        },
    )


def named_certs(s: State, a: SellShares, rule: str) -> tuple[str, list[Cert]]:
    """Corporation and certificates a sale names. Raises :class:`IllegalAction` if these are
    no shares of the seller's, or not of one corporation; shorts are never sold."""
    certs: list[Cert] = []
    symbols = set()
    for name in a.shares:
        found = locate(s, name)
        if found is None or found[1] != a.actor or found[2].percent < 0:
            raise IllegalAction("not_yours", f"{name} is no share certificate of yours.", rule)
        symbols.add(found[0])
        certs.append(found[2])
    if len(symbols) != 1 or len(set(a.shares)) != len(a.shares):
        text = "Sell different certificates of one corporation at a time."
        raise IllegalAction("bundle", text, rule)
    if a.swap is not None:
        raise IllegalAction("extra", "Nothing is swapped in a sale.", rule)
    return symbols.pop(), certs
