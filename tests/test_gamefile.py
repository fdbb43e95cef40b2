"""Game files: what counts after undos, and how damaged files are refused."""

from __future__ import annotations

import contextlib
import gc
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roundhouse
from roundhouse import GameFileError, IllegalAction, selfplay
from roundhouse.model.actions import AnyAction, decode_action
from roundhouse.model.rng import RandomStream, seed_from


def file(actions: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A small 1817 file."""
    players = [{"id": n, "name": name} for n, name in ((1, "A"), (2, "B"), (3, "C"))]
    return {"id": 1, "title": "1817", "players": players, "actions": actions} | fields


def act(number: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": number, "entity": 1, "entity_type": "player"} | fields


BID1 = act(1, "bid", company="CM", price=10)
BID2 = act(2, "bid", entity=2, company="CM", price=15)


def kept(game: roundhouse.Game) -> list[int | None]:
    return [e.action.id for e in game.history]


def test_worked_example_of_the_format() -> None:
    actions = [
        BID1,
        BID2,
        act(3, "undo"),
        act(4, "message", message="hello"),
        act(5, "redo"),
        act(6, "pass", entity=3),
        act(7, "undo", action_id=1),
    ]
    game = roundhouse.load(file(actions))
    assert kept(game) == [1, 4]
    assert kept(roundhouse.load(file([*actions, act(8, "redo")]))) == [1, 2, 4, 6]
    rest = [act(8, "redo"), act(9, "undo", action_id=1), BID2 | {"id": 10}]
    game = roundhouse.load(file(actions + rest))
    assert kept(game) == [1, 4, 10]
    with pytest.raises(IllegalAction) as refused:
        game.redo()
    assert refused.value.code == "nothing_to_redo"


def test_undo_skips_messages() -> None:
    game = roundhouse.load(file([BID1, act(2, "message", message="x"), act(3, "undo")]))
    assert kept(game) == [2]
    assert game.state == game.start


def test_undo_to_zero_and_redo() -> None:
    game = roundhouse.load(file([BID1, BID2]))
    end = game.state
    game.undo(0)
    assert game.state == game.start
    game.redo()
    assert game.state == end


def test_what_a_file_takes_back_need_not_be_legal() -> None:
    """Only what is left after undo and redo is replayed: the rest may be from another time."""
    wrong = act(2, "bid", entity=2, company="CM", price=11)
    lost = act(3, "pass", entity=3)
    raw = file([BID1, wrong, lost, act(4, "undo", action_id=1), BID2 | {"id": 5}])
    game = roundhouse.load(raw)
    assert kept(game) == [1, 5]
    assert game.state == roundhouse.load(file([BID1, BID2])).state
    assert game.dump()["actions"] == raw["actions"]
    assert roundhouse.load(game.dump()).state == game.state
    back = roundhouse.load(file([BID1, wrong, act(3, "undo")]))
    back.redo()
    assert back.state == back.at(1).state, "it still does nothing"
    with pytest.raises(GameFileError, match="actions\\[1\\]"):
        roundhouse.load(file([BID1, wrong, act(3, "undo"), act(4, "redo")]))


def test_a_file_may_undo_nothing() -> None:
    """Undo takes the last action back; where there is none it is an empty batch."""
    chat = act(1, "message", message="x")
    game = roundhouse.load(file([chat, act(2, "undo"), act(3, "redo"), BID1 | {"id": 4}]))
    assert kept(game) == [1, 4]
    with pytest.raises(IllegalAction, match="nothing to take back"):
        roundhouse.load(file([chat])).undo()


def test_messages_take_the_state_around_them() -> None:
    chat = act(2, "message", message="x")
    game = roundhouse.load(file([BID1, chat, BID2 | {"id": 3}]))
    states = [e.state for e in game.history]
    game.undo(0)
    assert [e.state for e in game.history] == [game.start]
    game.redo()
    assert [e.state for e in game.history] == states


def test_what_hangs_on_a_message_stays_with_it() -> None:
    """A message is never taken back, nor are its automatic actions."""
    auto = {"type": "pass", "entity": 2, "entity_type": "player"}
    chat = act(2, "message", message="x", auto_actions=[auto])
    game = roundhouse.load(file([BID1, chat, act(3, "pass", entity=3), act(4, "undo")]))
    assert game.acting == ("player:3",)
    with pytest.raises(IllegalAction):
        game.undo(0)
    assert game.acting == ("player:3",)
    assert kept(game) == [1, 2]


def test_undo_takes_automatic_actions_back_too() -> None:
    auto = {"type": "pass", "entity": 2, "entity_type": "player"}
    game = roundhouse.load(file([BID1 | {"auto_actions": [auto]}]))
    assert game.acting == ("player:3",)
    game.undo()
    assert game.state == game.start


def test_programs_are_kept_and_change_nothing() -> None:
    program = act(1, "program_share_pass", entity=2, unconditional=True)
    game = roundhouse.load(file([program, BID1 | {"id": 2}]))
    assert game.state.programs == {"player:2": ("program_share_pass",)}
    assert [a["type"] for a in game.export()["actions"]] == ["bid"]


def test_missing_ids_are_counted_up() -> None:
    bare = [{k: v for k, v in a.items() if k != "id"} for a in (BID1, BID2)]
    assert kept(roundhouse.load(file(bare))) == [1, 2]


def test_players_without_ids_use_their_names() -> None:
    actions = [{"type": "bid", "entity": "A", "entity_type": "player", "company": "CM", "price": 0}]
    raw = file(actions, players=[{"name": n} for n in "ABC"])
    assert roundhouse.load(raw).acting == ("player:B",)


def test_unknown_options_and_fields_are_ignored() -> None:
    settings = {"seed": 5, "optional_rules": ["volatility", "no_such_rule", ""]}
    game = roundhouse.load(file([], settings=settings, mode="hotseat", extra=[1]))
    assert game.options == {"volatility"}


def test_derived_and_empty_fields_mean_nothing() -> None:
    """What is derived may be missing, wrong or null; null options are missing ones."""
    bid = BID1 | {"auto_actions": None, "user": None, "created_at": "2020-11-23", "minor": None}
    derived: dict[str, Any] = {"status": 7, "result": None, "game_end_reason": [], "turn": "x"}
    settings = {"seed": None, "optional_rules": None, "pin": None}
    raw = file([bid], round=None, acting={}, settings=settings, id="hs_x_5", **derived)
    game = roundhouse.load(raw)
    assert kept(game) == [1]
    assert game.seed == 5
    assert kept(roundhouse.load(file([BID1], settings=None))) == [1]


def test_after_the_end_only_messages() -> None:
    end = act(1, "end_game", entity="H", entity_type="corporation")
    game = roundhouse.load(file([end, act(2, "message", message="well played")]))
    assert game.end_reason == "manually_ended"
    for late in (act(3, "log", message="x"), act(3, "program_share_pass"), BID1 | {"id": 3}):
        with pytest.raises(IllegalAction, match="over"):
            game.apply(late)


@pytest.mark.parametrize(
    "sender",
    [
        {"entity": "1", "entity_type": "player"},
        {"entity": "player:1", "entity_type": "corporation"},
        {"entity": "player:1", "entity_type": "player"},
        {"entity": 1, "entity_type": "corporation"},
        {"entity": "H", "entity_type": "minor"},
        {"entity": "CM", "entity_type": "corporation"},
        {"entity": "company:CM", "entity_type": "corporation"},
        {"entity": "market", "entity_type": "corporation"},
    ],
)
def test_senders_are_named_as_they_are(sender: dict[str, Any]) -> None:
    """Id and kind of a sender are those of the file, JSON type included."""
    for kind, fields in (("bid", {"company": "CM", "price": 10}), ("pass", {}), ("end_game", {})):
        with pytest.raises(GameFileError) as refused:
            roundhouse.load(file([{"type": kind, "id": 1, **sender, **fields}]))
        assert refused.value.where.startswith("actions[0]")
        assert isinstance(refused.value.__cause__, IllegalAction)
        assert refused.value.__cause__.code == "unknown_entity"


@pytest.mark.parametrize(
    ("seed", "draws"),
    [
        (1, [1103527590, 377401575, 662824084, 1147902781]),
        (12345, [1406932606, 654583775, 1449466924, 229283573]),
        (2147483647, [1043980748, 288979989, 646343466, 1751031067]),
        (4294967301, [1222621274, 554244747, 695785320, 2089129857]),
    ],
)
def test_random_stream(seed: int, draws: list[int]) -> None:
    stream = RandomStream(seed)
    assert [stream.draw() for _ in draws] == draws


@pytest.mark.parametrize(
    ("seed", "game_id", "expected"),
    [(7, 1, 7), (None, 23366, 23366), ("", "hs_abcdefgh_12345", 12345),
     (None, "hs_ab12cdef_777", 12), (None, "hs_x_5", 5), (None, None, 0)],
)  # fmt: skip
def test_seed_of_a_file(seed: Any, game_id: Any, expected: int) -> None:
    assert seed_from(seed, game_id) == expected


# damaged files

WHOLE = json.dumps(file([BID1, BID2])).encode()


@given(st.integers(0, len(WHOLE) - 1))
def test_truncated_files_are_refused(length: int) -> None:
    with pytest.raises(GameFileError):
        roundhouse.load(WHOLE[:length])


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (file([act(1, "bid", company="CM", price="ten")]), "actions[0].price"),
        (file([act(1, "bid", company="CM", price=10**30)]), "actions[0]"),
        (file([act(1, "bid", company="CM", price=10**12)]), "actions[0].price"),
        (file([act(1, "bid", company="CM", price=5.5)]), "actions[0].price"),
        (file([act(1, "fly", to="moon")]), "actions[0].type"),
        (file([act(1, "bid", company="CM")]), "actions[0]"),
        (file([act(1, "bid", company="XYZ", price=0)]), "actions[0]"),
        (file([act(1, "bid", entity=99, company="CM", price=0)]), "actions[0]"),
        (file([act(1, "bid", entity=2, company="CM", price=0)]), "actions[0]"),
        (file([act(1, "bid", entity=True, company="CM", price=0)]), "actions[0]"),
        (file([BID1, BID1]), "actions[1]"),
        (file([act(1, "undo", action_id=7)]), "actions[0]"),
        (file([act(1, "redo")]), "actions[0]"),
        (file([BID1 | {"auto_actions": [act(2, "undo")]}]), "actions[0]"),
        (file([act(1, "lay_tile", hex="F13", tile="57-0", rotation=9)]), "actions[0].rotation"),
        (file({"a": 1}), "actions"),  # type: ignore[arg-type]
        (file([], players=[]), "players"),
        (file([], players=[{"id": 1, "name": "A"}, {"id": 2, "name": "A"}] * 2), ""),
        (file([], players=[{"id": 1, "name": "A"}]), ""),
        (file([], title="1899"), ""),
        (file([], settings={"pin": "abc"}), "settings.pin"),
        (file([], settings={"seed": "x1"}), "settings.seed"),
        (file([], settings={"optional_rules": "all"}), "settings.optional_rules"),
        (file([], settings=[]), "settings"),
    ],
)
def test_faults_are_named(raw: dict[str, Any], place: str) -> None:
    with pytest.raises(GameFileError) as refused:
        roundhouse.load(raw)
    assert refused.value.where.startswith(place)
    assert str(refused.value)


def test_deep_nesting_is_refused() -> None:
    deep = b"[" * 100_000
    with pytest.raises(GameFileError):
        roundhouse.load(b'{"title": "1817", "players": [], "actions": ' + deep)
    nested: dict[str, Any] = dict(BID1)
    for _ in range(3):
        nested = BID1 | {"auto_actions": [nested]}
    with pytest.raises(GameFileError):
        roundhouse.load(file([nested]))


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"null", b"[]", b"{}", b"1", b'"x"'])
def test_no_game_at_all(raw: bytes) -> None:
    with pytest.raises(GameFileError):
        roundhouse.load(raw)


def test_missing_file() -> None:
    with pytest.raises(GameFileError, match="nowhere"):
        roundhouse.load("nowhere.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.data())
def test_garbled_actions_raise_nothing_else(data: st.DataObject) -> None:
    """Any field of any action replaced by anything: played, or refused with a clear error."""
    game = roundhouse.new("1817", ["A", "B", "C"], seed=3)
    selfplay.play_on(game, Random(3), actions=60, policy=selfplay.lively)
    raw = json.loads(json.dumps(game.dump()))
    action = data.draw(st.sampled_from(raw["actions"]))
    action[data.draw(st.sampled_from([*action, "extra"]))] = data.draw(JSON)
    text = json.dumps(raw).encode()
    with contextlib.suppress(GameFileError):
        roundhouse.load(text)


def test_replay_keeps_the_good_part() -> None:
    game, fault = roundhouse.replay(file([BID1, act(2, "bid", entity=2, company="CM", price=11)]))
    assert len(game) == 1
    assert fault is not None
    assert "actions[1]" in fault.where
    assert isinstance(fault.__cause__, IllegalAction)
    assert fault.__cause__.code == "bid_too_low"


@pytest.mark.parametrize(
    "path", sorted(Path(__file__).parent.glob("games/*/*.json")), ids=lambda p: p.stem
)
def test_actions_are_read_as_the_union_of_all_reads_them(path: Path) -> None:
    """:func:`decode_action` looks the type up by its word."""
    for raw in json.loads(path.read_bytes())["actions"]:
        assert decode_action(raw) == msgspec.convert(raw, AnyAction)


@pytest.mark.parametrize(
    "raw",
    [
        {},
        [],
        None,
        {"type": "nothing"},
        {"type": ["pass"]},
        {"type": 5},
        act(1, "bid"),
        act(1, "bid", price="10"),
        act(1, "pass", auto_actions=[{"type": "nothing"}]),
    ],
)
def test_what_is_no_action_is_refused_as_the_union_of_all_refuses_it(raw: object) -> None:
    with pytest.raises(msgspec.ValidationError) as ours:
        decode_action(raw)
    with pytest.raises(msgspec.ValidationError) as theirs:
        msgspec.convert(raw, AnyAction)
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_replay_leaves_the_collector_as_it_was(enabled: bool) -> None:
    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        roundhouse.load(file([BID1, BID2]))
        assert gc.isenabled() == enabled
        with pytest.raises(GameFileError):
            roundhouse.load(file([BID2, BID1]))
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was else gc.disable)()
