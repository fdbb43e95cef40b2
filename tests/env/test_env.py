"""The games as environments: PettingZoo's own tests, the arrays, rewards, roll-outs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")
pytest.importorskip("pyarrow")

from pettingzoo.test import api_test, seed_test  # noqa: E402

import roundhouse  # noqa: E402
from roundhouse import env  # noqa: E402
from roundhouse.env.candidates import COLUMNS, KINDS, Candidates  # noqa: E402
from roundhouse.env.layout import CORPORATIONS, HEXES, NOW, PLAYERS  # noqa: E402
from roundhouse.selfplay import lively, pushing  # noqa: E402
from roundhouse.titles.title import all_titles  # noqa: E402

GAMES = Path(__file__).parents[1] / "games"
TITLES = list(all_titles())


def positions(title: str, every: int) -> Iterator[roundhouse.Game]:
    """Some positions of the known games of a title, the last one among them."""
    for path in sorted((GAMES / title).glob("*.json")):
        game = roundhouse.load(path)
        yield from (game.at(e.action.id or 0) for e in game.history[::every])
        yield game


# PettingZoo


@pytest.mark.parametrize("title", TITLES)
def test_pettingzoo_finds_nothing_wrong(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        # an observation is a dictionary of arrays, which the tests of PettingZoo look askance at
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        api_test(env.aec(title), num_cycles=40)
        seed_test(lambda: env.aec(title), num_cycles=15)
    assert "Passed" in capsys.readouterr().out


def played(made: env.RoundhouseAEC, seed: int) -> tuple[env.RoundhouseAEC, dict[str, float]]:
    """A game played to its end by lively agents, and what each agent was given."""
    made.reset(seed=seed)
    rng, given = Random(seed), dict.fromkeys(made.possible_agents, 0.0)
    for agent in made.agent_iter():
        _, reward, terminated, truncated, _ = made.last(observe=False)
        given[agent] += reward
        if terminated or truncated:
            made.step(None)
            continue
        action = lively(made.game, made.game.choices(), rng)
        assert made.candidates is not None
        made.step(made.candidates.near(action))
    return made, given


@pytest.mark.parametrize("reward", ["worth", "rank", "money"])
def test_rewards_sum_to_nothing_and_follow_the_result(reward: str) -> None:
    made, given = played(env.aec("1817NA", players=3, reward=reward), 4)
    scores = env.rewards.worths(made.game)
    assert made.game.terminated
    assert sum(given.values()) == pytest.approx(0, abs=1e-6)
    if reward == "rank":
        placed = sorted(scores, reverse=True)
        places = {s: [1 - p for p, o in enumerate(placed) if o == s] for s in scores}
        assert list(given.values()) == pytest.approx([mean(places[s]) for s in scores])
    if reward == "money":
        begun = [p.cash for p in made.game.start.players.values()]
        grown = [s - b for s, b in zip(scores, begun, strict=True)]
        assert list(given.values()) == pytest.approx([(g - mean(grown)) / 1000 for g in grown])


def test_an_end_by_the_rules_terminates_and_a_broken_off_game_is_truncated() -> None:
    ended, _ = played(env.aec("1817NA", players=3), 1)
    assert ended.game.terminated
    ended.reset(seed=1, options={"game": ended.game.at(40)})
    assert len(ended.game) == 40
    made = env.aec("1817NA", players=3, longest=5)
    made.reset(seed=2)
    for _ in range(5):
        assert not any(made.terminations.values())
        made.step(0)
    assert all(made.truncations.values())
    assert not any(made.terminations.values())
    assert made.infos["player_0"] == {"end": "longest"}


def test_a_masked_action_is_refused_and_nothing_changes() -> None:
    made = env.aec("1828", players=3)
    made.reset(seed=1)
    before = made.game.state
    with pytest.raises(roundhouse.IllegalAction, match="no action 1000"):
        made.step(1000)
    assert made.game.state is before
    with pytest.raises(ValueError, match="reward"):
        env.aec("1828", reward="fame").reset()
    made.close()
    assert made.render() is None
    drawing = env.RoundhouseAEC(made.terms, render_mode="svg")
    drawing.reset(seed=1)
    assert str(drawing.render()).startswith("<svg")


# arrays


@pytest.mark.parametrize("title", TITLES)
def test_the_arrays_tell_the_state(title: str) -> None:
    for game in positions(title, 97):
        layout = env.Layout(game.rules, game.start)
        s, keys = game.state, list(game.start.players)
        seen = [env.observe(layout, s, seat) for seat in range(len(keys))]
        for seat, arrays in enumerate(seen):
            assert {n: a.shape for n, a in arrays.items()} == layout.shapes
            assert all(a.dtype == np.int32 for a in arrays.values())
            cash = [s.players[k].cash for k in keys[seat:] + keys[:seat]]
            assert arrays["players"][:, list(PLAYERS).index("cash")].tolist() == cash
            worth = arrays["players"][:, list(PLAYERS).index("worth")].tolist()
            assert worth == [game.rules.value(s, k) for k in keys[seat:] + keys[:seat]]
        arrays = seen[0]
        rows = layout.rows(s)
        assert set(rows) >= set(s.corporations)
        for name, c in s.corporations.items():
            row = arrays["corporations"][rows[name]]
            assert row[list(CORPORATIONS).index("cash")] == c.cash
            assert arrays["fleet"][rows[name]].sum() == len(c.trains)
            placed = [t for t in c.tokens if t.city is not None]
            assert arrays["stations"][rows[name]].sum() <= len(placed)
            holdings = arrays["holdings"][rows[name]]
            assert holdings.sum() == sum(x.percent for held in c.certs.values() for x in held)
            assert holdings[: len(keys)].tolist() == [c.held(k) for k in keys]
        tile = arrays["hexes"][:, list(HEXES).index("tile")]
        assert (tile > 0).sum() == len(s.board.tiles)
        assert arrays["now"][0, list(NOW).index("finished")] == game.finished
        flat = layout.flat(arrays)
        assert flat.shape == (layout.size,)
        assert np.isfinite(flat).all()


@pytest.mark.parametrize("title", TITLES)
def test_planes_and_neighbours_are_the_board(title: str) -> None:
    game = roundhouse.load(next((GAMES / title).glob("*.json")))
    layout, map_ = env.Layout(game.rules, game.start), game.rules.box.map
    arrays = env.observe(layout, game.state, 0)
    planes = layout.planes(arrays["hexes"])
    assert len({tuple(c) for c in layout.cells.tolist()}) == len(layout.hexes)
    assert planes[0].sum() == len(layout.hexes)
    assert (planes[1:].sum(axis=(1, 2)) == arrays["hexes"].sum(axis=0)).all()
    for n, coord in enumerate(layout.hexes):
        around = {layout.hexes[i - 1] for i in layout.neighbors[n] if i}
        assert around == set(map_.neighbors[coord].values())
        for other in around:
            here, there = layout.cells[n], layout.cells[layout.hexes.index(other)]
            assert np.abs(here - there).max() <= 1


@pytest.mark.parametrize("title", TITLES)
def test_every_candidate_is_legal_and_has_a_row(title: str) -> None:
    column = {name: n for n, name in enumerate(COLUMNS)}
    rng = Random(1)
    for game in positions(title, 61):
        if game.finished:
            continue
        layout = env.Layout(game.rules, game.start)
        found = Candidates(game)
        rows = found.rows(layout, 0)
        assert rows.shape == (len(found), len(COLUMNS))
        assert len(found) > 0
        assert found.left_out == 0
        for n in {0, len(found) - 1, *(rng.randrange(len(found)) for _ in range(4))}:
            action = found[n]
            assert game.is_legal(action)
            assert rows[n, column["kind"]] == KINDS.index(action.type) + 1
            if isinstance(price := getattr(action, "price", None), int):
                assert rows[n, column["price"]] == price
                low, high = rows[n, column["low"]], rows[n, column["high"]]
                assert (low, high) == (0, 0) or low <= price <= high
            if coord := getattr(action, "hex", None):
                assert layout.hexes[rows[n, column["hex"]] - 1] == coord
            if city := getattr(action, "city", None):
                assert rows[n, column["hex"]] > 0, city


@pytest.mark.parametrize("capacity", [1, 3, 40, 90])
def test_a_list_never_has_more_than_there_is_room(capacity: int) -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    for _ in range(60):
        found = Candidates(game, amounts=None, capacity=capacity)
        assert 0 < len(found) <= capacity
        assert game.is_legal(found[len(found) - 1])
        assert found.left_out == len(game.choices()) - len(found.space.choices)
        game.apply(pushing(game, game.choices(), Random(3)))


def test_the_document_tells_every_column() -> None:
    page = (Path(__file__).parents[2] / "docs" / "environment.md").read_text(encoding="utf-8")
    layout = env.layout_of("1817", 3)
    for name, table in layout.tables.items():
        assert f"`{name}`" in page
        if name in ("now", "players", "corporations", "companies", "depot", "hexes"):
            assert all(f"`{c}`" in page for c in table.columns), name
    assert all(f"`{c}`" in page for c in COLUMNS)
    assert "`now`" in layout.text()


# OpenSpiel's way


@pytest.mark.parametrize("title", ["1817", "1828", "1873"])
def test_states_go_on_are_cloned_and_written(title: str) -> None:
    game, rng = env.SpielGame(title, players=3, seed=3, reward="rank"), Random(2)
    state = game.new_initial_state()
    for _ in range(60):
        legal = state.legal_actions()
        assert legal == list(range(sum(state.legal_actions_mask())))
        twin, number = state.clone(), rng.choice(legal)
        told = state.action_to_string(state.current_player(), number)
        assert state.string_to_action(told) == number
        twin.apply_action(number)
        assert len(twin.history()) == len(state.history()) + 1
        state = state.child(number)
        assert state.game == twin.game
        assert state.legal_actions(1 - state.current_player() % 2) in ([], state.legal_actions())
    again = game.deserialize_state(state.serialize())
    assert again.game.state == state.game.state
    tensor = state.observation_tensor(1)
    assert list(tensor.shape) == game.observation_tensor_shape()
    assert state.returns() == [0.0] * 3
    with pytest.raises(roundhouse.IllegalAction):
        state.apply_action(len(state.legal_actions()))


def test_a_spiel_game_ends() -> None:
    game = env.SpielGame("1817NA", players=3, seed=1, longest=30)
    state, rng = game.new_initial_state(), Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.current_player() == -4
    assert state.legal_actions() == []
    assert state.is_truncated() == (not state.game.terminated)
    assert sum(state.returns()) == pytest.approx(0)
    assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()


# roll-outs


def first(turn: env.Turn, rng: Random) -> int:
    """The first candidate, or the last where there is but one row that differs."""
    return rng.randrange(len(turn.rows))


TERMS = env.Terms(title="1817WO", players=3, longest=80)


def test_roll_outs_are_the_same_in_one_process_and_in_several() -> None:
    policies = ["lively", first, "uniform"]
    alone = list(env.rollouts(TERMS, policies, range(4), keep="moves"))
    assert [e.policies for e in alone][:2] == [["lively", "first", "uniform"],
                                               ["uniform", "lively", "first"]]  # fmt: skip
    assert alone[3].policies == alone[0].policies
    several = list(env.rollouts(TERMS, policies, range(4), keep="moves", processes=2))
    assert several == alone
    assert all(e.length == len(e.steps) <= 80 for e in alone)
    for wrong in (["lively"], ["lively", "nobody", "lively"]):
        with pytest.raises(ValueError, match="policies"):
            env.rollouts(TERMS, wrong, range(1))


def test_roll_outs_on_a_cluster_are_the_same() -> None:
    ray = pytest.importorskip("ray")
    policies = ["lively", "uniform", "lively"]
    try:
        made = list(env.rollouts(TERMS, policies, range(2), cluster="local"))
    finally:
        ray.shutdown()
    assert made == list(env.rollouts(TERMS, policies, range(2)))


def test_trajectories_come_back_from_their_file(tmp_path: Path) -> None:
    policies = ["lively", first, "lively"]
    episodes = list(env.rollouts(TERMS, policies, range(3), keep="arrays"))
    path = tmp_path / "games.parquet"
    steps = env.write_trajectories(path, TERMS, episodes)
    read = env.Trajectories(path)
    assert len(read) == steps == sum(e.length for e in episodes)
    assert read.about["title"] == "1817WO"
    moves = [step.move for e in episodes for step in e.steps]
    assert read.table.column("move").to_pylist() == moves
    assert read.table.column("last").to_pylist().count(True) == 3
    game = TERMS.game(0)
    layout = TERMS.layout(game)
    for n, step in enumerate(islice(episodes[0].steps, 40)):
        seen = env.observe(layout, game.state, step.seat)
        kept = read.observation(n)
        assert all((seen[name] == kept[name]).all() for name in layout.shapes)
        assert len(read.rows(n)) == step.listed
        game.apply(step.move)
    bare = tmp_path / "bare.parquet"
    kept_moves = env.rollouts(TERMS, policies, range(1), keep="moves")
    env.write_trajectories(bare, TERMS, kept_moves)
    with pytest.raises(ValueError, match="not kept"):
        env.Trajectories(bare).rows(0)


@pytest.mark.parametrize(
    "wrong", [{"players": "x"}, {"players": 0}, {"amounts": 2.5}, {"capacity": -1}, {"longest": ""}]
)
def test_terms_of_a_wrong_kind_are_named(wrong):
    with pytest.raises(roundhouse.OptionError, match=f"^{next(iter(wrong))}: "):
        env.aec("1817", **wrong)
