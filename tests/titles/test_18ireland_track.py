"""18Ireland: track, the powers of privates, tokens and routes (§8, §9, §11; scenarios of §17)."""

from __future__ import annotations

from typing import Any

import pytest
from build18ireland import P1, P2, Table

from roundhouse.board.tileset import keeps_track
from roundhouse.model.records import Board
from roundhouse.titles.g18ireland.state import (
    OperatingRound,
)


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
