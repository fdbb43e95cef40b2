"""Where the money of a game went: every payment, and what flowed from where to where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ..game import Game
from ..history import Entry
from ..model.events import DividendDeclared, Event, Paid
from ..model.records import BANK, State
from .rounds import rounds_of
from .tables import written

#: What a payment between a company and the bank is called, by its reason.
_CALLED: Final[Mapping[str, str]] = {
    "dividend": "runs", "tile": "track", "token": "stations", "train": "trains", "loan": "loans",
    "shares": "shares", "private": "privates", "income": "income", "capital": "starting capital",
}  # fmt: skip
#: Reasons for which players pay the bank, or it pays them, by the pool that stands between.
_POOLS: Final[Mapping[str, str]] = {
    "shares": "market", "short": "market", "auction": "privates", "draft": "privates",
    "private": "privates", "income": "privates",
}  # fmt: skip
_RUNS, _OTHERS = "runs", "other companies"


class Payment(NamedTuple):
    """Money that changed hands: who paid whom (names; ``bank``), and the word for why."""

    round: str
    action: int
    payer: str
    payee: str
    amount: int
    why: str


class Flow(NamedTuple):
    """What went from a source to a middle, or (``out``) from a middle to a target, in the whole
    game. A middle is a company, ``market``, ``privates`` or ``bank``; ``at``: the action of the
    largest payment in it."""

    out: bool
    middle: str
    end: str
    amount: int
    at: int


def payments_of(game: Game) -> Iterator[Payment]:
    """Every payment of a game, in order."""
    names = {key: player.name for key, player in game.state.players.items()}
    for part in rounds_of(game):
        for entry in part.entries:
            for paid in _payments(entry.events):
                payer, payee = (names.get(who, who) for who in (paid.payer, paid.payee))
                yield Payment(part.name, entry.action.id or 0, payer, payee, paid.amount, paid.why)


def payments_csv(game: Game) -> str:
    """The payments as comma-separated values, with a line of names."""
    return written(Payment._fields, payments_of(game))


def flows_of(game: Game) -> list[Flow]:
    """The flows of a game, the largest first."""
    total: dict[tuple[bool, str, str], int] = defaultdict(int)
    peaks: dict[tuple[bool, str, str], tuple[int, int]] = {}
    for entry in game.history:
        for link, amount in _links(game.state, entry):
            total[link] += amount
            peaks[link] = max(peaks.get(link, (0, 0)), (amount, entry.action.id or 0))
    flows = [Flow(*link, amount, peaks[link][1]) for link, amount in total.items()]
    return sorted(flows, key=lambda f: (-f.amount, f))


def _payments(events: Iterable[Event]) -> Iterator[Paid]:
    return (e for e in events if isinstance(e, Paid))


def _links(s: State, entry: Entry) -> Iterator[tuple[tuple[bool, str, str], int]]:
    """The payments of an entry as links. What the bank pays on a company's dividend comes from the
    company's runs and goes through it."""
    declared = next((e for e in entry.events if isinstance(e, DividendDeclared)), None)
    for paid in _payments(entry.events):
        runner = declared.who if declared is not None and paid.why == "dividend" else None
        for link in _ways(s, paid, runner):
            yield link, paid.amount


def _ways(s: State, paid: Paid, runner: str | None) -> Sequence[tuple[bool, str, str]]:
    """A payment as one or two links."""
    giver, taker = _name(s, paid.payer), _name(s, paid.payee)
    if runner is not None and paid.payer == BANK:
        earned = (False, runner, _RUNS)
        return (earned,) if paid.payee == runner else (earned, (True, runner, taker))
    if runner is not None and paid.payee == BANK:
        return ((False, runner, giver),)
    if BANK in (paid.payer, paid.payee):
        return (_with_bank(s, paid),)
    if paid.payer in s.players and paid.payee in s.players:
        return (False, "bank", giver), (True, "bank", taker)
    if paid.payer in s.players:
        return ((False, taker, giver),)
    if paid.payee in s.players:
        return ((True, giver, taker),)
    return (True, giver, _OTHERS), (False, taker, _OTHERS)


def _with_bank(s: State, paid: Paid) -> tuple[bool, str, str]:
    """A payment to or from the bank: of a player through a pool, of a company for a purpose."""
    out = paid.payer == BANK
    other = paid.payee if out else paid.payer
    if other in s.players:
        return out, _POOLS.get(paid.why, "bank"), _name(s, other)
    return not out, other, _CALLED.get(paid.why, paid.why)


def _name(s: State, who: str) -> str:
    return s.players[who].name if who in s.players else who
