"""Things to do when it is one's turn: on conditions, and whole turns planned ahead."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import msgspec

from ..model.actions import Action, BuyShares, SellShares
from ..model.errors import IllegalAction
from .kinds import Act, Condition, Held, Order, Plan, Stopped, Verdict, Wait
from .situation import Situation

replace = msgspec.structs.replace

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "=": operator.eq,
}  # fmt: skip

# conditional orders


def keep_order(held: Held, p: Order, at: Situation) -> Verdict:
    """What a conditional order does now."""
    if (missing := _missing(p, at)) is not None:
        return Stopped(missing)
    if not at.on_turn or not all(holds(one, at) for one in p.when):
        return Wait()
    action = alike(p.do, at)
    if action is None:
        return Stopped(_refusal(p.do, at))
    return Act(action, "What you waited for is so." if p.when else "It is your turn.")


def _missing(p: Order, at: Situation) -> str | None:
    """Whether a company an order is about is no more."""
    named = {c.of for c in p.when if c.what not in ("cash", "worth")}
    gone = sorted(name for name in named if name not in at.s.corporations)
    return f"{gone[0]} is no more." if gone else None


def holds(condition: Condition, at: Situation) -> bool:
    """Whether a condition holds now."""
    value = measured(condition, at)
    return value is not None and _COMPARE[condition.is_](value, condition.amount)


def measured(condition: Condition, at: Situation) -> int | None:
    """What a condition compares; None: there is nothing to compare yet, such as a price."""
    s, rules = at.s, at.game.rules
    match condition.what:
        case "cash":
            return s.players[at.owner].cash
        case "worth":
            return rules.value(s, at.owner)
    c = s.corporations.get(condition.of)
    if c is None:
        return None
    match condition.what:
        case "price":
            return rules.price(s, c.id) if c.cell is not None else None
        case "treasury":
            return c.cash
        case "trains":
            return len(c.trains)
        case "loans":
            return c.loans
    return c.held(at.owner)


def alike(action: Action, at: Situation) -> Action | None:
    """The action, or one of equal certificates that does the same, if it may be done now."""
    if at.covers(action):
        return action
    if isinstance(action, BuyShares | SellShares):
        return next((c.action for c in at.choices if _equal(c.action, action, at)), None)
    return None


def _equal(offered: Action, wanted: BuyShares | SellShares, at: Situation) -> bool:
    if type(offered) is not type(wanted) or offered.actor != wanted.actor:
        return False
    assert isinstance(offered, BuyShares | SellShares)
    same = len(offered.shares) == len(wanted.shares) and offered.percent == wanted.percent
    same = same or _percent(offered, at) == _percent(wanted, at)
    return same and _symbols(offered) == _symbols(wanted) and _crowned(offered) == _crowned(wanted)


def _percent(a: BuyShares | SellShares, at: Situation) -> int:
    """How much of a company certificates are, whoever holds them."""
    found = 0
    for symbol in _symbols(a) & set(at.s.corporations):
        certs = [c for held in at.s.corporations[symbol].certs.values() for c in held]
        found += sum(c.percent for c in certs if f"{symbol}_{c.index}" in a.shares)
    return found


def _symbols(a: BuyShares | SellShares) -> set[str]:
    return {name.rpartition("_")[0] for name in a.shares}


def _crowned(a: BuyShares | SellShares) -> bool:
    """Whether the president's certificate is among them."""
    return any(name.endswith("_0") for name in a.shares)


def _refusal(action: Action, at: Situation) -> str:
    fault = at.game.why_not(action)
    return fault.message if fault is not None else "It is not for you alone to decide."


# plans


def keep_plan(held: Held, p: Plan, at: Situation) -> Verdict:
    """What a planned turn does now."""
    if not p.actions:
        return Stopped("It is done.")
    if not at.on_turn:
        return Wait()
    fault = rehearse(p, at)
    if fault is not None:
        return Stopped(fault)
    rest = Plan(actions=p.actions[1:], costs=p.costs[1:]) if p.actions[1:] else None
    return Act(p.actions[0], "As planned.", rest)


def rehearse(p: Plan, at: Situation) -> str | None:
    """Why a plan cannot be carried out as it was made, tried out on a copy of the game as far as it
    is the player's turn; None: it can."""
    twin = at.game.copy()
    for number, action in enumerate(p.actions):
        now = Situation(twin, at.owner)
        if not now.on_turn:
            return None
        fault = _fault(p, number, now, action)
        if fault is not None:
            return (
                f"Step {number + 1} of {len(p.actions)}: {fault}" if len(p.actions) > 1 else fault
            )
        twin.apply(action)
    return None


def _fault(p: Plan, number: int, now: Situation, action: Action) -> str | None:
    if not now.covers(action):
        return _refusal(action, now)
    try:
        change = now.change(action)
    except IllegalAction as fault:
        return fault.message
    if number < len(p.costs) and change != p.costs[number]:
        before, after = now.money(p.costs[number]), now.money(change)
        return f"it would change your money by {after}, not by {before} as planned."
    return None


def plan_of(actions: tuple[Any, ...], at: Situation) -> Plan:
    """A plan with what its steps cost now. Raises :class:`IllegalAction` if a step cannot be done
    where it stands, with its number in front."""
    twin, costs = at.game.copy(), []
    for number, action in enumerate(actions, start=1):
        now = Situation(twin, at.owner)
        if not now.covers(action):
            raise IllegalAction("plan", f"Step {number}: {_refusal(action, now)}")
        costs.append(now.change(action))
        twin.apply(action)
    return Plan(actions=actions, costs=tuple(costs))
