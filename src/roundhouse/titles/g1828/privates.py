"""Private companies in corporations' hands (§8): their sale, closing, and the minor's end."""

from __future__ import annotations

from ...bank import pay
from ...board import laying
from ...model.records import CLOSED
from ...rounds.steps.companies import BuyCompanies
from .rules import Rules1828
from .state import OperatingRound, State1828
from .turn import TurnStep


def close_presidencies(rules: Rules1828, s: State1828, who: str) -> None:
    """§8.3: a train has come to ``who``; the $250 privates of its names close."""
    names = s.corporations[who].names()
    for company in list(s.companies.values()):
        if rules.powers[company.id].presidency in names and company.owner in s.players:
            rules.give_company(s, company.id, CLOSED)


class BuyPrivate(BuyCompanies[State1828, Rules1828], TurnStep):
    """§8.2: at any moment of a corporation's turn."""

    name = "privates"
    rule = "8.2"

    def buyer(self, s: State1828) -> str | None:
        return self.corporation(s)

    def power_left(self, s: State1828, who: str) -> bool:
        powers = self.rules.with_power(s, who, "free_tile")
        return any(s.companies[company].uses for company, _ in powers)

    def bought(self, s: State1828, who: str, company: str) -> None:
        powers = self.rules.powers[company]
        if powers.town_tile:
            self.change(s, special=company)
        elif powers.minor:
            self._take_minor(s, who, company)

    def _take_minor(self, s: State1828, who: str, company: str) -> None:
        """§8.6.2: money, and what becomes of its place."""
        minor = s.corporations[self.rules.constants.minor.id]
        pay(s, minor.id, who, minor.cash, "private")
        coord, city, slot = self.rules.remove_minor(s)
        charter = s.corporations[who]
        there = any(t.city and t.city.startswith(f"{coord}/") for t in charter.tokens)
        if there or all(t.city for t in charter.tokens):
            if "cp_always_blocker" in self.rules.options:
                laying.block(self.box, s, coord, city, slot)
        elif OperatingRound.of(s).placed:
            laying.block(self.box, s, coord, city, slot)
        else:
            self.change(s, special=company)
