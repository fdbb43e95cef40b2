"""What traces of 1817 tell beyond the common comparison: order lists, standing bids, pass marks and
the state of mergers, after every action of the real games (traces/FORMAT.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import roundhouse
from roundhouse.model.records import State
from roundhouse.rounds.bidding import Bidding
from roundhouse.titles.g1817.state import (
    AcquisitionRound,
    AuctionRound,
    MergerRound,
    OperatingRound,
    StockRound,
)
from roundhouse.trace import merge, read_trace

from reference import real_games

FILES = real_games("1817")


def positions(path: Path) -> Iterator[tuple[State, dict[str, Any]]]:
    """Our states and the trace's, side by side."""
    game = roundhouse.load(path)
    ours = [game.start, *(e.state for e in game.history)]
    theirs: dict[str, Any] = {}
    trace = path.parents[2] / "traces" / "1817" / f"{path.stem}.jsonl.gz"
    for state, line in zip(ours, read_trace(trace), strict=False):
        merge(theirs, line.get("state") or line.get("d") or {})
        if not theirs.get("finished"):
            yield state, theirs


def _bidding(s: State) -> Bidding | None:
    match s.round:
        case AuctionRound(bidding=bidding):
            return bidding
        case StockRound(founding=founding) if founding and founding.stage == "auction":
            return founding.bidding
        case AcquisitionRound(offer=offer) if offer and offer.stage == "auction":
            return offer.bidding
    return None


def bids(s: State) -> dict[str, Any]:
    """The latest bid of everybody still in, in the order they were made."""
    bidding = _bidding(s)
    if bidding is None or not bidding.bids:
        return {}
    latest: dict[str, int] = {}
    for who, price in bidding.bids:
        latest.pop(who, None)
        latest[who] = price
    standing = [[s.players[w].id, p] for w, p in latest.items() if w in bidding.bidders]
    return {bidding.item: standing}


def entities(s: State) -> list[str] | None:
    """The order list of the round; while players deal in a merger, their seats."""
    match s.round:
        case MergerRound(deal=deal) if deal is not None:
            return list(s.order)
        case OperatingRound(order=order) | MergerRound(order=order):
            return [f"corporation:{c}" for c in order]
        case AcquisitionRound(bidders=bidders):
            return list(bidders)
    return None


def passed(s: State) -> set[str]:
    """Who has passed in the stock round, or had his say after a conversion or merger."""
    match s.round:
        case StockRound(passed=marks) | AuctionRound(passed=marks):
            return set(marks)
        case MergerRound(deal=deal) if deal is not None:
            return set(deal.done)
    return set()


def merging(s: State) -> dict[str, Any] | None:
    """What was converted and the stations it needs; or the corporations still to be treated."""
    match s.round:
        case MergerRound(deal=deal) if deal is not None:
            needed = {"tokens_needed": deal.stations} if deal.stations else {}
            return {"converted": deal.corporation, **needed}
        case AcquisitionRound(order=order):
            return {"offering": list(order)}
    return None


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_orders_bids_and_marks_agree(path: Path) -> None:
    for s, theirs in positions(path):
        marks = {f"player:{k}" for k, p in theirs["players"].items() if p.get("passed")}
        assert bids(s) == (theirs.get("bids") or {})
        assert entities(s) == theirs.get("entities")
        assert passed(s) == marks
        assert merging(s) == theirs.get("merger")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_nothing_else_can_be_done_than_the_trace_says(path: Path) -> None:
    """Every kind of action the player or corporation on turn may take is in ``can``; it may name
    more, for it does not look whether there is a place or the money."""
    from roundhouse.rounds import machine

    game = roundhouse.load(path)
    for number, (s, theirs) in enumerate(positions(path)):
        if number % 7 == 0:
            kinds = {c.type for c in machine.choices(game.rules, s) if c.actor == s.acting[0]}
            assert kinds <= set(theirs["can"]), (number, s.step)
