"""The exchange of shares in a merger (§5.6.4–7).

What is left to do is an agenda in the round's progress; it is worked off until somebody has to be
asked, and goes on with his answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.actions import Choose
from ...model.choices import Choice
from ...model.frozen import drop
from ...model.records import BANK, MARKET, Cert, set_corporation
from ...rounds.step import Asking
from ...stock import market, shares
from ...stock.shares import clockwise
from .current_merger import AnswerText, change, meanings, present, understood
from .rules import Rules1828
from .state import Question, State1828, StockRound, Task
from .trading import settle_presidency, test_float

#: A certificate with its corporation.
Held = tuple[str, Cert]


class Failed(Exception):
    """§5.6.7: the merger cannot be completed."""


def begin(rules: Rules1828, s: State1828) -> None:
    """§5.6.5: everything that has to be done, in order."""
    first = present(s).player
    round_trip = (first, *clockwise(s.order, first)[:-1])
    agenda: list[Task] = []
    for at, player in enumerate(round_trip):
        order = round_trip[at:] + round_trip[:at]
        agenda += [Task(k, player, order) for k in ("aside", "pairs", "return")]
    later = clockwise(s.order, first)
    agenda += [Task("single", player, later[at:]) for at, player in enumerate(later)]
    if "merger_rest_to_pool" in rules.options:
        agenda.append(Task("all to pool"))
    else:
        agenda += [Task("pairs", MARKET), Task("single", MARKET), Task("gather")]
        survivor = present(s).survivor
        agenda += [Task("pairs", survivor), Task("single", survivor), Task("rest")]
    change(s, agenda=(*agenda, Task("finish")))
    go_on(rules, s)


def go_on(rules: Rules1828, s: State1828, answer: str | None = None) -> None:
    """Work the agenda off until a question comes up or the merger is done."""
    while (m := StockRound.of(s).merger) and m.agenda and not m.clashes:
        try:
            question = ShareExchange(rules, s).do(m.agenda[0], answer)
        except Failed:
            change(s, agenda=(), question=None, failed=True)
            return
        answer = None
        if question is not None:
            change(s, question=question)
            return


class Answer(Asking[State1828, Rules1828]):
    """Certificates set aside, partners of trades, exchange or sale of a last one."""

    name = "merger"
    rule = "5.6.4"
    occasion = "merger"
    takes = frozenset({Choose})

    def asked(self, s: State1828) -> str | None:
        merger = StockRound.of(s).merger
        if merger is None:
            return None
        return merger.question.player if merger.question else merger.player

    def answers(self, s: State1828, who: str) -> Iterator[Choice]:
        merger = present(s)
        for meaning in meanings(merger):
            wording = {"choice": AnswerText(merger, meaning)}
            yield self.choice(s, who, Choose, {**wording}, choice=meaning)

    def check_answer(self, s: State1828, a: Choose) -> None:
        merger = present(s)
        if merger.failed:
            text = "This merger cannot be completed; it must be taken back."
            raise self.refuse("failed", text, "5.6.7")
        if understood(merger, a.choice) is None:
            raise self.refuse("answer", f"Answer one of: {', '.join(meanings(merger))}.")

    def answer(self, s: State1828, a: Choose) -> None:
        answer = understood(present(s), a.choice)
        change(s, question=None)
        go_on(self.rules, s, answer)


class ShareExchange:
    """One piece of the exchange. A and B are the two corporations, ``sys`` the system's own
    certificates, as in the rules text. What is discarded lies with the system, the hand of B joins
    that of A, and what is used up is gone."""

    def __init__(self, rules: Rules1828, s: State1828) -> None:
        self.rules = rules
        self.s = s
        merger = present(s)
        self.a, self.b = merger.pair
        self.system = merger.system

    def do(self, task: Task, answer: str | None) -> Question | None:
        """Do a task as far as possible; whoever must be asked for it to go on."""
        question = None
        match task.kind:
            case "aside":
                question = self._set_aside(task.holder, answer)
            case "pairs":
                question = self._pairs(task, answer)
            case "return":
                self._return(task.holder)
            case "single":
                question = self._single(task, answer)
            case "gather":
                self._gather()
            case "rest":
                self._rest()
            case "all to pool":
                self._all_to_pool()
            case "finish":
                complete(self.rules, self.s)
                return None
        if question is None:
            change(self.s, agenda=present(self.s).agenda[1:])
        return question

    # what holders have

    def certs(self, symbol: str, holder: str) -> tuple[Cert, ...]:
        return self.s.corporations[symbol].certs.get(holder, ())

    def a_certs(self, holder: str) -> list[Held]:
        return [(self.a, c) for c in self.certs(self.a, holder)]

    def b_certs(self, holder: str) -> list[Held]:
        return [(self.b, c) for c in self.certs(self.b, holder)]

    def singles(self, symbol: str, holder: str) -> list[Held]:
        return [(symbol, c) for c in self.certs(symbol, holder) if c.index]

    def presidency(self, symbol: str, holder: str) -> list[Held]:
        return [(symbol, c) for c in self.certs(symbol, holder) if c.index == 0]

    def units(self, holder: str) -> int:
        both = self.a_certs(holder) + self.b_certs(holder)
        return sum(c.percent for _, c in both) // 10

    def price(self, held: Held) -> int:
        return self.rules.price(self.s, held[0])

    @property
    def own(self) -> tuple[Cert, ...]:
        """``sys``."""
        return self.certs(self.system, self.system)

    def move(self, held: Sequence[Held], source: str, target: str) -> None:
        for symbol, cert in held:
            shares.move(self.s, symbol, (cert,), source, target)

    def use_up(self, held: Sequence[Held], holder: str) -> None:
        """Certificates that have been turned into some of the system."""
        for symbol, cert in held:
            shares.vanish(self.s, symbol, holder, cert)

    def give(self, holder: str, certs: Sequence[Cert]) -> None:
        """Hand certificates of the system out; to its own hand nothing moves."""
        if holder == self.a:
            return
        if not certs:
            raise Failed
        shares.move(self.s, self.system, certs, self.system, holder)
        settle_presidency(self.s, self.system, handed=any(c.index == 0 for c in certs))

    def first_single(self) -> tuple[Cert, ...]:
        return tuple(c for c in self.own if c.index)[:1]

    # source and trade

    def source(self, holder: str, count: int, order: Sequence[str]) -> list[str]:
        """Where a holder finds A; several players if he must choose among them."""
        if sum(c.percent for _, c in self.a_certs(holder)) >= 10 * count:
            return [holder]
        others = (self.system, *order[1:], self.a, MARKET)
        kept = [f for f in others if self._supplies(f, count)]
        players = [f for f in kept if f in self.s.players]
        if kept and kept[0] in self.s.players and len(players) > 1:
            return players
        return kept[:1]

    def _supplies(self, holder: str, count: int) -> bool:
        single_a = self.singles(self.a, holder)
        return bool(single_a) and len(single_a + self.singles(self.b, holder)) >= count

    def _ask_source(self, holder: str, found: list[str]) -> Question:
        names = tuple(self.s.players[f].name for f in found)
        return Question(holder, "source", names)

    def _named(self, found: list[str], answer: str) -> str:
        return next(f for f in found if self.s.players[f].name == answer)

    def trade(self, holder: str, given: list[Held], other: str, got: list[Held]) -> None:
        """§5.6.4: a swap; a player left with an odd number evens out the price of one."""
        self.move(got, other, holder)
        if other not in self.s.players or len(got) != 1 or self.units(other) % 2:
            self.move(given, holder, other)
            return
        owed = self.price(given[0]) - self.price(got[0])
        if owed > cash(self.s, other):
            self.move(given, holder, self.system)
            self._sold(other, given[0])
            return
        self.move(given, holder, other)
        pay(self.s, other, BANK, owed, "merger")

    def _sold(self, player: str, held: Held) -> None:
        self.s.round = StockRound.of(self.s).bar(player, held[0])
        pay(self.s, BANK, player, self.price(held), "merger")

    # pairs

    def _set_aside(self, player: str, answer: str | None) -> Question | None:
        """§5.6.5.1."""
        a, b = self.singles(self.a, player), self.singles(self.b, player)
        if self.units(player) % 2 == 0 or not (a or b):
            return None
        if a and b and answer is None:
            offers = tuple(f"{x} (${self.rules.price(self.s, x)})" for x in (self.a, self.b))
            return Question(player, "aside", offers)
        take_a = bool(a) if answer is None else answer == self.a
        symbol, cert = (a if take_a else b)[0]
        shares.vanish(self.s, symbol, player, cert)
        change(self.s, aside=(symbol, cert.index))
        return None

    def _return(self, player: str) -> None:
        if (aside := present(self.s).aside) is not None:
            shares.create(self.s, aside[0], player, aside[1], 10)
            change(self.s, aside=None)

    def _pairs(self, task: Task, answer: str | None) -> Question | None:
        holder = task.holder
        while self.units(holder) >= 2:
            with_presidency = self.presidency(self.a, holder) + self.presidency(self.b, holder)
            count = 2 if with_presidency else 1
            found = self.source(holder, count, task.order)
            if not found:
                self.move(self.b_certs(holder), holder, self.system)
                return None
            if len(found) > 1 and answer is None:
                return self._ask_source(holder, found)
            other = self._named(found, answer) if len(found) > 1 and answer else found[0]
            answer = None
            if other == holder:
                self._own_pair(holder, count)
            else:
                self._traded_pair(holder, other, count)
        return None

    def _own_pair(self, holder: str, count: int) -> None:
        """§5.6.4, pairs.2."""
        used = self.presidency(self.a, holder) or self.a_certs(holder)[:count]
        self.use_up(used, holder)
        rest = self.b_certs(holder) + self.a_certs(holder)
        gone = self.presidency(self.b, holder) or rest[:count]
        self.move(gone, holder, self.system)
        exact = "merger_exact_pairs" in self.rules.options
        presidency = tuple(c for c in self.own if c.index == 0)
        if exact and (count == 1 or not gone):
            self.give(holder, self.first_single())
            if not gone:
                change(self.s, extra=present(self.s).extra + 1)
        elif count == 2 and presidency:
            self.give(holder, presidency)
        else:
            self.give(holder, self.own[:count])

    def _traded_pair(self, holder: str, other: str, count: int) -> None:
        """§5.6.4, pairs.3."""
        given = (
            self.presidency(self.a, holder)
            or self.presidency(self.b, holder)
            or self.b_certs(holder)[:1]
        )
        a, b = self.singles(self.a, other), self.singles(self.b, other)
        got = (a[:1] + b[:1] + a[1:2])[:count]
        self.trade(holder, given, other, got)
        self.use_up(self.a_certs(holder)[:1], holder)
        self.move((self.b_certs(holder) + self.a_certs(holder))[:1], holder, self.system)
        self.give(holder, self.first_single())

    # singles

    def _single(self, task: Task, answer: str | None) -> Question | None:
        holder = task.holder
        last = (self.a_certs(holder) + self.b_certs(holder))[:1]
        if not last:
            return None
        price, price_s = self.price(last[0]), self.rules.price(self.s, self.system)
        if holder in self.s.players and not present(self.s).exchanging:
            if self._must_sell(holder, price, price_s) or answer == "Sell":
                self.move(last, holder, self.system)
                self._sold(holder, last[0])
                return None
            if answer is None:
                offers = (f"Exchange (${price - price_s})", f"Sell (${price})")
                return Question(holder, "single", offers)
            answer = None
        found = self.source(holder, 1, task.order)
        if len(found) > 1 and answer is None:
            change(self.s, exchanging=True)
            return self._ask_source(holder, found)
        change(self.s, exchanging=False)
        if not found:
            self.move(self.b_certs(holder), holder, self.system)
            return None
        other = self._named(found, answer) if len(found) > 1 and answer else found[0]
        self._exchange(holder, other, last, price_s - price)
        return None

    def _must_sell(self, player: str, price: int, price_s: int) -> bool:
        if price + cash(self.s, player) < price_s or not self.own:
            return True
        if "merger_exchange_after_sale" in self.rules.options:
            return False
        sold = StockRound.of(self.s).barred.get(player, ())
        return self.a in sold or self.b in sold

    def _exchange(self, holder: str, other: str, last: list[Held], extra: int) -> None:
        if other != holder:
            self.trade(holder, last, other, self.singles(self.a, other)[:1])
        if holder in self.s.players:
            pay(self.s, holder, BANK, extra, "merger")
        self.use_up(self.a_certs(holder)[:1], holder)
        if "merger_exact_pairs" in self.rules.options:
            self.give(holder, self.first_single())
        else:
            self.give(holder, self.own[:1])

    # the rest

    def _gather(self) -> None:
        """§5.6.5.4."""
        for held in (self.a_certs(self.b), self.b_certs(self.b)):
            self.move(held, self.b, self.a)

    def _rest(self) -> None:
        """§5.6.5.5: what was discarded comes back as units of the system in the pool."""
        due = sum(c.percent for _, c in self.a_certs(self.system)) // 10 + present(self.s).extra
        if due:
            self.give(MARKET, self.own[:due])

    def _all_to_pool(self) -> None:
        """Option ``merger_rest_to_pool``."""
        shares.move(self.s, self.system, self.own, self.system, MARKET)
        settle_presidency(self.s, self.system)


# completion (§5.6.6)


def complete(rules: Rules1828, s: State1828) -> None:
    """Sales, donation, money; then the two corporations cease to exist."""
    merger = present(s)
    symbol = merger.system
    for player, sold in StockRound.of(s).barred.items():
        if not set(merger.pair).isdisjoint(sold):
            s.round = StockRound.of(s).bar(player, symbol)
    _donate(s, symbol)
    for part in merger.pair:
        market.remove(s, part)
        s.corporations = drop(s.corporations, part)
    _finance(rules, s, symbol)
    s.round = replace(StockRound.of(s), merger=None)


def _finance(rules: Rules1828, s: State1828, symbol: str) -> None:
    """§5.6.6.4: of two floated parts the system has the cash; else it is lost, and the system
    floats like a new corporation."""
    system = s.corporations[symbol]
    if not system.late:
        set_corporation(s, symbol, floated=True)
        return
    if "merger_keep_cash" not in rules.options:
        pay(s, symbol, BANK, cash(s, symbol), "merger")
    test_float(rules, s, symbol)


def _donate(s: State1828, symbol: str) -> None:
    """§5.6.6.2: the president gives a unit to the system."""
    system = s.corporations[symbol]
    president = system.president
    if president is None or system.held(president) < 30:
        raise Failed
    unit = next(c for c in system.certs[president] if c.index)
    shares.move(s, symbol, (unit,), president, symbol)
    set_corporation(s, symbol, treasury=unit.index)
    settle_presidency(s, symbol)
