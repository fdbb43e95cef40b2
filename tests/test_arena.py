"""Matches: everybody sits everywhere, results do not hang on who was done first, ratings tell who
is stronger and how sure that is."""

from __future__ import annotations

import sys
from collections import Counter

import msgspec
import pytest
from click.testing import CliRunner

from roundhouse.arena import Match, Played, lineups, play, run, standings
from roundhouse.arena.economy import Economy, economy_of, table_of
from roundhouse.cli.arena import quartiles
from roundhouse.cli.main import main
from roundhouse.creation import load

from reference import GAMES

replace = msgspec.structs.replace
SEATS = ("lively", "uniform", "uniform")


def short(title: str = "1817", seed: int = 3, **more: object) -> Match:
    return Match(title, SEATS, seed, actions=60, **more)  # type: ignore[arg-type]


def test_every_deal_is_played_from_every_seat() -> None:
    found = list(lineups("1817", ("a", "b", "b", "c"), 8, seed=5))
    assert [m.seed for m in found] == [5] * 4 + [6] * 4
    for seat in range(4):
        assert Counter(m.seats[seat] for m in found) == {"a": 2, "b": 4, "c": 2}


def without_times(played: Played) -> Played:
    return replace(played, seconds=())


def test_the_same_match_is_the_same_game_over_processes_too() -> None:
    wanted = [short(), short("1839"), short(seed=4)]
    told: list[Played] = []
    alone = run(wanted, workers=1, watch=told.append)
    assert told == alone
    together = run(wanted, workers=2)
    assert [p.match for p in together] == wanted
    assert [*map(without_times, alone)] == [*map(without_times, together)]
    assert without_times(play(short())) == without_times(alone[0])


def test_a_game_that_is_kept_is_a_game_file() -> None:
    played = play(short(keep=True))
    assert played.stalled
    assert played.file is not None
    game = load(played.file)
    assert len(game) == 60
    assert tuple(game.rules.value(game.state, k) for k in game.state.players) == played.worth


def test_on_a_cluster_it_is_the_same() -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    wanted = [short(), short(seed=4)]
    told: list[Played] = []
    found = run(wanted, cluster="local", watch=told.append)
    assert [*map(without_times, found)] == [*map(without_times, run(wanted, workers=1))]
    assert len(told) == 2


def test_a_cluster_without_ray_says_so() -> None:
    try:
        import ray  # noqa: F401
    except ImportError:
        with pytest.raises(RuntimeError, match="clusters come with"):
            run([short()], cluster="local")


def test_an_engine_that_fails_forfeits() -> None:
    dies = f'engine:{sys.executable} -c "input();print(\'{{\\"type\\":\\"engine\\",\\"name\\":\\"Brief\\",\\"protocol\\":1}}\', flush=True)"'  # noqa: E501
    played = play(Match("1817", (dies, "lively", "lively"), 1, actions=12))
    assert "Brief is given up" in played.faults[0]
    assert played.place[0] == 3
    assert played.faults[1:] == ("", "")


NONE = Economy(1, 1, {}, {}, {}, (), (1,), "")


def result(seats: tuple[str, ...], place: tuple[int, ...], deal: int = 1) -> Played:
    worth = tuple(100 - 10 * p for p in place)
    n = len(seats)
    return Played(
        Match("1817", seats, deal), worth, place, (0.1,) * n, (10,) * n, ("",) * n, False, NONE
    )


def test_who_wins_is_rated_higher_and_more_games_make_it_surer() -> None:
    pytest.importorskip("openskill")

    def won(deal: int) -> Played:
        return result(("a", "b", "b", "b"), (1, 2, 3, 4), deal)

    def lost(deal: int) -> Played:
        return result(("b", "a", "b", "b"), (1, 2, 3, 3), deal)

    few = standings([*map(won, range(4)), lost(4)])
    many = standings([lost(n) if n % 10 == 9 else won(n) for n in range(40)])
    for found in (few, many):
        assert [s.name for s in found] == ["a", "b"]
        a, b = found
        assert a.share[1] <= a.share[0] <= a.share[2]
        assert a.wins + b.wins == a.seats
        assert (a.fair, b.fair) == (0.25, 0.25)
        assert a.worth > 1 > b.worth
        assert a.ms == pytest.approx(10)
    assert many[0].share[0] == pytest.approx(0.9)
    assert many[0].share[2] - many[0].share[1] < few[0].share[2] - few[0].share[1]
    assert many[0].rating[1] > many[1].rating[2]


def test_games_of_one_deal_make_it_no_surer_than_one_of_them() -> None:
    pytest.importorskip("openskill")
    seats, places = ("a", "b", "b", "b"), ((1, 2, 3, 4), (2, 1, 3, 4))
    each = [result(seats, places[n % 2], n) for n in range(8)]
    again = [p for p in each for _ in range(4)]
    once, more = (standings(games)[0].share for games in (each, again))
    assert once == more
    apart = standings([replace(p, match=replace(p.match, seed=n)) for n, p in enumerate(again)])
    assert apart[0].share[2] - apart[0].share[1] < more[2] - more[1]


def test_a_shared_win_counts_in_parts() -> None:
    pytest.importorskip("openskill")
    a, b = sorted(standings([result(("a", "b", "b"), (1, 1, 3))]), key=lambda s: s.name)
    assert (a.wins, b.wins) == (0.5, 0.5)


def test_figures_of_a_real_game() -> None:
    game = load(GAMES / "1817" / "base.json")
    found = economy_of(game)
    assert found.actions == len(game)
    assert sum(found.founded.values()) == sum(
        any(c.id == who and c.cell for e in game.history for c in e.state.corporations.values())
        for who in game.state.corporations
    )
    assert found.phases["2"] == 1
    assert list(found.phases.values()) == sorted(found.phases.values())
    assert found.counts["take_loan"] == sum(e.action.type == "take_loan" for e in game.history)
    assert found.worth[0] == max(found.worth)
    together = table_of([found, replace(found, phases={"2": 1}, worth=(0,))])
    assert together.phases["2"] == (1, 1.0)
    assert together.phases["3"] == (found.phases["3"], 0.5)
    assert together.winner == found.worth[0] / 2
    assert quartiles(()) == "none"
    assert quartiles((1.0, 2.0, 3.0, 4.0, 5.0)) == "5: 1.00 · 2.00 · 3.00 · 4.00 · 5.00"
    with pytest.raises(ValueError, match="no games"):
        table_of([])


def test_the_command(tmp_path) -> None:
    pytest.importorskip("openskill")
    out = tmp_path / "out.json"
    seats = [x for p in SEATS for x in ("--player", p)]
    asked = ["arena", "18Ireland", *seats, "--games", "1", "--actions", "40", "--workers", "1"]
    asked += ["--json", str(out)]
    done = CliRunner().invoke(main, [*asked, "--save", str(tmp_path / "games")])
    assert done.exit_code == 0, done.output
    assert "founded by turn" in done.output
    (kept,) = msgspec.json.decode(out.read_bytes(), type=list[Played])
    assert kept.match.seats == SEATS
    assert len(list((tmp_path / "games").iterdir())) == 1


@pytest.mark.parametrize("called", ["nobody", "engine:", "engine:/nowhere/at/all", "thrifty:9"])
def test_a_player_there_is_not_is_told(called: str) -> None:
    done = CliRunner().invoke(main, ["arena", "1817", *["--player", called] * 3, "--workers", "1"])
    assert done.exit_code == 1
    assert "Error" in done.output
    assert "Traceback" not in done.output
