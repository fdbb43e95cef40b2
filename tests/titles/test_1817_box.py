"""1817, its data against the reference facts, and what they must add up to."""

from __future__ import annotations

import json

import pytest

from build1817 import MARKET, Table


@pytest.fixture
def facts(reference):
    return json.loads((reference / "facts" / "1817.json").read_text(encoding="utf-8"))


@pytest.fixture
def box():
    return Table(3, ["volatility"]).box


def test_map(facts, box):
    """§9.4: the same hexes, and the same neighbours track may lead to."""
    theirs = {h["coord"]: h for h in facts["map"]["hexes"]}
    drawn = {c: h for c, h in theirs.items() if c in box.map.hexes}
    assert set(box.map.hexes) == set(theirs)
    for coord, entry in drawn.items():
        here = {str(e): n for e, n in box.map.neighbors[coord].items()}
        assert here == entry["neighbors"], coord
        assert box.map.hexes[coord].id == entry["tile"]["id"]
        nodes = [(n["kind"], n.get("revenue")) for n in entry["tile"].get("nodes", [])]
        ours = [(n.kind, n.revenue) for n in box.map.printed[coord].tile.nodes]
        assert [k for k, _ in ours] == [k for k, _ in nodes]
        assert [r for k, r in ours if k != "junction"] == [
            r for k, r in nodes if k != "junction"
        ], coord


def test_tiles(facts, box):
    """§1.8: the same supply."""
    theirs = {name: t["count"] for name, t in facts["tiles"].items()}
    assert box.tiles.counts == theirs


def test_market(facts, box):
    """§7.1: 32 cells, the same prices."""
    cells = list(box.market.cells.values())
    assert len(cells) == 32
    assert [c.price for c in cells][:6] == [0, 0, 0, 0, 40, 45]
    assert cells[31].price == 600
    listed = [c["price"] for row in facts["market"]["rows"] for c in row if c]
    assert [c.price for c in cells] == listed


def test_trains(facts, box):
    """§10.1."""
    for theirs in facts["trains"]:
        ours = box.trains[theirs["name"]]
        assert ours.price == theirs["price"]
        assert ours.rusts_on == theirs.get("rusts_on")
        assert ours.obsolete_on == theirs.get("obsolete_on")


def test_privates(facts, box):
    """§8: names, values, and in which order they are dealt."""
    listed = facts["companies"] + next(
        o["data"]["companies"] for o in facts["optional_rules"] if o["id"] == "volatility"
    )
    assert list(box.companies) == [c["id"] for c in listed]
    for theirs in listed:
        assert box.companies[theirs["id"]].value == theirs["value"]
        assert box.companies[theirs["id"]].name == theirs["name"]


def test_power_hexes(facts):
    """§8, §14.1: where mines, ranches, bridges and city tiles may go."""
    t = Table(3)
    listed = facts["companies"] + next(
        o["data"]["companies"] for o in facts["optional_rules"] if o["id"] == "volatility"
    )
    for company in listed:
        powers = t.rules.powers[company["id"]]
        for ability in company["abilities"]:
            hexes = set(ability.get("hexes", ()))
            if ability["kind"] == "assign_hexes":
                assert powers.bridges is not None
                assert set(powers.bridges.hexes) == hexes
                assert powers.bridges.count == ability["count"]
            elif ability["kind"] == "tile_lay" and powers.tiles is not None:
                assert set(powers.tiles.hexes) == hexes
                assert powers.tiles.count == ability["count"]
            elif ability["kind"] == "tile_lay":
                assert {powers.city_tile} == hexes


@pytest.mark.parametrize(
    ("players", "cash", "limit"),
    [(3, 420, 21), (4, 315, 16), (5, 252, 13), (6, 210, 11), (7, 180, 9), (8, 158, 8),
     (9, 140, 7), (10, 126, 6), (11, 115, 6), (12, 105, 5)],
)  # fmt: skip
def test_players(players, cash, limit):
    """§2.1."""
    t = Table(players)
    assert {p.cash for p in t.s.players.values()} == {cash}
    assert t.rules.cert_limit(t.s) == limit
    assert t.s.bank == -cash * players


def test_start():
    """§2.4: 20 corporations, none started, 70 loans; privates of Volatility only with it."""
    t = Table(3)
    assert len(t.s.corporations) == 20
    assert t.rules.started(t.s) == []
    assert t.s.loans_left == 70
    assert list(t.s.companies) == [
        "PSM", "ME", "OBC", "UBC", "TS", "MINC", "CM", "MAJC", "MINM", "MAIL", "MAJM",
    ]  # fmt: skip
    assert all(c.certs == {c.id: c.certs[c.id]} for c in t.s.corporations.values())
    assert len(Table(3, ["volatility"]).s.companies) == 24


def test_certificates_counted():
    """§2.2: positive ones in any zone; no shorts, no privates."""
    t = Table(3)
    t.start("H", 1, size=5, cell=0, holders={2: [1, 2]})
    t.start("J", 1, size=5, cell=2, holders={2: [1], MARKET: [10]}, shorts={2: [11]})
    t.own(2, "MINC")
    assert t.rules.certificates(t.s, t.key(2)) == 3
    assert t.rules.certificates(t.s, t.key(1)) == 2


def test_somebody_decides_for_a_corporation_without_president():
    """§10.4: it may have too many trains; left of its former president decides."""
    t = Table(4)
    t.start("H", 2, size=5, cell=0, trains=["3"] * 4, holders={MARKET: [0]})
    t.change("H", president=None, former_president=t.key(2))
    t.phase("4")
    t.merger_round()
    assert t.waits("H")
    assert t.rules.president(t.s, "H") == t.key(3)
    t.do("discard_train", "H", train="3-1")
