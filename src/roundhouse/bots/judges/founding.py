"""Founding companies: what one would be worth, begun with some money."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...dealing import concerned, outcome
from ...model.actions import Action, Merge, Par
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ...sentences.words import counted
from .. import floats, prospects
from ..decision import Candidate, Reason
from ..firm import Firm, Plan
from ..view import View
from .outlook import after, candidate, foreseen, thinned
from .shares import subscribed
from .stakes import followed, gained
from .track import at_home
from .votes import mergers, polled, put_to_vote, unanimous

#: Partners tried at most.
_MERGES = 10


def ventures(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Starts of companies and mergers: by the position after them, and after what must follow; of a
    company begun with those of its shares one may buy at once."""
    found = []
    for choice in _unlike(view, choices):
        a = choice.action
        s = outcome(view.rules, view.now, a)
        if s is None:
            continue
        if isinstance(a, Par):
            s = at_home(view, s, a.corporation)
            end = settled(view, s)
            if not view.weights.thrift:
                end = subscribed(view, end, a.corporation)
            found.append(_with_more(view, _worthwhile(view, candidate(view, a, end)), s))
        else:
            found.append(_worthwhile(view, candidate(view, a, settled(view, s))))
    return found


def _unlike(view: View, choices: Sequence[Choice]) -> list[Choice]:
    """Of companies that have no home and differ in nothing but their names, the first, at each
    price it may be begun at."""
    found: dict[object, Choice] = {}
    for choice in choices:
        a, key = choice.action, object()
        company = view.rules.box.corporations.get(getattr(a, "corporation", ""))
        if isinstance(a, Par) and company is not None and not company.home:
            key = (a.actor, a.share_price, company.kind, company.certificates, company.tokens)
        found.setdefault(key, choice)
    return list(found.values())


def _with_more(view: View, c: Candidate, s: State) -> Candidate:
    """A start of a company that floats as its shares are sold, where each dollar counts: as much
    for it as all the shares bring together that the player has the money, and room, for."""
    company = s.corporations[getattr(c.action, "corporation", "")]
    missing, cost = floats.missing(view, s, company), view.rules.price(s, company.id)
    if not missing and company.cell is not None:
        return followed(view, c, s, company.id, company.held(view.me) // company.unit)
    if not view.weights.thrift or company.cell is None or not missing:
        return c
    first, hope = company.held(view.me) // company.unit, floats.hope(view, s, company)
    plan = view.plan(s, company.id)
    bought = min(s.players[view.me].cash // max(1, cost), floats.places(view, s, view.me))
    count = first + min(missing, bought)
    gain = hope * (count * (view.running(s, company, plan) - cost) + view.lead(plan))
    gain -= (1.0 - hope) * first * (cost - floats.idle(view, s, company))
    text = f"with {counted(count, 'share')} of it {gained(view, gain)}"
    score = gain * first / count
    why = Reason("stake", text, score - c.score, {"shares": count, "gain": round(gain)})
    return Candidate(c.action, score, (*c.reasons, why)) if score > c.score else c


def _worthwhile(view: View, c: Candidate) -> Candidate:
    """A merger that changes nothing, as one that is voted down, only takes time."""
    return c if c.score else Candidate(c.action, -view.weights.trouble, c.reasons)


def named(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """A name chosen: where that begins a merger, by the best one that nobody else loses by, once
    all is exchanged; what nothing is gained by is not looked at again with the other company named
    first."""
    found, vain = [], set[frozenset[object]]()
    for choice in choices:
        s = after(view, choice.action)
        end = unanimous(view, view.now, choice.action)
        if end is not None:
            found.append(candidate(view, choice.action, end))
            continue
        if s is None or not (merges := _merges(view, s)):
            found += foreseen(view, [choice])
            continue
        scored = []
        for a in merges:
            two = frozenset((a.entity, a.corporation))
            merger = None if two in vain else _merger(view, s, a, choice.action)
            if merger is None or merger.score <= 0:
                vain.add(two)
            if merger is not None:
                scored.append(merger)
        if scored:
            found.append(max(scored, key=lambda c: c.score))
    return found


def _merger(view: View, s: State, a: Merge, first: Action) -> Candidate | None:
    """What leads to a merger, by that; None if somebody who has a say in it loses."""
    end = outcome(view.rules, s, a)
    if end is None or not _agreed(view, s, a, end):
        return None
    found = candidate(view, first, end)
    what = Reason("merger", f"{a.entity} is to take over {a.corporation}")
    return replace(found, reasons=(what, *found.reasons))


def _merges(view: View, s: State) -> list[Merge]:
    """The mergers, if nothing else may be done then by the player."""
    if s.finished is not None or not s.acting or view.rules.president(s, s.acting[0]) != view.me:
        return []
    choices = [c.action for c in thinned(list(machine.choices(view.rules, s)), _MERGES)]
    return [a for a in choices if isinstance(a, Merge)] if choices else []


def _agreed(view: View, s: State, a: Merge, end: State) -> bool:
    """Whether nobody else who has a say in a merger loses by it."""
    now, then = view.standing, view.worths(end)
    return all(then[p] >= now[p] for p in concerned(view.rules, s, a) if p != view.me)


def settled(view: View, s: State, depth: int = 3) -> State:
    """The position once nothing but mergers are asked for of the player, and a vote on them is
    over: the best of those."""
    if depth == 0 or s.finished is not None or not s.acting:
        return s
    if view.rules.president(s, s.acting[0]) != view.me:
        return polled(view, s)
    if (vote := put_to_vote(view, s)) is not None:
        return polled(view, vote)
    if not (offered := mergers(view, s)):
        return polled(view, s)
    following = [after(view, c.action, s) for c in thinned(offered, _MERGES)]
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
        quality=prospects.home(view, s, s.corporations[symbol]),
        room=view.room(s, s.corporations[symbol]),
        own=float(shares - held),
        borrows=min(shares, s.loans_left) if view.rules.facts.loan_value else 0,
    )
    plan = view.mind.plan(firm, view.ledger)
    return held * plan.worth + view.lead(plan) - price, plan


def why_founded(view: View, symbol: str, price: float, gain: float, plan: Plan) -> Reason:
    """The reason for a founding."""
    text = f"{symbol} begun with {view.money(price)} may pay {view.money(plan.paid)} a share and"
    text += f" stand at {view.money(plan.price)} in the end,"
    text += f" {view.money(abs(gain))} {'more' if gain >= 0 else 'less'} than it costs"
    figures = {"price": round(price), "paid": round(plan.paid), "last": round(plan.price)}
    return Reason("founding", text, gain, figures)
