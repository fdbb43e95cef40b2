"""Every title has a lesson: it is played to its end, and each step of the learner is explained."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse.deciding import decides
from roundhouse.lessons import BEGIN, END, lesson_of
from roundhouse.model.actions import Pass
from roundhouse.titles.title import all_titles, find_title

#: The titles of the package; others (the examples) need not teach.
TITLES = [t.id for t in all_titles().values() if t._package.startswith("roundhouse.")]
VIEWS = {"", "map", "shares", "auction", "cards", "sheet", "trains", "result", "about"}


def begun(title):
    file = lesson_of(find_title(title)).file
    names = ["You", *(f"Bot {n}" for n in range(1, file.players))]
    return roundhouse.new(title, names, seed=file.seed, options=file.options)


@pytest.mark.parametrize("title", TITLES)
def test_a_lesson_is_played_to_its_end(title):
    lesson, game = lesson_of(find_title(title)), begun(title)
    learner = f"player:{lesson.file.learner}"
    done, explained = set(), set()
    while (action := lesson.coming(game)) is not None:
        if learner in decides(game, action.actor):
            assert game.state.step in lesson.notes, f"nothing is told of the step {game.state.step}"
            assert lesson.note(game, learner) is not None
            assert lesson.why(game), f"nothing speaks for {action}"
            explained.add(game.state.step)
            done.add(action.type)
        game.apply(action)
    assert lesson.place(game) == len(lesson.actions)
    assert lesson.note(game, learner) == lesson.notes[END]
    assert {"bid", "lay_tile", "dividend"} <= done
    assert done & {"buy_shares", "par", "place_token"}
    assert done & {"buy_train", "run_routes"}


@pytest.mark.parametrize("title", TITLES)
def test_a_lesson_goes_on_where_a_table_plays_what_an_action_brings_along_by_itself(title):
    lesson, game = lesson_of(find_title(title)), begun(title)
    while (action := lesson.coming(game)) is not None:
        game.apply(replace(action, auto_actions=()))
    assert lesson.place(game) == len(lesson.actions)


@pytest.mark.parametrize("title", TITLES)
def test_what_a_lesson_tells_can_be_followed(title):
    found = find_title(title)
    notes = lesson_of(found).notes
    assert notes.keys() >= {BEGIN, END}
    for note in notes.values():
        assert note.title
        assert note.look in VIEWS
    for text in (*(note.text for note in notes.values()), *lesson_of(found).reasons):
        for section in re.findall(r"§(F?\d+(?:\.\d+)*)", text):
            assert found.find_section(section) is not None, section


@pytest.mark.parametrize("title", TITLES)
def test_a_reason_stands_only_beside_a_move_of_who_learns(title):
    lesson, game = lesson_of(find_title(title)), begun(title)
    learner = f"player:{lesson.file.learner}"
    for action, why in zip(lesson.actions, lesson.reasons, strict=True):
        assert bool(why) == (learner in decides(game, action.actor))
        assert not why or why.endswith(".")
        game.apply(action)
    assert lesson.why(game) == ""


def test_who_goes_another_way_has_left_the_lesson():
    lesson, game = lesson_of(find_title("1817")), begun("1817")
    assert lesson.place(game) == 0
    assert lesson.note(game, "player:1") == lesson.notes[BEGIN]
    first = lesson.coming(game)
    another = next(c.action for c in game.choices() if c.type != first.type)
    assert isinstance(another, Pass)
    game.apply(another)
    assert lesson.place(game) is None
    assert lesson.coming(game) is None
