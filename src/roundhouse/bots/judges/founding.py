"""Founding companies: what one would be worth, begun with some money."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from ...dealing import concerned, outcome
from ...model.actions import Action, Choose, Merge
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ..decision import Candidate, Reason
from ..forecast import Firm, Plan
from ..view import View
from .outlook import after, candidate, foreseen, thinned

#: Partners tried at most.
_MERGES = 10


def ventures(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Starts of companies and mergers: by the position after them, and after what must follow."""
    found = []
    for choice in choices:
        s = outcome(view.rules, view.now, choice.action)
        if s is not None:
            found.append(candidate(view, choice.action, settled(view, s)))
    return found


def named(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """A name chosen: where that begins a merger, by the best one that nobody else loses by, once
    all is exchanged."""
    found = []
    asked = _answers(view, view.now)
    for choice in choices:
        s = after(view, choice.action)
        end = _voted(view, choice.action, s, asked.keys()) if s is not None else None
        if end is not None:
            found.append(candidate(view, choice.action, end))
            continue
        if s is None or not (merges := _merges(view, s)):
            found += foreseen(view, [choice])
            continue
        ends = [e for a in merges if (e := outcome(view.rules, s, a)) and _agreed(view, s, a, e)]
        scored = [candidate(view, choice.action, e) for e in ends]
        if scored:
            found.append(max(scored, key=lambda c: c.score))
    return found


def _voted(view: View, a: Action, s: State, asked: AbstractSet[str]) -> State | None:
    """The position after a vote if all answer alike, with the merger it may end in; None if the
    answer, one of those ``asked`` for, is no vote: others are not asked the same, nor is it the
    last one's."""
    if len(asked) < 2 or s.finished is not None:
        return None
    for _ in view.now.players:
        following = _answers(view, s)
        if s.step != view.now.step or following.keys() != asked:
            break
        s = after(view, following[str(getattr(a, "choice", ""))], s) or s
    if s.step == view.now.step:
        return None
    if mergers := _mergers(view, s):
        return outcome(view.rules, s, mergers[0].action)
    return s if s.round != view.now.round else None


def _mergers(view: View, s: State) -> list[Choice]:
    """The mergers, where nothing else can be done; else none."""
    choices = list(machine.choices(view.rules, s)) if s.finished is None else []
    return choices if all(isinstance(c.action, Merge) for c in choices) else []


def _answers(view: View, s: State) -> dict[str, Choose]:
    """What can be answered in words, by the word; nothing if anything else can be done."""
    if s.finished is not None or not s.acting:
        return {}
    found = [c.action for c in machine.choices(view.rules, s)]
    words = {str(a.choice): a for a in found if isinstance(a, Choose)}
    return words if len(words) == len(found) else {}


def _merges(view: View, s: State) -> list[Merge]:
    """The mergers, if nothing else may be done then by the player."""
    if s.finished is not None or not s.acting or view.rules.president(s, s.acting[0]) != view.me:
        return []
    choices = [c.action for c in thinned(list(machine.choices(view.rules, s)), _MERGES)]
    return [a for a in choices if isinstance(a, Merge)] if choices else []


def _agreed(view: View, s: State, a: Merge, end: State) -> bool:
    """Whether nobody else who has a say in a merger loses by it."""
    now, then = view.worths(view.now), view.worths(end)
    return all(then[p] >= now[p] for p in concerned(view.rules, s, a) if p != view.me)


def settled(view: View, s: State, depth: int = 3) -> State:
    """The position once nothing but mergers are asked for of the player: the best of those."""
    if depth == 0 or s.finished is not None or not s.acting:
        return s
    if view.rules.president(s, s.acting[0]) != view.me:
        return s
    if not (mergers := _mergers(view, s)):
        return s
    following = [after(view, c.action, s) for c in thinned(mergers, _MERGES)]
    ends = [settled(view, f, depth - 1) for f in following if f is not None]
    return max(ends, key=view.score, default=s)


def purse(view: View, player: str) -> float:
    """Money a player has for a founding, with privates that pay like money."""
    total = float(view.now.players[player].cash)
    if view.known.privates_pay:
        defs = view.rules.box.companies
        total += sum(defs[c.id].value for c in view.now.companies.values() if c.owner == player)
    return total


def budget(view: View, player: str) -> float:
    """What a player would put into one company: his purse, shared among as many as it founds."""
    founding = view.known.founding
    total = purse(view, player)
    count = max(1, int(total // max(1, founding.needs, view.first_train)))
    return min(float(founding.most or total), total / count)


def paid_in(view: View, price: float) -> float:
    """What of a bid is paid with privates."""
    if not view.known.privates_pay:
        return 0.0
    defs = view.rules.box.companies
    sums = {0}
    for c in view.now.companies.values():
        if c.owner == view.me:
            sums |= {n + defs[c.id].value for n in sums}
    return float(max(n for n in sums if n <= price))


def founded(view: View, symbol: str, price: float, shares: int, held: int) -> tuple[float, Plan]:
    """What founding a company for some money is worth beside it, and its plan."""
    market = view.rules.box.market
    per = price / 2
    cells = [c for c in market.cells.values() if 0 < c.price <= per]
    if not cells:
        return -price, Plan(0.0, 0.0, 0.0)
    cell = max(cells, key=lambda c: (c.price, c.column))
    s = view.now
    firm = Firm(
        id=symbol,
        shares=shares,
        cell=cell.id,
        cash=round(price - paid_in(view, price)),
        loans=0,
        kinds=(),
        income=0,
        quality=0.9,
        room=view.room(s, s.corporations[symbol]),
        own=float(shares - held),
        borrows=min(shares, s.loans_left) if view.known.loans else 0,
    )
    plan = view.mind.plan(firm, view.ledger)
    lead = view.weights.control * plan.income - view.weights.help * plan.help
    return held * plan.worth + lead - price, plan


def why_founded(view: View, symbol: str, price: float, gain: float, plan: Plan) -> Reason:
    """The reason for a founding."""
    text = f"{symbol} begun with {view.money(price)} earns about {view.money(plan.income)} a round"
    text += f" and is worth {view.money(gain)} more than it costs"
    return Reason("founding", text, gain, {"price": round(price), "income": round(plan.income)})
