"""What holds of every action of every title, told as sentences when broken: trades are fair,
nothing follows the end, and what reads alike does the same.

The conformance tests run these beside :mod:`roundhouse.conformance`; a title gets them for free.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from .model.actions import Action, BuyShares, SellShares, Short
from .model.choices import Choice
from .model.codec import encode_state
from .model.errors import IllegalAction
from .model.events import Event, GameEnded, Paid, RoundStarted
from .model.records import State
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .sentences.buttons import Wording, open_numbers
from .stock.market import price
from .stock.shares import company_of, locate

replace = msgspec.structs.replace

#: Actions in which certificates change hands for money.
TRADES = SellShares | BuyShares | Short


def faults(
    rules: Rules[Any], before: State, action: Action, events: Sequence[Event], after: State
) -> list[str]:
    """Everything wrong with what an action did. ``before``: the state it was applied to; ``events``
    and ``after``: what happened and where that led."""
    found = list(_after_the_end(rules, events, after))
    if isinstance(action, TRADES) and action.actor in before.players:
        found += _trade(rules, before, action)
    return found


# the end


def _after_the_end(rules: Rules[Any], events: Sequence[Event], after: State) -> Iterator[str]:
    """Nothing happens after the end; where a game is over at once, no round begins any more."""
    if after.finished is None:
        return
    if sum(isinstance(e, GameEnded) for e in events) != 1 or not isinstance(events[-1], GameEnded):
        yield f"the end is not the last thing that happens: {events[-3:]}"
    if rules.game_over(after) and any(isinstance(e, RoundStarted) for e in events):
        yield "a round begins with the action that ends the game"
    if any(True for _ in machine.choices(rules, after)):
        yield "something may be done after the end"


# money and worth


def _trade(rules: Rules[Any], before: State, action: TRADES) -> Iterator[str]:
    """Whoever sells loses what he is paid for, and a trade at the market price leaves everybody
    worth what he was; the price moves and closing privates it leads to aside."""
    try:
        traded, events = _at_once(rules, before, action)
    except IllegalAction:
        return  # a recorded one that counts though the rules refuse it
    symbol = _traded(action)
    corporation, now = before.corporations[symbol], traded.corporations.get(symbol)
    if now is None:
        return
    gained = now.held(action.actor) - corporation.held(action.actor)
    received = sum(_received(e, action.actor) for e in events)
    if isinstance(action, SellShares) and -gained != _sold(before, action):
        yield f"{action.actor} sells {_sold(before, action)} % of {symbol} and loses {-gained} %"
    each = getattr(action, "share_price", None) or price(rules.box.market, before, symbol)
    if not isinstance(action, BuyShares) and received != -gained // corporation.unit * each:
        yield f"{action.actor} gets {received} for {-gained} % of {symbol} at {each}"
    yield from _worth(rules, before, traded, action.actor, received, gained, symbol)


def _worth(
    rules: Rules[Any],
    before: State,
    traded: State,
    trader: str,
    received: int,
    gained: int,
    symbol: str,
) -> Iterator[str]:
    """At the prices before, the trader's worth changes by what he gains less what he pays, and
    nobody else's changes."""
    corporation = before.corporations[symbol]
    worth = price(rules.box.market, before, symbol) * gained // corporation.unit
    same = _at_prices_of(before, traded)
    for player in before.players:
        change = rules.value(same, player) - rules.value(before, player)
        due = worth + received if player == trader else 0
        if change != due:
            yield f"{player} is worth {change} more after a trade in {symbol}, not {due}"


def _at_once(rules: Rules[Any], s: State, action: Action) -> tuple[State, list[Event]]:
    """The state right after an action, before anything follows from it, and what happened."""
    new = s.fork()
    new.now = context = ActionContext()
    step = machine.find(rules, new, action)
    step.check(new, action)
    step.apply(new, action)
    new.now = None
    return new, context.events


def _traded(action: TRADES) -> str:
    if isinstance(action, Short):
        return action.corporation
    return company_of(action.shares[0])


def _sold(s: State, action: SellShares) -> int:
    """Percent a sale says it sells."""
    if action.percent is not None:
        return action.percent
    found = [locate(s, name) for name in action.shares]
    return sum(f[2].percent for f in found if f is not None)


def _received(event: Event, player: str) -> int:
    if not isinstance(event, Paid):
        return 0
    return event.amount * ((event.payee == player) - (event.payer == player))


def _at_prices_of(before: State, after: State) -> State:
    """A state with the prices, and the owners of private companies, of an earlier one."""
    new = after.fork()
    new.companies = before.companies
    old = before.corporations
    new.corporations = {
        k: replace(c, cell=old[k].cell if k in old else c.cell)
        for k, c in after.corporations.items()
    }
    return new


# what reads alike


def alike(rules: Rules[Any], s: State) -> Iterator[str]:
    """Choices one could not tell apart by their sentences though they lead elsewhere."""
    words = Wording(rules, s)
    by_sentence: dict[tuple[Any, ...], list[Choice]] = {}
    for choice in machine.choices(rules, s):
        if choice.enumerable:
            numbers = [(n, d.low, d.high) for n, d in open_numbers(choice).items()]
            key = (choice.type, choice.actor, words.of(choice), *numbers)
            by_sentence.setdefault(key, []).append(choice)
    for (kind, actor, sentence, *_), choices in by_sentence.items():
        if len(choices) > 1 and len({_effect(rules, s, c.action) for c in choices}) > 1:
            yield f"{kind} by {actor}: “{sentence}” are {len(choices)} different things"


def _effect(rules: Rules[Any], s: State, action: Action) -> str:
    """Where an action leads, but for which of equal certificates, trains or tiles it takes."""
    after = machine.apply(rules, s, action)
    raw: dict[str, Any] = msgspec.json.decode(encode_state(after))
    for corporation in raw["corporations"].values():
        for holder, certs in corporation.get("certs", {}).items():
            corporation["certs"][holder] = sorted([c[0] == 0, c[1]] for c in certs)
        corporation["trains"] = _of_kinds(after, corporation.get("trains", ()))
    raw["depot"]["market"] = _of_kinds(after, raw["depot"].get("market", ()))
    raw["trains"] = _of_kinds(after, after.trains)
    trains = (*s.trains.values(), *after.trains.values())  # one that leaves may still be named
    kinds = {t.id: f"{t.kind}/{t.variant}" for t in trains}
    return str(_plain(raw, kinds))


def _of_kinds(s: State, trains: Iterable[str]) -> list[str]:
    """Trains by kind and condition, whatever their order."""
    return sorted(str(replace(s.trains[t], id="")) for t in trains)


def _plain(value: Any, kinds: dict[str, str]) -> Any:
    """Without the numbers that tell equal things apart."""
    if isinstance(value, str):
        return kinds.get(value) or re.sub(r"([-_])[1-9]\d*$", r"\1n", value)
    if isinstance(value, dict):
        return sorted((_plain(k, kinds), _plain(v, kinds)) for k, v in value.items())
    if not isinstance(value, list):
        return value
    plain = [_plain(v, kinds) for v in value]
    by_train = any(
        isinstance(v, list) and v and isinstance(v[0], str) and v[0] in kinds for v in value
    )
    return sorted(plain) if by_train else plain
