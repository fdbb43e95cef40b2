"""18Ireland: the merger round, and rounds that end a game (§5.3, §6.5, §13; scenarios of §17)."""

from __future__ import annotations

import pytest
from build18ireland import P1, P2, P3, Table, replace

from roundhouse import bots
from roundhouse.bots.view import View
from roundhouse.model.frozen import put
from roundhouse.model.records import MARKET
from roundhouse.sentences import tell
from roundhouse.titles.g18ireland.merger import Propose, merged_cell
from roundhouse.titles.g18ireland.state import MergerRound, StockRound


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


def test_what_is_voted_on_is_told() -> None:
    t = proposal()
    assert t.rules.facts.game(t.s) == ()
    t.do("P1", "merge", corporation="DER")
    (fact,) = t.rules.facts.game(t.s)
    assert fact.short == "DER"
    t.do("P1", "merge", corporation="DDR")
    t.do("P1", "choose", choice="for")
    (fact,) = t.rules.facts.game(t.s)
    assert fact.short == "DER + DDR"
    vote = MergerRound.of(t.s).vote
    assert vote is not None
    told = (
        f"So far {vote.in_favour} votes for and 0 against; of {vote.available}, {vote.needed} must"
    )
    assert told in fact.text
    assert told in t.rules.facts.asked(t.s)


def test_the_log_tells_who_votes_with_how_much_and_how_the_vote_ends() -> None:
    """§5.3.6–7; the pool votes first."""
    t = joined()
    t.start("DDR", "50,4,2", P1, p2=1, pool=1)
    t.start("DER", "55,3,2", P2, p1=2)
    merging(t)
    for minor in ("DDR", "DER"):
        t.do("P1", "merge", corporation=minor)
    opened = " ".join(str(s) for s in tell(t.rules, t.s, t.game.history[-1].events))
    vote = MergerRound.of(t.s).vote
    assert vote is not None
    (_, votes), *_ = vote.voters
    every = vote.available
    assert f"The market votes for it (1 of {every} votes)" in opened
    t.do("P1", "choose", choice="for")
    told = " ".join(str(s) for s in tell(t.rules, t.s, t.game.history[-1].events))
    assert f"P1 votes for it ({votes} of {every} votes)" in told
    assert f"is accepted: {votes + 1} of {every} votes are for it" in told
    assert t.rules.facts.asked(t.s) == ""


def joined() -> Table:
    """Belfast, Dundalk and Dublin are joined."""
    t = Table()
    t.lay("J4", "IR1", 4)
    t.lay("I5", "1", 0)
    t.lay("I7", "9", 0)
    t.lay("I9", "IR7", 0)
    return t


def three(pool: int = 0) -> Table:
    """Ten shares of their minors are sold, five to each of two players, but that each has
    ``pool`` less, which are in the pool."""
    t = joined()
    t.start("UR", "60,3,3", P1)
    t.start("DDR", "50,4,2", P1, p2=1)
    t.start("DER", "55,3,2", P2, p1=1 - pool, p2=2 - pool, pool=2 * pool)
    return merging(t)


def test_tie_of_three() -> None:
    """§17.19: the vote starts by itself after the third; five to five of ten rejects. The same set
    in another order is dropped, and nothing has changed."""
    t = three()
    for minor in ("UR", "DDR", "DER"):
        t.do("P1", "merge", corporation=minor)
    vote = MergerRound.of(t.s).vote
    assert vote is not None
    assert (vote.available, vote.needed) == (10, 6)
    t.do("P1", "choose", choice="for")
    t.do("P2", "choose", choice="against")
    assert t.game.acting == (P2,)
    t.record("P2", "merge", corporation="DER")
    t.record("P2", "merge", corporation="DDR")
    t.record("P2", "merge", corporation="UR")
    m = MergerRound.of(t.s)
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
    names = {step.name for play in rules.rounds.values() for step in play.sequence}
    assert names == set(box.help)
    assert all(c.text for c in box.companies.values())


def test_three_minors_with_odd_shares() -> None:
    """§6.5: the pool's share is exchanged too; presidency to the largest holder, ties to the
    earliest from the proposer; tokens of £0, £20 and £50 take the places; too many trains are
    discarded."""
    t = three(pool=1)
    for symbol in ("UR", "DDR", "DER"):
        t.cash(symbol, 10)
        for n in range(2):
            t.train(symbol, "4H" if symbol != "DER" else "2H", n + 2 * (symbol == "DDR"))
    t.own("TASPS", "DDR")
    s = t.arrange()
    s.corporations = put(s.corporations, "UR", replace(s.corporations["UR"], markers=("CDSPC",)))
    for minor in ("UR", "DDR", "DER"):
        t.do("P1", "merge", corporation=minor)
    for n in (1, 2):
        t.do(f"P{n}", "choose", choice="for")
    t.do("P1", "merge", corporation="GSWR")
    c = t.s.corporations["GSWR"]
    assert c.cell == t.rules.box.market.grid[3, 2].id
    assert [x.index for x in c.certs[P1]] == [0, 1, 2]
    assert [x.index for x in c.certs[P2]] == [3, 4, 5, 6]
    assert [x.index for x in c.certs[MARKET]] == [7, 8]
    assert c.president == P1
    assert [x.city for x in c.tokens] == ["J4/0", "I11/1", "I9/0"]
    assert (c.cash, c.markers, t.s.companies["TASPS"].owner) == (30, ("CDSPC",), "GSWR")
    assert (t.s.step, t.game.acting, len(c.trains)) == ("discard", ("GSWR",), 6)
    t.do("GSWR", "discard_train", train="2H-0")
    t.record("GSWR", "discard_train", train="4H-1")
    assert t.s.depot.market == ("2H-0", "4H-1")
    assert t.game.acting == (P2,)


def test_the_pool_votes_by_price() -> None:
    """§5.3.5: for the minor whose shares gain, against for the one whose shares lose."""
    t = Table()
    t.lay("I9", "IR7", 0)
    t.start("DER", "60,3,3", P1, pool=1)
    t.start("DDR", "100,0,6", P2, p1=1, pool=2)
    merging(t)
    t.do("P1", "merge", corporation="DER")
    t.do("P1", "merge", corporation="DDR")
    vote = MergerRound.of(t.s).vote
    assert merged_cell(t.rules, t.s, ("DER", "DDR")) == "76,0,3"
    assert vote is not None
    assert (vote.in_favour, vote.against, vote.available, vote.needed) == (1, 2, 8, 5)
    assert vote.voters == ((P1, 3), (P2, 2))


def test_bankrupt_players_vote() -> None:
    """§5.3: who still owns shares is asked."""
    t = proposal()
    s = t.arrange()
    s.players = put(s.players, P2, replace(s.players[P2], bankrupt=True))
    t.do("P1", "merge", corporation="DER")
    t.do("P1", "merge", corporation="DDR")
    t.do("P1", "choose", choice="for")
    assert t.game.acting == (P2,)
    t.record("P2", "choose", choice="against")
    assert t.game.acting == (P3,)


def test_a_rejected_proposal_clears_the_passes() -> None:
    """§5.3.5, §5.3.7: whoever passed before is asked again; the proposer has not passed."""
    t = proposal()
    s = t.arrange()
    s.round = replace(MergerRound.of(s), player=P2, passed=(P3, P1))
    t.settle()
    t.do("P2", "merge", corporation="DER")
    t.do("P2", "merge", corporation="DDR")
    t.record("P2", "choose", choice="against")
    assert (MergerRound.of(t.s).player, MergerRound.of(t.s).passed) == (P3, ())


@pytest.mark.parametrize(
    ("mine", "code"), [((0, 0, 1), None), ((1, 0, 1), "issued"), ((1, 1, 2), "holding_limit")]
)
def test_what_a_major_cannot_hold_is_not_proposed(
    mine: tuple[int, int, int], code: str | None
) -> None:
    """§5.3.3: ten issued shares, seven of one player."""
    t = joined()
    t.start("UR", "60,3,3", P1, p1=mine[0])
    t.start("DDR", "50,4,2", P1, p1=mine[1], p2=3 * (mine[1] == 0))
    t.start("DER", "55,3,2", P2, p1=mine[2])
    fault = Propose(t.rules).why_not(t.s, ("UR", "DDR"), "DER")
    assert (fault and fault[0]) == code


def test_one_token_a_hex() -> None:
    """§5.3.3: the two minors of Dublin never merge."""
    t = joined()
    t.start("DKR", "60,3,3", P1)
    t.start("DDR", "50,4,2", P1)
    t.start("DER", "55,3,2", P2)
    t.lay("I11", "IR68", 0)
    partners = Propose(t.rules)
    assert partners.why_not(t.s, ("DER", "DDR"), "DKR") == (
        "same_hex",
        "DKR has its token on the same hex as another one.",
    )
    assert partners.why_not(t.s, ("DER",), "DKR") is None


def test_bank_breaking_in_a_merger_round() -> None:
    """§13: the set of operating rounds after the next stock round is played to its end."""
    t = proposal()
    s = t.arrange()
    s.bank_low = -1
    for n in (1, 2, 3):
        t.record(f"P{n}", "pass")
    assert t.s.finished is None
    assert isinstance(t.s.round, StockRound)


def test_a_player_that_forecasts_votes_by_what_the_merger_brings() -> None:
    t = proposal()
    t.do("P1", "merge", corporation="DER")
    t.do("P1", "merge", corporation="DDR")
    player = bots.player("magnate", "quick", seed=1)
    decision = player.choose(t.game)
    scores = {c.action.choice: c.score for c in decision.candidates}  # type: ignore[attr-defined]
    assert scores["for"] != scores["against"]
    end = t.game.copy()
    for who in ("P1", "P2"):
        end.apply(t._action(who, "choose", {"choice": "for"}))
    end.apply(end.choices()[0].action)
    view = View(player.mind(end), t.s, P1)
    better = view.score(end.state) > view.here
    assert decision.action.choice == ("for" if better else "against")  # type: ignore[attr-defined]
