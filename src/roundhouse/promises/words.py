"""Promises in words, as their owner reads them."""

from __future__ import annotations

from ..game import Game
from ..model.actions import Action
from ..sentences.buttons import Wording, doing, lot_name
from .kinds import (
    Agree,
    AnyPromise,
    BidUpTo,
    BuyUntil,
    Condition,
    Order,
    PassFor,
    PassUntil,
    Plan,
    RunAsLast,
)

_WHATS = {
    "price": "the price of {}", "treasury": "the money of {}", "trains": "the trains of {}",
    "loans": "the loans of {}", "cash": "my cash", "holding": "my percent of {}",
    "worth": "my worth",
}  # fmt: skip
_COMPARED = {"<=": "at most", ">=": "at least", "=": "exactly"}
_MONEY = ("price", "treasury", "cash", "worth")


def told(promise: AnyPromise, game: Game) -> str:
    """A promise as a sentence without its full stop: “bid up to $60 for …”."""
    match promise:
        case BidUpTo():
            return _bid(promise, game)
        case PassUntil():
            return _pass(promise, game)
        case PassFor():
            return _pass_for(promise)
        case BuyUntil():
            return _buy(promise, game)
        case Order():
            return _order(promise, game)
        case RunAsLast():
            rest = " and pass everything else" if promise.rest else ""
            return f"let {promise.company} run and pay as last time{rest}"
        case Agree():
            return _agree(promise, game)
        case Plan():
            return "; then ".join(_did(a, game) for a in promise.actions)


def _money(game: Game, amount: int) -> str:
    return game.rules.facts.money(amount)


def _bid(p: BidUpTo, game: Game) -> str:
    thing = lot_name(game.rules, game.state, p.item) if p.item else "what is auctioned"
    start = ", also as the first" if p.start else ""
    leave = ", then leave the auction" if p.leave else ""
    rest = "; pass while I lead" if p.rest else ""
    return f"bid up to {_money(game, p.limit)} for {thing}{start}{leave}{rest}"


def _pass(p: PassUntil, game: Game) -> str:
    until = {
        "once": "pass once",
        "round": "pass until the end of the round",
        "all": "pass in all rounds of this kind",
    }[p.until]
    unless = "" if p.heedless else ", unless something happens that concerns me"
    if p.surcharge is None:
        return until + unless
    return f"{until}{unless}, or something costs {_money(game, p.surcharge)} above its value"


def _pass_for(p: PassFor) -> str:
    where = [
        f"for {', '.join(named) or ('my minors' if p.minors else 'my companies')} in {round}"
        for round, named in p.where.items()
    ]
    only = f", where I could only {' or '.join(map(doing, p.doing))}" if p.doing else ""
    until = ", until another company converts or merges" if p.until_another else ""
    return f"pass {' and '.join(where)}{only}{until}"


def _buy(p: BuyUntil, game: Game) -> str:
    until = {"float": "until it floats", "gone": "until none is left"}.get(str(p.until))
    own = game.rules.facts.unsold(p.corporation)
    source = {"market": " from the market", "treasury": f" from its {own}"}.get(p.source, "")
    cap = f" for at most {_money(game, p.at_most)}" if p.at_most is not None else ""
    then = ", then pass" if p.then_pass else ""
    return f"buy {p.corporation}{source}{cap} {until or f'until I hold {p.until} %'}{then}"


def _order(p: Order, game: Game) -> str:
    when = " and ".join(condition(c, game) for c in p.when)
    return f"if {when}: {_did(p.do, game)}" if when else _did(p.do, game)


def condition(c: Condition, game: Game) -> str:
    """“the price of PRR is at most $100”."""
    amount = _money(game, c.amount) if c.what in _MONEY else str(c.amount)
    return f"{_WHATS[c.what].format(c.of)} is {_COMPARED[c.is_]} {amount}"


def _did(action: Action, game: Game) -> str:
    if action.type == "pass":
        return "pass"
    label = _label(action, game)
    price = getattr(action, "price", None)
    cost = f" for {_money(game, price)}" if price is not None else ""
    return f"{doing(action)}: {label}{cost}"


def _label(action: Action, game: Game) -> str:
    """The words of a button; an action of another moment may name what is not there now."""
    try:
        return Wording(game.rules, game.state).label(action)
    except (KeyError, AttributeError, IndexError):
        return action.type.replace("_", " ")


def _agree(p: Agree, game: Game) -> str:
    what = f" to {' or '.join(map(doing, p.types))}" if p.types else " to whatever is asked"
    about = f" about {p.about}" if p.about else ""
    low = f" for {_money(game, p.from_)} or more" if p.from_ is not None else ""
    high = f" for {_money(game, p.up_to)} or less" if p.up_to is not None else ""
    return f"when I am asked, {'agree' if p.yes else 'say no'}{what}{about}{low}{high}"
