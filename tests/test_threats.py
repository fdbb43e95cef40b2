"""What rivals could cost a company: exactly what it does cost once they do it."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.sentences.buttons import hex_of
from roundhouse.threats import by_hex, threats

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
