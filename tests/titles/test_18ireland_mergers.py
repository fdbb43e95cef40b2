"""18Ireland: the merger round, and rounds that end a game (§5.3, §6.5, §13; scenarios of §17)."""

from __future__ import annotations

from build18ireland import P1, P2, Table

from roundhouse.model.records import put
from roundhouse.titles.g18ireland.merger import memory
from roundhouse.titles.g18ireland.state import MergerRound


def proposal() -> Table:
    """Two minors joined by broad track; one owns a share of both."""
    t = Table()
    t.lay("I9", "IR7", 0)
    t.start("DER", "60,3,3", P1, 100, p2=2)
    t.start("DDR", "50,4,2", P2, 50, p1=2)
    return merging(t)


def merging(t: Table) -> Table:
    """A merger round of phase 4; the first player has the priority deal."""
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


def three() -> Table:
    """Belfast, Dundalk and Dublin joined; ten shares of theirs are sold, five to each of two."""
    t = Table()
    t.lay("J4", "IR1", 4)
    t.lay("I5", "1", 0)
    t.lay("I7", "9", 0)
    t.lay("I9", "IR7", 0)
    t.start("UR", "60,3,3", P1)
    t.start("DDR", "50,4,2", P1, p2=1)
    t.start("DER", "55,3,2", P2, p1=1, p2=2)
    return merging(t)


def test_tie_of_three() -> None:
    """§17.19: the vote starts by itself after the third; five to five of ten rejects. The same set
    in another order is dropped, and nothing has changed."""
    t = three()
    for minor in ("UR", "DDR", "DER"):
        t.do("P1", "merge", corporation=minor)
    vote = memory(t.s).vote
    assert vote is not None
    assert (vote.available, vote.needed) == (10, 6)
    t.do("P1", "choose", choice="for")
    t.do("P2", "choose", choice="against")
    assert t.game.acting == (P2,)
    t.record("P2", "merge", corporation="DER")
    t.record("P2", "merge", corporation="DDR")
    t.record("P2", "merge", corporation="UR")
    m = memory(t.s)
    assert (m.player, m.merging, m.vote, m.passed) == (P2, (), None, ())


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
