"""Shares that are sold short or made more of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...model.actions import Bid, BuyShares, Par, Short
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ...stock.shares import company_of
from ..decision import Candidate, Reason
from ..perils import sold_short
from ..view import View
from .outlook import after, candidate

#: What counts of a share that is owed and that there is no money for.
_RESERVE = 0.3
#: Shares bought at once after a conversion at most.
_SHARES = 4
#: What counts of the gain by shares that are offered later.
_LIKELY = 0.8


def shorts(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Shorts, by the position after them: the price falls for everybody. What is owed may turn out
    to be more, the worse the less money there is to buy it back."""
    found = []
    for choice in choices:
        a = choice.action
        assert isinstance(a, Short)
        s = after(view, a)
        if s is None:
            continue
        worth = view.share(s, s.corporations[a.corporation])[0]
        price = view.rules.price(view.now, a.corporation)
        risk = (view.weights.short - 1.0) * worth
        risk += _RESERVE * (_uncovered(view, s) - _uncovered(view, view.now))
        gain = view.score(s) - view.here - risk
        sold = f"{a.corporation} is sold for {view.money(price)}"
        text = f"{sold} and worth {view.money(worth)} then"
        why = Reason("short", text, gain, {"price": price, "worth": round(worth)})
        found.append(Candidate(a, gain, (why,)))
    return found


def before_purchases(view: View, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a turn, shorts that bring something with what the best purchase does: that
    may follow in the same turn, and ends it."""
    ending = [c.score for c in found if isinstance(c.action, BuyShares | Bid | Par)]
    best = max(ending, default=0.0)
    if best <= 0:
        return list(found)
    return [_followed(view, c, best) if isinstance(c.action, Short) else c for c in found]


def _followed(view: View, c: Candidate, best: float) -> Candidate:
    s = after(view, c.action) if c.score > 0 else None
    if s is None or s.acting[:1] != (view.me,):
        return c
    text = f"the best purchase may follow in the same turn and brings {view.money(best)}"
    why = Reason("follows", text, best)
    return replace(c, score=c.score + best, reasons=(*c.reasons, why))


def _uncovered(view: View, s: State) -> float:
    """What the player owes in shares beyond the money he has."""
    short = sold_short(s, view.me)
    owed = sum([-c.held(view.me) / c.unit * view.share(s, c)[0] for c in short])
    return max(0.0, owed - s.players[view.me].cash)


def conversions(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """More shares: with those one buys of them at once, and what others may sell short then."""
    found = []
    for choice in choices:
        s = after(view, choice.action)
        company = view.now.corporations.get(choice.actor)
        if s is None:
            continue
        c = _offered(view, candidate(view, choice.action, subscribed(view, s, choice.actor)), s)
        if company is None or company.cell is None or not _shorted(view, s, company.id):
            found.append(c)
            continue
        owned = company.held(view.me) / company.unit * view.rules.price(view.now, company.id)
        risk = view.weights.exposed * owned
        text = f"others can sell it short then; one's own shares stand at {view.money(owned)}"
        found.append(
            Candidate(c.action, c.score - risk, (*c.reasons, Reason("exposed", text, -risk)))
        )
    return found


def _shorted(view: View, s: State, symbol: str) -> bool:
    """Whether a company can be sold short once it is converted."""
    c = s.corporations.get(symbol)
    return c is not None and view.rules.facts.most_shorts(c.shares) > 0


def _offered(view: View, c: Candidate, s: State) -> Candidate:
    """A conversion with what players gain by the new shares in the next stock round: each buys by
    the money he has."""
    company = s.corporations.get(c.action.actor)
    if not view.known.issues or company is None or company.cell is None:
        return c
    unsold, cost = company.held(company.id) // company.unit, view.rules.price(s, company.id)
    gain = max(0.0, view.share(s, company)[0] - cost)
    money = {k: p.cash for k, p in s.players.items()}
    parts = {k: min(unsold * m / max(1, sum(money.values())), m / cost) for k, m in money.items()}
    found = {k: _LIKELY * gain * part for k, part in parts.items()}
    more = view.against(s, found, view.me)
    if not round(more):
        return replace(c, score=c.score + more)
    text = f"its new shares can be bought: {_against_rivals(view, more)}"
    return Candidate(c.action, c.score + more, (*c.reasons, Reason("offered", text, more)))


def _against_rivals(view: View, more: float) -> str:
    """What a player gains where rivals gain, too."""
    if more < 0:
        return f"what rivals gain by them costs {view.money(-more)} more than one gains oneself"
    return f"one gains {view.money(more)} by them, what rivals gain taken off"


def subscribed(view: View, s: State, symbol: str) -> State:
    """The position after the purchases of a company's shares that are best, where the player is
    asked for them next."""
    best, worth = s, view.score(s)
    for _ in range(_SHARES):
        if s.finished is not None or not s.acting or s.acting[0] != view.me:
            break
        offered = [c.action for c in machine.choices(view.rules, s)]
        shares = [a for a in offered if isinstance(a, BuyShares) and _of(a, symbol)]
        following = after(view, shares[0], s) if shares else None
        if following is None:
            break
        s = following
        if (now := view.score(s)) > worth:
            best, worth = s, now
    return best


def _of(a: BuyShares, symbol: str) -> bool:
    return all(company_of(share) == symbol for share in a.shares)
