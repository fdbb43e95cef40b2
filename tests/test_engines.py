"""Engines: our bots as one, and others' that play, talk nonsense, cheat, hang or die."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
import textwrap
import time
from pathlib import Path
from random import Random

import pytest

import roundhouse
from roundhouse import selfplay
from roundhouse.bots import player
from roundhouse.dealing import Dealers
from roundhouse.engines import Engine, EngineFault, EnginePlayer, serve
from roundhouse.engines.messages import LONGEST, Limits, offered
from roundhouse.engines.naming import narrowed
from roundhouse.model.actions import decode_action

from reference import GAMES

OURS = (sys.executable, "-m", "roundhouse", "engine", "--bot", "thrifty")


def conversation(*lines: object) -> list[dict[str, object]]:
    """What our engine answers to lines."""
    raw = b"".join(x if isinstance(x, bytes) else json.dumps(x).encode() + b"\n" for x in lines)
    sink = io.BytesIO()
    serve(io.BytesIO(raw), sink, "lively")
    return [json.loads(line) for line in sink.getvalue().splitlines()]


HELLO = {"type": "hello", "protocol": 1}
SEATS = [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Ben"}, {"id": 3, "name": "Cleo"}]
GAME = {"type": "newgame", "title": "1817", "players": SEATS, "seed": 1}


def test_a_conversation() -> None:
    told = conversation(HELLO, GAME, {"type": "go", "player": 1}, {"type": "quit"}, HELLO)
    assert [m["type"] for m in told] == ["engine", "ready", "info", "bestmove"]
    assert told[0]["protocol"] == 1
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    assert game.is_legal(told[3]["action"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense\n", "malformed"),
        (b"[" * 5_000 + b"\n", "malformed"),
        ({"type": "dance"}, "malformed"),
        ({"type": "hello", "protocol": 9}, "protocol"),
        ({"type": "go", "player": 1}, "refused"),
        (GAME | {"title": "1999"}, ""),
        (GAME | {"players": SEATS[:1]}, ""),
        (GAME | {"players": [SEATS[0] | {"id": True}, *SEATS]}, "refused"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_lost(line: object, code: str) -> None:
    told = conversation(line, HELLO)
    assert [m["type"] for m in told] == ["error", "engine"]
    assert told[0]["message"]
    assert not code or told[0]["code"] == code


BID = {"type": "bid", "entity": 1, "entity_type": "player", "company": "PSM", "price": 5}
PASS = {"type": "pass", "entity": 1, "entity_type": "player"}


def going(*choices: object) -> dict[str, object]:
    return {"type": "go", "player": 1, "choices": list(choices)}


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"action": None},
        {"action": [1]},
        {"action": {"type": "dance"}},
        {"action": BID, "open": None},
        {"action": BID, "open": []},
        {"action": BID, "open": {"price": 5}},
        {"action": BID, "open": {"price": {}}},
        {"action": BID, "open": {"price": {"low": 1, "high": 9, "step": 0}}},
        {"action": BID, "open": {"price": {"one_of": [{}]}}},
        {"action": BID, "open": {"price": {"pick": -1, "of": []}}},
        {"action": BID, "open": {"price": {"low": 1_000_000, "high": 2_000_000}}},
    ],
)
def test_a_choice_that_is_none_is_told_and_nothing_is_lost(choice: object) -> None:
    told = conversation(GAME, going(choice), going({"action": PASS}))
    assert [m["type"] for m in told] == ["ready", "error", "info", "bestmove"]
    assert told[1]["message"]
    assert told[3]["action"] == PASS


@pytest.mark.parametrize(
    ("open_", "prices"),
    [
        (None, {5}),
        ({"low": 30, "high": 40, "step": 5}, {30, 35, 40}),
        ({"low": 32, "high": 47, "step": 2}, {40}),
        ({"low": -5, "high": 7}, {5}),
        ({"one_of": [10, 11, 15]}, {10, 15}),
    ],
)
def test_only_what_is_open_is_chosen_from(open_: object, prices: set[int]) -> None:
    """The first choice named is none now: what is open of the second is not mistaken for it."""
    over = {"action": BID | {"company": "NOPE"}, "open": {"price": None}}
    bid = {"action": BID} | ({"open": {"price": open_}} if open_ else {})
    for seed in range(6):
        said = conversation(GAME | {"seed": seed}, going(over, bid))[-1]
        assert said["type"] == "bestmove"
        assert said["action"]["price"] in prices  # type: ignore[index]


@pytest.mark.parametrize("title", ["1817", "1828", "1839", "1873", "18Ireland"])
def test_all_that_is_offered_comes_back_as_it_was(title: str) -> None:
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=4)
    rng = Random(4)
    while len(game) < 300 and not game.finished:
        selfplay.play_on(game, rng, actions=7, policy=selfplay.lively)
        own = game.choices()
        back = list(narrowed(own, [offered(c) for c in own]))
        assert [c.action for c in back] == [c.action for c in own]
        assert all(game.why_not(c.sample(rng)) is None for c in rng.sample(back, min(4, len(back))))


def test_a_line_that_is_too_long_is_told_once() -> None:
    told = conversation(b"x" * (2 * LONGEST + 9) + b"\n", HELLO, b"y" * (LONGEST + 9))
    assert [m["type"] for m in told] == ["error", "engine", "error"]


def test_a_position_that_is_wrong_leaves_the_one_before() -> None:
    first = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1).choices()[0].action
    good = {"type": "position", "actions": [{"type": "pass", "entity": 1, "entity_type": "player"}]}
    bad = {"type": "position", "keep": 1, "actions": [{"type": "dance", "entity": 1}]}
    ahead = {"type": "position", "keep": 7}
    told = conversation(GAME, good, bad, ahead, {"type": "position", "keep": 1})
    assert [m["type"] for m in told] == ["ready", "ready", "error", "error", "ready"]
    assert "action 2 of the position" in str(told[2]["message"])
    assert told[4]["length"] == 1
    assert first is not None


@pytest.fixture(scope="module")
def engine():
    with Engine(OURS) as found:
        yield found


@pytest.mark.parametrize("title", ["1828", "1839"])
def test_the_engine_plays_as_the_bot_does(engine: Engine, title: str) -> None:
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=4)
    rng = Random(4)
    twin = player("thrifty", seed=4)
    same = 0
    for _ in range(40):
        selfplay.play_on(game, rng, actions=3, policy=selfplay.lively)
        if game.finished:
            break
        seat = EnginePlayer(engine)
        allowed = Dealers.alike(game, twin).open(game, game.choices())
        own = [c for c in allowed if c.actor == allowed[0].actor]
        said = seat.choose(game, own).action
        assert game.why_not(said) is None
        same += said == decode_action_of(twin.choose(game, own).action)
    assert same >= 20  # its searches of routes may be cut short by the clock


def decode_action_of(action: roundhouse.Action) -> roundhouse.Action:
    from roundhouse.engines.messages import written

    return decode_action(written(action))


def test_a_jump_to_another_game_and_back_is_understood(engine: Engine) -> None:
    one = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    two = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=2)
    for game in (one, two):
        selfplay.play_on(game, Random(0), actions=20, policy=selfplay.lively)
    for game in (one, two, one.at(one.history[5].action.id or 0), one):
        who = game.players_to_act[0]
        seat = f"player:{who}"
        mine = [c for c in game.choices() if game.rules.president(game.state, c.actor) == seat]
        engine.choose(game, who, mine)


#: Engines that misbehave once they are asked to go.
WAYS = {
    "illegal": """say(type="bestmove", action=PASS)""",
    "malformed": """print("hello there", flush=True)""",
    "malformed-type": """say(type="bestmove", action={"type": "dance"})""",
    "malformed-order": """say(type="ready", length=0)""",
    "refused": """say(type="error", code="tired", message="not today")""",
    "gone": """sys.exit(3)""",
    "silent": """time.sleep(60)""",
}


def program(tmp_path: Path, going: str) -> tuple[str, str]:
    path = tmp_path / "engine.py"
    path.write_text(
        textwrap.dedent(
            """
            import json, sys, time

            PASS = {"type": "pass", "entity": 3, "entity_type": "player"}

            def say(**told):
                print(json.dumps(told), flush=True)

            length = 0
            for line in sys.stdin:
                asked = json.loads(line)
                match asked["type"]:
                    case "hello":
                        say(type="engine", name="Rogue", protocol=1)
                    case "newgame":
                        say(type="ready", length=0)
                    case "position":
                        length = asked.get("keep", 0) + len(asked.get("actions", []))
                        say(type="ready", length=length)
                    case "go":
                        GOING
                    case "quit":
                        break
            """
        ).replace("GOING", going)
    )
    return sys.executable, str(path)


@pytest.mark.parametrize("way", WAYS)
def test_an_engine_that_misbehaves_is_given_up_and_nothing_is_lost(
    tmp_path: Path, way: str
) -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    seat = EnginePlayer(Engine(program(tmp_path, WAYS[way])), limits=Limits(ms=1_500))
    with pytest.raises(EngineFault) as fault:
        seat.choose(game)
    assert fault.value.code == way.partition("-")[0]
    assert str(fault.value).endswith(".")
    assert len(game) == 0
    seat.close()
    kept = EnginePlayer(
        Engine(program(tmp_path, WAYS[way])), limits=Limits(ms=1_500), instead=player("lively")
    )
    selfplay.play_on(game, Random(1), actions=6, policy=kept)
    assert len(game) == 6
    assert kept.fault is not None
    kept.close()


def test_a_program_of_a_few_lines_plays(tmp_path: Path) -> None:
    going = 'say(type="bestmove", action=asked["choices"][-1]["action"])'
    seat = EnginePlayer(Engine(program(tmp_path, going)))
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    selfplay.play_on(game, Random(1), actions=12, policy=seat)
    assert len(game) == 12
    assert seat.fault is None
    seat.close()


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(EngineFault, match="cannot be started"):
        Engine(("/nowhere/at/all",))


#: Ways to keep whoever asks waiting, as parts of :func:`program`.
ENDLESS = {
    "a script": """time.sleep(60)""",
    "info": """[say(type="info", text="x" * 900) for _ in iter(int, 1)]""",
}


@pytest.mark.parametrize("way", ENDLESS)
def test_nobody_waits_for_ever(tmp_path: Path, way: str) -> None:
    command: tuple[str, ...] = program(tmp_path, ENDLESS[way])
    if way == "a script":
        if sys.platform == "win32":
            pytest.skip("there is no shell")
        script = tmp_path / "engine.sh"
        script.write_text(f"#!/bin/sh\n{shlex.join(command)}\ntrue\n")
        command = ("/bin/sh", str(script))
    seat = EnginePlayer(Engine(command), limits=Limits(ms=500))
    began = time.monotonic()
    with pytest.raises(EngineFault, match="in time"):
        seat.choose(roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1))
    assert time.monotonic() - began < 10


def test_what_a_script_has_started_is_ended_with_it(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no groups of processes")
    noted = tmp_path / "pid"
    going = f'open({str(noted)!r}, "w").write(str(__import__("os").getpid())); time.sleep(60)'
    script = f"{shlex.join(program(tmp_path, going))}\ntrue"
    seat = EnginePlayer(Engine(("/bin/sh", "-c", script)), limits=Limits(ms=2_000))
    with pytest.raises(EngineFault, match="in time"):
        seat.choose(roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1))
    until = time.monotonic() + 10
    while _lives(int(noted.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _lives(int(noted.read_text()))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # where nobody waits for it, it is still listed
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def test_an_engine_that_does_not_read_stops_nobody(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    told = ({"type": "engine", "name": "Deaf", "protocol": 1}, {"type": "ready", "length": 0})
    lines = [f"input()\nprint({json.dumps(t)!r}, flush=True)" for t in told]
    path.write_text("\n".join(("import time", *lines, "time.sleep(60)")))
    game = roundhouse.load(GAMES / "1817" / "base.json")  # more than a pipe holds
    with Engine((sys.executable, str(path)), patience=1) as engine:
        began = time.monotonic()
        with pytest.raises(EngineFault) as fault:
            engine.show(game)
        assert fault.value.code == "silent"
        assert time.monotonic() - began < 10


def test_a_game_that_was_refused_is_said_again(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    text = Path(program(tmp_path, "pass")[1]).read_text()
    refusal = 'say(type="error", code="no", message="not that game")'
    ready = 'case "newgame":\n            say(type="ready", length=0)'
    path.write_text(text.replace(ready, f'case "newgame":\n            {refusal}'))
    assert refusal in path.read_text()
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    with Engine((sys.executable, str(path))) as engine:
        for _ in range(2):
            with pytest.raises(EngineFault, match="not that game"):
                engine.show(game)
