"""Trains and routes: what to run, what to buy, with loans where that pays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import inf

from msgspec.structs import replace

from ...model.actions import Action, BuyTrain, RunRoutes, TakeLoan
from ...model.choices import Choice, Span
from ...model.events import TrainsRusted
from ...model.records import State
from ...rounds import machine
from ...rounds.step import ActionContext
from ...rounds.steps.progress import OperatingProgress
from ...sentences.words import counted
from ...trains import depot
from ..decision import Candidate, Reason
from ..view import View
from ..wording import a_train, called, signed
from .outlook import after, candidate, foreseen, reasons, thinned

_TRIED = 16
#: Trains bought one after the other that are looked at.
_PUSHED = 5
#: Trains bought with loans that are looked at, and loans for one.
_BORROWED, _LOANS = 3, 10
#: Rounds from the last one on within which plans become as vague as they are.
_VAGUE = 3.0
#: Places of a company a train may go to that are tried.
_PLACES = 10


def routes(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """The best routes found."""
    found = []
    for choice in choices:
        runs, revenue = view.income.best(view.now, choice.actor)
        reason = Reason("routes", f"the best routes found earn {view.money(revenue)}", revenue)
        a = replace(choice.action, routes=runs)
        if after(view, a) is None:
            a = next(choice.actions())
        found.append(Candidate(a, float(revenue), (reason,)))
    return found


def purchases(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Trains to buy, each scored by the position after it."""
    found = []
    for choice in thinned(_distinct(view, choices), _TRIED):
        for a in _ways(view, choice):
            s = after(view, a)
            if s is not None:
                found.append((a, s, _pushed(view, a, s, _bought(view, a, s))))
    return _instead(view, found)


def _instead(view: View, found: Sequence[tuple[BuyTrain, State, Candidate]]) -> list[Candidate]:
    """The candidates; where the train the bank sells first is not worth buying, as little of it is
    had by any other purchase as by passing: its plan may count on it nonetheless."""
    used = view.now.trains
    buyer = next((a.actor for a, _, _ in found if a.train in used), None)
    if buyer is not None and view.weights.passed_up:
        new = max([c.score for a, _, c in found if a.train not in used], default=-inf)
        if new < view.waiting(buyer):
            return [_passing_up(view, a, s, c) if a.train in used else c for a, s, c in found]
    return [c for _, _, c in found]


def _passing_up(view: View, a: BuyTrain, s: State, c: Candidate) -> Candidate:
    """A purchase with what it costs that the company buys no further train in its turn."""
    if view.rules.operator(s) != a.actor:
        return c
    missed = view.weights.passed_up * view.waiting(a.actor, s)
    if not missed:
        return c
    text = f"the bank's train is not bought then, which loses {view.money(-missed)}"
    why = Reason("waits", text, missed)
    return replace(c, score=c.score + missed, reasons=(*c.reasons, why))


def _pushed(view: View, a: BuyTrain, s: State, once: Candidate) -> Candidate:
    """A train of the bank with those that could follow it, bought out to get at better ones: the
    best of these positions counts."""
    best, end, count = once.score, s, 1
    if a.train in view.now.trains:
        return once
    for more in range(2, _PUSHED + 1):
        name = next((n for n in depot.on_sale(end) if n not in end.trains), None)
        if name is None or end.finished is not None:
            break
        kind = depot.kind_of(end, name)
        definition = view.rules.box.trains.get(kind)
        if definition is None or a.actor not in end.corporations:
            break
        price = definition.price
        if end.corporations[a.actor].cash < price:
            break
        following = after(view, replace(a, train=name, price=price, variant=kind), end)
        if following is None:
            break
        end = following
        score = view.score(end) - view.here
        if score > best + 1:
            best, count = score, more
    if count == 1:
        return once
    text = f"the first of {count} trains bought at once"
    reason = Reason("push", text, best - once.score, {"trains": count})
    return Candidate(once.action, best - 1.0, (*once.reasons, reason))


def _bought(view: View, a: BuyTrain, s: State) -> Candidate:
    scored = candidate(view, a, s, -_missed(view, a, s) - _doubt(view, a))
    return Candidate(a, scored.score, (_why(view, a, view.now, s), *scored.reasons))


def _missed(view: View, a: BuyTrain, s: State) -> float:
    """What a player loses by the run a train misses if it is taken from a company that operates
    later in this round: else two companies could pass one train to and fro and never run it."""
    train, m = view.now.trains.get(a.train), view.now.round
    if train is None or not isinstance(m, OperatingProgress):
        return 0.0
    seller = view.now.corporations.get(train.owner or "")
    if seller is None or seller.id not in m.later:
        return 0.0
    missed = view.income.now(view.now, seller.id) - view.income.now(s, seller.id)
    return missed * view.part(seller)


def _doubt(view: View, a: BuyTrain) -> float:
    """What a train must bring that is another company's of the player: with others, both sides
    reckon, and the price lies between. One that must be bought in the last round needs bring
    nothing."""
    train = view.now.trains.get(a.train)
    seller = view.now.corporations.get((train.owner if train else None) or "")
    if train is None or seller is None or seller.president != view.me:
        return 0.0
    definition = view.rules.box.trains.get(train.kind)
    vague = 1.0
    if view.known.compulsory and not view.now.corporations[a.actor].trains:
        vague = min(1.0, max(0.0, view.ledger.rounds - 1.0) / _VAGUE)
    return vague * view.weights.deal * definition.price if definition else 0.0


def _why(view: View, a: BuyTrain, before: State, s: State) -> Reason:
    """What the train earns more, how long it runs, and what rusts by it."""
    who, facts = a.actor, view.rules.facts
    kind = a.variant or depot.kind_of(view.now, a.train)
    gain = view.earned(s, who) - view.earned(view.now, who)
    life = view.ledger_of(s).life(kind)
    text = f"{a_train(facts, kind)} for {view.money(a.price)}: {signed(gain)} a run, {_lasts(life)}"
    if gone := _rusted(view, a, before, s):
        text += f", {counted(gone, 'train')} rust{'s' * (gone == 1)} by it"
    return Reason(
        "train", text, 0.0, {"train": kind, "price": a.price, "more": gain, "rounds": life}
    )


def _lasts(life: float) -> str:
    """How long a train still runs."""
    rounds = round(life)
    if not rounds:
        return "hardly runs before it rusts or the game ends"
    return f"runs about {counted(rounds, 'round')}"


def _rusted(view: View, a: BuyTrain, before: State, s: State) -> int:
    """How many trains rust by a purchase: not all that is gone after it has rusted."""
    if all(name in s.trains for name in before.trains):
        return 0
    context = ActionContext()
    machine.apply(view.rules, before, a, context)
    return sum(len(e.trains) for e in context.events if isinstance(e, TrainsRusted))


def _distinct(view: View, choices: Sequence[Choice]) -> list[Choice]:
    """Of trains of one kind and owner, one."""
    found: dict[object, Choice] = {}
    for c in choices:
        a = c.action
        assert isinstance(a, BuyTrain)
        train = view.now.trains.get(a.train)
        owner = train.owner if train else "bank"
        kind = a.variant or depot.kind_of(view.now, a.train)
        span = c.domains.get("price")
        low = span.low if isinstance(span, Span) else a.price
        key = (owner, kind, a.exchange, a.shell, a.slots, low, a.extra_due)
        found.setdefault(key, c)
    return list(found.values())


def _ways(view: View, choice: Choice) -> list[BuyTrain]:
    """The ways of a purchase worth trying: prices, and where the train goes."""
    a, places = choice.action, choice.domains.get("slots")
    assert isinstance(a, BuyTrain)
    slots = [a.slots] if places is None else list(islice(places.values(), _PLACES))
    return [replace(p, slots=where) for p in _prices(view, choice) for where in slots]


def _prices(view: View, choice: Choice) -> list[BuyTrain]:
    """A price in a range: the least, which leaves most to the buyer, half of the printed one, all
    the buyer may pay up to it."""
    a, span = choice.action, choice.domains.get("price")
    assert isinstance(a, BuyTrain)
    if not isinstance(span, Span):
        return [a]
    kind = depot.kind_of(view.now, a.train)
    definition = view.rules.box.trains.get(kind)
    face = definition.price if definition else span.high
    top = min(span.high, max(span.low, face))
    wanted = dict.fromkeys((span.low, max(span.low, top // 2), top))
    return [replace(a, price=p) for p in wanted if span.contains(p)]


# dividends, for what is kept may buy a train


def dividends(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """What is done with a revenue: by the position after it, with the train that can be bought
    then."""
    found = foreseen(view, choices)
    return [_with_train(view, c) for c in found] if view.weights.train_after else found


def _with_train(view: View, c: Candidate) -> Candidate:
    """A dividend with what it brings that the company buys the train on sale in the same turn."""
    who = c.action.actor
    s = after(view, c.action)
    if s is None or who not in s.corporations or view.rules.operator(s) != who:
        return c
    price, name = view.cheapest(s)
    if name is None or s.corporations[who].cash < price or not _has_room(view, s, who):
        return c
    a = _from_bank(c.action, s, name, price)
    then = after(view, a, s)
    gain = view.weights.train_after * (view.score(then) - view.score(s)) if then is not None else 0
    if then is None or gain <= 0:
        return c
    kind = called(view.rules.facts, a.variant or depot.kind_of(s, name))
    text = f"with the {kind} it buys then"
    why = Reason("train", text, gain, {"price": price})
    # what a share is worth is told with the train: money that may be spent is not yet the train
    return Candidate(c.action, c.score + gain, (why, *reasons(view, c.action, then)))


def _from_bank(of: Action, s: State, name: str, price: int) -> BuyTrain:
    """The purchase of a train the bank sells, by the company of another action."""
    return BuyTrain(
        entity=of.entity, entity_type=of.entity_type, train=name, price=price,
        variant=depot.kind_of(s, name) if name not in s.trains else None,
    )  # fmt: skip


# loans for a train


def borrowed(view: View, who: str, loan: Action) -> Candidate | None:
    """A loan taken to buy trains of the bank: the best position after loans and purchases; None if
    there is none, or it takes no loan."""
    s, taken, best = view.now, 0, None
    for count in range(1, _BORROWED + 1):
        price, name = view.cheapest(s)
        if name is None or not _has_room(view, s, who):
            break
        s, more = _with_loans(view, s, who, loan, price)
        taken += more
        a = _from_bank(loan, s, name, price)
        then = after(view, a, s)
        if then is None:
            break
        if taken:
            found = _for_trains(view, loan, taken, count, a, s, then)
            best = found if best is None or found.score > best.score else best
        s = then
    return best


def _for_trains(
    view: View, loan: Action, taken: int, count: int, last: BuyTrain, before: State, then: State
) -> Candidate:
    """A loan by the position after all of them and so many trains, the last of which is told."""
    kind = last.variant or depot.kind_of(view.now, last.train)
    what = f"the {called(view.rules.facts, kind)}" if count == 1 else f"{count} trains"
    text = f"{counted(taken, 'loan')} to buy {what}"
    why = Reason("loan", text, 0.0, {"loans": taken, "price": last.price, "trains": count})
    scored = candidate(view, loan, then)
    return Candidate(loan, scored.score, (why, _why(view, last, before, then), *scored.reasons))


def _with_loans(view: View, s: State, who: str, loan: Action, price: int) -> tuple[State, int]:
    """The position once a company has so much money, by loans, or as much as it gets; and how many
    it took."""
    taken = 0
    while who in s.corporations and s.corporations[who].cash < price and taken < _LOANS:
        following = after(view, loan, s)
        if following is None:
            break
        s, taken = following, taken + 1
    return s, taken


def _has_room(view: View, s: State, who: str) -> bool:
    """Whether a company may own one more train."""
    c = s.corporations.get(who)
    return c is not None and len(c.trains) < view.room(s, c)


__all__ = ["RunRoutes", "TakeLoan", "borrowed", "dividends", "purchases", "routes"]
