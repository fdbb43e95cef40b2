"""1873: track, concession routes, connections, tokens (§5.3–5.5, §9; scenarios 18, 21–25,
36, 40)."""

from __future__ import annotations

import pytest

from roundhouse.model.records import set_corporation
from roundhouse.titles.g1873.station import StationToken
from roundhouse.titles.g1873.track import connect_mines

from harz import Table


def lays(t: Table, coord: str) -> set[tuple[str, int]]:
    """Tiles and rotations offered on a hex."""
    found = [a for a in t.offers("lay_tile") if a.hex == coord]
    return {(a.tile.rpartition("-")[0], a.rotation) for a in found}


def kept(t: Table, coord: str) -> str | None:
    tile = t.s.kept.get(coord)
    return tile.rpartition("-")[0] if tile else None


def test_mine_builds_on_a_concession_route() -> None:
    """Scenario 21."""
    t = Table(3)
    t.own(1, "14")
    t.phase("2")
    t.money(m14=150)
    t.turn_of("14")
    before = t.cash(1)
    assert not t.rules.concession_open(t.s, "KEZ")
    t.act("14", "lay_tile", hex="H3", tile="78-0", rotation=3)
    # 100 for the terrain; then half of the 90 it earns is its own, half the owner's.
    assert t.cash("14") == 150 - 100 + 45
    assert t.cash(1) - before == 100 + 45
    assert t.rules.concession_open(t.s, "KEZ")
    assert t.s.owed == {"H3": 100}
    assert t.rules.facts.track_due(t.s, "KEZ") == 100

    t.form("KEZ", 240, 3)
    t.money(KEZ=600)
    t.turn_of("KEZ")
    assert t.cash("KEZ") == 500
    assert not t.charter("KEZ").incomplete
    assert t.s.step == "track"
    assert t.may() == {"pass"}  # an ordinary turn, though nothing fits in phase 2


def test_report_of_connections() -> None:
    """§5.4: the engine connects by itself; a file's report is held against that."""
    t = Table(3)
    t.own(1, "14")
    t.money(m14=150)
    t.turn_of("14")
    t.act("14", "lay_tile", hex="H3", tile="78-0", rotation=3)
    report = t.rules.auto_actions(t.s)
    assert [a.minors for a in report] == [("14", "15")]
    assert t.refused("14", "destination_connection", minors=["15"]).code == "mines"
    t.act("14", "destination_connection", minors=["14", "15"])
    assert t.rules.auto_actions(t.s) == ()


def test_reserved_tile_is_laid_by_its_railway() -> None:
    """Scenario 22."""
    t = Table(3)
    t.own(1, "11", "9")
    t.tile("F5", "977", 1)
    t.phase("3")
    t.money(m9=200)
    t.turn_of("9")
    t.act("9", "lay_tile", hex="G2", tile="956-0", rotation=0)
    assert t.s.owed == {"G2": 150}
    t.tile("F7", "975", 0)
    t.money(m11=200)
    t.turn_of("11")
    assert ("76", 4) in lays(t, "F3")
    t.act("11", "lay_tile", hex="F3", tile="76-0", rotation=4)
    assert kept(t, "F3") == "963"
    assert t.s.owed == {"G2": 150, "F3": 150}

    t.form("SHE", 240, 3)
    t.money(SHE=1200)
    t.turn_of("SHE")
    assert t.rules.facts.track_due(t.s, "SHE") == 300
    told = [f.text for f in t.rules.facts.of(t.s, "SHE") if f.short == "route!"]
    cost = t.rules.facts.money(300)
    assert told == [f"Its concession route is not complete; what is left costs {cost} (§9.6)."]
    assert lays(t, "F3") == {("963", 3)}
    assert t.may() == {"lay_tile"}
    assert t.refused("SHE", "pass").code == "must_build"
    t.act("SHE", "lay_tile", hex="F3", tile=t.s.kept["F3"], rotation=3)
    assert t.cash("SHE") == 1200 - 300
    assert not t.charter("SHE").incomplete
    assert t.rules.facts.track_due(t.s, "SHE") == 0
    assert t.s.kept == {}
    assert t.s.owed == {}


def test_reserved_tile_may_be_of_any_colour() -> None:
    """Scenario 23."""
    t = Table(3)
    t.phase("4")
    t.form("HBE", 240, 3)
    t.running("HBE")
    t.route_built("HBE")
    t.money(HBE=500)
    t.turn_of("HBE")
    t.act("HBE", "lay_tile", hex="D15", tile="974-0", rotation=1)
    assert kept(t, "D15") == "986"
    t.form("WBE", 240, 3)
    t.money(WBE=700)
    t.turn_of("WBE")
    for coord, tile, rotation in (("C10", "78-1", 2), ("C12", "956-0", 1), ("C14", "76-0", 5)):
        t.act("WBE", "lay_tile", hex=coord, tile=tile, rotation=rotation)
    assert lays(t, "D15") == {("986", 1)}
    t.act("WBE", "lay_tile", hex="D15", tile="986-0", rotation=1)
    assert not t.charter("WBE").incomplete


def test_locks_and_restrictive_track() -> None:
    """Scenario 24, and the first turn of the HBE as in scenario 36."""
    t = Table(3)
    t.own(1, "12")
    t.phase("2")
    t.form("HBE", 300, 3)
    t.money(HBE=1500)
    t.turn_of("HBE")
    assert lays(t, "C14") == set()
    assert [(a.hex, a.tile, a.rotation) for a in t.offers("lay_tile")] == [("B17", "78-0", 4)]
    assert t.refused("HBE", "lay_tile", hex="C14", tile="76-0", rotation=5).code == "locked"
    t.act("HBE", "lay_tile", hex="B17", tile="78-0", rotation=4)
    assert not t.charter("HBE").incomplete
    assert t.rules.auto_actions(t.s)[0].minors == ("12", "15")
    t.act("HBE", "place_token", city="C16-0-0", slot=0)
    assert t.price("HBE") == 280  # no trains: it withholds
    assert t.refused("HBE", "pass").code == "must_buy"
    t.act("HBE", "buy_train", train="2T-0", price=250, variant="2T")
    assert not t.charter("HBE").pending
    assert t.cash("HBE") == 1500 - 100 - 250


@pytest.mark.parametrize(
    ("coord", "city", "protected"),
    [("H17", 0, True), ("F5", 1, True), ("F5", 0, False), ("H9", 0, False)],
)
def test_protected_places(coord: str, city: int, protected: bool) -> None:
    """Scenario 25: places on routes not yet built."""
    t = Table(3)
    step = next(p for p in t.rules.rounds.values() if p.short == "OR").sequence[2]
    assert isinstance(step, StationToken)
    assert step.is_protected(t.s, coord, city) is protected


def test_the_last_place_but_one_is_protected() -> None:
    """Scenario 25: H9 takes one token, then no second."""
    t = Table(3)
    t.phase("2")
    t.form("SHE", 240, 3)
    t.token("SHE", "H9")
    step = next(p for p in t.rules.rounds.values() if p.short == "OR").sequence[2]
    assert isinstance(step, StationToken)
    assert step.is_protected(t.s, "H9", 0)


def beside_h13(t: Table) -> None:
    """A token of the NWE in G12, from where narrow track leads to the GHE's token in H13."""
    t.phase("3")
    t.form("GHE", 240, 3)
    t.form("NWE", 240, 0, 3)
    t.running("GHE", "NWE")
    t.token("GHE", "H13")
    t.tile("G12", "956", 2)
    t.token("NWE", "G12")
    t.money(NWE=500, GHE=100)


def test_replacing_an_inactive_token() -> None:
    """Scenario 18."""
    t = Table(3)
    beside_h13(t)
    set_corporation(t.edit(), "GHE", inactive=(2,))
    t.turn_of("NWE", "token")
    offers = [a for a in t.offers("place_token") if a.city.startswith("H13")]
    assert [(a.city, a.slot) for a in offers] == [("H13-0-0", 0)]
    t.act("NWE", "place_token", city="H13-0-0", slot=0)
    assert (t.cash("NWE"), t.cash("GHE")) == (450, 150)
    assert [x.city for x in t.charter("GHE").tokens].count(None) == 4
    assert t.charter("GHE").inactive == ()
    assert t.s.board.cities["H13"] == (("NWE",),)


def test_active_tokens_stay() -> None:
    t = Table(3)
    beside_h13(t)
    t.turn_of("NWE", "token")
    assert t.refused("NWE", "place_token", city="H13-0-0", slot=0).code == "full"


def test_two_city_tile_must_not_part_a_route() -> None:
    """Scenario 40."""
    t = Table(3)
    t.phase("3")
    t.own(1, "9")
    t.tile("F3", "76", 3)
    t.tile("G2", "956", 0)
    s = t.edit()
    found = next(x for x in s.supply if x.startswith("963-"))
    s.supply = tuple(x for x in s.supply if x != found)
    s.kept = {"F3": found}
    t.money(m9=500)
    t.turn_of("9")
    fault = t.refused("9", "lay_tile", hex="F3", tile="966-0", rotation=3)
    assert fault.code == "parts_route"


def test_second_lay_needs_double_tiles() -> None:
    """§9.3.2."""
    t = Table(3)
    t.phase("3")
    t.form("GHE", 240, 3)
    t.running("GHE")
    t.route_built("GHE")
    t.money(GHE=2000)
    t.turn_of("GHE")
    t.act("GHE", "lay_tile", hex="I16", tile="76-0", rotation=1)
    assert t.s.step == "track"
    names = {a.tile.rpartition("-")[0] for a in t.offers("lay_tile")}
    assert names <= set(t.rules.constants.double_lay_tiles)


@pytest.mark.parametrize("option", ["", "connected_mines_build"])
def test_connected_mines_build_only_by_option(option: str) -> None:
    t = Table(3, [option] if option else [])
    t.own(1, "15")
    t.turn_of("15")
    assert (t.s.step == "track") is bool(option)


def test_dearer_tanne() -> None:
    for options, cost in (([], 50), (["aag_variant"], 100)):
        t = Table(3, options)
        step = next(x for x in t.rules.rounds.values() if x.short == "OR").sequence[1]
        assert step.cost(t.s, "F7") == cost  # type: ignore[attr-defined]


def test_connection_passes_full_cities_and_state_track() -> None:
    """§9.1.3, §9.7."""
    t = Table(3)
    t.form("GHE", 240, 3)
    connect_mines(t.rules, t.edit())
    assert not t.s.corporations["13"].connected
    t.route_built("GHE")
    connect_mines(t.rules, t.edit())
    assert t.s.corporations["13"].connected
