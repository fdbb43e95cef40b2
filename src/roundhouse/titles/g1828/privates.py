"""Private companies in corporations' hands (§8): their sale, closing, and the minor's end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Action, BuyCompany, Pass
from ...model.choices import Choice, Span
from ...model.events import CorporationClosed
from ...model.records import BANK, CLOSED, drop
from ...trains import depot
from .state import State1828
from .turn import TurnStep, memory

if TYPE_CHECKING:
    from .rules import Rules1828


def close_presidencies(rules: Rules1828, s: State1828, who: str) -> None:
    """§8.3: a train has come to ``who``; the $250 privates of its names close."""
    names = s.corporations[who].names()
    for company in list(s.companies.values()):
        if rules.powers[company.id].presidency in names and company.owner in s.players:
            rules.give_company(s, company.id, CLOSED)


def close_all(rules: Rules1828, s: State1828) -> None:
    """§12.2: the first 6-train closes all privates and ends the minor."""
    for company in list(s.companies.values()):
        if not company.closed:
            rules.give_company(s, company.id, CLOSED)
    minor = rules.constants.minor.id
    if minor in s.corporations:
        pay(s, minor, BANK, cash(s, minor), "closing")
        coord, city, slot = remove_minor(rules, s)
        laying.block(rules.box, s, coord, city, slot)


def remove_minor(rules: Rules1828, s: State1828) -> tuple[str, int, int]:
    """The minor disappears with its train and its token; returns where that was."""
    minor = s.corporations[rules.constants.minor.id]
    coord, city = laying.split_place(minor.tokens[0].city or "")
    slot = s.board.cities[coord][city].index(minor.id)
    laying.lift_token(rules.box, s, minor.id, coord, city, slot)
    for train in minor.trains:
        depot.remove(s, train)
    s.corporations = drop(s.corporations, minor.id)
    s.now.emit(CorporationClosed(minor.id))
    return coord, city, slot


class BuyPrivate(TurnStep):
    """§8.2: at any moment of a corporation's turn; at its end the step waits."""

    name = "privates"
    rule = "8.2"
    takes = frozenset({BuyCompany, Pass})
    stage = "privates"

    def _open(self, s: State1828) -> bool:
        return self.rules.has_status(s, self.rules.constants.buy_companies)

    def _for_sale(self, s: State1828) -> list[str]:
        """Privates players could sell."""
        return [
            c.id
            for c in s.companies.values()
            if c.owner in s.players and not self.rules.powers[c.id].presidency
        ]

    def waits(self, s: State1828, who: str) -> bool:
        buyable = self._open(s) and cash(s, who) >= 1 and self._for_sale(s)
        unused = any(
            powers.free_tile and s.companies[c].uses for c, powers in self.rules.owned(s, who)
        )
        return bool(buyable or unused)

    def admits(self, s: State1828, who: str, kind: type[Action]) -> bool:
        if kind is BuyCompany:
            return self._open(s) and who == self.corporation(s)
        return super().admits(s, who, kind)

    def choices(self, s: State1828) -> Iterator[Choice]:
        who = self.corporation(s)
        if who is None:
            return
        money = cash(s, who)
        if self._open(s) and money >= 1:
            for company in self._for_sale(s):
                most = self.box.companies[company].max_price or 0
                buy = BuyCompany(**self.sender(s, who), company=company, price=1)
                yield Choice(buy, {"price": Span(1, min(most, money))})
        if self.actors(s):
            yield Choice(Pass(**self.sender(s, who)))

    def check(self, s: State1828, a: BuyCompany | Pass) -> None:
        if isinstance(a, Pass):
            return
        if a.company not in self._for_sale(s):
            raise self.refuse("not_for_sale", f"No player can sell {a.company} to a corporation.")
        most = self.box.companies[a.company].max_price or 0
        if not 1 <= a.price <= most:
            raise self.refuse("price", f"{a.company} costs from $1 to ${most}.")
        if a.price > cash(s, a.actor):
            raise self.refuse("no_cash", f"{a.actor} has ${cash(s, a.actor)}, not ${a.price}.")

    def apply(self, s: State1828, a: BuyCompany | Pass) -> None:
        if isinstance(a, Pass):
            self.decline(s, a.actor)
            return
        pay(s, a.actor, s.companies[a.company].owner or "", a.price, "private")
        self.rules.give_company(s, a.company, a.actor)
        powers = self.rules.powers[a.company]
        if powers.town_tile:
            self.change(s, special=a.company)
        elif powers.minor:
            self._take_minor(s, a.actor, a.company)

    def _take_minor(self, s: State1828, who: str, company: str) -> None:
        """§8.6.2: money, and what becomes of its place."""
        minor = s.corporations[self.rules.constants.minor.id]
        pay(s, minor.id, who, minor.cash, "private")
        coord, city, slot = remove_minor(self.rules, s)
        charter = s.corporations[who]
        there = any(t.city and t.city.startswith(f"{coord}/") for t in charter.tokens)
        if there or all(t.city for t in charter.tokens):
            if "cp_always_blocker" in self.rules.options:
                laying.block(self.box, s, coord, city, slot)
        elif memory(s).placed:
            laying.block(self.box, s, coord, city, slot)
        else:
            self.change(s, special=company)
