"""Bids that stand on many things."""

from __future__ import annotations

from roundhouse.rounds import bidding

STANDING = {"X": (("ann", 25), ("ben", 30)), "Y": (("ann", 45),), "Z": ()}


def test_highest_and_lowest() -> None:
    assert bidding.highest(STANDING["X"]) == 30
    assert bidding.highest(STANDING["Z"]) == 0
    assert bidding.lowest_bidder(STANDING["X"]) == "ann"


def test_money_committed_elsewhere() -> None:
    assert bidding.committed(STANDING, "ann", "X") == 45
    assert bidding.committed(STANDING, "ann", "Z") == 70
    assert bidding.committed(STANDING, "ben", "X") == 0


def test_a_new_bid_replaces_the_old_one() -> None:
    assert bidding.bid_again(STANDING["X"], "ann", 35) == (("ben", 30), ("ann", 35))
    assert bidding.withdraw(STANDING["X"], "ben") == (("ann", 25),)
