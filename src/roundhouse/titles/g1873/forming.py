"""Forming companies in the stock round (§5.1.7–9, §6.2): railways, public mining companies."""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...model.actions import Merge
from ...model.choices import Choice
from ...model.events import Founded
from ...model.records import set_corporation
from ...rounds.step import Asking
from ...stock import market, shares
from . import fleet
from .companies import mines_of, take_mine, to_pool
from .rules import Rules1873
from .state import Charter, State1873, StockRound, charter_of, mine_of

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
        city = home.city or 0
        slot = laying.free_slot(rules.box, s.board, home.hex, city, railway)
        assert slot is not None
        laying.place_token(rules.box, s, railway, home.hex, city, slot, 0)


# public mining companies


def takes(rules: Rules1873, company: str, mine: str) -> bool:
    """§6.2: the Harzer Werke take Vor-Harzer mines only."""
    return fleet.is_v_h(rules, mine) or not rules.public_mines[company].vor_harzer


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
        m = s.round
        return m.merging if isinstance(m, StockRound) else None

    def asked(self, s: State1873) -> str | None:
        m = s.round
        return m.player if isinstance(m, StockRound) and m.merging else None

    def admits(self, s: State1873, who: str, kind: type) -> bool:
        return kind in self.takes and who == self._company(s)

    def _offers(self, s: State1873, company: str) -> list[str]:
        m = s.round
        assert isinstance(m, StockRound)
        if not charter_of(s, company).mines:
            return first_mines(self.rules, s, m.player, company)
        return [c.id for c in fleet.free_mines(s) if takes(self.rules, company, c.id)]

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        company = self._company(s) or ""
        for mine in self._offers(s, company):
            yield self.choice(s, company, Merge, minor=mine)

    def check_answer(self, s: State1873, a: Merge) -> None:
        offers = self._offers(s, a.actor)
        if a.corporation is not None or a.minor not in offers:
            raise self.refuse(
                "mine", f"{a.actor} can take in {', '.join(offers)} now, not {a.minor}."
            )

    def answer(self, s: State1873, a: Merge) -> None:
        m, company = s.round, a.actor
        assert isinstance(m, StockRound)
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
        cells = [c for c in self.box.market.cells.values() if c.price <= worth]
        market.place(s, company, cells[-1].id, "formed")
        set_corporation(s, company, floated=True)
        s.now.emit(Founded(company, owners[0], charter.shares))
