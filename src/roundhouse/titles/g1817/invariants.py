"""What holds in every state of 1817, beyond what holds in every title."""

from __future__ import annotations

from collections.abc import Iterator

from .rules import Rules1817
from .state import AcquisitionRound, State1817


def faults(rules: Rules1817, s: State1817) -> list[str]:
    """Sentences naming what is wrong; none in a legal state."""
    return [*_loans(rules, s), *_charters(rules, s)]


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


def _charters(rules: Rules1817, s: State1817) -> Iterator[str]:
    for c in s.corporations.values():
        if len(c.tokens) > rules.constants.max_tokens and s.step != "remove token":
            yield f"{c.id} has {len(c.tokens)} tokens"
        for holder, certs in c.certs.items():
            signs = {cert.percent > 0 for cert in certs}
            if len(signs) > 1 and holder in s.players:
                yield f"{holder} holds shares and shorts of {c.id}"
