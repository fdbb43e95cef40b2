"""What buttons and the sentence say: every step has words, and no two buttons read the same.

python tests/web/test_words.py     every position of every game, which takes minutes
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from msgspec.structs import replace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.conftest import game_files

import roundhouse
from roundhouse.model.actions import Bid
from roundhouse.model.records import Company
from roundhouse.sentences.buttons import Wording, lot_name
from roundhouse.sentences.steps import STEPS
from roundhouse.titles.title import all_titles
from roundhouse.web.page import steps
from roundhouse.web.page.now import Amount, Item, joined, now_of

OWN = Path(__file__).parents[1] / "games"
#: Of so many positions of a game the suite looks at one.
EVERY = 40


def buttons(now):
    """What each button says, with what stands above and before it, and what it sends."""
    for group in now.groups:
        for item in group.items:
            amounts = [(a.name, a.low, a.high, a.step) for a in item.amounts]
            for one in item.options or [item]:
                said = (group.title, group.actor, item.label, one.label, str(amounts))
                yield said, one.action


def faults(game, every):
    """Positions of a game where buttons read alike, or the sentence does not name the step."""
    for entry in game.history[::every]:
        here = game.at(entry.action.id)
        if here.finished:
            continue
        now, sent = now_of(here, frozenset(here.state.players)), defaultdict(set)
        for said, action in buttons(now):
            sent[said].add(action)
        alike = {said: actions for said, actions in sent.items() if len(actions) > 1}
        if alike or here.state.step not in STEPS:
            yield entry.action.id, here.state.step, alike


def bid(symbol):
    """The button of a bid for a company, as for others."""
    amount = Amount("price", 100, 200, 5, [])
    return Item(symbol, symbol, kind="bid", amounts=[amount], symbol=symbol, about=symbol)


@pytest.mark.parametrize(("many", "items"), [(1, 1), (2, 2), (3, 1), (4, 1)])
def test_no_company_one_may_bid_for_is_left_out(many, items):
    found = joined([bid(symbol) for symbol in "ABCD"[:many]])
    assert len(found) == items
    sent = [one.action for item in found for one in item.options or [item]]
    assert sent == list("ABCD"[:many])


#: What can be done with a turn of a stock round → the words for it.
TURNS = {
    "sell_shares": "sell", "buy_shares": "buy", "short": "sell short", "par": "start a company",
    "bid": "start a company", "choose": "merge",
}  # fmt: skip


@pytest.mark.parametrize("title", ["1817", "1828", "1839", "18Ireland"])
def test_the_sentence_of_a_stock_turn_names_what_can_be_done(title):
    paths = [p for p in game_files() if p.parent.name.casefold() == title.casefold()]
    game, told = roundhouse.load(json.loads(paths[0].read_text())), set()
    for entry in [e for e in game.history if e.state.step in ("stock turn", "stock")][::EVERY]:
        here = game.at(entry.action.id)
        who = here.state.acting[0]
        offered = {c.type for c in here.choices() if c.actor == who}
        said = steps.to_do(here, who)
        words = {w for part in said.split(" or ") for w in part.split(", ")}
        for kind, word in TURNS.items():
            if kind in offered:
                assert word in words, (said, offered)
        assert all(
            any(TURNS[k] == w for k in offered & TURNS.keys()) for w in words & {*TURNS.values()}
        )
        told.add(said)
    assert len(told) > 1


def test_the_sentence_of_a_step_in_which_one_can_only_pass_says_so():
    game = roundhouse.load(
        json.loads(next(p for p in game_files() if "1873" in str(p)).read_text())
    )
    track = [e for e in game.history if e.state.step == "track" and not e.state.finished]
    told = set()
    for entry in track[::5]:
        here = game.at(entry.action.id)
        kinds = {c.type for c in here.choices() if c.actor in here.acting}
        said = now_of(here, frozenset(here.state.players)).sentence
        assert ("not possible now" in said) == (kinds == {"pass"}), (said, kinds)
        told.add(kinds == {"pass"})
    assert told == {True, False}


@pytest.mark.parametrize("title", ["1828", "1873"])
def test_the_sentence_of_what_must_be_done_says_so(title):
    path = next(p for p in sorted((OWN / title).glob("*.json")))
    game, told = roundhouse.replay(path)[0], 0
    for entry in game.history:
        if entry.state.step in ("track", "trains"):
            here = game.at(entry.action.id)
            may_pass = any(c.type == "pass" for c in here.choices())
            sentence = now_of(here, frozenset(here.state.players)).sentence
            assert (": must " in sentence) != may_pass
            told += not may_pass
    assert told


def test_who_is_asked_for_a_bid_is_told_for_which_company():
    game = roundhouse.load(
        json.loads(next(p for p in game_files() if "1817" in str(p)).read_text())
    )
    asked = [e for e in game.history if e.state.step in ("founding auction", "acquisition auction")]
    assert asked
    for entry in asked[::7]:
        here = game.at(entry.action.id)
        said = steps.to_do(here, here.state.acting[0])
        assert said.removeprefix("bid for ") in here.state.corporations


@pytest.mark.parametrize("path", game_files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_two_buttons_read_the_same(path):
    assert list(faults(roundhouse.load(json.loads(path.read_text())), EVERY)) == []


@pytest.mark.parametrize("title", all_titles())
def test_every_step_that_waits_says_what_is_to_be_done(title):
    rounds = all_titles()[title].contents().rounds
    waiting = {step.name for play in rounds for step in play.steps if not step.quiet}
    assert waiting - set(STEPS) == set()


def test_a_symbol_that_a_private_and_a_corporation_share_is_told_as_what_it_is():
    game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=1)
    rules, s = game.rules, game.state
    bought = replace(s, companies={**s.companies, "ME": Company("ME", owner="player:0")})
    assert lot_name(rules, s, "ME") == rules.box.companies["ME"].name
    assert lot_name(rules, bought, "ME") == f"ME · {rules.box.corporations['ME'].name}"
    bid = Bid(entity=0, entity_type="player", price=100, corporation="ME")
    assert Wording(rules, s).label(bid) == lot_name(rules, bought, "ME")


def _first(title):
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=3)
    return now_of(game, frozenset(game.state.players))


def test_what_is_sold_at_its_price_is_bought_and_not_bid_for():
    sale, auction = _first("1839"), _first("1828")
    assert "buy one" in sale.sentence
    assert [g.title for g in sale.groups] == ["Buy", "Lay money on one", "Pass"]
    assert "bid" in auction.sentence
    assert [g.title for g in auction.groups] == ["Bid", "Pass"]


def main() -> int:
    """Every position of all games."""
    found = 0
    for path in game_files():
        game = roundhouse.load(json.loads(path.read_text()))
        for fault in faults(game, 1):
            found += 1
            print(path, *fault)
        print(path.parent.name, path.stem, len(game.history), "positions", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
