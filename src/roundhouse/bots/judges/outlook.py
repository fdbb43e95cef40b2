"""The common judge: the action is tried, and what follows by itself with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...model.actions import Action, BuyShares, DiscardTrain, Pass, RemoveToken, SellShares
from ...model.choices import Choice, Routes, Span
from ...model.errors import BrokenInvariant, IllegalAction
from ...model.records import State
from ...rounds import machine
from ...rounds.steps.progress import StockProgress
from ...sentences.words import counted, listed, signed
from ...stock.shares import company_of
from ..decision import RIVALS, Candidate, Reason
from ..view import View

#: Choices of one type tried at most, and of types whose every choice changes a network.
_TRIED = 40
_FEW: dict[type[Action], int] = {RemoveToken: 4, DiscardTrain: 4}

#: Stages of a turn, at most; what a company may owe beside interest; and what its end costs beside
#: what can be seen: what might have become of it.
_STAGES, _OTHER_DUES, _RUIN = 6, 20, 100.0


def after(view: View, a: Action, s: State | None = None) -> State | None:
    """The state after an action; None if it is illegal."""
    try:
        found: State = machine.apply(view.rules, view.now if s is None else s, a)
    except (IllegalAction, BrokenInvariant):
        return None
    return found


def foreseen(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Each action scored by the position it leads to."""
    found = []
    for choice in thinned(choices, _FEW.get(type(choices[0].action), _TRIED)):
        for a in variants(choice):
            s = after(view, a)
            if s is not None:
                found.append(_waiting(view, candidate(view, a, s, -_asked(view, a, s)), s))
    return found


def _waiting(view: View, c: Candidate, s: State) -> Candidate:
    """A purchase that can wait says so, as more is asked of it."""
    if not isinstance(c.action, BuyShares) or not view.weights.early or not _can_wait(view, s):
        return c
    asked = view.weights.early * abs(_got(view, s))
    why = Reason("wait", f"it can wait: {signed(view.rules, -round(asked))}", -asked)
    return replace(c, reasons=(*c.reasons, why))


def _got(view: View, s: State) -> int:
    """What a player's money grows by."""
    return s.players[view.me].cash - view.now.players[view.me].cash


def _asked(view: View, a: Action, s: State) -> float:
    """What an action must bring to be better than doing nothing."""
    if isinstance(a, Pass):
        return 0.0
    if view.me not in s.players or not isinstance(a, BuyShares | SellShares):
        return view.weights.trouble
    got = _got(view, s)
    asked = view.weights.yield_least if isinstance(a, BuyShares) else view.weights.sale
    if isinstance(a, BuyShares) and _can_wait(view, s):
        asked += view.weights.early
    return view.weights.trouble + asked * abs(got)


def _can_wait(view: View, s: State) -> bool:
    """Whether shares are offered before a stock round to who does not lead their company after
    it: he may buy them then, when he knows what else there is."""
    if isinstance(view.now.round, StockProgress):
        return False
    now = view.now.corporations
    bought = [c for k, c in s.corporations.items() if c is not now.get(k)]
    return all(c.president != view.me for c in bought)


def candidate(view: View, a: Action, s: State, worth: float = 0.0) -> Candidate:
    """An action with what the position after it is worth against the present one; after the end of
    the turn, if the company does not survive that."""
    why = tuple(reasons(view, a, s))
    end = None if isinstance(a, Pass) else ruined(view, s)
    if end is not None:
        worth -= _RUIN
        why = (Reason("ruin", f"{a.entity} cannot pay its interest then", -_RUIN), *why)
    then = end or s
    worths = view.worths(then)
    gain = view.against(then, worths, view.me) - view.here
    if not isinstance(a, Pass):
        why += tuple(_rivals(view, gain - worths[view.me] + view.standing[view.me]))
    return Candidate(a, gain + worth, why)


def _rivals(view: View, worth: float) -> Iterator[Reason]:
    """What is counted of what changes for the rivals."""
    if round(worth):
        way = "lose" if worth > 0 else "gain"
        text = f"rivals {way} by it: {signed(view.rules, round(worth))}"
        yield Reason(RIVALS, text, worth)


def ruined(view: View, s: State) -> State | None:
    """The position at the end of the turn of the company that operates, if what it does now leaves
    it unable to pay what it owes then and it is liquidated; else None."""
    who = view.rules.operator(s)
    c = s.corporations.get(who or "")
    if not view.known.perishing or c is None or c.cell is None or not c.trains:
        return None
    if c.cash >= view.ledger.owed * c.loans + _OTHER_DUES or not c.loans:
        return None
    end = s
    for _ in range(_STAGES):
        following = after(view, Pass(entity=c.id, entity_type="corporation"), end)
        if following is None:
            break
        end = following
        if view.rules.operator(end) != who:
            break
    if c.id not in end.corporations or view.dying(s, c):
        return None
    return end if view.dying(end, end.corporations[c.id]) else None


def reasons(view: View, a: Action, s: State) -> Iterator[Reason]:
    """What changes for the player: his money, and the companies he has a part in."""
    if isinstance(a, Pass) or view.me not in s.players or s.finished is not None:
        return
    cash = s.players[view.me].cash - view.now.players[view.me].cash
    if cash:
        text = f"{'+' if cash > 0 else '−'}{view.money(abs(cash))} in hand{_supposed(view, a, s)}"
        yield Reason("cash", text, cash, {"cash": cash})
    if isinstance(a, BuyShares | SellShares) and a.shares:
        yield from _traded(view, company_of(a.shares[0]), s)
    for symbol, c in s.corporations.items():
        before = view.now.corporations.get(symbol)
        if before is not c and c.cell is not None:
            if c.held(view.me):
                yield from _share(view, s, symbol, isinstance(a, BuyShares | SellShares))
            yield from _leading(view, s, symbol)


def _leading(view: View, s: State, symbol: str) -> Iterator[Reason]:
    """What changes by leading a company, or by having to if its president gets rid of that."""
    c, old = s.corporations[symbol], view.now.corporations.get(symbol)
    now = view.led(s, c).get(view.me, 0.0)
    before = 0.0 if old is None or old.cell is None else view.led(view.now, old).get(view.me, 0.0)
    worth = now - before
    if not round(worth):
        return
    led = [view.me == k for k in (None if old is None else old.president, c.president)]
    less = worth < 0
    if all(led):
        text = f"leading {symbol} is worth {view.money(abs(worth))} {'less' if less else 'more'}"
    elif any(led):
        way = f"leading {symbol} {'costs' if less else 'brings'}"
        text = f"{'no longer ' if led[0] else ''}{way} {view.money(abs(worth))}"
    else:
        way = "can" if less else "can no longer"
        leader, told = view.rules.facts.leader, signed(view.rules, round(worth))
        text = f"its {leader} {way} pass {symbol} on: {told}"
    yield Reason("leading", text, worth, {"company": symbol})


def _traded(view: View, symbol: str, s: State) -> Iterator[Reason]:
    """What the shares are worth that the player buys, or sells, by the plans."""
    c, old = s.corporations.get(symbol), view.now.corporations[symbol]
    percent = (c.held(view.me) if c is not None else 0) - old.held(view.me)
    if not percent or old.cell is None:
        return
    bought = c is not None and percent > 0
    each = view.share(s, c)[0] if c is not None and bought else view.share(view.now, old)[0]
    worth = each * percent / old.unit
    text = f"{abs(percent)} % of {symbol} is worth {view.money(abs(worth))}"
    if not bought:
        text += " if kept"
    yield Reason("traded", text, worth, {"company": symbol, "worth": round(worth)})


def _supposed(view: View, a: Action, s: State) -> str:
    """What is supposed to be done right after an action, where that moves the player's money."""
    once = None if isinstance(a, BuyShares | SellShares) else after(view, a)
    if once is None or once.players[view.me].cash == s.players[view.me].cash:
        return ""
    told = []
    for symbol, c in s.corporations.items():
        before = once.corporations.get(symbol)
        more = (c.held(view.me) - before.held(view.me)) // c.unit if before is not None else 0
        if more > 0:
            told.append(f"{counted(more, 'share')} of {symbol}")
    return f" with {listed(told)} bought at once" if told else " once all of it is done"


def _share(view: View, s: State, symbol: str, trades: bool) -> Iterator[Reason]:
    """What changes by the worth of a share, of those that are traded aside."""
    c, old = s.corporations[symbol], view.now.corporations.get(symbol)
    now = view.share(s, c)[0]
    before = 0.0 if old is None or old.cell is None else view.share(view.now, old)[0]
    if abs(now - before) < 1:
        return
    text = f"a share of {symbol} is worth {view.money(now)}"
    if before:
        text += f" instead of {view.money(before)}"
    figures: dict[str, int | float | str] = {
        "company": symbol,
        "before": round(before),
        "after": round(now),
    }
    held = c.held(view.me) / c.unit
    if trades:
        held = min(held, old.held(view.me) / old.unit) if old is not None else 0.0
    yield Reason("share", text, (now - before) * held, figures)


def variants(choice: Choice) -> Iterator[Action]:
    """The actions of a choice worth trying: of an amount the least, the most and the middle."""
    spans = {n: d for n, d in choice.domains.items() if isinstance(d, Span)}
    if not spans or any(isinstance(d, Routes) for d in choice.domains.values()):
        yield choice.action
        return
    (name, span), *_ = spans.items()
    middle = span.low + (span.high - span.low) // (2 * span.step) * span.step
    top = span.low + (span.high - span.low) // span.step * span.step
    for amount in dict.fromkeys((span.low, middle, top)):
        yield replace(choice.action, **{name: amount})


def thinned(choices: Sequence[Choice], most: int) -> Sequence[Choice]:
    """At most so many choices, spread evenly."""
    if len(choices) <= most:
        return choices
    step = len(choices) / most
    return [choices[int(n * step)] for n in range(most)]
