"""Choices as programs see them: numbered, drawn, written as texts and read again.

Run as a script, it draws as many actions a title as are asked for:

    python tests/test_space.py 10000
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roundhouse
from roundhouse.model.actions import Bid, Choose, LayTile, Pass, RunRoutes, decode_action
from roundhouse.model.choices import Domain, Equal, InOrder, Pick, Span
from roundhouse.model.notation import read_move, write_move
from roundhouse.model.space import Few, Place, Space
from roundhouse.selfplay import lively, pushing
from roundhouse.titles.title import all_titles

ROOT = Path(__file__).parent


@pytest.mark.parametrize("domain", [InOrder((("a", "b"), ("a", "b"))), Pick(1, ("a", "b"), ("c",))])
@pytest.mark.parametrize("value", [None, 7])
def test_what_is_no_list_of_names_is_not_among_them(domain: Domain, value: object) -> None:
    assert not domain.contains(value)


def known(title: str) -> Iterator[roundhouse.Game]:
    """Positions of the games of a title that are kept with the tests."""
    for path in sorted((ROOT / "games" / title).glob("*.json")):
        game = roundhouse.load(path)
        yield from (game.at(e.action.id or 0) for e in game.history)


def positions(title: str, seed: int) -> Iterator[roundhouse.Game]:
    """Positions of games, one after the other, without end; those that are kept come first."""
    yield from (game for game in known(title) if game.acting)
    limits = roundhouse.find_title(title).box.game.players
    for number in itertools.count(seed):
        seats = limits.min + number % (min(limits.max, 5) - limits.min + 1)
        game = roundhouse.new(title, [f"Player {n}" for n in range(seats)], seed=number)
        rng = Random(number)
        while (choices := game.choices()) and len(game) < 900:
            yield game
            policy = pushing if number % 2 else lively
            game.apply(policy(game, choices, rng))


def comes_back(title: str, count: int, seed: int, every: int = 1) -> Counter[str]:
    """Draw actions that are legal and hold each against the fine space and a coarse one; returns
    how many of each type there were."""
    rng = Random(seed)
    drawn: Counter[str] = Counter()
    for game in itertools.islice(positions(title, seed), 0, count * every, every):
        choices = game.choices()
        fine, coarse = Space(choices), Space(choices, amounts=8)
        action = rng.choice(choices).sample(rng)
        place = fine.place(action)
        assert fine.action(place) == action
        assert coarse.action(coarse.place(action)) == action
        assert not any(
            isinstance(d, Span) for n, d in fine.domains[place.choice].items() if n in place.said
        )
        if place.said:
            assert choices[place.choice].covers(fine[fine.near(action)])
        else:
            assert fine[fine.index(action)] == action
        assert read_move(write_move(action)) == action
        assert decode_action(msgspec.json.decode(msgspec.json.encode(action))) == action
        drawn[action.type] += 1
    return drawn


@pytest.mark.parametrize("title", list(all_titles()))
def test_every_legal_action_has_a_place_and_comes_back_equal(title: str) -> None:
    assert len(comes_back(title, 60, seed=1, every=11)) > 3


@pytest.mark.parametrize("title", list(all_titles()))
def test_numbers_and_actions_go_both_ways(title: str) -> None:
    rng = Random(2)
    for game in itertools.islice(positions(title, 3), 0, 500, 25):
        for space in (game.space(), game.space(amounts=5)):
            assert len(space) == sum(1 for _ in space) if len(space) < 3000 else True
            for number in {0, len(space) - 1, rng.randrange(len(space)), rng.randrange(len(space))}:
                action = space[number]
                assert game.is_legal(action)
                assert space.index(action) == space.near(action) == number
                assert action in space


def test_a_space_lists_what_the_choices_list() -> None:
    for game in itertools.islice(positions("1828", 5), 0, 300, 60):
        listed = [a for c in game.choices() for a in c.actions()]
        assert list(game.space()) == listed
        assert game.space()[-3:] == listed[-3:]


def test_counting_searches_for_no_routes() -> None:
    for game in positions("18Ireland", 0):
        choices = [c for c in game.choices() if c.type == "run_routes"]
        if choices:
            break
    routes = choices[0].domains["routes"]
    assert len(Space(choices)) >= 1
    assert "best" not in vars(routes)
    assert Space(choices)[0] == next(choices[0].actions())


def test_both_ways_of_drawing_draw_what_they_say() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    space, rng = game.space(), Random(4)
    uniform = Counter(space.sample(rng).type for _ in range(400))
    stratified = Counter(space.sample_stratified(rng).type for _ in range(400))
    assert set(space.types) == {"bid", "pass"}
    assert uniform["pass"] < 10
    assert 120 < stratified["pass"] < 280
    assert [space.numbers(n) for n in space.types["pass"]] == [range(len(space) - 1, len(space))]


@given(st.integers(0, 500), st.integers(0, 4000), st.integers(1, 20), st.integers(1, 12))
def test_a_thinned_range_keeps_its_ends_and_is_no_longer_than_said(
    low: int, width: int, step: int, most: int
) -> None:
    whole = Span(low, low + width, step)
    few = Few(whole, most)
    assert few.few == sorted(set(few.few))
    assert few.size() <= most
    assert few.few[0] == low
    assert most == 1 or few.few[-1] == whole.amounts[-1]
    assert all(whole.contains(v) and few.index(v) == n for n, v in enumerate(few.few))
    assert [few.at(few.near(v)) for v in few.few] == few.few


def test_what_a_coarse_space_leaves_out_is_said() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    coarse = game.space(amounts=4)
    odd = read_move("bid player:1 205 company=ME")
    place = coarse.place(odd)
    assert place.said == {"price": 205}
    assert coarse.action(place) == odd
    assert odd not in coarse
    assert msgspec.json.decode(msgspec.json.encode(place), type=Place) == place
    with pytest.raises(ValueError, match="price"):
        coarse.index(odd)
    with pytest.raises(ValueError, match="amounts"):
        game.space(amounts=0)
    with pytest.raises(roundhouse.IllegalAction, match=r"Nothing player:3 may do now"):
        coarse.place(read_move("pass player:3"))
    with pytest.raises(IndexError):
        coarse[len(coarse)]


def test_another_name_for_an_equal_thing_is_said() -> None:
    template = Bid(entity=1, entity_type="player", price=5, company="A")
    choice = roundhouse.Choice(template, {"company": Equal("A", "B"), "price": Span(5, 10)})
    space = Space([choice])
    other = msgspec.structs.replace(template, company="B", price=7)
    assert space.place(other) == Place(0, {"price": 2}, {"company": "B"})
    assert space[space.near(other)] == msgspec.structs.replace(template, price=7)
    assert Pick(1, ("a", "b")).index(("b",)) is None


# texts

MOVES = [
    ("pass player:1", Pass(entity=1, entity_type="player")),
    ('bid "player:\\"1\\"" 5', Bid(entity="1", entity_type="player", price=5)),
    (
        "bid player:Ann 5 company=PSM",
        Bid(entity="Ann", entity_type="player", price=5, company="PSM"),
    ),
    (
        "lay_tile corporation:A&S F13 57-0 2",
        LayTile(entity="A&S", entity_type="corporation", hex="F13", tile="57-0", rotation=2),
    ),
    ('choose player:2 "7"', Choose(entity=2, entity_type="player", choice="7")),
    ("choose player:2 7", Choose(entity=2, entity_type="player", choice=7)),
    ("run_routes minor:7 []", RunRoutes(entity="7", entity_type="minor", routes=())),
]


@pytest.mark.parametrize(("text", "action"), MOVES)
def test_a_text_is_read(text: str, action: roundhouse.Action) -> None:
    assert read_move(text) == action
    assert read_move(write_move(action)) == action


senders = st.sampled_from(["player", "corporation", "minor", "company", "system"])
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(senders, st.one_of(st.integers(-5, 5), names), names, st.one_of(st.integers(), names))
def test_any_text_in_a_move_comes_back(
    kind: str, entity: int | str, name: str, choice: int | str
) -> None:
    bid = Bid(entity=entity, entity_type=kind, price=3, company=name, corporation=name)
    assert read_move(write_move(bid)) == bid
    if isinstance(choice, str) or abs(choice) < 10**9:
        chosen = Choose(entity=entity, entity_type="corporation", choice=choice)
        assert read_move(write_move(chosen)) == chosen


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for one in (text, f"bid player:1 {text}", f"choose {text}"):
        with suppress(roundhouse.IllegalAction):
            assert read_move(write_move(read_move(one))) == read_move(one)


WRONG = """

bid
fly player:1
bid 1
bid player:1
bid player:1 1 2
bid player:1 1 id=4
bid player:1 price=
bid player:1 1 color=3 company=
bid player:1 [
pass nobody:3"""


@pytest.mark.parametrize("text", WRONG.splitlines())
def test_a_text_that_is_none_is_refused(text: str) -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    fault = game.why_not(text)
    assert fault is not None
    assert fault.code == "malformed"


# ends


def test_an_end_by_the_rules_and_a_broken_off_game_are_told_apart() -> None:
    game = roundhouse.load(ROOT / "games" / "1817" / "base.json")
    assert (game.finished, game.terminated, game.truncated) == (True, True, False)
    game.undo()
    assert (game.finished, game.terminated, game.truncated) == (False, False, False)
    game.apply("end_game player:1")
    assert (game.finished, game.terminated, game.truncated) == (True, False, True)


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for name in sys.argv[2:] or all_titles():
        began = time.perf_counter()
        found = comes_back(name, wanted, seed=1)
        took = time.perf_counter() - began
        print(
            f"{name}: {found.total()} actions of {len(found)} types came back equal, {took:.0f} s"
        )
