"""Matches: everybody sits everywhere, results do not hang on who was done first, ratings tell who
is stronger and how sure that is."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import active_children
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from roundhouse.arena import Match, Played, lineups, play, run, standings
from roundhouse.arena.economy import Economy, economy_of, table_of
from roundhouse.cli.main import main
from roundhouse.cli.standings import quartiles
from roundhouse.cluster import spread
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


#: An engine: what it does when it starts, what it is called, and what it does when asked to go.
ENGINE = """
import json, sys, time
START
def say(**told):
    print(json.dumps(told), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        say(type="engine", name="NAME", protocol=1)
    elif asked["type"] == "go":
        GO
    elif asked["type"] == "quit":
        break
    else:
        say(type="ready", length=asked.get("keep", 0) + len(asked.get("actions", [])))
"""
FIRST = 'say(type="bestmove", action=asked["choices"][0]["action"])'


def engine(tmp_path: Path, go: str = FIRST, start: str = "", name: str = "Some") -> str:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE.replace("START", start).replace("NAME", name).replace("GO", go))
    return f"engine:{sys.executable} {path}"


def arena(*args: object, seats: Sequence[str] = SEATS, title: str = "1817") -> Result:
    asked = ["arena", title, *(x for p in seats for x in ("--player", p)), "--workers", "1"]
    return CliRunner().invoke(main, [*asked, *map(str, args)])


def test_an_engine_that_no_longer_starts_forfeits_its_seat_only(tmp_path: Path) -> None:
    count = f'open({str(tmp_path / "n")!r}, "a").write("x")'
    start = f"{count}\nif len(open({str(tmp_path / 'n')!r}).read()) > 2: sys.exit(1)"
    called = engine(tmp_path, start=start)
    seats = (called, "lively", "lively")
    played = run([replace(m, actions=20) for m in lineups("1817", seats, 4)], workers=1)
    assert [any(p.faults) for p in played] == [False, False, True, True]
    assert played[2].place[1] == 3


def test_the_time_of_an_engine_is_by_the_clock(tmp_path: Path) -> None:
    called = engine(tmp_path, f"time.sleep(0.1); {FIRST}")
    played = play(Match("1817", (called, "lively", "lively"), 1, actions=9))
    assert played.seconds[0] >= 0.1 * played.decisions[0] > 0


def test_whatever_engines_say_is_printed_as_it_is(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("openskill")
    monkeypatch.setenv("COLUMNS", "80")
    words = "no [/foo] in [bold]this[/bold] \\x1b[31m \\n x"
    called = engine(tmp_path, f'say(type="error", code="x", message="{words}")', name="[/red]")
    done = arena("--games", 3, "--actions", 20, seats=(called, "quick", "thrifty"))
    assert done.exit_code == 0, done.output
    assert "The engine [/red] says: no [/foo] in [bold]this[/bold]  [31m   x." in done.output
    assert f"1 engine: {called.removeprefix('engine:')}" in done.output
    assert "3 games broken off" in done.output
    tables = done.output.partition("1 engine: ")[0]
    assert "…" not in tables
    assert "2 quick" in tables
    assert max(map(len, tables.splitlines())) <= 80


@pytest.mark.parametrize(
    "more",
    [
        ("--games", 0),
        ("--games", -3),
        ("--actions", 0),
        ("--workers", -2),
        ("--json", "/nowhere/at/all.json"),
        ("--save", "/dev/null/games"),
        ("--option", "nonsense"),
        ("--player", "nobody"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_played(monkeypatch, more) -> None:
    pytest.importorskip("openskill")
    monkeypatch.setattr("roundhouse.arena.run", lambda *a, **k: pytest.fail("it is played"))
    done = arena(*more)
    assert done.exit_code in (1, 2)
    assert "Error" in done.output
    for title in ("1999", "1839"):  # the second of the titles, and too many for it
        done = arena(title, seats=("lively",) * 7)
        assert done.exit_code == 1, done.output


def test_who_there_is_is_told() -> None:
    done = arena(seats=("nobody",) * 3)
    for name in ("lively", "thrifty", "magnate:quick", "magnate:club", "magnate:strong"):
        assert name in done.output


def test_a_title_that_is_named_twice_is_one(tmp_path: Path) -> None:
    pytest.importorskip("openskill")
    done = arena("1817wo", "--games", 1, "--actions", 9, "--json", tmp_path / "o", title="1817WO")
    assert done.exit_code == 0, done.output
    assert "all titles" not in done.output
    assert len(msgspec.json.decode((tmp_path / "o").read_bytes())) == 1


@pytest.mark.parametrize(
    ("fault", "code"), [(KeyboardInterrupt(), 130), (RuntimeError("the cluster is gone"), 1)]
)
def test_what_is_played_is_kept_whatever_ends_it(monkeypatch, tmp_path: Path, fault, code) -> None:
    pytest.importorskip("openskill")

    def some(matches, *, watch, **_: object) -> None:
        watch(play(matches[0]))
        raise fault

    monkeypatch.setattr("roundhouse.arena.run", some)
    out, games = tmp_path / "out.json", tmp_path / "games"
    done = arena("--games", 5, "--actions", 9, "--json", out, "--save", games)
    assert done.exit_code == code
    assert "1 of 5 games were played" in done.output
    assert "founded by turn" in done.output
    assert len(msgspec.json.decode(out.read_bytes())) == 1
    assert len(list(games.iterdir())) == 1


def test_who_stops_waiting_ends_the_processes() -> None:
    began, others = time.monotonic(), set(active_children())
    jobs = spread(time.sleep, [0, 120, 120, 120], processes=2)
    next(jobs)
    jobs.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 60
    while set(active_children()) - others:  # a thread of the pool may be the one that sees them end
        assert time.monotonic() - began < 60
        time.sleep(0.05)


@pytest.mark.parametrize("called", ["nobody", "engine:", "engine:/nowhere/at/all", "thrifty:9"])
def test_a_player_there_is_not_is_told(called: str) -> None:
    done = CliRunner().invoke(main, ["arena", "1817", *["--player", called] * 3, "--workers", "1"])
    assert done.exit_code == 1
    assert "Error" in done.output
    assert "Traceback" not in done.output
