"""What bots do where it makes hardly a difference: as people mostly do (bots/habits.py)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import roundhouse
from roundhouse.bots import habits, magnate
from roundhouse.bots.decision import Candidate
from roundhouse.bots.habits import Habits, close, preferred, traits
from roundhouse.bots.judges import judge
from roundhouse.bots.search import own
from roundhouse.bots.view import View
from roundhouse.model.actions import Pass, PlaceToken

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def positions(title: str, actions: int) -> list[tuple[View, list[Candidate]]]:
    """What a player weighs in the positions of a game of three."""
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=3)
    player = magnate.Magnate("quick", 3)
    found = []
    for _ in range(actions):
        if game.finished:
            break
        me, free = own(player.mind(game), game.state, game.choices())
        if len(free) > 1 or free[0].domains:
            view = View(player.mind(game), game.state, me)
            found.append((view, judge(view, free)))
        game.apply(player.choose(game).action)
    return found


@pytest.mark.parametrize("title", ["1817", "1828", "18Ireland"])
def test_only_what_is_worth_about_the_same_is_preferred(title: str) -> None:
    known, moved = habits.habits(), 0
    for view, found in positions(title, 200):
        ranked = preferred(view, found, Random(1))
        assert sorted(map(id_of, ranked), key=str) == sorted(map(id_of, found), key=str)
        if not ranked or ranked[0].action == found[0].action:
            continue
        moved += 1
        was = next(c for c in found if c.action == ranked[0].action)
        assert found[0].score - was.score <= known.near * max(view.standing.values())
        assert ranked[0].score == was.score
        assert "most would do" in ranked[0].sentence or was.score == found[0].score
    assert moved


def id_of(c: Candidate) -> object:
    return c.action


def test_what_people_prefer_decides_between_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A station that changes nothing, and doing nothing."""
    view, found = next(
        (view, found)
        for view, found in positions("1817", 200)
        if len(found) > 1 and isinstance(found[0].action, PlaceToken)
    )
    token = found[0]
    idle = Candidate(Pass(entity=token.action.entity, entity_type="corporation"), token.score)
    for liked, other in ((token, idle), (idle, token)):
        known = Habits(0.01, {liked.action.type: 1.0})
        monkeypatch.setattr(habits, "habits", lambda known=known: known)
        ranked = preferred(view, [other, liked], Random(1))
        assert [c.action for c in ranked] == [liked.action, other.action]


def test_every_weight_is_of_a_trait_that_can_be_told() -> None:
    told = set()
    for title in ("1817", "1828", "18Ireland", "1873"):
        for view, found in positions(title, 260):
            told |= {name for c in found for name in traits(view, c, found)}
    missing = set(habits.habits().weights) - told
    # what is rare at bots' tables
    assert {name.partition(":")[0] for name in missing} <= {
        "convert", "merge", "payoff_loan", "swap_train", "switch_trains", "buy_company", "par",
        "sell_shares", "assign", "dividend half", "dividend withhold", "lay_tile", "short",
    }  # fmt: skip


def test_weights_make_likely_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import habits as fitting

    free = {"best": 0.0, "lay_tile": 1.0, "lay_tile: free": 1.0}
    dear = {"best": 1.0, "lay_tile": 1.0, "lay_tile: cost": 3.0}
    known = [fitting.Tie([dear, free], [False, True], acts=True) for _ in range(40)]
    weights = fitting.fitted(known)
    assert weights["lay_tile: free"] > 0 > weights["lay_tile: cost"]
    assert fitting.agreed(known, weights) == (40, 40)
    assert fitting.agreed(known, {"best": 1.0}) == (0, 0)


def test_nothing_is_close_to_nothing() -> None:
    view, _ = positions("1817", 3)[0]
    assert close(view, [], 0.1) == []
    assert preferred(view, [], Random(1)) == []


@pytest.mark.parametrize(("title", "wider"), [("1817", True), ("1839", False)])
def test_levels_that_look_on_give_habits_more_room_where_people_were_seen(
    monkeypatch: pytest.MonkeyPatch, title: str, wider: bool
) -> None:
    """No game of people is known of 1839: its habits are those of other titles."""
    room: list[float] = []

    def told(
        view: View, found: list[Candidate], rng: Random, vague: float = 1.0
    ) -> list[Candidate]:
        room.append(vague)
        return found

    monkeypatch.setattr(magnate, "preferred", told)
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=3)
    for level in ("quick", "club"):
        magnate.Magnate(level, 3).choose(game)
    assert room[0] == 1.0
    assert (room[1] > 1.0) == wider
