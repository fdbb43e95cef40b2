"""What bots think companies will earn: where they begin, and while others build."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import roundhouse
from openings import of_1839, to_stock
from roundhouse import Game, bots
from roundhouse.bots import prospects
from roundhouse.bots.judges import judge
from roundhouse.bots.mind import Mind
from roundhouse.bots.view import View
from roundhouse.model.actions import LayTile, Par
from roundhouse.model.records import Corporation, State
from roundhouse.rounds import machine

from reference import GAMES


def test_the_company_begun_first_is_one_with_a_good_home() -> None:
    game = to_stock(of_1839())
    mind = bots.Magnate("quick").mind(game)
    homes = mind.known.homes
    assert set(homes) == {c.id for c in game.rules.box.corporations.values() if c.home}
    view = View(mind, game.state, game.state.acting[0])
    starts = [c for c in game.choices() if isinstance(c.action, Par)]
    found = max(judge(view, starts), key=lambda c: c.score)
    assert isinstance(found.action, Par)
    good = sorted(homes, key=lambda k: -homes[k])[:4]
    assert found.action.corporation in good


def test_homes_count_in_the_first_phase_only() -> None:
    game = to_stock(of_1839())
    mind = bots.Magnate("quick").mind(game)
    green = game.state.fork()
    green.phase = "Green"
    for s, told in (game.state, {"AMS": 1.1, "ZHESM": 0.55}), (green, {"AMS": 0.9, "ZHESM": 0.9}):
        view = View(mind, s, s.acting[0])
        assert told == {k: prospects.quality(view, s, s.corporations[k]) for k in told}


def _building() -> tuple[Game, Mind, State, Corporation]:
    """A company builds while another one has trains: where that leads to, and the other one."""
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=2)
    mind = bots.Magnate("quick").mind(game)
    thrifty = bots.player("thrifty", seed=2)
    for _ in range(400):
        s, builder = game.state, game.rules.operator(game.state)
        resting = [c for c in s.corporations.values() if c.trains and c.id != builder]
        lays = [c.action for c in game.choices() if isinstance(c.action, LayTile)]
        if resting and lays and resting[0].operated:
            return game, mind, machine.apply(game.rules, s, lays[0]), resting[0]
        game.apply(thrifty.choose(game).action)
    raise AssertionError("nobody built while others had trains")


def test_track_of_companies_at_rest_is_judged_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, mind, after, resting = _building()
    now = game.state
    asked: list[State] = []
    having = mind.income.having

    def told(s: State, who: str, trains: tuple[str, ...]) -> int:
        asked.append(s)
        return having(s, who, trains)

    monkeypatch.setattr(mind.income, "having", told)
    view = View(mind, now, now.acting[0])
    firm = view.firm(after, resting)
    # what it earns is that of the position, what further trains would is that of the decision
    assert after in asked
    assert now in asked
    assert firm.income == mind.income.now(after, resting.id)
    assert (firm.more, firm.further) == prospects.more(view, now, resting)
    looked_on = View(mind, after, now.acting[0], origin=now)
    assert looked_on.firm(after, resting) == firm


def test_a_second_train_more_is_not_thought_to_find_what_the_first_does() -> None:
    """1828: one train more adds to what C&O-MC runs, another beside it nothing."""
    position = roundhouse.load(GAMES / "1828" / "base.json").at(425)
    mind, s = bots.Magnate("quick").mind(position), position.state
    view, c = View(mind, s, next(iter(s.players))), s.corporations["C&O-MC"]
    kind = view.ledger.on_sale(0.0) or ""
    runs = [mind.income.having(s, c.id, (*c.trains, *[kind] * n)) for n in range(3)]
    assert runs[0] < runs[1] == runs[2]
    firm = view.firm(s, c)
    assert firm.more > firm.further == 0.0
    hoping = replace(firm, further=firm.more)
    assert mind.plan(firm, view.ledger).worth < mind.plan(hoping, view.ledger).worth
