"""Promises as forms send them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...game import Game
from ...model.actions import BuyShares, SellShares
from ...model.records import MARKET, Corporation
from ...promises import (
    Agree,
    AnyPromise,
    BidUpTo,
    BuyUntil,
    Condition,
    Order,
    PassFor,
    PassUntil,
    RunAsLast,
    Situation,
    as_last,
)
from ..bounds import number
from ..tables import Refused

Fields = Mapping[str, Any]


def read(fields: Fields, game: Game, owner: str) -> AnyPromise:
    """The promise a form stands for. Raises :class:`Refused`."""
    reader = _READERS.get(fields.get("kind", ""))
    if reader is None:
        raise Refused("There is no such promise.", "malformed")
    return reader(fields, game, owner)


def _amount(fields: Fields, name: str, *, needed: str = "") -> int | None:
    found = number(fields.get(name, ""))
    if needed and found is None:
        raise Refused(f"Say {needed}.", "malformed")
    return found


def _corporation(fields: Fields, game: Game, name: str = "corporation") -> Corporation:
    c = game.state.corporations.get(fields.get(name, ""))
    if c is None:
        raise Refused("Choose a company.", "malformed")
    return c


def _bid(fields: Fields, game: Game, owner: str) -> BidUpTo:
    limit = _amount(fields, "limit", needed="how much at most") or 0
    kind, _, name = fields.get("thing", "").partition(":")
    if kind not in ("", "company", "corporation", "minor") or (kind and not name):
        raise Refused("Choose what to bid for.", "malformed")
    flags = {n: bool(fields.get(n)) for n in ("start", "leave", "rest")}
    return BidUpTo(limit=max(0, limit), **flags, **({kind: name[:60]} if kind else {}))  # type: ignore[arg-type]


def _pass(fields: Fields, game: Game, owner: str) -> PassUntil:
    until = fields.get("until", "round")
    if until not in ("once", "round", "all"):
        raise Refused("Say until when.", "malformed")
    return PassUntil(until=until, heedless=bool(fields.get("heedless")))


def _buy(fields: Fields, game: Game, owner: str) -> BuyUntil:
    c, until, source = _corporation(fields, game), fields.get("until", ""), fields.get("source")
    percent = number(until)
    if until not in ("float", "gone") and not (percent and 0 < percent <= 200):
        raise Refused("Say until when.", "malformed")
    if source not in ("any", "market", "treasury"):
        raise Refused("Say where from.", "malformed")
    return BuyUntil(
        corporation=c.id,
        until=percent or until,
        source=source,
        at_most=_amount(fields, "at_most"),
        then_pass=bool(fields.get("then_pass")),
        heedless=bool(fields.get("heedless")),
    )


def _order(fields: Fields, game: Game, owner: str) -> Order:
    """“If … of … is at most …, buy or sell.”"""
    what, comparison = fields.get("what", ""), fields.get("is", "")
    if what not in ("price", "treasury", "trains", "loans", "cash", "holding", "worth"):
        raise Refused("Say what is to be looked at.", "malformed")
    if comparison not in ("<=", ">=", "="):
        raise Refused("Say how it is to be compared.", "malformed")
    amount = _amount(fields, "amount", needed="a number") or 0
    of = "" if what in ("cash", "worth") else _corporation(fields, game, "of").id
    condition = Condition(what=what, is_=comparison, amount=amount, of=of)
    return Order(do=_trade(fields, game, owner), when=(condition,))


def _trade(fields: Fields, game: Game, owner: str) -> BuyShares | SellShares:
    c = _corporation(fields, game)
    who: dict[str, Any] = {"entity": game.state.players[owner].id, "entity_type": "player"}
    if fields.get("deed") == "sell":
        mine = c.certs.get(owner, ())
        percent = _amount(fields, "percent") or sum(x.percent for x in mine)
        return _sale(game, owner, c, percent)
    for source in (MARKET, c.id):
        for cert in c.certs.get(source, ()):
            if cert.index and cert.percent > 0:
                return BuyShares(**who, shares=(f"{c.id}_{cert.index}",), percent=cert.percent)
    raise Refused(f"There is no certificate of {c.id} to be bought.", "none")


def _sale(game: Game, owner: str, c: Corporation, percent: int) -> SellShares:
    """The sale of so many percent of what a player holds, ordinary certificates first."""
    who: dict[str, Any] = {"entity": game.state.players[owner].id, "entity_type": "player"}
    chosen, left = [], percent
    for cert in sorted(c.certs.get(owner, ()), key=lambda x: x.index == 0):
        if 0 < cert.percent <= left:
            chosen.append(f"{c.id}_{cert.index}")
            left -= cert.percent
    if left or not chosen:
        raise Refused(f"You do not hold {percent} % of {c.id} in such certificates.", "none")
    return SellShares(**who, shares=tuple(chosen), percent=percent)


def _run(fields: Fields, game: Game, owner: str) -> RunAsLast:
    company = fields.get("company", "")
    found = as_last(Situation(game, owner), company, rest=bool(fields.get("rest")))
    if found is None:
        raise Refused(f"{company} has not run yet, or is not yours to lead.", "not_run")
    return found


def _pass_for(fields: Fields, game: Game, owner: str) -> PassFor:
    round_, company = fields.get("round", ""), fields.get("company", "")
    if round_ not in {play.short for play in game.rules.rounds.values()}:
        raise Refused("Choose a round.", "malformed")
    named = (company,) if company in game.state.corporations else ()
    return PassFor(
        where={round_: named},
        until_another=bool(fields.get("until_another")),
        lasting=bool(fields.get("lasting")),
    )


def _agree(fields: Fields, game: Game, owner: str) -> Agree:
    kind, about = fields.get("type", ""), fields.get("about", "").strip()[:60]
    if kind not in ("", "buy_train", "buy_company", "buy_corporation", "merge", "undo"):
        raise Refused("Choose what you may be asked about.", "malformed")
    return Agree(
        yes=fields.get("yes") == "yes",
        types=(kind,) if kind else (),
        about=about or None,
        from_=_amount(fields, "from_price"),
        up_to=_amount(fields, "up_to"),
    )


_READERS: Mapping[str, Callable[[Fields, Game, str], AnyPromise]] = {
    "bid": _bid,
    "pass": _pass,
    "buy": _buy,
    "order": _order,
    "run": _run,
    "pass_for": _pass_for,
    "agree": _agree,
}
