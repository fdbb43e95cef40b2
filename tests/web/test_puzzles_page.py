"""The page of puzzles: one a day, no answer before it is given, nobody named, nothing of a game
that still runs."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import Client

from roundhouse.creation import replay
from roundhouse.web import clock, tables
from roundhouse.web.models import Table
from roundhouse.web.puzzles import composing, daily, solving
from roundhouse.web.puzzles.models import Attempt, Making, Puzzle

GAME = Path(__file__).parents[1] / "games/1817/base.json"


@pytest.fixture(scope="module")
def made():
    """What makes the puzzles of a game, found once."""
    game, _ = replay(GAME.read_bytes())
    found = list(composing._chosen(game))
    return game, found


@pytest.fixture
def stored(db, made):
    game, found = made
    assert sum(composing._kept(game, one) for one in found) == len(found)
    assert not any(composing._kept(game, one) for one in found)
    return Puzzle.objects.all()


@pytest.fixture
def today(stored):
    return solving.puzzle_of(solving.today())


def test_one_a_day_and_the_kinds_change(stored, today, monkeypatch):
    assert solving.puzzle_of(solving.today()) == today
    assert Puzzle.objects.exclude(day=None).count() == 1
    later = clock.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    tomorrow = solving.puzzle_of(solving.today())
    assert tomorrow.kind != today.kind
    assert solving.puzzle_of(later.date() + timedelta(days=1)) is None


def test_no_answer_before_it_is_given(client, today):
    page = client.get(f"/puzzles/{today.pk}/").content.decode()
    assert today.question in page.replace("&#x27;", "'")
    for line in today.proof:
        assert line not in page
    assert today.question[:20] in client.get("/puzzles/").content.decode()
    hidden = Puzzle.objects.filter(day=None).first()
    assert client.get(f"/puzzles/{hidden.pk}/").status_code == 404


def test_a_wrong_and_a_right_answer(client, stored, user):
    number = next(p for p in stored if not p.options)
    Puzzle.objects.filter(pk=number.pk).update(day=solving.today())
    address = f"/puzzles/{number.pk}/"
    page = client.post(address, {"answer": "1"}, follow=True).content.decode()
    assert "That is not it" in page
    assert "proven" not in page
    page = client.post(address, {"answer": f"$ {number.answer}"}, follow=True).content.decode()
    assert "Right:" in page
    assert "proven" in page
    mine = Attempt.objects.get()
    assert (mine.right, mine.tries) == (True, 2)
    assert "Solved by 1" in page
    assert "✓" in client.get("/puzzles/").content.decode()


def test_who_was_shown_it_has_not_solved_it(client, today):
    address = f"/puzzles/{today.pk}/"
    page = client.post(address, {"show": "1"}, follow=True).content.decode()
    assert today.proof[0].split(":")[0] in page
    client.post(address, {"answer": today.answer})
    assert not Attempt.objects.exists()


def test_strangers_may_try(db, today):
    page = Client().post(f"/puzzles/{today.pk}/", {"answer": today.answer}, follow=True)
    assert "Right:" in page.content.decode()
    assert not Attempt.objects.exists()


def test_nobody_is_named(stored):
    for puzzle in stored:
        told = f"{puzzle.question} {puzzle.proof} {puzzle.facts}"
        assert "Player" in told or puzzle.options == []
        for name, _ in puzzle.facts["players"]:
            assert name.startswith("Player ")


def test_only_games_that_are_over_and_seen_by_all_are_taken(hotseat, user, monkeypatch):
    taken = []
    monkeypatch.setattr(composing, "make_from", lambda game: taken.append(game) or 1)
    assert composing.make_from_tables() == 0
    over = tables.import_file(user, GAME.read_bytes(), "")
    assert composing.make_from_tables() == 0
    assert composing.make_from_tables(imported=True) == 1
    Table.objects.filter(pk=over.pk).update(imported=False)
    assert composing.make_from_tables() == 0
    Table.objects.filter(pk=over.pk).update(public=True)
    assert composing.make_from_tables() == 1
    monkeypatch.undo()
    with pytest.raises(ValueError, match="over"):
        composing.make_from(tables.open_game(hotseat).game)


@pytest.fixture
def bots_play(monkeypatch, made):
    """The game bots play for a day is one that was played before; the days that asked for one."""
    asked = []
    monkeypatch.setattr(daily, "played", lambda title, day: asked.append(day) or made[0])
    monkeypatch.setattr(composing, "_chosen", lambda game: made[1])
    return asked


def test_a_day_without_puzzles_has_some_made_once(db, bots_play):
    page = Client().get("/puzzles/").content.decode()
    assert bots_play == [solving.today()]
    assert 'http-equiv="refresh"' not in page
    assert Puzzle.objects.get(day=solving.today()).question[:20] in page
    Client().get("/puzzles/")
    Puzzle.objects.all().delete()
    assert "another try" in Client().get("/puzzles/").content.decode()
    assert len(bots_play) == 1


def test_while_it_is_made_the_page_says_so_and_comes_again(db, monkeypatch):
    queued = []
    monkeypatch.setattr(daily, "make_puzzles", SimpleNamespace(enqueue=queued.append))
    for _ in range(2):
        page = Client().get("/puzzles/").content.decode()
        assert "being made" in page
        assert 'http-equiv="refresh"' in page
    assert queued == [solving.today().isoformat()]


def test_where_nothing_comes_of_it_it_is_asked_for_again_and_not_for_ever(db, monkeypatch):
    queued = []
    monkeypatch.setattr(daily, "make_puzzles", SimpleNamespace(enqueue=queued.append))
    for hours in range(4):
        monkeypatch.setattr(clock, "machine", lambda hours=hours: 1e9 + 3600 * hours)
        for _ in range(2):
            page = Client().get("/puzzles/").content.decode()
        assert ("being made" in page) == (hours < 3)
    assert len(queued) == 3
    assert "another try" in page


def test_what_somebody_who_died_has_made_is_taken(stored, bots_play):
    Making.objects.create(day=solving.today())
    daily.make_for(solving.today())
    assert not bots_play
    assert not daily.being_made(solving.today())


def test_games_of_the_server_come_first_and_each_once(user, bots_play, monkeypatch):
    over = tables.import_file(user, GAME.read_bytes(), "")
    Table.objects.filter(pk=over.pk).update(imported=False, public=True)
    daily.ask_for(solving.today())
    assert Puzzle.objects.exists()
    assert not bots_play
    assert over.puzzled
    Puzzle.objects.all().delete()
    tomorrow = solving.today() + timedelta(days=1)
    monkeypatch.setattr(daily, "_from_bots", bots_play.append)
    daily.ask_for(tomorrow)
    assert bots_play == [tomorrow]
    assert not daily.being_made(tomorrow)


def test_bots_play_a_game_with_a_proven_best_run(monkeypatch):
    monkeypatch.setattr(daily, "_ACTIONS", 300)
    game = daily.played("1817DE", date(2026, 1, 1))
    found = next(f for f in composing._chosen(game) if f.kind == composing.BEST_RUN)
    at = game.at(found.action)
    assert at.check_routes(found.routes, found.who) == int(found.answer)
