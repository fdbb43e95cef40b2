"""Companies (§6): verbs for mines, shares, presidents, conversion; forming railways and mining
companies in the stock round (§5.1.7–9, §6.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay
from ...model.actions import Merge
from ...model.choices import Choice
from ...model.events import Converted, CorporationClosed, Founded, Merged
from ...model.frozen import FrozenDict
from ...model.records import BANK, MARKET, Cert, Token, set_corporation
from ...rounds.step import Asking, Fault
from ...rounds.steps.homes import put_free
from ...stock import market, shares
from . import fleet
from .rules import Rules1873
from .state import (
    PUBLIC_MINE,
    RAILWAY,
    Charter,
    State1873,
    StockRound,
    charter_of,
    mine_of,
    mines_of,
)

# mines


def close_mine(s: State1873, name: str) -> None:
    """§6.1.6: equipment is scrapped, cash goes to the owner, nobody owns it."""
    mine = mine_of(s, name)
    for train in mine.trains:
        fleet.scrap(s, train)
    if mine.owner is not None:
        pay(s, name, mine.owner, mine.cash, "closed")
    set_corporation(s, name, owner=None, open=False)
    s.now.emit(CorporationClosed(name))


def take_mine(s: State1873, company: str, name: str) -> None:
    """§6.2.4: a mine joins a public mining company with all it has."""
    pay(s, name, company, cash(s, name), "merged")
    set_corporation(s, name, owner=company, open=True)
    set_corporation(s, company, mines=(*charter_of(s, company).mines, name))
    s.now.emit(Merged(company, name))


# shares and presidents


def settle(s: State1873, who: str) -> None:
    """§6.5.2, unless the company is pending (§6.5.4)."""
    charter = charter_of(s, who)
    if not charter.pending:
        shares.settle_presidency(s, who, s.order)


def end_pending(s: State1873, who: str) -> None:
    """§6.5.4: the compulsory train is bought; now the largest holder leads."""
    set_corporation(s, who, pending=False)
    settle(s, who)


# conversion (§6.9)


def can_convert(s: State1873, who: str) -> bool:
    """§5.2: step V of a railway or public mining company all shares of which players hold."""
    charter = charter_of(s, who)
    sold_out = sum(charter.held(p) for p in s.order) == 100
    if charter.shares >= 10 or not sold_out:
        return False
    held = charter.held(charter.president or "") // charter.unit
    return charter.shares == 2 or held >= 2


def convert(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.9: to the next size; the new shares lie in the treasury."""
    charter = charter_of(s, who)
    count = 5 if charter.shares == 2 else 10
    unit = 100 // count
    certs = FrozenDict(
        {
            holder: tuple(Cert(c.index, unit, c.born) for c in held)
            for holder, held in charter.certs.items()
        }
    )
    tokens, slots = charter.tokens, charter.slots
    if charter.kind == RAILWAY:
        extra = rules.railways[who].extra_tokens
        tokens = (*tokens, *(Token(rules.constants.token_price) for _ in range(extra)))
    elif charter.kind == PUBLIC_MINE:
        slots = rules.constants.slots[count]
    set_corporation(s, who, certs=certs, shares=count, tokens=tokens, slots=slots)
    for index in range(charter.shares, count):
        shares.create(s, who, who, index, unit)
    s.now.emit(Converted(who, count))


def to_pool(rules: Rules1873, s: State1873, who: str, *, paid: bool) -> None:
    """All treasury shares go to the pool; if ``paid`` the bank buys them at the present price."""
    treasury = s.corporations[who].certs.get(who, ())
    if paid:
        pay(s, BANK, who, rules.price(s, who) * len(treasury), "shares")
    shares.move(s, who, treasury, who, MARKET)


# railways


def formable(rules: Rules1873, s: State1873, who: str) -> Iterator[Charter]:
    """§5.1.7: the railways of his concessions."""
    for railway in rules.railways:
        card = s.companies.get(railway)
        if card is not None and card.owner == who and not charter_of(s, railway).formed:
            yield charter_of(s, railway)


def float_railway(rules: Rules1873, s: State1873, railway: str) -> None:
    """§5.1.8: with three shares out the bank buys the rest for the pool; home tokens."""
    charter = charter_of(s, railway)
    needed = rules.box.corporations[railway].float_percent
    if charter.floated or 100 - charter.held(railway) < needed:
        return
    to_pool(rules, s, railway, paid=True)
    set_corporation(s, railway, floated=True)
    for home in rules.box.corporations[railway].home:
        put_free(rules.box, s, railway, home.hex, home.city or 0)


# public mining companies


def takes(rules: Rules1873, company: str, mine: str) -> bool:
    """§6.2: the Harzer Werke take Vor-Harzer mines only."""
    return rules.mines[mine].vor_harzer or not rules.public_mines[company].vor_harzer


def waits_for_forming(rules: Rules1873, s: State1873, who: str, company: str) -> bool:
    """§5.1.1: owned mines count, also those of other companies."""
    first = rules.constants.first_merger.get(company)
    early = first is not None and mine_of(s, first).owner == who
    if charter_of(s, company).formed or not (early or s.turn >= 2):
        return False
    owned = [m for m in mines_of(s) if m.owner is not None and takes(rules, company, m.id)]
    return len(owned) >= 2 and any(m.owner == who for m in owned)


def first_mines(rules: Rules1873, s: State1873, who: str, company: str) -> list[str]:
    """§6.2.3: mines the forming player may put in first."""
    mine = [m.id for m in fleet.free_mines(s, of=who) if takes(rules, company, m.id)]
    if s.turn == 1:
        return [m for m in mine if m == rules.constants.first_merger.get(company)]
    return mine


def may_form_mines(rules: Rules1873, s: State1873, who: str, company: str) -> bool:
    """§6.2.2: a first mine, and at least one more that could follow."""
    if charter_of(s, company).formed or not first_mines(rules, s, who, company):
        return False
    return sum(1 for m in fleet.free_mines(s) if takes(rules, company, m.id)) >= 2


class MergeMines(Asking[State1873, Rules1873]):
    """§6.2.3–5: the two mines of a company being formed."""

    name = "merge"
    rule = "6.2"
    takes = frozenset({Merge})

    def _company(self, s: State1873) -> str | None:
        return StockRound.of(s).merging

    def asked(self, s: State1873) -> str | None:
        m = StockRound.of(s)
        return m.player if m.merging else None

    def admits(self, s: State1873, who: str, kind: type) -> bool:
        return kind in self.takes and who == self._company(s)

    def _offers(self, s: State1873, company: str) -> list[str]:
        if not charter_of(s, company).mines:
            return first_mines(self.rules, s, StockRound.of(s).player, company)
        return [c.id for c in fleet.free_mines(s) if takes(self.rules, company, c.id)]

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        company = self._company(s) or ""
        for mine in self._offers(s, company):
            yield self.choice(s, company, Merge, minor=mine)

    def why_no_answer(self, s: State1873, a: Merge) -> Fault:
        offers = ", ".join(self._offers(s, a.actor))
        return "mine", f"{a.actor} can take in {offers} now, not {a.minor}."

    def answer(self, s: State1873, a: Merge) -> None:
        m, company = StockRound.of(s), a.actor
        assert a.minor is not None
        owner = mine_of(s, a.minor).owner
        assert owner is not None
        take_mine(s, company, a.minor)
        if len(charter_of(s, company).mines) == 2:
            self._complete(s, company, (m.player, owner))
            self.change(s, merging=None)

    def _complete(self, s: State1873, company: str, owners: tuple[str, str]) -> None:
        charter = charter_of(s, company)
        certs = charter.certs[company]
        for cert, owner in zip(certs, owners, strict=True):
            shares.move(s, company, (cert,), company, owner)
        worth = sum(self.rules.mines[m].value for m in charter.mines) // 2
        market.place(s, company, self.box.market.up_to(worth), "formed")
        set_corporation(s, company, floated=True)
        s.now.emit(Founded(company, owners[0], charter.shares))
