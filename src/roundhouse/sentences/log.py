"""Log sentences in plain words, made from the typed events.

Each thing is told once: money that another event explains is part of that event's sentence, a
price move follows the sentence about its corporation, and several certificates or trains that go
the same way are told together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..model import events as ev
from ..model.actions import Log, Message, Pass, Redo, Undo
from ..model.events import Event
from ..model.records import BANK, CLOSED, MARKET
from ..rounds.steps.progress import StockProgress
from ..rounds.steps.stock import StockTurn
from .words import Part, Ref, Sentence, Words, article, capital, ending, spoken, token_word

if TYPE_CHECKING:
    from ..history import Entry
    from ..model.records import State
    from ..rounds.rules import Rules

#: The shares of the largest companies that are sold short.
_LARGEST = 10
#: Reasons of payments that the sentence of another event tells.
_TOLD_ELSEWHERE = frozenset({"tile", "dividend", "loan", "auction", "founding", "draft"})
#: What is paid for, and the event whose sentence names the price.
_TOLD_WITH: dict[str, type[Event]] = {
    "train": ev.TrainMoved, "switcher": ev.TrainMoved,
    "token": ev.TokenPlaced, "marker": ev.TokenPlaced,
}  # fmt: skip
_DIVIDENDS = {
    "payout": "pays out",
    "withhold": "keeps",
    "half": "pays half of",
}


def sentences(rules: Rules[Any], before: State, entry: Entry) -> list[Sentence]:
    """What one log entry did, each thing told once, in order. ``before``: the state it met."""
    words = Words(rules, entry.state)
    match entry.action:
        case Message(message=text) | Log(message=text):
            who = words.who(entry.action.actor)
            return [Sentence("chat", (who, f": {text}"), entry.action.actor)]
        case Undo():
            return [Sentence("other", (words.who(entry.action.actor), " takes back."))]
        case Redo():
            return [Sentence("other", (words.who(entry.action.actor), " restores."))]
    told = tell(rules, entry.state, entry.events, lambda: before)
    return [*turn_ended(rules, before, entry), *told]


def turn_ended(rules: Rules[Any], before: State, entry: Entry) -> Iterator[Sentence]:
    """That a turn of a stock round ends in which something was done: no event tells it, as that is
    no pass."""
    a, m = entry.action, before.round
    if not isinstance(a, Pass) or not isinstance(m, StockProgress) or m.idle:
        return
    steps = rules.play(before).sequence
    if any(isinstance(step, StockTurn) and step.name == before.step for step in steps):
        yield Sentence("pass", (Words(rules, before).who(a.actor), " ends the turn."), a.actor)


def tell(
    rules: Rules[Any],
    state: State,
    events: Sequence[Event],
    before: Callable[[], State] | None = None,
) -> list[Sentence]:
    """The sentences of some events of one action. ``state``: the one after it, of which names are;
    ``before``: gives the one it met, of which those are that it took out of the game."""
    return _Teller(Words(rules, state, before), events).all()


class _Teller:
    """Goes through the events of one action, remembering what is told already."""

    def __init__(self, words: Words, events: Sequence[Event]) -> None:
        self.words = words
        self.events = list(events)
        self.at = 0
        self.told: list[Sentence] = []
        self.kinds = {type(e) for e in events}
        self.exchanges = _exchanges(events)
        #: The dividends that are told with what was declared.
        self.declared = Counter(
            paid for e in events if isinstance(e, ev.DividendDeclared) for paid in e.paid
        )
        #: The company whose turn it is, as far as that is told.
        self.on_turn = ""
        #: Companies that mergers have made: what lies between is told as what it comes to.
        self.made = {e.survivor for e in events if isinstance(e, ev.Merged)}
        self.made &= {e.corporation for e in events if isinstance(e, ev.Founded)}
        self.told_moves: set[tuple[str, str, str]] = set()

    def all(self) -> list[Sentence]:
        while self.at < len(self.events):
            event = self.events[self.at]
            self.at += 1
            how = _TELLING.get(type(event), _plainly)
            for kind, about, parts in how(self, event):
                self.told.append(Sentence(kind, _ended(_begun(parts)), about))
        return self.told

    def run_of(self, first: Event, key: Callable[[Event], object]) -> list[Any]:
        """The event and those right after it of the same class and key; they are used up."""
        found = [first]
        while self.at < len(self.events):
            following = self.events[self.at]
            if type(following) is not type(first) or key(following) != key(first):
                break
            found.append(following)
            self.at += 1
        return found

    def payment(self, why: str, *, payer: str = "", payee: str = "") -> ev.Paid | None:
        """The payment of this action with a reason between some two, if there was one; of several
        the last before what is being told."""
        found = [
            (n < self.at, n if n < self.at else -n)
            for n, e in enumerate(self.events)
            if isinstance(e, ev.Paid) and e.why == why
            if payer in ("", e.payer) and payee in ("", e.payee)
        ]
        return self.events[abs(max(found)[1])] if found else None  # type: ignore[return-value]

    def paid(self, why: str, *, payer: str = "", payee: str = "") -> int | None:
        """Its amount."""
        found = self.payment(why, payer=payer, payee=payee)
        return None if found is None else found.amount

    def paid_before(self, event: ev.SharesMoved) -> ev.Paid | None:
        """The payment to the bank right before shares go to a company, by somebody else for it."""
        at = next(n for n, e in enumerate(self.events) if e is event)
        match self.events[at - 1 : at]:
            case [ev.Paid(payee="bank", why="shares") as paid] if event.target == event.corporation:
                return paid
        return None

    def moves(self, corporation: str, source: str, target: str) -> list[ev.SharesMoved]:
        """All shares of a company that go the same way, whatever comes between."""
        moves = (e for e in self.events if isinstance(e, ev.SharesMoved))
        way = corporation, source, target
        return [e for e in moves if (e.corporation, e.source, e.target) == way]

    def add_to_last(self, about: str, *parts: Part) -> bool:
        """Append to the last sentence if it is about the same; whether it was."""
        if not self.told or self.told[-1].about != about:
            return False
        last = self.told[-1]
        before = (*last.parts[:-1], str(last.parts[-1]).removesuffix("."))
        self.told[-1] = Sentence(last.kind, _ended((*before, *parts)), about)
        return True


def _exchanges(events: Sequence[Event]) -> dict[tuple[str, str], list[str]]:
    """A company, and who gives it shares of others, or has them used up, and gets some of its own
    for them → of which companies those are, in order."""
    bought = {e.payer for e in events if isinstance(e, ev.Paid) and e.why in ("shares", "founding")}
    moves = [e for e in events if isinstance(e, ev.SharesMoved)]
    got = dict.fromkeys((e.corporation, e.target) for e in moves if e.source == e.corporation)
    found: dict[tuple[str, str], list[str]] = {}
    for company, holder in got:
        given = [e.corporation for e in moves if (e.source, e.target) == (holder, company)]
        vanished = [e for e in events if isinstance(e, ev.SharesVanished) and e.holder == holder]
        given = [
            c for c in (*given, *(e.corporation for e in vanished)) if c not in (company, holder)
        ]
        if given and holder not in bought:
            found[company, holder] = list(dict.fromkeys(given))
    return found


Told = Iterator[tuple[str, str, tuple[Part, ...]]]


def _begun(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    first = parts[0] if parts else ""
    return (capital(first), *parts[1:]) if isinstance(first, str) and first else parts


def _ended(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    last = str(parts[-1]) if parts else ""
    return parts if last.endswith((".", "!", "?", ":")) else (*parts, ".")


# money


def _paid(t: _Teller, e: ev.Paid) -> Told:
    if e.why == "dividend" and t.on_turn:
        yield from _undeclared(t, e)
        return
    if e.why in _TOLD_ELSEWHERE or not e.amount:
        return
    if e.why in ("shares", "short") and {ev.SharesMoved, ev.SharesCreated} & t.kinds:
        return
    if _TOLD_WITH.get(e.why) in t.kinds or (e.why == "marker" and _marked(t, e.payer)):
        return
    w = t.words
    verb, other = (" receives ", e.payer) if e.payer == "bank" else (" pays ", e.payee)
    subject = e.payee if e.payer == "bank" else e.payer
    link: tuple[Part, ...] = ()
    if "bank" not in (e.payer, e.payee):
        link = (" to ", w.who(other))
    yield "money", subject, (w.who(subject), verb, w.money(e.amount), *link, f" ({e.why})")


def _undeclared(t: _Teller, e: ev.Paid) -> Told:
    """What is paid out by the company on turn of which nobody decides anything."""
    w, parts = t.words, list[Part]()
    for paid in t.run_of(e, lambda x: getattr(x, "why", None)):
        if t.declared[paid.payee, paid.amount]:
            t.declared[paid.payee, paid.amount] -= 1
        elif paid.amount:
            parts += [
                ", " if parts else " pays out: ",
                w.who(paid.payee),
                f" {w.money(paid.amount)}",
            ]
    if parts:
        yield "run", t.on_turn, (w.who(t.on_turn), *parts)


def _marked(t: _Teller, who: str) -> bool:
    """Whether a company places a marker in this action."""
    return any(isinstance(e, ev.MarkerPlaced) and e.who == who for e in t.events)


def _loan(t: _Teller, e: ev.LoanTaken | ev.LoanRepaid) -> Told:
    verb = "takes" if isinstance(e, ev.LoanTaken) else "repays"
    now = f" and has {e.loans}" if e.loans else " and has none left"
    yield "money", e.corporation, (t.words.who(e.corporation), f" {verb} a loan{now}")


def _dividend(t: _Teller, e: ev.DividendDeclared) -> Told:
    w = t.words
    if not e.revenue:
        yield "run", e.who, (w.who(e.who), " earns nothing")
        return
    verb = _DIVIDENDS.get(e.kind, e.kind)
    parts: list[Part] = [w.who(e.who), f" {verb} {w.money(e.revenue)}"]
    if e.kept and e.kept != e.revenue:
        parts.append(f", keeping {w.money(e.kept)}")
    for n, (key, amount) in enumerate(e.paid_out):
        parts += [": " if n == 0 else ", ", w.who(key), f" {w.money(amount)}"]
    yield "run", e.who, tuple(parts)


# shares and the market


def _moved(t: _Teller, e: ev.SharesMoved) -> Told:
    w = t.words
    same = t.run_of(e, lambda x: (x.corporation, x.source, x.target))  # type: ignore[attr-defined]
    if e.source == e.target:
        return
    if e.corporation in t.made:
        yield from _handed_out(t, e.corporation)
        return
    if (e.target, e.source) in t.exchanges and e.corporation != e.target:
        return
    if e.source == e.corporation and (e.source, e.target) in t.exchanges:
        yield from _exchanged(t, e.source, e.target)
        return
    symbol = w.who(e.corporation)
    founding = t.paid("founding", payee=e.corporation)
    if founding is not None and e.source == e.corporation:
        return
    if t.exchanges:  # what a holder gives comes in pieces, others' between them
        if (e.corporation, e.source, e.target) in t.told_moves:
            return
        t.told_moves.add((e.corporation, e.source, e.target))
        same = t.moves(e.corporation, e.source, e.target)
    percent = sum(x.percent for x in same)
    if percent < 0:
        yield "share", e.source, ("A short of ", symbol, " passes to ", w.who(e.target))
        return
    bought, buyer = t.paid("shares", payer=e.target), e.target
    sold = t.paid("shares", payee=e.source)
    if bought is None and sold is None and (found := t.paid_before(e)) is not None:
        bought, buyer = found.amount, found.payer
    if bought is not None:
        more = list(_one_by_one(t, e, buyer))
        percent += sum(x.percent for x, _ in more)
        bought += sum(price for _, price in more)
    what: tuple[Part, ...] = (f"{percent} % of ", symbol)
    if bought is not None:
        own = f"the {w.unsold(e.corporation)}"
        origin = own if e.source == e.corporation else w.who(e.source)
        yield "share", buyer, (
            w.who(buyer), " buys ", *what, " from ", origin, f" for {w.money(bought)}",
            *_for_whom(t, e, buyer),
        )  # fmt: skip
    elif sold is not None and e.target == MARKET:
        yield "share", e.source, (w.who(e.source), " sells ", *what, f" for {w.money(sold)}")
    else:
        origin = "" if e.source == e.corporation else w.who(e.source)
        link = (" from ", origin) if origin else ()
        yield "share", e.target, (w.who(e.target), " gets ", *what, *link)


def _for_whom(t: _Teller, e: ev.SharesMoved, buyer: str) -> tuple[Part, ...]:
    """Who is paid for shares, where that is not who gave them, the bank or their company."""
    paid = t.payment("shares", payer=buyer)
    if paid is None or paid.payee in (BANK, e.source, e.corporation):
        return ()
    return (", paid to ", t.words.who(paid.payee))


def _handed_out(t: _Teller, company: str) -> Told:
    """What everybody has of a company that a merger made, told once: its president’s certificate
    may go through several hands."""
    if (company, "", "") in t.told_moves:
        return
    t.told_moves.add((company, "", ""))
    w, got = t.words, Counter[str]()
    for e in t.events:
        if isinstance(e, ev.SharesMoved) and e.corporation == company:
            got[e.target] += e.percent
            got[e.source] -= e.percent
    for holder, percent in got.items():
        if percent > 0:
            yield "share", holder, (w.who(holder), f" gets {percent} % of ", w.who(company))


def _exchanged(t: _Teller, company: str, holder: str) -> Told:
    """All that somebody gets of a company for shares of others, told once."""
    if (company, company, holder) in t.told_moves:
        return
    t.told_moves.add((company, company, holder))
    w, given = t.words, t.exchanges[company, holder]
    others = [part for c in given for part in (w.who(c), " and ")][:-1]
    percent = sum(e.percent for e in t.moves(company, company, holder))
    yield "share", holder, (
        w.who(holder), " exchanges shares of ", *others, f" for {percent} % of ", w.who(company),
    )  # fmt: skip


def _one_by_one(t: _Teller, e: ev.SharesMoved, buyer: str) -> Iterator[tuple[ev.SharesMoved, int]]:
    """What was bought right after some shares in the same way, each paid by itself; used up."""
    alike = (e.corporation, e.source, e.target)
    while True:
        match t.events[t.at : t.at + 2]:
            case [ev.Paid(why="shares") as paid, ev.SharesMoved() as moved] if (
                paid.payer == buyer and (moved.corporation, moved.source, moved.target) == alike
            ):
                t.at += 2
                yield moved, paid.amount
            case _:
                return


def _created(t: _Teller, e: ev.SharesCreated) -> Told:
    same = t.run_of(e, lambda x: getattr(x, "corporation", None))
    if {ev.Converted, ev.Founded, ev.Merged, ev.AuctionWon} & t.kinds:
        return
    w = t.words
    short = t.paid("short", payee=e.holder)
    if short is not None:
        yield "share", e.holder, (
            w.who(e.holder), " sells ", w.who(e.corporation), f" short for {w.money(short)}",
        )  # fmt: skip
        return
    count = sum(len(x.shares) for x in same)
    new = "a new certificate" if count == 1 else f"{count} new certificates"
    yield "share", e.corporation, (w.who(e.corporation), f" issues {new}")


def _vanished(t: _Teller, e: ev.SharesVanished) -> Told:
    t.run_of(e, lambda x: getattr(x, "corporation", None))
    if {ev.CorporationClosed, ev.Merged} & t.kinds:
        return
    if any(e.holder == who and e.corporation in given for (_, who), given in t.exchanges.items()):
        return
    w, player = t.words, e.holder in t.words.state.players
    if not w.rules.facts.most_shorts(_LARGEST):
        whose = (" of ", w.who(e.holder)) if player else ()
        certificate = ("A certificate of ", w.who(e.corporation), *whose)
        yield "share", e.corporation, (*certificate, " leaves the game")
    elif player:
        yield "share", e.holder, (w.who(e.holder), " covers a short of ", w.who(e.corporation))
    else:
        yield "share", e.corporation, ("A short of ", w.who(e.corporation), " is closed")


def _president(t: _Teller, e: ev.PresidentChanged) -> Told:
    w = t.words
    if e.corporation in t.made:
        return
    if e.after is None:
        yield "share", e.corporation, (w.who(e.corporation), f" has no {w.leader}")
    elif not (e.before is None and t.add_to_last(e.corporation, "; ", w.who(e.after), " leads it")):
        yield "share", e.corporation, (
            w.who(e.after), f" becomes {w.leader} of ", w.who(e.corporation),
        )  # fmt: skip


def _price(t: _Teller, e: ev.PriceMoved) -> Told:
    w = t.words
    after = t.run_of(e, lambda x: (x.corporation, x.why))[-1].after  # type: ignore[attr-defined]
    if after is None:
        if ev.CorporationClosed not in t.kinds:
            yield "market", e.corporation, (w.who(e.corporation), " leaves the market")
        return
    if e.before is None:
        yield "market", e.corporation, (w.who(e.corporation), f" starts at {w.price(after)}")
        return
    move = f"{w.price(e.before)} → {w.price(after)}"
    if not t.add_to_last(e.corporation, f"; price {move}"):
        yield "market", e.corporation, (w.who(e.corporation), f" moves {move} ({e.why})")


# the board


def _tile(t: _Teller, e: ev.TileLaid) -> Told:
    w = t.words
    cost = f" for {w.money(e.cost)}" if e.cost else ""
    yield "track", e.who, (
        w.who(e.who), " lays tile ", w.tile(e.tile), " on ", w.hex(e.hex), cost,
    )  # fmt: skip


def _token(t: _Teller, e: ev.TokenPlaced) -> Told:
    w = t.words
    removed = [x for x in t.events if isinstance(x, ev.TokenRemoved) and x.city == e.city]
    replaced = [x.who for x in removed if x.who != e.who]
    if replaced:
        others = [part for who in replaced for part in (w.who(who), ", ")][:-1]
        yield "token", e.who, (w.who(e.who), " replaces ", *others, " in ", w.city(e.city))
        return
    cost = f" for {w.money(e.cost)}" if e.cost else ""
    yield "token", e.who, (w.who(e.who), " places a token in ", w.city(e.city), cost)


def _token_removed(t: _Teller, e: ev.TokenRemoved) -> Told:
    placed = {x.city for x in t.events if isinstance(x, ev.TokenPlaced)}
    if e.city not in placed:
        w = t.words
        yield "token", e.who, (w.who(e.who), " removes its token from ", w.city(e.city))


def _marker(t: _Teller, e: ev.MarkerPlaced) -> Told:
    w = t.words
    tokens = w.state.corporations[e.who].tokens if e.who in w.state.corporations else ()
    named = token_word if any(x.kind == e.marker for x in tokens) else spoken
    paid = t.paid("marker", payer=e.who)
    cost = f" for {w.money(paid)}" if paid else ""
    yield "track", e.who, (
        w.who(e.who), f" puts {article(named(e.marker))} on ", w.hex(e.hex), cost,
    )  # fmt: skip


def _marker_removed(t: _Teller, e: ev.MarkerRemoved) -> Told:
    yield "track", "", (f"The {spoken(e.marker)} on ", t.words.hex(e.hex), " is removed")


# trains


def _train(t: _Teller, e: ev.TrainMoved) -> Told:
    w = t.words
    same = t.run_of(e, lambda x: (x.source, x.target, x.price))  # type: ignore[attr-defined]
    trains = tuple(x.train for x in same)
    what = w.train(e.train) if len(trains) == 1 else w.trains(trains)
    the = "a " if len(trains) == 1 else ""
    if e.target == "gone":
        origin = "" if e.source in ("depot", MARKET) else w.who(e.source)
        bought = t.payment("train", payee=BANK) if e.price and not origin else None
        if bought is not None:
            yield "train", bought.payer, (
                w.who(bought.payer), " buys ", the, what, f" for {w.money(bought.amount)};",
                " it leaves the game",
            )  # fmt: skip
        elif not origin:
            verb = "leaves" if len(trains) == 1 else "leave"
            yield "train", "", (the.capitalize(), what, f" {verb} the game")
        else:
            yield "train", e.source, (origin, " loses ", the, what)
    elif e.target == MARKET:
        yield "train", e.source, (w.who(e.source), " gives up ", the, what)
    elif e.price:
        yield "train", e.target, (
            w.who(e.target), " buys ", the, what, " from ", w.who(e.source),
            f" for {w.money(e.price * len(trains))}",
        )  # fmt: skip
    else:
        yield "train", e.target, (
            w.who(e.target), " takes over ", the, what, " from ", w.who(e.source),
        )  # fmt: skip


def _rusted(t: _Teller, e: ev.TrainsRusted) -> Told:
    if e.trains:
        verb = "rusts" if len(e.trains) == 1 else "rust"
        yield "train", "", (capital(t.words.trains(e.trains)), f" {verb}")


def _obsolete(t: _Teller, e: ev.TrainsObsolete) -> Told:
    if e.trains:
        verb = "becomes" if len(e.trains) == 1 else "become"
        yield "train", "", (capital(t.words.trains(e.trains)), f" {verb} obsolete")


def _ran(t: _Teller, e: ev.Ran) -> Told:
    w = t.words
    parts: list[Part] = [w.who(e.who), f" runs for {w.money(e.revenue)}"]
    for n, (train, text, revenue) in enumerate(e.routes):
        parts += [
            ": " if n == 0 else "; ",
            Ref("train", train, w.train_kind(train)),
            f" {text} {w.money(revenue)}",
        ]
    yield "run", e.who, tuple(parts)


# auctions, companies, corporations


def _bid(t: _Teller, e: ev.BidMade) -> Told:
    if any(isinstance(x, ev.AuctionWon) and x.item == e.item for x in t.events):
        return
    w = t.words
    yield "auction", e.who, (w.who(e.who), f" bids {w.money(e.price)} for ", w.lot(e.item))


def _won(t: _Teller, e: ev.AuctionWon) -> Told:
    w = t.words
    item = _lot(t, e.item)
    drafted = t.paid("draft", payer=e.who)
    how, price = (" wins ", e.price) if drafted is None else (" buys ", drafted)
    yield "auction", e.item, (w.who(e.who), how, item, f" for {w.money(price)}")


def _lot(t: _Teller, item: str) -> Part:
    """What was auctioned: a private company that somebody has got by now is one all the same."""
    given = any(isinstance(x, ev.CompanyMoved) and x.company == item for x in t.events)
    return t.words.private(item) if given else t.words.lot(item)


def _company(t: _Teller, e: ev.CompanyMoved) -> Told:
    w = t.words
    company = w.private(e.company)
    if any(isinstance(x, ev.AuctionWon) and x.item == e.company for x in t.events):
        return
    if e.target == CLOSED:
        yield "company", e.source, (company, " closes")
        return
    yield "company", e.target, (w.who(e.target), " takes ", company, " from ", w.who(e.source))


def _founded(t: _Teller, e: ev.Founded) -> Told:
    w = t.words
    founded: tuple[Part, ...] = (w.who(e.corporation), f" is founded with {e.size} shares")
    if e.corporation not in t.made:
        yield "share", e.corporation, (*founded, " by ", w.who(e.who))
        return
    led = [
        x.after
        for x in t.events
        if isinstance(x, ev.PresidentChanged) and x.corporation == e.corporation
    ]
    yield "share", e.corporation, (*founded, *((", led by ", w.who(led[-1])) if led else ()))


def _converted(t: _Teller, e: ev.Converted) -> Told:
    if any(isinstance(x, ev.Founded) and x.corporation == e.corporation for x in t.events):
        return
    yield "share", e.corporation, (t.words.who(e.corporation), f" now has {e.size} shares")


def _merged(t: _Teller, e: ev.Merged) -> Told:
    w = t.words
    yield "share", e.survivor, (w.who(e.survivor), " takes over ", w.who(e.other))


def _liquidated(t: _Teller, e: ev.Liquidated) -> Told:
    yield "market", e.corporation, (t.words.who(e.corporation), " goes into liquidation")


def _closed(t: _Teller, e: ev.CorporationClosed) -> Told:
    yield "share", e.corporation, (t.words.who(e.corporation), " closes")


def _bankrupt(t: _Teller, e: ev.Bankruptcy) -> Told:
    yield "money", e.who, (t.words.who(e.who), " is bankrupt")


# turns and rounds


def _passed(t: _Teller, e: ev.Passed) -> Told:
    w = t.words
    if e.who not in w.state.players:
        yield "pass", e.who, (w.who(e.who), f" passes ({e.step})" if e.step else " passes")
        return
    about = (" on ", _lot(t, e.about)) if e.about else ()
    yield "pass", e.who, (w.who(e.who), " passes", *about)


def _phase(t: _Teller, e: ev.PhaseStarted) -> Told:
    yield "round", "", (f"Phase {e.phase} begins",)


def _round(t: _Teller, e: ev.RoundStarted) -> Told:
    yield "round", "", (f"{t.words.rules.round_told(e)} begins",)


def _turn(t: _Teller, e: ev.TurnStarted) -> Told:
    t.on_turn = e.who
    yield "round", e.who, (t.words.who(e.who), " operates")


def _ended_game(t: _Teller, e: ev.GameEnded) -> Told:
    yield "round", "", (f"The game ends: {ending(t.words.rules, e.reason)}",)


def _noted(t: _Teller, e: ev.Noted) -> Told:
    """A title's own sentence: a text with ``{who}``, ``{what}`` and ``{amount}`` (or ``{share}``, a
    number among others) in it."""
    text = t.words.rules.box.game.notes.get(e.code)
    if text is None:
        text = f"{{who}}: {spoken(e.code)}" if e.who else capital(spoken(e.code))
        text += (" {what}" if e.what else "") + (" ({amount})" if e.amount else "")
    values: dict[str, Part] = {
        "who": t.words.who(e.who),
        "what": t.words.who(e.what),
        "amount": t.words.money(e.amount),
        "share": f"{e.amount} of {e.among}" if e.among else str(e.amount),
    }
    yield "other", e.who, tuple(_filled(capital(text), values))


def _filled(text: str, values: dict[str, Part]) -> Iterator[Part]:
    for piece in text.replace("}", "{").split("{"):
        if piece:
            yield values.get(piece, piece)


def _plainly(t: _Teller, e: Event) -> Told:
    """An event without a sentence of its own: its name and whom it concerns."""
    name = "".join(f" {c.lower()}" if c.isupper() else c for c in type(e).__name__).strip()
    who = getattr(e, "who", "") or getattr(e, "corporation", "")
    parts: tuple[Part, ...] = (t.words.who(who), f": {name}") if who else (capital(name),)
    yield "other", who, parts


_TELLING: dict[type[Event], Callable[[_Teller, Any], Told]] = {
    ev.Paid: _paid, ev.LoanTaken: _loan, ev.LoanRepaid: _loan, ev.DividendDeclared: _dividend,
    ev.SharesMoved: _moved, ev.SharesCreated: _created, ev.SharesVanished: _vanished,
    ev.PresidentChanged: _president, ev.PriceMoved: _price, ev.TileLaid: _tile,
    ev.TokenPlaced: _token, ev.TokenRemoved: _token_removed, ev.MarkerPlaced: _marker,
    ev.MarkerRemoved: _marker_removed, ev.TrainMoved: _train, ev.TrainsRusted: _rusted,
    ev.TrainsObsolete: _obsolete, ev.Ran: _ran, ev.BidMade: _bid, ev.AuctionWon: _won,
    ev.CompanyMoved: _company, ev.Founded: _founded, ev.Converted: _converted,
    ev.Merged: _merged, ev.Liquidated: _liquidated, ev.CorporationClosed: _closed,
    ev.Bankruptcy: _bankrupt, ev.Passed: _passed, ev.PhaseStarted: _phase,
    ev.RoundStarted: _round, ev.TurnStarted: _turn, ev.GameEnded: _ended_game, ev.Noted: _noted,
}  # fmt: skip
