"""Ratings, seatings and standings: pure functions."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from roundhouse.web.people.pairing import history, seat, standings, tables_of
from roundhouse.web.people.ratings import Part, Seat, Standing, rate

whos = st.sampled_from([f"user:{n}" for n in range(6)])
parts = st.lists(st.builds(Part, whos, st.floats(0, 1)), max_size=3)
seats = st.lists(st.builds(Seat, st.integers(-100, 9000), parts), max_size=6)
games = st.lists(seats, max_size=8)


def whole(worth, who):
    return Seat(worth, [Part(who, 1.0)])


def test_whole_games_are_rated_as_the_library_does():
    found = rate([[whole(300, "a"), whole(200, "b"), whole(100, "c")]])
    model = PlackettLuce()
    (a,), (b,), (c,) = model.rate([[model.rating()] for _ in range(3)], ranks=[0, 1, 2])
    for who, expected in zip("abc", (a, b, c), strict=True):
        assert found[who].mu == pytest.approx(expected.mu)
        assert found[who].sigma == pytest.approx(expected.sigma)
    assert [found[w].wins for w in "abc"] == [1, 0, 0]


@given(games)
def test_ratings_are_ratings(games):
    for standing in rate(games).values():
        assert 0 < standing.sigma <= Standing().sigma + 1e-9
        assert standing.wins <= standing.games <= len(games)


@given(games)
def test_who_had_no_part_learns_nothing(games):
    none = [[Seat(s.worth, [*s.parts, Part("guest", 0.0)]) for s in game] for game in games]
    assert rate(none) == rate(games)


def test_half_a_game_counts_half():
    shared = [Seat(100, [Part("a", 0.5), Part("b", 0.5)]), whole(200, "c")]
    alone = [whole(100, "a"), whole(200, "c")]
    half, full = rate([shared])["a"], rate([alone])["a"]
    assert half.mu - Standing().mu == pytest.approx((full.mu - Standing().mu) / 2)
    assert full.sigma < half.sigma < Standing().sigma
    assert rate([shared])["a"] == rate([shared])["b"]


def test_a_substitute_does_not_pay_for_what_he_took_over():
    game = [Seat(50, [Part("gone", 0.9), Part("sub", 0.1)]), whole(200, "x"), whole(150, "y")]
    found = rate([game])
    assert Standing().mu - found["sub"].mu < (Standing().mu - found["gone"].mu) / 5


def test_one_person_on_all_seats_tells_nothing():
    assert rate([[whole(1, "a"), whole(2, "a")]]) == {}


# tournaments


@given(st.integers(2, 60), st.integers(2, 8))
def test_everybody_gets_a_table(count, wanted):
    try:
        sizes = tables_of(count, wanted, 2, 8)
    except ValueError:
        pytest.fail("two to eight can always be done")
    assert sum(sizes) == count
    assert max(sizes) - min(sizes) <= 1
    assert all(2 <= s <= 8 for s in sizes)


def test_too_few_are_told():
    with pytest.raises(ValueError, match="cannot be divided"):
        tables_of(5, 3, 3, 4)


@given(st.integers(8, 24), st.integers(0, 1000))
def test_a_round_seats_everybody_once(count, seed):
    sizes = tables_of(count, 4, 3, 5)
    met, sat = history([[1, 2, 3, 4], [5, 6, 7, 8]])
    tables = seat(range(1, count + 1), sizes, met, sat, Random(seed))
    assert sorted(p for t in tables for p in t) == list(range(1, count + 1))
    assert [len(t) for t in tables] == sizes


def test_nobody_meets_again_while_it_can_be_helped():
    people, rounds = list(range(16)), []
    for number in range(3):
        met, sat = history(rounds)
        rounds += seat(people, [4] * 4, met, sat, Random(number))
    met, sat = history(rounds)
    assert sum(n > 1 for n in met.values()) <= 3
    assert len(met) >= 3 * 4 * len(list(combinations(range(4), 2))) - 3
    assert sum(n > 1 for n in sat.values()) <= 1


def test_standings():
    games = [{1: 500, 2: 300, 3: 300, 4: 100}, {1: 10, 2: 20}]
    found = {line.entrant: line for line in standings(games, [1, 2, 3, 4, 5])}
    assert found[1].points == 1
    assert found[2].points == 1.5
    assert found[3].points == 0.5
    assert [line.entrant for line in standings(games, [1, 2, 3, 4, 5])] == [2, 1, 3, 4, 5]
    assert (found[1].wins, found[2].wins, found[5].games) == (1, 1, 0)
