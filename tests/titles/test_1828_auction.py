"""Setup and auction of 1828: scenarios 1 to 4 of the rules text's tests (§17)."""

from __future__ import annotations

from pathlib import Path

import pytest

import roundhouse
from roundhouse import Game, IllegalAction

from build1828 import money, player, types


def new(players: int = 3, seed: int = 1, *options: str) -> Game:
    return roundhouse.new(
        "1828", ["Ada", "Ben", "Cleo", "Dora", "Emil"][:players], seed=seed, options=options
    )


def bid(who: int, company: str, price: int) -> dict[str, object]:
    return player(who, "bid", company=company, price=price)


def owner(game: Game, company: str) -> str | None:
    found: str | None = game.state.companies[company].owner
    return found


@pytest.mark.parametrize(
    ("seed", "players", "options", "removed"),
    [
        (23366, 4, (), {"OSH", "NKP", "NW"}),
        (2007664020, 3, (), {"MC", "NW", "GT", "IC"}),
        (809403741, 3, (), {"GT", "MC", "NKP", "IC"}),
        (7, 5, (), {"NKP", "GT"}),
        (70, 4, (), {"GT", "OSH", "NW"}),
        (70, 4, ("ensure_good_privates",), {"GT", "IC", "CPR"}),
    ],
)
def test_privates_removed(
    seed: int, players: int, options: tuple[str, ...], removed: set[str]
) -> None:
    game = new(players, seed, *options)
    assert {c.id for c in game.state.companies.values() if c.closed} == removed
    assert removed <= set(game.state.corporations)


@pytest.mark.parametrize(("players", "cash", "sixes"), [(3, 800, 3), (4, 700, 3), (5, 620, 4)])
def test_setup_by_players(players: int, cash: int, sixes: int) -> None:
    state = new(players).state
    assert {p.cash for p in state.players.values()} == {cash}
    piles = {p.kind: p.left for p in state.depot.piles}
    assert piles == {"2": 6, "3": 9, "5": 4, "3+D": 6, "6": sixes, "8E": 3, "D": None}
    assert state.corporations["C&P"].trains == ("2-1",)
    assert state.board.cities["C15"] == (("C&P",),)


def test_a_purchase_resolves_the_tiers(reference: Path) -> None:
    """Single bidders get theirs at once; the lowest bidder speaks first in the auction."""
    game = roundhouse.load(reference / "games" / "1828" / "23366.json")
    after = game.at(17)
    sold = {"SVN": 648, "StCT": 648, "C&StL": 648, "D&H": 2051, "C&P": 5518}
    assert {c: owner(after, c) for c in sold} == {c: f"player:{p}" for c, p in sold.items()}
    assert after.state.round.contested == "M&H"
    assert after.acting == ("player:648",)
    end = game.at(40)
    assert [end.state.players[p].id for p in end.state.order] == [2506, 2051, 5518, 648]
    assert [money(end, p) for p in end.state.order] == [320, 170, 210, 105]


def test_a_bid_in_front_of_a_partner_without_one_waits() -> None:
    """§3.4.1, and the option that drops it."""
    for options, waits in (((), True), (("auction_strict_order",), False)):
        game = new(3, 1, *options)
        game.apply(bid(1, "StCT", 25))
        game.apply(bid(2, "C&StL", 45))
        game.apply(bid(3, "D&H", 85))
        game.apply(bid(1, "SVN", 20))
        assert owner(game, "StCT") == "player:1"
        assert owner(game, "C&StL") == "player:2"
        assert (owner(game, "D&H") is None) == waits


def test_everybody_passes() -> None:
    """§3.7: bids are settled regardless of tiers, then all sold privates pay; C&P still does."""
    game = new()
    game.apply(bid(1, "C&P", 85))
    game.apply(bid(2, "C&P", 90))
    for who in (3, 1, 2):
        game.apply(player(who, "pass"))
    assert game.acting == ("player:1",)
    game.apply(player(1, "pass"))
    assert owner(game, "C&P") == "player:2"
    assert money(game, "player:2") == 800 - 90 + 15
    assert game.acting == ("player:3",)
    assert game.state.corporations["C&P"].president == "player:2"


def test_dear_privates_keep_one_bid() -> None:
    """§3.2.8, and the option of auctions for all."""
    name = next(c for c in new().state.companies.values() if not c.closed and c.id == "CPR").id
    game = new()
    game.apply(bid(1, name, 255))
    game.apply(bid(2, name, 260))
    assert game.state.round.bids[name] == (("player:2", 260),)
    game = new(3, 1, "auction_all_tiers")
    game.apply(bid(1, name, 255))
    game.apply(bid(2, name, 260))
    assert len(game.state.round.bids[name]) == 2
    for who in (3, 1, 2):
        game.apply(player(who, "pass"))
    assert game.acting == ("player:1",)
    game.apply(player(1, "pass"))
    assert owner(game, name) == "player:2"
    assert types(game) == {"par"}


def test_bids_are_bound_money() -> None:
    """§3.2.6–7."""
    game = new(5)
    game.apply(bid(1, "C&A", 400))
    for who in (2, 3, 4, 5):
        game.apply(player(who, "pass"))
    with pytest.raises(IllegalAction) as caught:
        game.apply(bid(1, "CPR", 255))
    assert caught.value.code == "no_cash"
    with pytest.raises(IllegalAction) as caught:
        game.apply(bid(1, "C&A", 407))
    assert caught.value.code == "bid_step"
    game.apply(bid(1, "C&A", 620))


def test_a_dear_private_brings_thirty_percent() -> None:
    """§3.6."""
    game = new()
    game.apply(bid(1, "CPR", 255))
    for who in (2, 3, 1):
        game.apply(player(who, "pass"))
    assert game.acting == ("player:1",)
    cells = {c.action.share_price for c in game.choices()}
    assert cells == {"79,9,5", "71,11,6", "67,13,7"}
    game.apply(player(1, "par", corporation="CPR", share_price="79,9,5"))
    cpr = game.state.corporations["CPR"]
    assert [c.index for c in cpr.certs["player:1"]] == [1, 0]
    assert cpr.president == "player:1"
    assert cpr.cash == 0
