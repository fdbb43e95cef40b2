"""18Ireland in positions built by hand: the scenarios of the rules text (§17) no real game has."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import roundhouse
from roundhouse import Game, IllegalAction
from roundhouse.bank import pay
from roundhouse.board import laying
from roundhouse.board.tileset import keeps_track
from roundhouse.model.actions import Action
from roundhouse.model.records import BANK, MARKET, Board, Depot, Pile, put
from roundhouse.rounds import machine
from roundhouse.rounds.step import Moment
from roundhouse.stock import market, shares
from roundhouse.titles.g18ireland.rules import Rules18Ireland
from roundhouse.titles.g18ireland.starting import home_of, launch, place_home
from roundhouse.titles.g18ireland.state import (
    AuctionRound,
    MergerRound,
    OperatingRound,
    State18Ireland,
    StockRound,
)
from roundhouse.trains import depot

replace = msgspec.structs.replace

P1, P2, P3 = "player:1", "player:2", "player:3"
LAST_TRAINS = Depot((Pile("10H", 1, 1), Pile("D", 0, None)))


#: Where majors of these tests are at home.
HOMES = {"GSWR": "C13", "MGWR": "C13", "MRNCC": "I17", "DSER": "G19"}


class Table:
    """A game whose state is arranged before play goes on."""

    def __init__(self, seed: int = 1, players: int = 3, options: tuple[str, ...] = ()) -> None:
        names = [f"P{n}" for n in range(1, players + 1)]
        self.game: Game = roundhouse.new("18Ireland", names, seed=seed, options=options)
        assert isinstance(self.game.rules, Rules18Ireland)
        self.rules: Rules18Ireland = self.game.rules

    @property
    def s(self) -> State18Ireland:
        assert isinstance(self.game.state, State18Ireland)
        return self.game.state

    # arranging

    def arrange(self) -> State18Ireland:
        """A state that can be written to."""
        s = self.s.fork()
        s.now = Moment()
        self.game.state = s
        return s

    def settle(self) -> None:
        machine.settle(self.rules, self.s)

    def lay(self, coord: str, tile: str, rotation: int) -> None:
        s = self.arrange()
        copy = laying.free_copies(self.rules.box, s.board, tile)[0]
        laying.lay(self.rules.box, s, "", coord, copy, rotation, 0)

    def start(
        self,
        symbol: str,
        cell: str,
        president: str,
        cash: int = 0,
        **held: int,
    ) -> None:
        """Start a corporation; ``held``: further ordinary shares by player number or ``pool``."""
        s = self.arrange()
        if symbol not in s.corporations:
            s.corporations = put(s.corporations, symbol, self.rules.unstarted(symbol))
        if symbol in HOMES:
            coord, city = HOMES[symbol], None
            laying.reserve(s, coord, ())
        else:
            coord, city = home_of(s, symbol)
        place_home(self.rules, s, symbol, coord, city or 0)
        launch(self.rules, s, symbol, president, cell)
        pay(s, BANK, symbol, cash, "")
        for name, count in held.items():
            holder = MARKET if name == "pool" else f"player:{name[1:]}"
            own = [c for c in s.corporations[symbol].certs[symbol] if c.index]
            shares.move(s, symbol, own[:count], symbol, holder)

    def train(self, symbol: str, kind: str, index: int = 0) -> None:
        s = self.arrange()
        depot.give(s, f"{kind}-{index}", symbol)

    def own(self, company: str, owner: str) -> None:
        s = self.arrange()
        if company not in s.companies:
            uses = self.rules.powers[company].free_terrain or 1
            new = roundhouse.model.records.Company(company, None, uses)
            s.companies = put(s.companies, company, new)
        self.rules.give_company(s, company, owner)

    def cash(self, who: str, amount: int) -> None:
        s = self.arrange()
        held = (s.players.get(who) or s.corporations[who]).cash
        pay(s, BANK, who, amount - held, "")

    def phase(self, name: str, trains: Depot | None = None) -> None:
        s = self.arrange()
        s.phase = name
        if trains is not None:
            s.depot = trains

    def operate(self, who: str, stage: str, **fields: Any) -> None:
        """The operating turn of a corporation, at a stage of it."""
        s = self.arrange()
        order = tuple(self.rules.in_order(s))
        s.round = OperatingRound(order=order, index=order.index(who), stage=stage, **fields)
        self.settle()

    def stock_round(self, player: str, turn: int = 2) -> None:
        s = self.arrange()
        s.turn = turn
        s.round = StockRound(player=player)
        self.settle()

    # playing

    def do(self, who: str, kind: str, **fields: Any) -> None:
        self.game.apply(self._action(who, kind, fields))

    def record(self, who: str, kind: str, **fields: Any) -> None:
        """As from a file: nothing is added to the action."""
        self.game.apply(self._action(who, kind, fields), recorded=True)

    def refused(self, who: str, kind: str, **fields: Any) -> str:
        """The code of the refusal."""
        fault = self.game.why_not(self._action(who, kind, fields))
        assert isinstance(fault, IllegalAction)
        return fault.code

    def _action(self, who: str, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        if who.startswith("P"):
            entity: dict[str, Any] = {"entity": int(who[1:]), "entity_type": "player"}
        elif who in self.s.corporations:
            entity = {"entity": who, "entity_type": "corporation"}
        else:
            entity = {"entity": who, "entity_type": "company"}
        return {"type": kind, **entity, **fields}

    def offered(self, kind: str) -> list[Action]:
        """The actions of a type that are choices now."""
        choices = [c for c in self.game.choices() if c.type == kind]
        return [a for c in choices for a in c.actions()]


# the opening auction


def test_the_first_price_falls() -> None:
    """§17.4: four rounds of passes; the next player gets it for nothing."""
    t = Table()
    for price in (15, 10, 5, 0):
        for n in (1, 2, 3):
            t.do(f"P{n}", "pass")
        if price:
            assert t.refused("P1", "bid", company="DAR", price=20) == "price"
            m = t.s.round
            assert isinstance(m, AuctionRound)
            assert 20 - m.discount == price
    assert t.s.companies["DAR"].owner == P1
    assert t.s.players[P1].cash == 330
    assert t.game.acting == (P2,)


def test_a_bid_does_not_survive_the_first_round_of_passes() -> None:
    t = Table()
    t.do("P1", "bid", company="DK", price=125)
    for n in (2, 3, 1):
        t.do(f"P{n}", "pass")
    assert t.s.round.bids == {}  # type: ignore[union-attr]
    assert t.s.round.discount == 5  # type: ignore[union-attr]


def leftovers(options: tuple[str, ...] = ()) -> Table:
    """§17.30: P1 has bought the first, P2 bids on the last."""
    t = Table(options=options)
    assert list(t.s.companies) == ["DAR", "TDR", "DCR", "RSSC", "DK"]
    t.do("P1", "bid", company="DAR", price=20)
    t.do("P2", "bid", company="DK", price=125)
    return t


def test_unbid_privates_leave_one_by_one() -> None:
    t = leftovers()
    for n in (3, 1, 2):
        t.do(f"P{n}", "pass")
    assert t.s.round.offered == ("DCR", "RSSC", "DK")  # type: ignore[union-attr]
    for n in (3, 1, 2) * 2:
        t.do(f"P{n}", "pass")
    assert t.s.corporations["DKR"].president == P2
    assert t.s.companies["TDR"].owner is None
    assert isinstance(t.s.round, StockRound)
    assert t.game.acting == (P3,)


def test_bids_between_rounds_of_passes() -> None:
    t = leftovers()
    for n in (3, 1, 2):
        t.do(f"P{n}", "pass")
    t.do("P3", "bid", company="RSSC", price=85)
    for n in (1, 2, 3):
        t.do(f"P{n}", "pass")
    assert (t.s.companies["RSSC"].owner, t.s.corporations["DKR"].president) == (P3, P2)
    assert t.game.acting == (P1,)


def test_auction_ends_on_pass() -> None:
    t = leftovers(("auction_ends_on_pass",))
    for n in (3, 1, 2):
        t.do(f"P{n}", "pass")
    assert isinstance(t.s.round, StockRound)
    assert t.s.corporations["DKR"].president == P2
    assert t.game.acting == (P3,)


def test_bidders_fight_for_a_private() -> None:
    """§17.3: the lowest bid acts; the railway starts at half the price paid for its private."""
    t = Table(seed=689309492)
    t.do("P1", "bid", company="DR", price=35)
    t.do("P2", "bid", company="DK", price=125)
    t.do("P3", "bid", company="DK", price=140)
    t.do("P1", "bid", company="BoW", price=45)
    t.do("P2", "bid", company="BoW", price=50)
    t.do("P3", "bid", company="CDSPC", price=50)
    t.do("P1", "bid", company="DAR", price=20)
    assert t.game.acting == (P1,)
    t.do("P1", "pass")
    assert (t.s.companies["BoW"].owner, t.s.companies["CDSPC"].owner) == (P2, P3)
    assert t.game.acting == (P2,)
    t.do("P2", "bid", company="DK", price=200)
    t.do("P3", "pass")
    dkr = t.s.corporations["DKR"]
    assert (dkr.cell, dkr.cash, dkr.trains) == ("100,0,6", 120, ("2H-0",))
    assert t.s.order[0] == P2


def test_an_unsold_private_means_no_railway() -> None:
    t = Table(options=("auction_ends_on_pass",))
    t.do("P1", "bid", company="DAR", price=20)
    for n in (2, 3, 1):
        t.do(f"P{n}", "pass")
    assert "DKR" not in t.s.corporations
    assert "I11" not in t.s.board.reserved or all(
        r.entity != "DKR" for r in t.s.board.reserved["I11"]
    )


# stock rounds


def test_opening_bid() -> None:
    """§17.31: after £120 one needs £125 to be asked."""
    t = Table()
    for who, money in ((P1, 300), (P2, 120), (P3, 125)):
        t.cash(who, money)
    t.stock_round(P1)
    top = t.rules.pile(t.s)[0]
    t.do("P1", "bid", corporation=top, price=120)
    bidding = t.s.round.bidding  # type: ignore[union-attr]
    assert bidding.bidders == (P1, P3)
    assert t.game.acting == (P3,)
    t.do("P3", "pass")
    assert t.s.corporations[top].cell == "60,3,3"
    assert (t.s.corporations[top].cash, t.s.players[P1].cash) == (120, 180)
    assert t.game.acting == (P2,)


def test_only_the_top_of_the_pile() -> None:
    t = Table()
    t.stock_round(P1)
    assert t.refused("P1", "bid", corporation=t.rules.pile(t.s)[1], price=100) == "not_on_top"


def test_dumping_a_presidency() -> None:
    """§17.25, first part: the president's certificate among those sold; three rows down."""
    t = Table()
    t.start("DSER", "78,1,4", P1, p1=1, p2=2)
    t.stock_round(P1)
    t.do("P1", "sell_shares", shares=["DSER_1", "DSER_0"], percent=30)
    c = t.s.corporations["DSER"]
    assert [x.index for x in c.certs[MARKET]] == [1, 2, 3]
    assert [x.index for x in c.certs[P2]] == [0]
    assert (c.president, c.cell) == (P2, "60,4,4")


def test_selling_a_part_of_the_presidents_certificate() -> None:
    """§17.25, second part."""
    t = Table()
    t.start("GSWR", "100,0,6", P1, p1=3, p2=2)
    t.stock_round(P1)
    names = ["GSWR_1", "GSWR_2", "GSWR_3", "GSWR_0"]
    t.do("P1", "sell_shares", shares=names, percent=40)
    c = t.s.corporations["GSWR"]
    assert [x.index for x in c.certs[MARKET]] == [2, 3, 4, 5]
    assert [x.index for x in c.certs[P2]] == [0]
    assert [x.index for x in c.certs[P1]] == [1]
    assert c.cell == "72,4,6"


def test_sold_shares_cannot_be_bought_back_at_once() -> None:
    t = Table()
    t.start("DER", "60,3,3", P2, p1=1)
    t.start("LER", "60,3,3", P3)
    t.stock_round(P1)
    t.do("P1", "sell_shares", shares=["DER_1"], percent=20)
    assert t.refused("P1", "buy_shares", shares=["DER_1"]) == "sold_before"


# track


def turn(t: Table, symbol: str = "DER", cash: int = 500, **fields: Any) -> None:
    """A minor's operating turn in phase 4, at its track step."""
    t.start(symbol, "60,3,3", P1, cash)
    t.train(symbol, "2H")
    t.phase("4")
    t.operate(symbol, "track", **fields)


@pytest.mark.parametrize(("cash", "waits"), [(19, False), (20, True)])
def test_track_waits_for_the_board_of_works(cash: int, waits: bool) -> None:
    """§17.9: a player's private that builds, and could be bought."""
    t = Table()
    t.own("BoW", P2)
    turn(t, cash=cash, lays=1, upgraded=True)
    assert (t.s.step == "track") == waits


@pytest.mark.parametrize(("cash", "waits"), [(15, False), (25, True)])
def test_track_waits_for_a_second_upgrade(cash: int, waits: bool) -> None:
    """§17.9: also if its £30 cannot be paid."""
    t = Table()
    t.start("DER", "60,3,3", P1, cash)
    t.own("WDE", "DER")
    t.train("DER", "2H")
    t.phase("8")
    t.operate("DER", "track", lays=1, upgraded=True)
    assert (t.s.step == "track") == waits


def test_pairs_and_the_sea() -> None:
    """§17.28: two tiny railways and the steamer lay beyond the allowances, then close."""
    t = Table()
    t.start("DER", "60,3,3", P1, 500)
    t.train("DER", "2H")
    for company in ("DR", "TDR", "TIM"):
        t.own(company, "DER")
    t.phase("4")
    t.operate("DER", "track")
    t.do("DR", "lay_tile", hex="F4", tile="IR5-0", rotation=1)
    assert t.s.step == "second tile"
    assert t.refused("DR", "lay_tile", hex="E5", tile="78-0", rotation=5) == "no_meeting"
    t.do("DR", "lay_tile", hex="E5", tile="78-0", rotation=4)
    assert t.s.companies["DR"].closed
    t.do("TDR", "lay_tile", hex="A19", tile="IR5-1", rotation=4)
    t.do("TDR", "lay_tile", hex="B18", tile="IR5-2", rotation=1)
    assert t.s.companies["TDR"].closed
    t.do("TIM", "lay_tile", hex="J12", tile="IM-0", rotation=2)
    assert t.s.companies["TIM"].closed
    assert t.s.corporations["DER"].cash == 500
    assert t.s.round.lays == 0  # type: ignore[union-attr]
    assert t.rules.map_now(t.s.board).neighbors["I13"][4] == "J12"
    assert 4 not in t.rules.map_now(Board()).neighbors["I13"]


def test_steamer_rotations() -> None:
    """§8.5: towards land only."""
    t = Table()
    t.start("DER", "60,3,3", P1, 500)
    t.own("TIM", "DER")
    t.phase("4")
    t.operate("DER", "track")
    found: dict[str, list[int]] = {}
    for a in t.offered("lay_tile"):
        if a.entity == "TIM":
            found.setdefault(a.hex, []).append(a.rotation)  # type: ignore[attr-defined]
    assert found == {
        "F0": [0, 1, 2],
        "H0": [0, 1, 2],
        "G-1": [1],
        "J12": [1, 2, 3],
        "G21": [3, 4],
        "H20": [3, 4, 5],
    }


def test_colliery_lay() -> None:
    """§17.33: its hex need only be touched."""
    t = Table()
    t.lay("I5", "69", 0)
    t.start("UR", "60,3,3", P1, 500)
    t.train("UR", "2H")
    t.phase("4")
    t.own("DCR", "UR")
    t.lay("J4", "IR1", 4)
    t.operate("UR", "track")
    edges = t.rules.map_now(t.s.board)
    assert edges.neighbors["H4"][5] == "I5"
    lays = [a for a in t.offered("lay_tile") if a.hex == "H4" and a.tile == "8-0"]  # type: ignore[attr-defined]
    free = sorted(a.rotation for a in lays if a.entity == "DCR")  # type: ignore[attr-defined]
    normal = sorted(a.rotation for a in lays if a.entity == "UR")  # type: ignore[attr-defined]
    assert normal == [3, 5]
    assert free == [0, 1, 2, 3, 4, 5]


def test_junctions_keep_their_own_gauge() -> None:
    """§9.3.4: tile 60 contains plain broad track, never narrow."""
    tiles = Table().rules.box.tiles.tiles
    junction = tiles["60"].turned(0)
    assert keeps_track(tiles["80"].turned(0), junction)
    assert not keeps_track(tiles["710"].turned(0), junction)
    assert not any(keeps_track(tiles["77"].turned(0), tiles["7"].turned(r)) for r in range(6))


def test_blocked_hex() -> None:
    """§8: the colliery's hex while a player, or nobody, owns it."""
    t = Table()
    for owner in (P1, None):
        if owner:
            t.own("DCR", owner)
        fault = t.rules.rounds[OperatingRound].steps[4].building.fitting  # type: ignore[attr-defined]
        assert fault.why_blocked(t.s, "H4") is not None


# trains


def test_trade_in() -> None:
    """§17.21: an 8H for a D, £330."""
    t = Table()
    t.start("MGWR", "100,0,6", P1, 359)
    t.train("MGWR", "8H", 2)
    t.phase("D", Depot((Pile("D", 1, None),)))
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="D-1", price=330, variant="D", exchange="8H-2")
    assert (t.s.corporations["MGWR"].cash, t.s.corporations["MGWR"].trains) == (29, ("D-1",))
    assert t.s.depot.market == ("8H-2",)


def test_trade_in_for_new_trains_only() -> None:
    """§14: a 10H of the train pool takes no old train then."""
    for options, refusal in (((), None), (("trade_in_new_only",), "trade_in")):
        t = Table(options=options)
        t.start("MGWR", "100,0,6", P1, 359)
        t.train("MGWR", "8H", 2)
        t.train("MGWR", "8H", 1)
        s = t.arrange()
        depot.give(s, "10H-0", MARKET)
        t.phase("10", Depot((Pile("D", 0, None),), s.depot.market))
        t.operate("MGWR", "trains")
        fields = {"train": "10H-0", "price": 110, "exchange": "8H-2"}
        if refusal:
            assert t.refused("MGWR", "buy_train", **fields) == refusal
        else:
            t.do("MGWR", "buy_train", **fields)


def test_discards_in_any_order() -> None:
    """§17.29: all that are over the limit; the buyer's step goes on."""
    t = Table()
    t.start("MGWR", "60,3,3", P1, 900)
    t.start("GJR", "60,3,3", P2)
    t.start("LER", "60,3,3", P3)
    for n in range(4):
        t.train("GJR" if n < 2 else "LER", "6H", n)
    t.phase("6", Depot((Pile("8H", 0, 3), Pile("10H", 0, 2), Pile("D", 0, None))))
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="8H-0", price=440)
    assert set(t.game.acting) == {"GJR", "LER"}
    second = t.game.acting[1]
    t.do(second, "discard_train", train=t.s.corporations[second].trains[0])
    first = t.game.acting[0]
    assert first != second
    t.do(first, "discard_train", train=t.s.corporations[first].trains[0])
    assert t.s.depot.market in (("6H-0", "6H-2"), ("6H-2", "6H-0"))
    assert (t.game.rules.operator(t.s), t.s.step) == ("MGWR", "trains")


def forced(treasury: int = 124, cash: int = 154) -> Table:
    """A corporation without a train and trains it cannot pay."""
    t = Table()
    t.start("GSWR", "66,3,4", P1, treasury, p1=3)
    t.phase("10", Depot((Pile("10H", 1, 1), Pile("D", 0, None))))
    s = t.arrange()
    depot.give(s, "3H'-0", MARKET)
    t.cash(P1, cash)
    t.start("WLR", "72,3,5", P2, p1=1)
    t.start("UR", "66,3,4", P3, p1=1)
    t.start("DSER", "55,2,1", P2, p1=2)
    return t


def test_emergency() -> None:
    """§17.22: after selling, what would have done before is too cheap."""
    t = forced()
    t.operate("GSWR", "trains")
    for name in ("WLR_1", "UR_1"):
        t.do("P1", "sell_shares", shares=[name])
    t.do("P1", "sell_shares", shares=["DSER_1", "DSER_2"])
    funds = t.s.players[P1].cash + t.s.corporations["GSWR"].cash
    assert funds == 124 + 154 + 72 + 66 + 110
    assert t.s.corporations["DSER"].cell == "38,4,1"
    assert t.refused("GSWR", "buy_train", train="3H'-0", price=150) == "too_cheap"


def test_bankruptcy() -> None:
    """§17.23: settlement of the others, and the turn goes on after the operator."""
    t = Table()
    t.start("UR", "60,3,3", P2, 14)
    t.start("MGWR", "80,3,6", P2, p2=2, p1=1)
    t.start("WLR", "55,2,1", P1)
    t.phase("D", Depot((Pile("D", 0, None),)))
    t.cash(P2, 4)
    for symbol in ("MGWR", "WLR"):
        t.train(symbol, "10H", 0 if symbol == "WLR" else 1)
    before = t.s.players[P1].cash
    t.operate("UR", "trains")
    t.do("UR", "bankrupt")
    assert t.s.players[P2].bankrupt
    assert "UR" not in t.s.corporations
    assert "MGWR" not in t.s.corporations
    assert t.s.players[P1].cash == before + 72
    assert t.game.rules.operator(t.s) == "WLR"


def test_dead_end() -> None:
    """§17.32: a sale after which no train could be had is refused."""
    t = Table()
    t.start("GSWR", "66,3,4", P1, 0, p1=3, p2=1)
    t.start("MRNCC", "124,1,9", P2, p1=2)
    s = t.arrange()
    depot.give(s, "3H'-0", MARKET)
    t.phase("D", Depot((Pile("D", 0, None),), s.depot.market))
    t.cash(P1, 0)
    t.operate("GSWR", "trains")
    t.do("P1", "sell_shares", shares=["MRNCC_1", "MRNCC_2"])
    assert t.s.players[P1].cash == 248
    names = ["GSWR_1", "GSWR_2", "GSWR_3"]
    assert t.refused("P1", "sell_shares", shares=names) == "dead_end"
    assert [a.train for a in t.offered("buy_train")] == ["3H'-0"]  # type: ignore[attr-defined]


# mergers


def proposal() -> Table:
    """Two minors joined by broad track; one owns a share of both."""
    t = Table()
    t.lay("I9", "IR7", 0)
    t.start("DER", "60,3,3", P1, 100, p2=2)
    t.start("DDR", "50,4,2", P2, 50, p1=2)
    t.phase("4")
    s = t.arrange()
    majors = [c.id for c in t.rules.box.corporations.values() if c.kind == "major"]
    for major in majors:
        s.corporations = put(s.corporations, major, t.rules.unstarted(major))
    s.round = MergerRound(number=2, player=P1)
    t.settle()
    return t


def test_tie_rejects_and_the_set_is_not_offered_again() -> None:
    """§17.19."""
    t = proposal()
    t.do("P1", "merge", corporation="DER")
    t.do("P1", "merge", corporation="DDR")
    assert t.s.step == "merger vote"
    t.do("P1", "choose", choice="for")
    t.record("P2", "choose", choice="against")
    assert t.game.acting == (P2,)
    assert t.offered("merge") == []
    again = t._action("P2", "merge", {"corporation": "DDR"})
    assert t.refused("P2", "merge", corporation="DDR") == "proposed"
    t.game.apply(again, recorded=True)
    t.game.apply(t._action("P2", "merge", {"corporation": "DER"}), recorded=True)
    m = t.s.round
    assert isinstance(m, MergerRound)
    assert (m.player, m.merging, m.vote) == (P2, (), None)


def test_shares_of_the_merged() -> None:
    """§6.5: share for share, the rest in the treasury."""
    t = proposal()
    t.do("P1", "merge", corporation="DER")
    t.do("P1", "merge", corporation="DDR")
    t.do("P1", "choose", choice="for")
    t.do("P2", "choose", choice="for")
    t.record("P1", "merge", corporation="MGWR")
    c = t.s.corporations["MGWR"]
    assert c.cell == market_cell(t, 3, 2)
    assert (c.cash, c.president) == (150, P1)
    assert {h: c.held(h) for h in c.certs} == {P1: 40, P2: 40, "MGWR": 20}
    assert t.game.acting == (P2,)


def market_cell(t: Table, row: int, column: int) -> str:
    return t.rules.box.market.grid[row, column].id


def test_an_endless_game_is_given_up() -> None:
    """Nobody can do anything any more: the rounds run through by themselves, to turn 100."""
    t = Table()
    s = t.arrange()
    for symbol in list(s.corporations):
        t.rules.close(s, symbol)
    t.stock_round(P1, turn=90)
    assert (t.game.end_reason, t.s.turn) == ("dnf", 100)


def test_nothing_to_propose_is_passed_in_files() -> None:
    """§15.4: what the page of the reference adds by itself."""
    t = proposal()
    assert t.rules.auto_actions(t.s) == ()
    t.record("P1", "pass")
    t.record("P2", "pass")
    assert [a.type for a in t.rules.auto_actions(t.s)] == ["pass"]


def test_help_for_every_step_and_company() -> None:
    box = Table().rules.box
    rules = Table().rules
    names = {step.name for play in rules.rounds.values() for step in play.steps}
    assert names == set(box.help)
    assert all(c.text for c in box.companies.values())


# markets


def test_moves_on_the_market() -> None:
    """§7.1: past the end of a row up, past its start down, into the closing cell at the foot."""
    m = Table().rules.box.market
    assert m.right("80,3,6") == "88,3,7"
    assert m.right("96,3,8") == "106,3,9"
    assert m.right("106,3,9") == "114,2,9"
    assert m.left("55,2,1") == "50,3,1"
    assert m.left("20,7,1") == "0,7,0"
    assert m.down("260,0,14") == "260,0,14"
    assert m.up("62,0,1") == "62,0,1"
    assert market.by_price(m, Table().s) == []
