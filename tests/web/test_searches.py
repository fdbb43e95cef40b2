"""Searches for routes: at once where that is soon done, else by a worker, watched and stopped."""

from __future__ import annotations

import msgspec
import pytest

from roundhouse.routes.answer import BestRoutes
from roundhouse.routes.clock import Progress
from roundhouse.web import tables
from roundhouse.web.searches import looking
from roundhouse.web.searches.models import RouteSearch

from .conftest import game_files


@pytest.fixture
def running(user):
    """A table, its game before a company runs, and that company."""
    path = min(game_files(), key=lambda p: p.stat().st_size)
    table = tables.import_file(user, path.read_bytes(), "")
    game = tables.open_game(table).game
    run = next(e.action for e in reversed(game.history) if e.action.type == "run_routes")
    before = max(e.action.id for e in game.history if e.action.id < run.id)
    return table, game.at(before), run.actor


@pytest.fixture
def hard(monkeypatch):
    """Nothing is proven at once: every first search ends with a bound that is too high."""

    def at_once(game, company):
        best = game.best_routes(company)
        routes, revenue = best.routes[:1], best.revenue - 10
        return BestRoutes(routes, revenue, False, best.bound + 50)

    monkeypatch.setattr(looking, "_at_once", at_once)


@pytest.fixture
def queue(monkeypatch):
    """Tasks are only noted, as where all workers are busy."""
    waiting = []
    monkeypatch.setattr(looking.search_routes.__class__, "enqueue", lambda t, n: waiting.append(n))
    return waiting


def test_what_is_soon_found_needs_no_worker(running):
    table, game, company = running
    found = looking.look(table, game, company)
    assert (found.going, found.best.optimal) == (False, True)
    assert found.best == game.best_routes(company)
    assert not RouteSearch.objects.exists()


def test_a_worker_goes_on_and_everybody_is_told_its_answer(running, hard, queue):
    table, game, company = running
    first = looking.look(table, game, company)
    assert first.going
    assert first.best.revenue < first.bound
    assert looking.look(table, game, company).going
    (number,) = queue  # one search, whoever asks
    looking.search_routes.func(number)
    told = looking.look(table, game, company)
    assert (told.going, told.best) == (False, game.best_routes(company))
    looking.search_routes.func(number)  # a task may be carried out twice
    assert looking.best_of(table, game, company) == told.best


def test_how_far_it_is_is_told_and_anybody_may_stop_it(running, hard, queue):
    table, game, company = running
    first = looking.look(table, game, company)
    noting = looking._Noting(queue[0])
    assert noting(Progress(first.revenue + 10, first.bound - 20, 1.0))
    told = looking.look(table, game, company)
    assert (told.revenue, told.bound) == (first.revenue + 10, first.bound - 20)
    ended = looking.look(table, game, company, stop=True)
    assert (ended.going, ended.best.routes) == (False, first.best.routes)
    noting._next = 0.0
    assert not noting(Progress(first.revenue + 10, first.bound - 20, 2.0))
    looking.search_routes.func(queue[0])  # nobody waits for it any more
    assert RouteSearch.objects.get().answer == ""


def test_a_search_that_is_stopped_gives_what_it_has_found(running, hard, queue, monkeypatch):
    table, game, company = running
    looking.look(table, game, company)
    best = game.best_routes(company)
    rows = RouteSearch.objects.filter(pk=queue[0])
    rows.update(begun=True)

    def answer(seconds):
        rows.update(answer=msgspec.json.encode(best).decode())

    monkeypatch.setattr(looking.time, "sleep", answer)
    ended = looking.look(table, game, company, stop=True)
    assert (ended.going, ended.best) == (False, best)


def test_the_page_is_told_how_far_a_search_is(running, hard, queue, client):
    table, game, _company = running
    address = f"/table/{table.pk}/routes/?at={game.history[-1].action.id}"
    page = client.get(address).content.decode()
    assert "data-searching" in page
    assert "is possible" in page
    assert "routes-table" in client.get(f"{address}&stop=1").content.decode()


def test_why_it_cannot_be_searched_is_told(running, hard, queue, monkeypatch):
    table, game, company = running
    looking.look(table, game, company)

    def closed(kind, asked):
        raise OSError("the box is locked")

    monkeypatch.setattr(looking, "open_question", closed)
    looking.search_routes.func(queue[0])
    told = looking.look(table, game, company)
    assert (told.going, told.fault) == (
        False, "The routes cannot be searched: the box is locked."
    )  # fmt: skip
    assert told.best.routes
