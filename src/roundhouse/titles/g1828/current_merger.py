"""The merger going on in a stock round (§5.6): where it is kept; what may be answered in it, and
how game files word that (§5.6.4, §15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...model.choices import Domain
from ...rounds.step import Kept
from .state import Merger, State1828, StockRound

if TYPE_CHECKING:
    from random import Random


#: The merger going on.
_MERGER = Kept(StockRound, "merger", Merger)
current, present, change = _MERGER.get, _MERGER.of, _MERGER.change


def give_chance(s: State1828, symbol: str) -> None:
    """§5.6.7.4: a share or the price of a corporation has moved; mergers with it may be tried
    again."""
    if isinstance(s.round, StockRound) and s.round.failed:
        left = tuple(f for f in s.round.failed if symbol not in f[1:])
        s.round = replace(s.round, failed=left)


def meanings(merger: Merger) -> list[str]:
    """What may be answered now, in the short form. §5.6.7.2: an exchange that would bring money is
    offered but refused."""
    question = merger.question
    if question is None:
        return []
    if question.kind == "source":
        return list(question.offers)
    brings_money = question.kind == "single" and "$-" not in question.offers[0]
    return [offer.partition(" ($")[0] for offer in question.offers[brings_money:]]


def understood(merger: Merger, text: object) -> str | None:
    """The short form of an answer; None if it is none. Files may write any piece of an offered
    text: it means the second thing unless it names the first. Players' names are written in full.
    """
    question, allowed = merger.question, meanings(merger)
    if question is None or not isinstance(text, str) or not text:
        return None
    if question.kind == "source":
        return text if text in allowed else None
    if not any(text in offer for offer in question.offers):
        return None
    named, other = ("Sell", "Exchange") if question.kind == "single" else merger.pair
    meaning = named if named in text else other
    return meaning if meaning in allowed else None


class AnswerText(Domain):
    """All texts that mean one answer."""

    def __init__(self, merger: Merger, meaning: str) -> None:
        self.merger, self.meaning = merger, meaning

    def values(self) -> Iterator[str]:
        return iter((self.meaning,))

    def contains(self, value: object) -> bool:
        return understood(self.merger, value) == self.meaning

    def draw(self, rng: Random) -> str:
        question = self.merger.question
        offers = question.offers if question else ()
        return rng.choice([self.meaning, *(o for o in offers if self.contains(o))])
