"""What bots say of what they do: sentences one would say at the table, with true figures."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse import bots
from roundhouse.bots import habits, magnate, search
from roundhouse.bots.decision import Candidate, Reason
from roundhouse.bots.judges import auctions, judge, shares, stakes, track, trains
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.mind import Mind
from roundhouse.bots.view import View
from roundhouse.bots.wording import a_train, called, signed, with_trains
from roundhouse.model.actions import (
    Bankrupt,
    BuyShares,
    BuyTrain,
    Choose,
    Convert,
    Pass,
    SellShares,
    Short,
)
from roundhouse.model.events import TrainsRusted
from roundhouse.model.records import State
from roundhouse.sentences.words import counted

from reference import GAMES


def game_of(name: str) -> roundhouse.Game:
    return roundhouse.load(GAMES / f"{name}.json")


def seen(game: roundhouse.Game, me: str | None = None) -> View:
    """A position as a player of the usual kind sees it."""
    mind = Mind(game.rules, knowledge_of(game.title), effort=200)
    return View(mind, game.state, me or search.own(mind, game.state, game.choices())[0])


def judged(game: roundhouse.Game) -> list[Candidate]:
    view = seen(game)
    return judge(view, search.own(view.mind, game.state, game.choices())[1])


def before(game: roundhouse.Game, kind: type[Any], number: int = 0) -> roundhouse.Game:
    """The position before an action of a type."""
    found = [n for n, e in enumerate(game.history) if isinstance(e.action, kind)]
    return game.at(game.history[found[number] - 1].action.id or 0)


def texts(found: Candidate) -> list[str]:
    return [r.text for r in found.reasons]


def test_words_of_numbers_and_trains() -> None:
    facts = roundhouse.new("1873", ["Ada", "Ben"]).rules.facts
    assert [counted(n, "round") for n in (0, 1, 2)] == ["0 rounds", "1 round", "2 rounds"]
    assert [signed(n) for n in (40, -20, 0)] == ["+40", "−20", "+0"]
    assert [a_train(facts, k) for k in ("2", "8", "2+", "8H", "5D", "FLOOD", "3S", "2M")] == [
        "a 2-train", "an 8-train", "a 2+ train", "an 8H train", "a 5D train", "a FLOOD train",
        "a 3S switcher", "a 2M machine",
    ]  # fmt: skip
    assert called(facts, "2") == "2-train"
    assert with_trains(facts, ("2", "2", "3")) == "with trains 2, 2 and 3"
    assert with_trains(facts, ("6",)) == "with a 6-train"


# bankruptcy


@pytest.mark.parametrize("name", ["1817/base", "1828/base", "1839/bankrupt"])
def test_bankruptcy_costs_what_one_is_worth_and_is_done_only_where_nothing_else_can_be(
    name: str,
) -> None:
    game = before(game_of(name), Bankrupt)
    view = seen(game)
    found = judged(game)
    one = next(c for c in found if isinstance(c.action, Bankrupt))
    worth = max(0.0, view.standing[view.me])
    assert -worth - 200 <= one.score < -worth
    assert found[-1] is one
    assert "it costs all one is worth" in one.sentence


def test_bankruptcy_is_last_whatever_else_costs() -> None:
    """What costs more than all one is worth is rather done, and nothing is looked into or left to
    chance where it could be taken for as good."""
    view = seen(before(game_of("1839/bankrupt"), Bankrupt))
    ruin = Candidate(Bankrupt(entity="RS", entity_type="corporation"), -100.0)
    worse = Candidate(Pass(entity="RS", entity_type="corporation"), -5_000.0)
    best = Candidate(Pass(entity="SS", entity_type="corporation"), -90.0)
    assert ruin.last
    assert not worse.last
    assert search._near([best, ruin], search.Depth(width=4)) == [best]
    assert habits.close(view, [best, ruin], 1.0) == [best]


def test_chance_does_not_lead_into_bankruptcy(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("18Ireland/base").at(236)
    view = seen(game)
    ruin = Candidate(Bankrupt(entity="RS", entity_type="corporation"), -20.0)
    other = Candidate(Pass(entity=1, entity_type="player"), -30.0)
    monkeypatch.setattr(search, "judge", lambda view, choices: [other, ruin])
    drawn = [search.quickly(view, game.state, Random(n)) for n in range(40)]
    assert all(c is other for c in drawn)


def test_a_bot_would_rather_do_anything_than_be_bankrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("18Ireland/base").at(236)
    choice = game.choices()[0]
    ruin = Candidate(Bankrupt(entity="RS", entity_type="corporation"), -100.0)
    monkeypatch.setattr(magnate, "judge", lambda *_: [ruin, Candidate(choice.action, -5_000.0)])
    for level in ("quick", "club"):
        decision = bots.player("magnate", level, seed=1).choose(game)
        assert decision.action == choice.action
        assert decision.candidates[-1].action == ruin.action


# shares


def test_a_purchase_says_what_the_share_is_worth() -> None:
    game = before(game_of("1839/stock_market"), BuyShares, 20)
    view = seen(game)
    bought = [c for c in judged(game) if isinstance(c.action, BuyShares)]
    assert bought
    for c in bought:
        symbol = c.action.shares[0].rpartition("_")[0]  # type: ignore[attr-defined]
        told = next(r for r in c.reasons if r.code == "traded")
        assert f" % of {symbol} is worth {view.money(told.worth)}" in told.text
        assert told.worth > 0


def test_a_sale_says_what_the_shares_are_worth_that_are_sold() -> None:
    game = before(game_of("1828/base"), SellShares)
    sold = [c for c in judged(game) if c.action.type == "sell_shares"]
    assert sold
    assert all(any(text.endswith(" if kept") for text in texts(c)) for c in sold)


def test_shares_bought_at_once_after_a_conversion_are_named() -> None:
    game = before(game_of("1817/base"), Convert)
    found = next(c for c in judged(game) if isinstance(c.action, Convert))
    assert any(
        "in hand with 1 share of " in t and t.endswith(" bought at once") for t in texts(found)
    )


def test_a_name_that_begins_a_merger_says_which() -> None:
    game = game_of("1828/base")
    told = {
        r.text
        for n in (558,)
        for c in judged(game.at(n))
        if isinstance(c.action, Choose)
        for r in c.reasons
        if r.code == "merger"
    }
    assert told
    assert all(" is to take over " in text for text in told)


def test_a_short_says_what_it_is_sold_for() -> None:
    game = before(game_of("1817/base"), Short)
    found = [c for c in judged(game) if isinstance(c.action, Short)]
    assert found
    assert all(" is sold for $" in t[0] and " and worth $" in t[0] for t in map(texts, found))


def test_what_new_shares_bring_is_said_as_what_it_is() -> None:
    view = seen(game_of("1873/base").at(100))
    assert (
        shares._against_rivals(view, 12.0)
        == "one gains 12\xa0ℳ by them, what rivals gain taken off"
    )
    assert shares._against_rivals(view, -12.0) == (
        "what rivals gain by them costs 12\xa0ℳ more than one gains oneself"
    )
    assert stakes.gained(view, 268.0) == "268\xa0ℳ are gained in all"
    assert stakes.gained(view, -445.0) == "445\xa0ℳ are lost in all"


# looking on


def test_what_decides_is_told_where_one_could_come_to_lead_at_a_cost() -> None:
    """The reasons come to the score but for what is asked of all that is no pass."""
    game = roundhouse.replay(GAMES / "1839" / "bankrupt.json")[0].at(19)
    buys = [c for c in judged(game) if isinstance(c.action, BuyShares)]
    told = [c for c in buys if any("can pass AMS on" in text for text in texts(c))]
    assert any(c.score < 0 for c in told)
    for c in told:
        assert abs(sum(r.worth for r in c.reasons) - c.score) < 5
    chosen = {c.action: texts(c) for c in bots.player().choose(game).candidates}
    assert all(set(chosen[c.action]) <= set(texts(c)) for c in told)


def test_what_may_be_bought_later_says_so() -> None:
    game = roundhouse.replay(GAMES / "1817" / "base.json")[0].at(133)
    buys = [c for c in judged(game) if isinstance(c.action, BuyShares)]
    assert buys
    assert all(any(r.code == "wait" and r.worth < 0 for r in c.reasons) for c in buys)


def test_rivals_are_told_of_where_they_decide_or_count_for_much() -> None:
    action = Pass(entity="1", entity_type="player")

    def codes(score: float, own: float, rivals: float) -> list[str]:
        why = (Reason("own", "", own), Reason("rivals", "", rivals))
        return [r.code for r in Candidate(action, score, why).told().reasons]

    assert codes(95.0, 100.0, -5.0) == ["own"]
    assert codes(80.0, 100.0, -20.0) == ["own", "rivals"]
    assert codes(-3.0, 100.0, -5.0) == ["own", "rivals"]


def test_a_difference_of_nothing_is_not_told() -> None:
    view = seen(game_of("18Ireland/base").at(236))
    c = Candidate(Pass(entity=1, entity_type="player"), 10.0, (Reason("cash", "+£1 in hand", 1.0),))
    same = search._scored(view, c, 0.3, 0.0, "at the end of the round", 0.5)
    assert same.score == 0.5 * 10.0 + 0.5 * 0.3
    assert same.reasons == c.reasons
    less = search._scored(view, c, -3.0, 0.0, "at the end of the round", 0.5)
    assert less.reasons[-1].text == "at the end of the round £3 worse than now"


# trains


def _purchases(game: roundhouse.Game) -> Iterator[tuple[State, BuyTrain, State, int]]:
    last = game.start
    for entry in game.history:
        if isinstance(entry.action, BuyTrain):
            rusted = sum(len(e.trains) for e in entry.events if isinstance(e, TrainsRusted))
            yield last, entry.action, entry.state, rusted
        last = entry.state


@pytest.mark.parametrize("name", ["1817/base", "1828/base"])
def test_only_trains_that_rust_are_said_to_rust(name: str) -> None:
    game = game_of(name)
    view = seen(game.at(1))
    told = 0
    for last, a, then, rusted in _purchases(game):
        assert trains._rusted(view, replace(a, auto_actions=()), last, then) == rusted
        told += rusted
    assert told


def test_what_goes_to_a_mine_lets_nothing_rust() -> None:
    """A switcher or machine goes to the mines of its buyer, so that no company has a train more."""
    game = game_of("1873/base")
    view = seen(game.at(1))

    def owned(s: State) -> int:
        return sum(len(c.trains) for c in s.corporations.values())

    bought = [p for p in _purchases(game) if owned(p[2]) <= owned(p[0]) and not p[3]]
    assert bought
    for last, a, then, _ in bought:
        assert trains._rusted(view, a, last, then) == 0
        assert "rust" not in trains._why(seen(game, "0"), a, last, then).text


def test_how_long_a_train_runs() -> None:
    assert trains._lasts(0.2) == "hardly runs before it rusts or the game ends"
    assert trains._lasts(1.2) == "runs about 1 round"
    assert trains._lasts(5.0) == "runs about 5 rounds"


def test_a_loan_names_the_train_it_is_for() -> None:
    game = game_of("1817/base")
    told = [
        text
        for n in range(150, 420, 15)
        for c in judged(game.at(n))
        if c.action.type == "take_loan"
        for text in texts(c)
        if " to buy " in text
    ]
    assert told
    for text in told:
        assert text.startswith(("1 loan to buy ", *(f"{n} loans to buy " for n in range(2, 12))))
        assert text.endswith((" train", "-train", " trains"))


# track


def test_track_says_what_it_brings_and_nothing_that_is_nothing() -> None:
    view = seen(game_of("1817/base").at(200))

    def brings(more: int, reach: int, cost: int, **beside: Any) -> str:
        figures = {"more": more, "reach": reach, "cost": cost, **beside}
        return track._brings(view, figures, ("2", "2", "3"))

    assert brings(60, 57, 20) == "+60 a run, 57 more in stops to be reached, costs $20"
    assert brings(0, -11, -5) == "11 less in stops to be reached, brings $5"
    assert brings(0, 0, 0) == "+0 a run"
    assert brings(-20, 0, 0, later=40) == "−20 a run, +40 with trains 2, 2 and 3"


# auctions


def test_a_bid_above_the_least_one_says_both() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=4)
    found = [r for c in judged(game) for r in c.reasons if r.code == "private"]
    assert found
    for r in found:
        assert r.text.endswith(
            f": ${r.figures['price']} are bid at once, though $0 would do if nobody else bids"
        )


def test_a_company_that_brings_debts_is_said_to_owe(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("1817/base")
    auction = next(
        game.at(e.action.id or 0) for e in game.history if e.state.step == "acquisition auction"
    )
    for worth, text in ((-755.0, " owes $755 more than it brings"), (77.0, " brings $77")):
        monkeypatch.setattr(auctions, "takeover_worth", lambda view, symbol, w=worth: w)
        told = [r.text for c in judged(auction) for r in c.reasons if r.code == "takeover"]
        assert told
        assert all(f"{text} and costs $" in t for t in told)


# all together


def test_no_reason_has_numbers_that_read_wrongly() -> None:
    wrong = (" 1 trains", " 1 rounds", " 0 rounds", "+0 in reach", ": -", ", -", "are to be had")
    for name in ("1817/base", "1828/base", "1839/stock_market", "1873/base", "18Ireland/base"):
        game, player = game_of(name), bots.player("magnate", "quick", seed=1)
        ids = [e.action.id or 0 for e in game.history]
        for number in ids[15 :: len(ids) // 8]:
            if (at := game.at(number)).finished:
                continue
            told = [r.text for c in player.choose(at).candidates for r in c.reasons]
            assert [t for t in told if any(w in t for w in wrong)] == []
