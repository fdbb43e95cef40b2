"""Shares that are sold, sold short or made more of: with what is bought of the money."""

from __future__ import annotations

from collections.abc import Container, Sequence

from ...model.actions import BuyShares, SellShares, Short
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ...rounds.steps.progress import StockProgress
from ..decision import Candidate, Reason
from ..view import View
from .outlook import after, candidate, foreseen

#: What counts of a share that is owed and that there is no money for.
_RESERVE = 0.3
#: Shares bought at once after a conversion at most.
_SHARES = 4
#: Sales looked at together with a purchase, and purchases looked at after each.
_SALES, _PURCHASES = 3, 4


def sales(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Sales by the position after them; in a stock round the best ones with what the player can
    buy only then: he has no money for it, or as many certificates as he may."""
    found = sorted(foreseen(view, choices), key=lambda c: -c.score)
    if not isinstance(view.now.round, StockProgress):
        return found
    possible = {_what(a) for a in _offered(view, view.now)}
    return [*[_exchanged(view, c, possible) for c in found[:_SALES]], *found[_SALES:]]


def _offered(view: View, s: State) -> list[BuyShares]:
    """The shares the player can buy, if he is asked."""
    if s.finished is not None or view.me not in s.acting:
        return []
    return [c.action for c in machine.choices(view.rules, s) if isinstance(c.action, BuyShares)]


def _what(a: BuyShares) -> str:
    return a.shares[0].rpartition("_")[0]


def _exchanged(view: View, sale: Candidate, possible: Container[str]) -> Candidate:
    """A sale with the best purchase that is possible only after it, if that makes it better."""
    s = after(view, sale.action)
    assert isinstance(sale.action, SellShares)
    if s is None:
        return sale
    sold = {share.rpartition("_")[0] for share in sale.action.shares}
    wanted = [a for a in _offered(view, s) if _what(a) not in sold and _what(a) not in possible]
    wanted.sort(key=lambda a: -_margin(view, s, a))
    best, what = sale.score, ""
    for a in wanted[:_PURCHASES]:
        then = after(view, a, s)
        gain = view.score(then) - view.here - 2 * view.weights.trouble if then else best
        if gain > best:
            best, what = gain, _what(a)
    if not what:
        return sale
    reason = Reason("exchange", f"for a share of {what}", best - sale.score, {"company": what})
    return Candidate(sale.action, best, (*sale.reasons, reason))


def _margin(view: View, s: State, a: BuyShares) -> float:
    """What a share to be bought is worth beside its price."""
    symbol = _what(a)
    price = a.share_price if a.share_price is not None else view.rules.price(s, symbol)
    return view.share(s, s.corporations[symbol])[0] - price


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
        text = f"{a.corporation} costs {view.money(price)} and is worth {view.money(worth)} then"
        why = Reason("short", text, gain, {"price": price, "worth": round(worth)})
        found.append(Candidate(a, gain, (why,)))
    return found


def _uncovered(view: View, s: State) -> float:
    """What the player owes in shares beyond the money he has."""
    short = [c for c in s.corporations.values() if c.cell is not None and c.held(view.me) < 0]
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
        c = candidate(view, choice.action, _subscribed(view, s, choice.actor))
        if company is None or company.cell is None or not view.weights.exposed:
            found.append(c)
            continue
        owned = company.held(view.me) / company.unit * view.rules.price(view.now, company.id)
        risk = view.weights.exposed * owned
        text = f"{view.money(owned)} of one's own can be sold short then"
        found.append(
            Candidate(c.action, c.score - risk, (*c.reasons, Reason("exposed", text, -risk)))
        )
    return found


def _subscribed(view: View, s: State, symbol: str) -> State:
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
    return all(share.rpartition("_")[0] == symbol for share in a.shares)
