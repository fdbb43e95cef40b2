"""Bids: for privates by what they are worth, for companies by what they would become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ...model.actions import Bid
from ...model.choices import Choice, Span
from ...model.records import State
from ...rounds.bidding import committed, highest
from ...rounds.steps.auctions import RisingAuction
from ...rounds.steps.progress import StandingProgress
from ..cards import begun
from ..decision import Candidate, Reason
from ..view import View
from .founding import budget, founded, why_founded
from .outlook import after, candidate

#: What a dollar is worth less that waits while the last private is unsold.
_IDLE = 0.3
#: Part of what a private is worth that is bid when it is named: somebody else would bid it.
_AT_ONCE = 0.6


def bids(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Bids of all sorts; of equal ones, one."""
    found: list[Candidate] = []
    foundings = [c for c in choices if _founds(view, c)]
    if foundings:
        found += _foundings(view, foundings)
    keep, names = _first(choices), _names(view, choices)
    for choice in choices:
        a = choice.action
        assert isinstance(a, Bid)
        if choice not in foundings:
            found += _private(view, choice, keep, names) if a.company else _takeover(view, choice)
    return found


def _founds(view: View, choice: Choice) -> bool:
    a = choice.action
    assert isinstance(a, Bid)
    c = view.now.corporations.get(a.corporation or "")
    return c is not None and c.cell is None


def _low(choice: Choice) -> int:
    span = choice.domains.get("price")
    assert isinstance(choice.action, Bid)
    return span.low if isinstance(span, Span) else choice.action.price


# companies to be founded


def _foundings(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """One company to begin with what there is for one; a running auction up to that."""
    known, me = view.known.founding, view.me
    if view.ledger.rounds < known.rounds:
        return []
    limit = budget(view, me)
    running = _running(view)
    first = _symbol(choices[0])
    found = []
    for choice in [c for c in choices if _symbol(c) == first]:
        for price in _offers(choice, limit, running):
            shares, held = _size(view)
            gain, plan = founded(view, first, price, shares, held)
            a = replace(choice.action, price=price)
            found.append(Candidate(a, gain, (why_founded(view, first, price, gain, plan),)))
    return found


def _running(view: View) -> bool | None:
    """Whether an auction is going on: who bids raises, and begins none; None where bids do not
    rise one after the other."""
    asked = view.rules.play(view.now).asked(view.now)
    step = asked[0] if asked is not None else None
    return step.bidding(view.now) is not None if isinstance(step, RisingAuction) else None


def _symbol(choice: Choice) -> str:
    assert isinstance(choice.action, Bid)
    return choice.action.corporation or ""


def _size(view: View) -> tuple[int, int]:
    """The shares a new company has, and how many of them its founder gets."""
    sizes = view.rules.box.phases[view.now.phase].corporation_sizes
    shares = sizes[0] if sizes else 5
    return shares, 2


def _offers(choice: Choice, limit: float, running: bool | None) -> list[int]:
    """What to bid: the least that keeps one in a running auction; for a new one what there is."""
    span = choice.domains.get("price")
    low = _low(choice)
    if low > limit:
        return []
    if running or not isinstance(span, Span):
        return [low]
    step = span.step
    top = low + int((min(limit, span.high) - low) // step) * step
    return [top]


# privates


def _first(choices: Sequence[Choice]) -> int:
    """The price of what is for sale among things that are only bid for: they are had once it is
    sold, and if nobody has the money for it all bids may be lost. 0: nothing is."""
    sold = [c.action for c in choices if not c.domains]
    prices = [a.price for a in sold if isinstance(a, Bid) and a.company]
    return min(prices, default=0) if len(prices) < len(choices) else 0


def _names(view: View, choices: Sequence[Choice]) -> bool:
    """Whether a bid names what is to be auctioned."""
    if isinstance(view.now.round, StandingProgress):
        return False
    things = {c.action.company for c in choices if isinstance(c.action, Bid)}
    return len(things) > 1 or _running(view) is False


def _opening(choice: Choice, worth: float) -> int:
    """The first bid for what is named: what would be bid anyway, at once."""
    span, low = choice.domains.get("price"), _low(choice)
    if not isinstance(span, Span):
        return low
    top = min(span.high, _AT_ONCE * worth)
    return low + max(0, int((top - low) // span.step)) * span.step


def _private(view: View, choice: Choice, keep: int, names: bool = False) -> list[Candidate]:
    """A private at the least price, up to what it is worth. ``keep``: money that what is for sale
    now costs; ``names``: the bid begins an auction."""
    a, low = choice.action, _low(choice)
    assert isinstance(a, Bid)
    assert a.company is not None
    if not _only_bid_for(view, choice) and (bought := _bought(view, replace(a, price=low))):
        return [bought]
    if a.company in _led(view):
        return []  # nobody bids against himself
    if keep and _left(view, a.company, low) < keep:
        return []
    worth = view.private(view.now, a.company) + view.known.opening.get(a.company, 0.0)
    worth *= view.weights.daring * begun(view, view.now, view.me, a.company, low)
    worth -= 0.6 * max(0.0, -_spare(view, a.company, low))
    price = _opening(choice, worth) if names else low
    name = view.rules.box.companies[a.company].name
    text = f"{name} is worth {view.money(worth)} and costs {view.money(price)}"
    if price > low:
        text = f"{name} is worth {view.money(worth)}: {view.money(price)} are bid at once, though"
        text += f" {view.money(low)} would do if nobody else bids"
    gain = worth - price
    why = Reason("private", text, gain, {"worth": round(worth), "price": price})
    return [Candidate(replace(a, price=price), gain, (why,))]


def _led(view: View) -> set[str]:
    """What one's bids that stand lead for."""
    standing = _standing(view).items()
    return {i for i, bids in standing if bids and (view.me, highest(bids)) in bids}


def _spare(view: View, item: str, price: int) -> float:
    """Money left if this and everything is had that one's bids lead for, and the companies that
    come with it have what they need to begin."""
    opened = sum(i in view.known.opening for i in _led(view) | {item})
    return float(_left(view, item, price) - view.known.founding.reserve * max(1, opened))


def _left(view: View, item: str, price: int) -> int:
    """Money no bid binds once one bids so much for something."""
    return view.now.players[view.me].cash - committed(_standing(view), view.me, item) - price


def _standing(view: View) -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Bids that stand on many things at once."""
    m = view.now.round
    return m.bids if isinstance(m, StandingProgress) else {}


def _only_bid_for(view: View, choice: Choice) -> bool:
    """Whether a bid stands until what is for sale now is sold, as is known of it without a look."""
    return isinstance(view.now.round, StandingProgress) and "price" in choice.domains


def _bought(view: View, a: Bid) -> Candidate | None:
    """A private that is had at once: by the position then; None if it is only bid for."""
    s = after(view, a)
    record = s.companies.get(a.company or "") if s is not None else None
    mine = a.company in view.now.corporations and s is not None
    if s is None or not (
        (record is not None and record.owner == view.me)
        or (mine and view.rules.president(s, a.company or "") == view.me)
    ):
        return None
    short = max(0, view.known.founding.reserve - s.players[view.me].cash)
    brings = view.known.opening.get(a.company or "", 0.0) + _spare_money(view, s)
    spent = view.now.players[view.me].cash - s.players[view.me].cash
    missed = view.known.founding.otherwise * max(0, spent)
    return candidate(view, a, s, brings - missed - 0.6 * short)


def _spare_money(view: View, s: State) -> float:
    """What it is worth to buy the last private there is with money that waits for nothing else:
    where it does not become cheaper all could pass for ever."""
    unsold = [c for c in view.now.companies.values() if c.owner is None and not c.closed]
    left = s.players[view.me].cash - view.known.founding.reserve
    return _IDLE * max(0.0, left) if len(unsold) == 1 else 0.0


# companies taken over


def _takeover(view: View, choice: Choice) -> list[Candidate]:
    """A company that is sold or liquidated: its trains and money, for the least price."""
    a = replace(choice.action, price=_low(choice))
    assert isinstance(a, Bid)
    target = view.now.corporations.get(a.corporation or "")
    if target is None:
        worth = float(view.known.founding.premium)
        text = f"a bid of {view.money(a.price)}, worth {view.money(worth)} at most"
        why = Reason("premium", text, worth - a.price, {"worth": worth, "price": a.price})
        return [Candidate(a, worth - a.price, (why,))]
    worth = takeover_worth(view, target.id)
    gain = worth - a.price
    brings = f"brings {view.money(worth)}"
    if worth < 0:
        brings = f"owes {view.money(-worth)} more than it brings"
    text = f"{target.id} {brings} and costs {view.money(a.price)}"
    why = Reason("takeover", text, gain, {"worth": round(worth), "price": a.price})
    return [Candidate(a, 0.5 * gain, (why,))]


def takeover_worth(view: View, symbol: str) -> float:
    """What a company brings to the one that takes it over."""
    s, ledger = view.now, view.ledger
    c = s.corporations[symbol]
    typical = view.known.typical
    trains = sum(
        0.4 * typical.get(s.trains[t].kind, 0.0) * min(6.0, ledger.life(s.trains[t].kind))
        for t in c.trains
        if not s.trains[t].obsolete
    )
    return trains + c.cash - 1.2 * view.rules.facts.loan_value * c.loans
