"""Trains that are bought, run and gone."""

from __future__ import annotations

from collections.abc import Mapping

from ...model import events as ev
from ...model.events import Event
from ...model.records import BANK, MARKET
from ..words import Ref, capital
from .teller import Teller, Tells, Told, itemized


def _train(t: Teller, e: ev.TrainMoved) -> Told:
    w = t.words
    same = t.run_of(e, lambda x: (x.source, x.target, x.price))  # type: ignore[attr-defined]
    trains = tuple(x.train for x in same)
    what = w.train(e.train) if len(trains) == 1 else w.trains(trains)
    the = "a " if len(trains) == 1 else ""
    if e.target == "gone":
        origin = "" if e.source in ("depot", MARKET) else w.who(e.source)
        bought = t.payment("train", payee=BANK) if e.price and not origin else None
        if bought is not None:
            yield "train", bought.payer, (
                w.who(bought.payer), " buys ", the, what, f" for {w.money(bought.amount)};",
                " it leaves the game",
            )  # fmt: skip
        elif not origin:
            verb = "leaves" if len(trains) == 1 else "leave"
            yield "train", "", (the.capitalize(), what, f" {verb} the game")
        else:
            yield "train", e.source, (origin, " loses ", the, what)
    elif e.target == MARKET:
        yield "train", e.source, (w.who(e.source), " gives up ", the, what)
    elif e.price:
        yield "train", e.target, (
            w.who(e.target), " buys ", the, what, " from ", w.who(e.source),
            f" for {w.money(e.price * len(trains))}",
        )  # fmt: skip
    else:
        yield "train", e.target, (
            w.who(e.target), " takes over ", the, what, " from ", w.who(e.source),
        )  # fmt: skip


def _rusted(t: Teller, e: ev.TrainsRusted) -> Told:
    if e.trains:
        verb = "rusts" if len(e.trains) == 1 else "rust"
        yield "train", "", (capital(t.words.trains(e.trains)), f" {verb}")


def _obsolete(t: Teller, e: ev.TrainsObsolete) -> Told:
    if e.trains:
        verb = "becomes" if len(e.trains) == 1 else "become"
        yield "train", "", (capital(t.words.trains(e.trains)), f" {verb} obsolete")


def _ran(t: Teller, e: ev.Ran) -> Told:
    w = t.words
    ran = [
        (Ref("train", train, w.train_kind(train)), f" {text} {w.money(revenue)}")
        for train, text, revenue in e.routes
    ]
    yield "run", e.who, itemized((w.who(e.who), f" runs for {w.money(e.revenue)}"), ran, "; ")


TELLING: Mapping[type[Event], Tells] = {
    ev.TrainMoved: _train,
    ev.TrainsRusted: _rusted,
    ev.TrainsObsolete: _obsolete,
    ev.Ran: _ran,
}
