"""Tiles, stations and markers."""

from __future__ import annotations

from collections.abc import Mapping

from ...model import events as ev
from ...model.events import Event
from ..words import article, spoken, token_word
from .teller import Teller, Tells, Told


def _tile(t: Teller, e: ev.TileLaid) -> Told:
    w = t.words
    cost = f" for {w.money(e.cost)}" if e.cost else ""
    yield "track", e.who, (
        w.who(e.who), " lays tile ", w.tile(e.tile), " on ", w.hex(e.hex), cost,
    )  # fmt: skip


def _token(t: Teller, e: ev.TokenPlaced) -> Told:
    w = t.words
    removed = [x for x in t.events if isinstance(x, ev.TokenRemoved) and x.city == e.city]
    replaced = [x.who for x in removed if x.who != e.who]
    if replaced:
        others = [part for who in replaced for part in (w.who(who), ", ")][:-1]
        yield "token", e.who, (w.who(e.who), " replaces ", *others, " in ", w.city(e.city))
        return
    cost = f" for {w.money(e.cost)}" if e.cost else ""
    yield "token", e.who, (w.who(e.who), " places a token in ", w.city(e.city), cost)


def _token_removed(t: Teller, e: ev.TokenRemoved) -> Told:
    placed = {x.city for x in t.events if isinstance(x, ev.TokenPlaced)}
    if e.city not in placed:
        w = t.words
        yield "token", e.who, (w.who(e.who), " removes its token from ", w.city(e.city))


def _marker(t: Teller, e: ev.MarkerPlaced) -> Told:
    w = t.words
    tokens = w.state.corporations[e.who].tokens if e.who in w.state.corporations else ()
    named = token_word if any(x.kind == e.marker for x in tokens) else spoken
    paid = t.paid("marker", payer=e.who)
    cost = f" for {w.money(paid)}" if paid else ""
    yield "track", e.who, (
        w.who(e.who), f" puts {article(named(e.marker))} on ", w.hex(e.hex), cost,
    )  # fmt: skip


def _marker_removed(t: Teller, e: ev.MarkerRemoved) -> Told:
    yield "track", "", (f"The {spoken(e.marker)} on ", t.words.hex(e.hex), " is removed")


TELLING: Mapping[type[Event], Tells] = {
    ev.TileLaid: _tile,
    ev.TokenPlaced: _token,
    ev.TokenRemoved: _token_removed,
    ev.MarkerPlaced: _marker,
    ev.MarkerRemoved: _marker_removed,
}
