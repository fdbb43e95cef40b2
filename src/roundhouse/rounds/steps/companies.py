"""Private companies: bought from players by the company on turn, and their markers on the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...bank import cash, pay
from ...model.actions import Action, Assign, BuyCompany, Pass, company_key
from ...model.choices import Choice, Span
from ...model.records import State
from ..rules import R, Rules, S
from .operating import TurnStep

if TYPE_CHECKING:
    from ...box.box import Box

#: What a phase says in which private companies may be bought.
OPEN = "can_buy_companies"


def span_of(box: Box, company: str) -> Span | None:
    """What a private company may cost; None if it is never sold."""
    low, high = box.companies[company].min_price, box.companies[company].max_price
    return None if low is None or high is None else Span(low, high)


def on_sale(rules: Rules[Any], s: State, who: str) -> Iterator[tuple[str, Span]]:
    """What a company could buy and pay now, and for how much."""
    if not rules.has_status(s, OPEN):
        return
    money = cash(s, who)
    for record in s.companies.values():
        span = span_of(rules.box, record.id) if record.owner in s.players else None
        if span is not None and span.low <= money:
            yield record.id, Span(span.low, min(span.high, money))


class BuyCompanies(TurnStep[S, R]):
    """In phases that allow it the company on turn may buy private companies from players at any
    moment; at the end of the turn it is asked. The box says between which prices; one without a
    least price is never sold."""

    name = "companies"
    takes = frozenset({BuyCompany, Pass})
    stage = "companies"

    # policies

    def buyer(self, s: S) -> str | None:
        """Who may buy now."""
        return self.rules.operator(s)

    def power_left(self, s: S, who: str) -> bool:
        """Whether some power of a private company may still be used in this turn."""
        return False

    def usual(self, low: int, high: int) -> int:
        """The price offered first."""
        return low

    def bought(self, s: S, who: str, company: str) -> None:
        """What follows from a purchase."""

    # what follows from them

    def waits(self, s: S, who: str) -> bool:
        return any(True for _ in on_sale(self.rules, s, who)) or self.power_left(s, who)

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        return who == self.buyer(s) if kind is BuyCompany else super().admits(s, who, kind)

    def choices(self, s: S) -> Iterator[Choice]:
        if (who := self.buyer(s)) is not None:
            yield from self.answers(s, who)
            if self.actors(s):
                yield Choice(Pass(**self.sender(s, who)))

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        for company, span in on_sale(self.rules, s, who):
            price = self.usual(span.low, span.high)
            yield self.choice(s, who, BuyCompany, {"price": span}, company=company, price=price)

    def check_answer(self, s: S, a: BuyCompany) -> None:
        if not self.rules.has_status(s, OPEN):
            raise self.refuse("phase", "Private companies cannot be bought in this phase.")
        record = s.companies.get(a.company)
        span = span_of(self.box, a.company) if record and record.owner in s.players else None
        if span is None:
            raise self.refuse("not_for_sale", f"No player can sell {a.company} to a company.")
        if not span.contains(a.price):
            low, high = self.money(span.low), self.money(span.high)
            raise self.refuse("price", f"{a.company} costs {low} to {high}.")
        self.insist(self.rules.why_no_cash(s, a.actor, a.price))

    def answer(self, s: S, a: BuyCompany) -> None:
        pay(s, a.actor, s.companies[a.company].owner or "", a.price, "private")
        self.rules.give_company(s, a.company, a.actor)
        self.bought(s, a.actor, a.company)


class PrivateMarks(TurnStep[S, R]):
    """Private companies of the company on turn put markers on hexes, at any moment of it."""

    takes = frozenset({Assign})
    quiet = True

    # policies

    def marks(self, s: S, who: str) -> Iterable[tuple[str, Sequence[str]]]:
        """The private companies of ``who`` that have a marker left, and the hexes it may go to."""
        raise NotImplementedError

    def mark(self, s: S, who: str, company: str, coord: str) -> None:
        """Put the marker of a private company of ``who`` on a hex."""
        raise NotImplementedError

    # what follows from them

    def choices(self, s: S) -> Iterator[Choice]:
        return self.answers(s, self.operator(s) or "")

    def hexes(self, s: S) -> dict[str, Sequence[str]]:
        """By private company that may act now, where."""
        who = self.operator(s)
        return {} if who is None else dict(self.marks(s, who))

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        return kind is Assign and who in map(company_key, self.hexes(s))

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        for company, hexes in self.hexes(s).items():
            for coord in hexes:
                key = company_key(company)
                yield self.choice(s, key, Assign, target=coord, target_type="hex")

    def check_answer(self, s: S, a: Assign) -> None:
        if a.target_type != "hex" or a.target not in self.hexes(s)[str(a.entity)]:
            raise self.refuse("hex", f"The marker of {a.entity} cannot go to {a.target}.")

    def answer(self, s: S, a: Assign) -> None:
        self.mark(s, self.operator(s) or "", str(a.entity), a.target)
