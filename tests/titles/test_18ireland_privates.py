"""18Ireland: the powers of private companies and where they may be used (§8, §11.3–5)."""

from __future__ import annotations

import pytest
from build18ireland import P1, P2, Table

from roundhouse.model.actions import Run
from roundhouse.model.records import Depot, Pile
from roundhouse.routes.check import check_runs
from roundhouse.titles.g18ireland.routes import RouteRules18Ireland
from roundhouse.titles.g18ireland.upgrades import Upgrades18Ireland


def owner_of(*companies: str, symbol: str = "DER", stage: str = "track") -> Table:
    """A corporation with some privates operates in phase 4."""
    t = Table()
    t.start(symbol, "60,3,3", P1, 500)
    t.train(symbol, "2H")
    for company in companies:
        t.own(company, symbol)
    t.phase("4")
    if stage:
        t.operate(symbol, stage)
    return t


def model(t: Table, who: str) -> RouteRules18Ireland:
    found = t.rules.route_model(t.s, who)
    assert isinstance(found, RouteRules18Ireland)
    return found


# prices and times of purchase (§5.2)


@pytest.mark.parametrize(
    ("company", "least", "most"), [("CDSPC", 23, 90), ("TASPS", 38, 150), ("TIM", 55, 220)]
)
def test_half_to_double(company: str, least: int, most: int) -> None:
    """§8: from half the value, rounded up, to twice the value, to the player."""
    t = owner_of()
    t.own(company, P2)
    for price in (least - 1, most + 1):
        assert t.refused("DER", "buy_company", company=company, price=price) == "price"
    before = t.s.players[P2].cash
    t.do("DER", "buy_company", company=company, price=most)
    assert t.s.players[P2].cash == before + most


def test_companies_are_bought_in_phases_4_and_6_only() -> None:
    for phase, allowed in (("2", False), ("4", True), ("6", True), ("8", False)):
        t = owner_of(stage="")
        t.own("RSSC", P2)
        t.phase(phase)
        t.operate("DER", "track")
        if allowed:
            t.do("DER", "buy_company", company="RSSC", price=40)
        else:
            assert t.refused("DER", "buy_company", company="RSSC", price=40) == "phase"


def test_only_players_sell_companies() -> None:
    t = owner_of()
    t.start("LER", "55,3,2", P2)
    t.own("RSSC", "LER")
    assert t.refused("DER", "buy_company", company="RSSC", price=40) == "not_for_sale"
    assert t.refused("DER", "buy_company", company="DK", price=120) == "not_for_sale"


# blocked hexes


def test_the_atmospheric_railway_blocks_while_a_player_owns_it() -> None:
    t = Table()
    fitting = Upgrades18Ireland(t.rules)
    t.own("DAR", P1)
    assert fitting.why_blocked(t.s, "J14") is not None
    t.start("DER", "60,3,3", P1)
    t.own("DAR", "DER")
    assert fitting.why_blocked(t.s, "J14") is None


def test_the_collierys_hex_is_open_to_all_once_a_corporation_owns_it() -> None:
    """§8.4: to others too; the company stays after its lay."""
    t = owner_of("DCR", symbol="UR", stage="")
    t.lay("J4", "IR1", 5)
    t.lay("I3", "8", 5)
    t.operate("UR", "trains")
    assert Upgrades18Ireland(t.rules).why_blocked(t.s, "H4") is None
    t.do("DCR", "lay_tile", hex="H4", tile="9-0", rotation=1)
    record = t.s.companies["DCR"]
    assert (record.owner, record.uses, record.closed) == ("UR", 0, False)
    assert t.s.corporations["UR"].cash == 500
    assert t.s.round.lays == 0  # type: ignore[union-attr]
    assert t.refused("DCR", "lay_tile", hex="H4", tile="80-0", rotation=0) == "not_your_turn"


# the Board of Works (§8.2) and William Dargan (§9.1)


def test_board_of_works_saves_terrain_twice() -> None:
    t = owner_of("BoW", symbol="SLNCR", stage="")
    t.lay("F6", "IR3", 0)
    t.operate("SLNCR", "issue")
    t.do("BoW", "lay_tile", hex="F4", tile="4-0", rotation=0)
    t.do("SLNCR", "pass")
    assert t.s.corporations["SLNCR"].cash == 500
    assert t.s.round.lays == 1  # type: ignore[union-attr]
    t.do("BoW", "lay_tile", hex="F2", tile="8-0", rotation=0)
    assert t.s.corporations["SLNCR"].cash == 480
    assert t.s.companies["BoW"].closed


def test_board_of_works_may_upgrade() -> None:
    """§8.2: even if that brings the corporation neither new track nor a better place."""
    t = owner_of("BoW", stage="")
    t.lay("I9", "IR2", 0)
    t.lay("I7", "9", 0)
    t.operate("DER", "track")
    fields = {"hex": "I7", "tile": "20-0", "rotation": 0}
    assert t.refused("DER", "lay_tile", **fields) == "no_use"
    t.do("BoW", "lay_tile", **fields)
    assert t.s.corporations["DER"].cash == 500
    assert t.s.round.upgraded  # type: ignore[union-attr]


def test_second_upgrade() -> None:
    """§9.1: £30, after an upgrade or a lay; a second lay never follows an upgrade."""
    t = owner_of("WDE", stage="")
    t.lay("I9", "IR2", 0)
    t.lay("I7", "9", 0)
    t.operate("DER", "track")
    t.do("DER", "lay_tile", hex="I7", tile="82-0", rotation=0)
    assert t.s.corporations["DER"].cash == 500
    assert t.refused("DER", "lay_tile", hex="I5", tile="1-0", rotation=0) == "upgraded"
    t.do("DER", "lay_tile", hex="I9", tile="IR8-0", rotation=0)
    assert t.s.corporations["DER"].cash == 500 - 30 - 40


# pairs (§8.1)


def test_pairs_only_on_their_hexes() -> None:
    t = owner_of("DR", "TDR")
    assert t.refused("DR", "lay_tile", hex="E5", tile="78-0", rotation=4) == "hex"
    assert t.refused("DR", "lay_tile", hex="F4", tile="4-0", rotation=0) == "tile"
    assert t.refused("TDR", "lay_tile", hex="F4", tile="IR5-0", rotation=1) == "hex"
    t.do("TDR", "lay_tile", hex="B18", tile="IR5-0", rotation=1)
    assert t.refused("DER", "pass") == "not_now"
    assert t.refused("DR", "lay_tile", hex="F4", tile="IR5-1", rotation=1) == "not_your_turn"
    t.do("TDR", "lay_tile", hex="A19", tile="IR5-1", rotation=4)
    assert t.s.companies["TDR"].closed


def test_pairs_run_into_no_dead_end() -> None:
    """§8.1: the first tile must leave room for a second one that meets it."""
    t = owner_of("DR")
    assert t.refused("DR", "lay_tile", hex="F4", tile="IR5-0", rotation=0) == "dead_end"


# markers, the Shannon and the sea (§8.3, §8.5, §11.3–5)


def test_markers_only_on_their_hexes() -> None:
    t = owner_of("TASPS", "CDSPC", stage="issue")
    assert t.refused("TASPS", "assign", target="J4", target_type="hex") == "hex"
    assert t.refused("CDSPC", "assign", target="DER", target_type="corporation") == "hex"
    for hex_ in ("G1", "I19"):
        assert t.game.is_legal(t._action("CDSPC", "assign", {"target": hex_, "target_type": "hex"}))


def test_a_marker_never_placed_earns_nothing() -> None:
    """§8.3: placed before phase 8, or never; what was placed stays."""
    t = owner_of("CDSPC", symbol="UR", stage="")
    t.lay("J4", "IR1", 4)
    t.lay("I5", "69", 0)
    t.operate("UR", "track")
    run = [Run(train="2H-0", connections=(("J4", "I5"),))]
    assert check_runs(model(t, "UR"), run)[0].revenue == 40


@pytest.mark.parametrize(
    ("phase", "worth"), [("4", 20), ("6", 20), ("8", 50), ("10", 50), ("D", 0)]
)
def test_irish_mail(phase: str, worth: int) -> None:
    """§11.3: the off-board tile by phase; anybody may run there, and no further."""
    t = owner_of(symbol="DKR", stage="")
    t.lay("J12", "IM", 2)
    t.lay("I13", "58", 3)
    t.phase(phase)
    runs = model(t, "DKR")
    assert runs.base_value(("J12", 6)) == worth
    assert not runs.passable(("J12", 6))


def test_shannon_needs_a_tile() -> None:
    """§11.5: nothing on Limerick, nothing from there; once a turn, the most of all routes."""
    t = owner_of("RSSC", symbol="GNWR", stage="")
    t.lay("F10", "5", 0)
    t.train("GNWR", "2H", 1)
    stop = (("F10", 6),)
    assert model(t, "GNWR").link_option(stop) == 0
    t.lay("D16", "657", 0)
    assert model(t, "GNWR").link_option(stop) == 20
    assert model(t, "GNWR").link_option((("D16", 6),)) == 20
    assert model(t, "GNWR").link_option((("C13", 6),)) == 0


def test_companies_close_in_phase_8() -> None:
    """§12: unstarted minors leave, then all privates close, whoever owns them."""
    t = owner_of("TASPS", stage="")
    t.own("DAR", P2)
    t.start("LER", "55,3,2", P2)
    pile = t.rules.pile(t.s)
    assert pile
    t.phase("6", Depot((Pile("8H", 0, 3), Pile("10H", 0, 2))))
    t.operate("DER", "trains")
    t.do("DER", "buy_train", train="8H-0", price=440)
    assert all(c.closed for c in t.s.companies.values())
    assert not set(pile) & set(t.s.corporations)
    assert set(t.s.board.reserved) == {"I11"}
