"""What rivals could cost a company: exactly what it does cost once they do it."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse import threats as module
from roundhouse.model.records import State
from roundhouse.sentences.buttons import hex_of
from roundhouse.threats import EFFORT, Threat, by_hex, threats

from reference import GAMES, real_games

#: Stations looked at of one game.
_FEW = 8


def _best(game: roundhouse.Game, who: str) -> int:
    return (
        game.best_routes(who, effort=20_000).revenue if game.state.corporations[who].trains else 0
    )


@pytest.mark.parametrize("path", real_games("1828") + real_games("1873"), ids=lambda p: p.stem)
def test_a_station_that_cost_somebody_his_run_was_on_the_map(path) -> None:
    """Before each of the last stations of the real games: whoever lost by it was threatened with
    exactly that."""
    game = roundhouse.load(path)
    placed = [n for n, e in enumerate(game.history) if e.action.type == "place_token"][-_FEW:]
    for n in placed:
        action = game.history[n].action
        if action.actor not in game.state.corporations or not n:
            continue
        before = game.at(game.history[n - 1].action.id or 0)
        after = game.at(action.id or 0)
        place = hex_of(before.rules, before.state, action)
        own = before.rules.president(before.state, action.actor)
        for who, company in before.state.corporations.items():
            if not company.trains or before.rules.president(before.state, who) == own:
                continue
            if (
                who not in after.state.corporations
                or place not in before.rules.reach(before.state.board, who).edges
            ):
                continue
            lost = _best(before, who) - _best(after, who)
            if lost <= 0 or after.state.corporations[who].trains != company.trains:
                continue
            found = by_hex(threats(before, who)).get(place or "", [])
            assert lost in {t.loss for t in found if t.rival == action.actor}, (action, who)


def test_threats_are_losses_of_proven_runs() -> None:
    game = roundhouse.load(GAMES / "1828" / "base.json")
    middle = game.at(game.history[2 * len(game.history) // 3].action.id or 0)
    for who, company in middle.state.corporations.items():
        found = threats(middle, who)
        assert not found or company.trains
        own = middle.rules.president(middle.state, who)
        for t in found:
            assert t.loss > 0
            assert middle.rules.president(middle.state, t.rival) != own
        assert [t.loss for t in found] == sorted((t.loss for t in found), reverse=True)
    with pytest.raises(ValueError, match="no company"):
        threats(middle, "nobody")


#: Games, parts of them after which a company is threatened, and the company.
THREATENED = [
    ("1817/base", 0.9, "DL&W"),
    ("1839/stock_market", 0.65, "NBDS"),
    ("1873/base", 0.9, "NWE"),
]
BOUNDLESS = 1 << 40


@pytest.fixture(params=THREATENED, ids=lambda p: p[0])
def threatened(request) -> tuple[roundhouse.Game, str]:
    file, part, who = request.param
    game = roundhouse.load(GAMES / f"{file}.json")
    return game.at(game.history[int(part * (len(game.history) - 1))].action.id or 0), who


def _exactly(game: roundhouse.Game, who: str) -> list[Threat]:
    """All threats, each placing searched for."""
    work = module._Work(game.rules, who, EFFORT, BOUNDLESS)
    now = work.best(game.state)
    found = []
    for rival, supposed, action in module._placings(game, who):
        after = module._after(game.rules, game.state, supposed, action)
        then = after and work.best(after)
        if now and then and then.revenue < now.revenue:
            place = hex_of(game.rules, game.state, action) or ""
            sure = now.optimal and then.optimal
            found.append(Threat(rival, action, place, now.revenue, then.revenue, sure))
    return found


def test_what_is_not_searched_for_is_no_threat(threatened) -> None:
    game, who = threatened
    found = threats(game, who, budget=BOUNDLESS)
    assert found
    assert sorted(map(repr, found)) == sorted(map(repr, _exactly(game, who)))


def test_what_is_left_out_is_told(monkeypatch, threatened) -> None:
    game, who = threatened
    whole = threats(game, who)
    best = module._Work.best

    def last(work: module._Work, s: State) -> object:
        found = best(work, s)
        work.left = 0
        return found

    monkeypatch.setattr(module._Work, "best", last)
    cut = threats(game, who)
    assert all(t.searched for t in whole)
    assert not any(t.searched or t.sure for t in cut)
    most = {(t.rival, t.action): t.loss for t in cut}
    assert all(most[t.rival, t.action] >= t.loss for t in whole)


def test_few_routes_are_searched_for(monkeypatch, threatened) -> None:
    game, who = threatened
    asked: list[str] = []
    best = module._Work.best
    monkeypatch.setattr(module._Work, "best", lambda w, s: (asked.append(w.who), best(w, s))[1])
    threats(game, who)
    assert len(asked) <= 8


@pytest.mark.parametrize("path", real_games("1828")[:1], ids=lambda p: p.stem)
def test_the_work_of_all_together_is_bounded(monkeypatch, path) -> None:
    """Two trains on a big network, late: no best run after a station is found in little work."""
    made: list[module._Work] = []
    begin = module._Work.__init__
    monkeypatch.setattr(
        module._Work, "__init__", lambda w, *args: (made.append(w), begin(w, *args))[1]
    )
    game = roundhouse.load(path)
    for n in range(len(game.history) * 2 // 3, len(game.history), 60):
        now = game.at(game.history[n].action.id or 0)
        for who in [c.id for c in now.state.corporations.values() if c.trains]:
            threats(now, who, budget=600)
    assert made
    assert min(work.left for work in made) >= -100  # a search notices a little late
