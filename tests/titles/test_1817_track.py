"""1817, track and tokens (§9), mines, bridges and the city tile (§8), ranches (§14.1)."""

from __future__ import annotations

import pytest

from roundhouse.board import laying
from roundhouse.model.actions import LayTile
from roundhouse.model.frozen import put
from roundhouse.rounds.steps.track import Lay

from build1817 import BYSTANDER, Table


def _lay(t: Table, who: str, coord: str, tile: str, rotation: int) -> Table:
    return t.do("lay_tile", who, hex=coord, tile=tile, rotation=rotation)


def _exits(t: Table, a: LayTile) -> int:
    return t.box.tiles.tiles[a.tile.partition("-")[0]].turned(a.rotation).exits


def _refuse(t: Table, code: str, who: str, coord: str, tile: str, rotation: int) -> None:
    t.refuses(code, "lay_tile", who, hex=coord, tile=tile, rotation=rotation)


def _at_f13(options: tuple[str, ...] = (), phase: str = "2", **fields) -> Table:
    """H in Pittsburgh, whose track leads to G12 and E14."""
    t = Table(3, options)
    t.phase(phase)
    t.lay("F13", "57", 0)
    fields = {"cash": 200, "tokens": ["F13/0"], **fields}
    t.start("H", 1, size=10, **fields)
    return t


# lays


def test_two_lays_the_second_for_20_elsewhere():
    """§9.1."""
    t = _at_f13()
    t.operate("H")
    _lay(t, "H", "G12", "9-0", 0)
    assert t.cash("H") == 185, "a mountain"
    _lay(t, "H", "E14", "9-1", 0)
    assert t.cash("H") == 165
    assert t.waits(BYSTANDER) or t.s.step != "track"


def test_one_upgrade_at_most():
    """§9.1: first or second, not both; on different hexes."""
    t = _at_f13(phase="3")
    t.lay("E14", "9", 0)
    t.operate("H")
    _lay(t, "H", "F13", "14-0", 0)
    _refuse(t, "upgraded", "H", "E14", "82-0", 0)
    _refuse(t, "same_hex", "H", "F13", "63-0", 0)
    t = _at_f13(phase="3")
    t.lay("E14", "9", 0)
    t.operate("H")
    _lay(t, "H", "G12", "9-1", 0)
    _refuse(t, "same_hex", "H", "G12", "82-0", 0)
    _lay(t, "H", "F13", "14-0", 0)
    assert t.cash("H") == 200 - 15 - 20


def test_colours_by_phase():
    """§9.3."""
    for phase, legal in (("2", False), ("2+", False), ("3", True)):
        t = _at_f13(phase=phase).operate("H")
        if legal:
            _lay(t, "H", "F13", "14-0", 0)
        else:
            _refuse(t, "colour", "H", "F13", "14-0", 0)


@pytest.mark.parametrize(
    ("coord", "cost"), [("G12", 15), ("E12", 10), ("B9", 20), ("F15", 15), ("E14", 0), ("D7", 20)]
)
def test_terrain(coord, cost):
    """§9.2: once, when the printed hex is covered."""
    t = _at_f13(options=())
    track = t.rules.rounds[type(t.operate("H").progress)].sequence[5]
    assert track.name == "track"
    tile = t.box.tiles.tiles["57" if coord == "D7" else "9"]
    assert track.terrain(t.s, Lay("H", coord, tile.turned(0))) == cost
    t.lay(coord, tile.name, 0)
    assert track.terrain(t.s, Lay("H", coord, tile.turned(0))) == 0


@pytest.mark.parametrize(
    ("coord", "tile", "cost"),
    [("C8", "592-0", 20), ("E22", "54-0", 20), ("G18", "592-0", 0), ("C26", "592-0", 0)],
)
def test_detroit_and_new_york_cost_20_at_their_first_upgrade(coord, tile, cost):
    """§9.2: preprinted yellow; Baltimore and Boston cost nothing."""
    t = Table(3)
    t.phase("3")
    t.start("H", 1, tokens=[f"{coord}/0"], cash=100)
    t.operate("H")
    choice = next(c for c in t.choices("lay_tile") if c.action.hex == coord)
    assert choice.action.tile == tile
    _lay(t, "H", coord, tile, choice.action.rotation)
    assert t.cash("H") == 100 - cost


def test_rivers_are_free_for_bridge_companies():
    """§8: only rivers."""
    for owned, cost in (((), 10), (("OBC",), 0), (("UBC",), 0)):
        t = Table(3)
        t.lay("F13", "57", 1)
        t.start("H", 1, tokens=["F13/0"], cash=100, privates=owned)
        t.operate("H")
        _lay(t, "H", "F11", "9-0", 1)
        assert t.cash("H") == 100 - cost
    t = Table(3)
    t.start("H", 1, tokens=["D7/0"], cash=100, privates=["OBC"])
    t.operate("H")
    _lay(t, "H", "D7", "57-0", 0)
    assert t.cash("H") == 80, "a lake is not a river"


def test_cash_must_be_there():
    """§9.1: loans before."""
    t = _at_f13(cash=14)
    t.operate("H")
    _refuse(t, "no_cash", "H", "G12", "9-0", 0)
    t.do("take_loan", "H", loan=0)
    _lay(t, "H", "G12", "9-0", 0)
    assert t.cash("H") == 99


def test_connection():
    """§9.4: an exit on an edge the network reaches."""
    t = _at_f13()
    t.operate("H")
    _refuse(t, "unconnected", "H", "F11", "9-0", 1)
    _refuse(t, "unconnected", "H", "G12", "9-0", 1)
    _refuse(t, "unknown_hex", "H", "Z99", "9-0", 1)
    _refuse(t, "no_tile", "H", "G12", "9-5", 0)
    _refuse(t, "no_tile", "H", "G12", "1-0", 0)
    _refuse(t, "misfit", "H", "G12", "57-1", 0)


def test_track_into_nowhere():
    """§9.4: not off the map, over the lake, the barred edge, or into gray without track."""
    t = _at_f13()
    t.start("J", 2, tokens=["C14/0"], cash=100)
    t.operate("J")
    _refuse(t, "misfit", "J", "C14", "57-1", 1)
    _lay(t, "J", "C14", "57-1", 2)
    t = Table(3)
    t.lay("C8", "593", 0)
    t.start("J", 2, tokens=["C8/0"], cash=100)
    t.operate("J")
    over_the_border = [
        c for c in t.choices("lay_tile") if c.action.hex == "C10" and _exits(t, c.action) >> 5 & 1
    ]
    assert t.box.map.adjacent["C10"][5] == "D11"
    assert not over_the_border


def test_junction_upgrades_keep_exits_only():
    """§9.4: straight track may become any junction with its exits."""
    t = _at_f13(phase="3")
    t.lay("E14", "9", 0)
    t.operate("H")
    here = [c.action for c in t.choices("lay_tile") if c.action.hex == "E14"]
    exits = [_exits(t, a) for a in here]
    assert here
    assert all(e & 0b001001 == 0b001001 for e in exits)
    assert all(bin(e).count("1") == 3 for e in exits)


def test_city_upgrades_use_the_most_exits():
    """§9.4: 63 before 611 before 448, by what fits on that hex."""
    t = _at_f13(phase="5")
    t.lay("F13", "14", 0)
    t.operate("H")
    _refuse(t, "misfit", "H", "F13", "448-0", 0)
    _refuse(t, "misfit", "H", "F13", "611-0", 0)
    _lay(t, "H", "F13", "63-0", 0)
    t = Table(3)
    t.phase("5")
    t.lay("C14", "57", 2)
    t.lay("C14", "14", 2)
    t.start("J", 2, tokens=["C14/0"], cash=100)
    t.operate("J")
    names = {c.action.tile.partition("-")[0] for c in t.choices("lay_tile")}
    assert "611" in names, "C12 is closed, so five exits are the most"
    assert "63" not in names
    assert "448" not in names


def test_labels():
    """§9.4: B: 592, 593, 597; NY: 54, 62, X30; plain cities end at brown."""
    t = Table(3)
    for start, names in (("C8", ["592", "593", "597"]), ("E22", ["54", "62", "X30"])):
        chain = []
        tile = t.box.map.printed[start].tile
        while following := t.box.tiles.successors(tile):
            assert len(following) == 1
            tile = following[0]
            chain.append(tile.name)
        assert chain == names
    assert t.box.tiles.successors(t.box.tiles.tiles["63"]) == ()
    assert t.box.tiles.successors(t.box.tiles.tiles["545"]) == ()


def test_new_york_joins_in_x30():
    """§9.4: tokens of city 0 first, then city 1."""
    t = Table(3)
    t.phase("7")
    t.start("H", 1, tokens=["E22/1"], cash=100)
    t.start("J", 2, tokens=["E22/0"], cash=100)
    t.lay("E22", "54", 0)
    t.lay("E22", "62", 0)
    t.operate("H")
    (choice,) = [c for c in t.choices("lay_tile") if c.action.hex == "E22"]
    _lay(t, "H", "E22", "X30-0", choice.action.rotation)
    assert t.s.board.cities["E22"] == (("J", "H", None, None),)
    assert t.tokens("H") == ["E22/0"]
    assert t.tokens("J") == ["E22/0"]


def test_new_york_joins_whatever_slots_are_empty():
    """§9.4: a gap left by a removed token costs nobody his place."""
    t = Table(3)
    t.phase("7")
    t.start("H", 1, tokens=["E22/1"], cash=100)
    t.start("J", 2, tokens=["E22/0"], cash=100)
    t.start("R", 2, cash=100, spare=1)
    t.lay("E22", "54", 0)
    t.lay("E22", "62", 0)
    s = t._edit()
    laying.place_token(t.box, s, "R", "E22", 0, 1, 0)
    laying.lift_token(t.box, s, "J", "E22", 0)
    t.operate("H")
    (choice,) = [c for c in t.choices("lay_tile") if c.action.hex == "E22"]
    _lay(t, "H", "E22", "X30-0", choice.action.rotation)
    assert sorted(o for o in t.s.board.cities["E22"][0] if o) == ["H", "R"]


# tokens


def test_token_step():
    """§9.5: free, one a turn, reachable, the lowest slot, never two in one hex."""
    t = Table(3)
    t.lay("C22", "57", 2)
    t.lay("D23", "8", 0)
    t.start("H", 1, tokens=["C22/0", "E22/0"], spare=2, cash=0, loans=2)
    t.start("J", 2, tokens=["D19/0"], spare=1)
    t.operate("H")
    t.passes("H")
    assert t.waits(BYSTANDER), "New York's other half is no place for H"
    t = Table(3)
    t.lay("C22", "57", 2)
    t.lay("D23", "8", 0)
    t.start("H", 1, tokens=["C22/0"], spare=2, cash=0, loans=2)
    t.operate("H")
    t.passes("H")
    assert t.s.step == "token"
    t.refuses("unconnected", "place_token", "H", city="E22-0-0", slot=0)
    t.refuses("unknown_city", "place_token", "H", city="Q1-0-0", slot=0)
    t.refuses("tokener", "place_token", "H", city="E22-0-1", slot=0, tokener="J")
    t.refuses("own_token", "place_token", "H", city="57-0-0", slot=0)
    t.do("place_token", "H", city="E22-0-1", slot=3)
    assert t.tokens("H") == ["C22/0", "E22/1", None]
    assert t.cash("H") == 0
    assert t.s.step != "token" or t.waits(BYSTANDER)


def test_full_cities_are_reached_but_not_passed():
    """§9.5."""
    t = Table(3)
    t.lay("F13", "57", 0)
    t.lay("G12", "9", 0)
    t.lay("H11", "8", 1)
    t.lay("H9", "57", 1)
    t.start("H", 1, tokens=["F13/0"], spare=1, cash=50)
    t.start("J", 2, tokens=["H9/0"], spare=1)
    t.operate("H")
    t.passes("H")
    assert t.s.step != "token"


# mines


def test_scenario_7_engineers_and_mine_real(real1817):
    """Scenario 7, 20758/165–166."""
    t = real1817("20758", 164)
    cash = t.cash("UR")
    _lay(t, "UR", "I12", "5-0", 2)
    assert t.cash("UR") == cash - 15 + 20
    _lay(t, "MAJC", "H11", "8-0", 5)
    assert t.cash("UR") == cash - 15 + 20 - 20 + 20
    assert t.s.board.markers["H11"] == ("mine",)


def test_scenario_7_engineers_and_mine():
    """Scenario 7, constructed; the cost must be there before the income."""
    t = Table(3)
    t.start("UR", 1, tokens=["I12/0"], cash=14, privates=["ME", "CM"])
    t.operate("UR")
    _refuse(t, "no_cash", "UR", "I12", "5-0", 2)
    t.purse("UR", 15)
    _lay(t, "UR", "I12", "5-0", 2)
    assert t.cash("UR") == 20
    _lay(t, "CM", "H11", "8-0", 5)
    assert t.cash("UR") == 20
    assert t.s.companies["CM"].uses == 1
    assert not t.s.companies["CM"].closed


def _at_h11() -> Table:
    """H reaches H11 from G12 only, by plain track."""
    t = Table(3)
    t.lay("F13", "57", 0)
    t.lay("G12", "9", 0)
    t.start("H", 1, tokens=["F13/0"], cash=100, privates=["MINC"])
    return t


def test_a_mine_must_face_a_place():
    """§8.1: one exit towards a city, town or off-board."""
    t = _at_h11()
    t.operate("H")
    _refuse(t, "faces_nothing", "MINC", "H11", "9-1", 0)
    _refuse(t, "faces_nothing", "MINC", "H11", "7-0", 3)
    _refuse(t, "unconnected", "MINC", "H11", "9-1", 1)
    _refuse(t, "tile", "MINC", "H11", "5-0", 3)
    _refuse(t, "hex", "MINC", "E14", "9-1", 0)
    _refuse(t, "no_upgrade", "MINC", "G12", "9-1", 0)
    _refuse(t, "unconnected", "MINC", "H13", "9-1", 0)
    _lay(t, "MINC", "H11", "8-0", 1)
    assert t.cash("H") == 100
    assert t.s.companies["MINC"].closed


@pytest.mark.parametrize(
    ("tile", "rotation", "legal"),
    [
        ("57", 1, True),
        ("57", 0, True),
        ("14", 2, True),
        ("611", 5, False),
        ("63", 0, True),
    ],
)
def test_a_mine_may_face_what_can_still_be_upgraded(tile, rotation, legal):
    """§8.1: track to the common edge, or a tile some other could replace; phase aside."""
    t = _at_h11()
    face = t.box.tiles.tiles[tile].turned(rotation)
    t.lay("H9", tile, rotation)
    assert (tile, bool(face.exits >> 4 & 1)) in {
        ("57", True), ("57", False), ("14", False), ("14", True), ("611", False), ("63", True),
    }  # fmt: skip
    t.operate("H")
    if legal:
        _lay(t, "MINC", "H11", "8-0", 1)
    else:
        _refuse(t, "faces_nothing", "MINC", "H11", "8-0", 1)


def test_a_mine_is_never_upgraded():
    """§8.1, §9.4."""
    t = _at_h11()
    t.phase("3")
    t.lay("H11", "8", 1)
    t.marker("H11", "mine")
    t.operate("H")
    _refuse(t, "marked", "H", "H11", "81-0", 1)


def test_a_mine_as_second_lay_costs_20_and_counts():
    """§8.1: one of the two normal lays; with Express Track the base cost is covered too."""
    t = Table(3, ["volatility"])
    t.lay("F13", "57", 0)
    t.start("H", 1, tokens=["F13/0"], cash=100, privates=["CM"])
    t.operate("H")
    _lay(t, "H", "E14", "9-0", 0)
    _lay(t, "CM", "G12", "9-1", 0)
    assert t.cash("H") == 80
    assert t.s.step != "track" or t.waits(BYSTANDER)
    t = Table(3, ["volatility"])
    t.lay("F13", "57", 0)
    t.start("H", 1, tokens=["F13/0"], cash=100, privates=["CM", "P18"])
    t.operate("H")
    _lay(t, "CM", "G12", "9-0", 0)
    assert t.cash("H") == 90, "10 + 15 − 15"


def test_only_the_owner_in_turn_uses_its_privates():
    """§8."""
    t = _at_h11()
    t.own(1, "CM")
    t.start("J", 2, tokens=["H9/0"], privates=["MAJC"])
    t.operate("H")
    _refuse(t, "not_your_turn", "CM", "H11", "8-0", 1)
    _refuse(t, "not_your_turn", "MAJC", "H11", "8-0", 1)


# bridges


def test_bridges():
    """§8.2: in any step before the interest, one a hex; no connection; the discount stays."""
    t = Table(3)
    t.start("H", 1, tokens=["F13/0"], trains=["2"], privates=["OBC", "UBC"], cash=150)
    t.operate("H")
    t.refuses("hex", "assign", "OBC", target="F13", target_type="hex")
    t.do("assign", "OBC", target="H9", target_type="hex")
    assert t.s.step == "track"
    t.refuses("hex", "assign", "UBC", target="H9", target_type="hex")
    t.run_until("trains")
    t.do("assign", "UBC", target="H3", target_type="hex")
    t.do("assign", "UBC", target="G6", target_type="hex")
    assert {h for h, m in t.s.board.markers.items() if "bridge" in m} == {"H9", "H3", "G6"}
    assert t.privates("H") == ["OBC", "UBC"]
    assert t.rules.one_with(t.s, "H", "free_rivers")


def test_no_bridge_after_the_interest_or_out_of_turn():
    """§8.2."""
    t = Table(3)
    t.start("H", 1, tokens=["F13/0"], trains=["2"], privates=["OBC"], cash=150)
    t.start("J", 1, tokens=["H3/0"], privates=["UBC"])
    t.operate("H", "loans")
    t.refuses("not_your_turn", "assign", "OBC", target="H9", target_type="hex")
    t.operate("H")
    t.refuses("not_your_turn", "assign", "UBC", target="H9", target_type="hex")


# the city tile


def test_city_tile_on_pittsburgh():
    """§8.3: any rotation, no connection, a normal lay; a B city then; the private closes."""
    t = Table(3)
    t.start("H", 1, tokens=["H3/0"], cash=100, privates=["PSM"])
    t.start("J", 2, tokens=["F13/0"])
    t.operate("H")
    _refuse(t, "hex", "PSM", "F3", "X00-0", 0)
    _refuse(t, "tile", "PSM", "F13", "57-0", 0)
    _lay(t, "PSM", "F13", "X00-0", 1)
    assert t.s.companies["PSM"].closed
    assert t.cash("H") == 100
    assert t.tokens("J") == ["F13/0"]
    assert t.progress.lays == 1
    tile = t.box.tiles.tiles["X00"]
    assert tile.label == "B"
    assert [following.name for following in t.box.tiles.successors(tile)] == ["592"]


@pytest.mark.parametrize(
    ("private", "coord", "cost"), [("P16", "C14", 0), ("P17", "D7", 20), ("P24", "F3", 0)]
)
def test_the_other_city_privates(private, coord, cost):
    """§14.1: like PSM; Toledo's lake is due; no exits over the lake at Buffalo."""
    t = Table(3, ["volatility"])
    t.start("H", 1, tokens=["H3/0"], cash=100, privates=[private])
    t.operate("H")
    if coord == "C14":
        _refuse(t, "misfit", private, coord, "X00-0", 0)
    laid = next(c.action for c in t.choices("lay_tile") if c.actor == f"company:{private}")
    _lay(t, private, coord, "X00-0", laid.rotation)
    assert t.cash("H") == 100 - cost


def test_scenario_29_a_city_tile_too_late():
    """Scenario 29: GT lays 57 on F13; PSM stays with B&A and is of no use."""
    t = Table(3)
    t.start("GT", 1, tokens=["F13/0"], cash=100)
    t.start("B&A", 2, tokens=["H3/0"], cash=100, privates=["PSM"])
    t.operate("GT")
    _lay(t, "GT", "F13", "57-0", 0)
    assert t.privates("B&A") == ["PSM"]
    t.operate("B&A")
    _refuse(t, "no_upgrade", "PSM", "F13", "X00-0", 1)
    assert not [c for c in t.choices("lay_tile") if c.actor == "company:PSM"]


# ranches


def _rancher(rotation: int = 1, **fields) -> Table:
    """H in Pittsburgh with track to F11 (and F15)."""
    t = Table(3, ["volatility"])
    t.lay("F13", "57", rotation)
    t.start("H", 1, tokens=["F13/0"], cash=100, **{"privates": ["P23"], **fields})
    return t


def test_ranch():
    """§14.1 P23: base and terrain costs are due; two ranches; then it closes."""
    t = _rancher()
    t.operate("H")
    _lay(t, "P23", "F11", "9-0", 1)
    assert t.cash("H") == 90, "the river"
    assert t.s.board.markers["F11"] == ("ranch",)
    assert t.privates("H") == ["P23"]
    t.phase("3")
    _refuse(t, "marked", "H", "F11", "82-0", 1)
    t = _rancher(rotation=0, privates=["P22"])
    t.operate("H")
    _refuse(t, "hex", "P22", "G12", "9-0", 0)
    _lay(t, "P22", "E14", "9-0", 0)
    assert t.s.companies["P22"].closed


def test_no_ranch_next_to_a_b_city():
    """§14.1: as the neighbours are now."""
    t = Table(3, ["volatility"])
    t.lay("F13", "X00", 0)
    t.start("H", 1, tokens=["F13/0"], cash=100, privates=["P23"])
    t.operate("H")
    _refuse(t, "near_b", "P23", "F11", "9-0", 1)
    _lay(t, "H", "F11", "9-0", 1)


def test_ranches_face_places_too():
    """§14.1, §8.1."""
    t = _rancher()
    t.lay("F11", "9", 1)
    t.operate("H")
    _refuse(t, "hex", "P23", "F9", "9-1", 1)
    t.lay("F9", "9", 1)
    t.settle()
    _refuse(t, "faces_nothing", "P23", "F7", "9-2", 1)


def test_the_city_tile_removes_ranches_around_it():
    """§14.1: the track stays and can be upgraded again."""
    t = Table(3, ["volatility"])
    s = t._edit()
    s.companies = put(s.companies, "PSM", type(s.companies["PSM"])("PSM", None, 1))
    t.lay("F11", "9", 1)
    t.marker("F11", "ranch")
    t.lay("E10", "8", 0)
    t.marker("E10", "ranch")
    t.phase("3")
    t.start("H", 1, tokens=["F13/0"], cash=100, privates=["PSM"])
    t.operate("H")
    _lay(t, "PSM", "F13", "X00-0", 0)
    assert "F11" not in t.s.board.markers
    assert t.s.board.markers["E10"] == ("ranch",)
    upgrade = next(c.action for c in t.choices("lay_tile") if c.action.hex == "F11")
    _lay(t, "H", "F11", upgrade.tile, upgrade.rotation)
