"""What holds in every state of 1817, beyond what holds in every title."""

from __future__ import annotations

from collections.abc import Iterator

from .rules import Rules1817
from .state import AcquisitionRound, State1817

#: Steps that may come before a discard that is due (§4.1, §5.2.2).
_BEFORE_DISCARDS = frozenset({"discard", "loans", "remove token", "cash crisis"})
#: Steps in which a player may be in debt: his crisis, or a founding he still pays for.
_IN_DEBT = frozenset({"cash crisis", "remove token", "home token", "size", "privates"})


def faults(rules: Rules1817, s: State1817) -> list[str]:
    """Sentences naming what is wrong; none in a legal state."""
    return [*_loans(rules, s), *_limits(rules, s), *_shorts(rules, s), *_debts(s)]


def _loans(rules: Rules1817, s: State1817) -> Iterator[str]:
    offer = s.round.offer if isinstance(s.round, AcquisitionRound) else None
    aside = offer.debts if offer is not None else 0
    held = sum(c.loans for c in s.corporations.values())
    if held + aside + s.loans_left != rules.constants.loans:
        yield f"{held} loans are out, {aside} aside, {s.loans_left} in the bank"
    buyer = offer.buyer if offer is not None else None
    for c in s.corporations.values():
        if c.loans > c.shares and c.id != buyer:
            yield f"{c.id} holds {c.loans} loans and has {c.shares} shares"


def _limits(rules: Rules1817, s: State1817) -> Iterator[str]:
    if s.finished or s.step in _BEFORE_DISCARDS:
        return
    most = rules.box.phases[s.phase].train_limit
    for c in s.corporations.values():
        if isinstance(most, int) and len(c.trains) > most:
            yield f"{c.id} has {len(c.trains)} trains and nobody is asked to discard"
        if len(c.tokens) > rules.constants.max_tokens:
            yield f"{c.id} has {len(c.tokens)} tokens"


def _shorts(rules: Rules1817, s: State1817) -> Iterator[str]:
    for c in s.corporations.values():
        for holder, certs in c.certs.items():
            signs = {cert.percent > 0 for cert in certs}
            if len(signs) > 1 and holder in s.players:
                yield f"{holder} holds shares and shorts of {c.id}"


def _debts(s: State1817) -> Iterator[str]:
    if s.finished or s.step in _IN_DEBT:
        return
    for key, player in s.players.items():
        if player.cash < 0:
            yield f"{key} has {player.cash} and is not asked to pay"
