"""A state is a value: nobody writes to it by accident, and it is the same everywhere."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

import fenland
import roundhouse
from roundhouse import Game, conformance, selfplay
from roundhouse.board import derived, network, trails
from roundhouse.board.laying import add_marker, reserve
from roundhouse.model.codec import decode_state, encode_state, hash_state
from roundhouse.model.errors import GameFileError
from roundhouse.model.frozen import FrozenDict, put
from roundhouse.model.records import State
from roundhouse.rounds import machine
from roundhouse.title_check import random_game
from roundhouse.titles.title import all_titles, register

from reference import GAMES

register(fenland.TITLE)
OWN = sorted(GAMES.glob("*/*.json"))
_ids = [f"{p.parent.name}-{p.stem}" for p in OWN]


@pytest.fixture(scope="module", params=OWN, ids=_ids)
def game(request: pytest.FixtureRequest) -> Game:
    return roundhouse.load(request.param)


def moments(game: Game) -> list[State]:
    """States all along a game, its first and last among them."""
    entries = game.history[:: max(1, len(game) // 12)]
    return [game.start, *(e.state for e in entries), game.state]


def parts(value: Any) -> Iterator[Any]:
    """All records and maps in a value."""
    if isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from parts(getattr(value, name))
    elif isinstance(value, Mapping):
        yield value
        for entry in value.values():
            yield from parts(entry)
    elif isinstance(value, tuple):
        for entry in value:
            yield from parts(entry)


# writing


def test_every_record_and_map_of_a_state_refuses(game: Game) -> None:
    for state in moments(game):
        mark = hash_state(state)
        for part in parts(state):
            if isinstance(part, Struct):
                for name in part.__struct_fields__:
                    with pytest.raises(AttributeError):
                        setattr(part, name, None)
                    with pytest.raises((AttributeError, TypeError)):
                        delattr(part, name)
            else:
                refuses(part)
        assert hash_state(state) == mark
        assert list(conformance.writable(state)) == []


def refuses(mapping: Any) -> None:
    """All that writes to a dict raises."""
    key = next(iter(mapping), "key")
    writes = (
        lambda: mapping.__setitem__(key, None),
        lambda: mapping.__delitem__(key),
        lambda: mapping.__ior__({key: None}),
        lambda: mapping.update({key: None}),
        lambda: mapping.setdefault("new", None),
        lambda: mapping.pop(key, None),
        lambda: mapping.popitem(),
        lambda: mapping.clear(),
    )
    for write in writes:
        with pytest.raises(TypeError, match="cannot be written to"):
            write()


#: What somebody might write who has a game, a player, a corporation, a hex and facts of the board.
ACCIDENTS = """
game.state = game.start
game.start = game.state
game.findings.append(None)
game.findings += (None,)
game.history[0].state = game.state
game.history[0].action = None
game.history[0].events = ()
game.history[0].action.entity = 7
game.history[0].events[0].amount = 7
game.history[0].state.bank = 7
game.log.clear()
game.state.bank = 7
game.state.bank += 7
del game.state.bank
game.state.colour = "red"
game.state.players = {}
game.state.players[player] = None
game.state.players[player].cash = 7
game.state.players[player].cash += 7
game.state.players |= {player: None}
game.state.players.update(game.start.players)
game.state.order[0] = player
game.state.order.append(player)
game.state.acting += (player,)
del game.state.corporations[company]
game.state.corporations[company].cell = None
game.state.corporations[company].certs[player] = ()
game.state.corporations[company].certs.pop(company, None)
game.state.corporations[company].certs.clear()
game.state.corporations[company].tokens[0].city = None
game.state.corporations[company].tokens[0] = None
game.state.corporations[company].trains.append("2-0")
game.state.companies.clear()
game.state.trains["2-0"] = None
game.state.depot.piles[0].left = 7
game.state.depot.piles = ()
game.state.market.setdefault("0,0,0", ())
game.state.market[cell] += (company,)
game.state.board = None
game.state.board.tiles[coord] = None
game.state.board.tiles.pop(coord, None)
game.state.board.cities[city][0][0] = company
game.state.board.markers.update({coord: ()})
game.state.board.open.add(coord)
game.state.round.number = 7
game.state.programs[player] = ()
faces[coord] = None
faces[coord].tile.by_part.clear()
reach.edges[coord] = 7
reach.entered.add((coord, 0))
reach.nodes.clear()
reach.linked = False
game.rules.box.trains.clear()
game.rules.box.phases.popitem()
game.rules.box.corporations[company] = None
game.rules.box.corporations[company].certificates = ()
game.rules.box.companies |= {}
game.rules.box.game.cash["3"] = 7
game.rules.box.help["track"] = ""
game.rules.box.market.cells.clear()
game.rules.box.market.price.update({})
game.rules.box.map.hexes[coord] = None
game.rules.box.map.printed.pop(coord)
game.rules.box.map.neighbors[coord][0] = coord
game.rules.box.map.adjacent[coord].clear()
game.rules.box.tiles.counts["57"] = 99
game.rules.box.tiles.tiles.clear()
""".strip().splitlines()


@pytest.fixture(scope="module")
def places(game: Game) -> dict[str, Any]:
    """A game at a point where prices and tokens lie on the table, and names of what is there."""
    lively = (e for e in reversed(game.history) if e.state.market and e.state.board.cities)
    game = game.at(next(lively).action.id or 0)
    box, s = game.rules.box, game.state
    owners = [c for c in s.corporations if any(t.city for t in s.corporations[c].tokens)]
    return {
        "game": game,
        "player": next(iter(s.players)),
        "company": next(c for c in (*owners, *s.corporations) if c in box.corporations),
        "cell": next(iter(s.market)),
        "city": next(iter(s.board.cities)),
        "coord": next(c for c in (*s.board.tiles, *box.map.hexes) if c in box.map.hexes),
        "faces": network.faces(box.map, box.tiles, s.board),
        "reach": network.reach(box.map, box.tiles, s.board, (owners or [""])[0]),
    }


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_accidents_raise_and_change_nothing(places: dict[str, Any], accident: str) -> None:
    game = places["game"]
    before, mark, log = game.state, hash_state(game.state), game.log
    with pytest.raises((AttributeError, TypeError)):
        exec(accident, dict(places))
    assert game.state is before
    assert hash_state(before) == mark
    assert game.log == log


def test_lists_that_are_handed_out_are_copies(game: Game) -> None:
    middle = game.at(game.history[len(game) // 2].action.id or 0)
    offered = len(middle.choices())
    middle.choices().clear()
    middle.result().clear()
    middle.refusals().clear()
    middle.dump()["actions"].clear()
    assert len(middle.choices()) == offered
    assert middle.result()
    assert middle.dump()["actions"]


# forks


def test_a_fork_is_written_to_alone(game: Game) -> None:
    for state in moments(game):
        mark, fork = hash_state(state), state.fork()
        key, player = next(iter(fork.players.items()))
        fork.bank += 1
        fork.players = put(fork.players, key, player)
        assert not fork.sealed
        assert fork.seal().sealed
        refuses(fork.players)
        assert hash_state(state) == mark != hash_state(fork)


def test_a_map_is_copied_to_be_written_to() -> None:
    frozen = FrozenDict({"a": 1})
    written = frozen.copy()
    written["a"] = 2
    assert (frozen, frozen | {"b": 3}) == ({"a": 1}, {"a": 1, "b": 3})
    refuses(frozen)
    refuses(copy.copy(frozen))
    refuses(copy.deepcopy(frozen))
    refuses(pickle.loads(pickle.dumps(frozen)))


def test_equal_maps_are_in_one_order() -> None:
    one, other = FrozenDict({"a": 1, "b": 2}), FrozenDict({"b": 2, "a": 1})
    assert one != other
    assert one == FrozenDict({"a": 1, "b": 2})
    assert one == dict(other)


# one encoding, one hash


def test_states_come_back_from_bytes_and_pickles(game: Game) -> None:
    kind = game.rules.state_type
    for state in moments(game):
        raw = encode_state(state)
        for again in (
            decode_state(kind, raw),
            pickle.loads(pickle.dumps(state)),
            copy.deepcopy(state),
            copy.copy(state),
        ):
            assert again == state
            assert type(again) is type(state)
            assert again.sealed
            assert encode_state(again) == raw
            assert hash_state(again) == hash_state(state)
            assert list(conformance.writable(again)) == []
        fork = pickle.loads(pickle.dumps(state.fork()))
        assert not fork.sealed
        assert encode_state(fork) == raw


def test_what_is_decoded_plays_on_alike(game: Game) -> None:
    """The same choices in the same order, the same states and events."""
    entries = game.history
    for at in range(1, len(entries), max(1, len(game) // 12)):
        before, action = entries[at - 1].state, entries[at].action
        again = decode_state(game.rules.state_type, encode_state(before))
        told = [[c.action for c in machine.choices(game.rules, s)] for s in (before, again)]
        assert told[0] == told[1]
        if action.type not in ("message", "undo", "redo", "log") and "program" not in action.type:
            ways = [machine.ActionContext(recorded=True), machine.ActionContext(recorded=True)]
            after = [
                machine.apply(game.rules, s, action, way)
                for s, way in zip((before, again), ways, strict=True)
            ]
            assert encode_state(after[0]) == encode_state(after[1])
            assert ways[0].events == ways[1].events


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b"\xff", b'{"players": 3}', b"[" * 100_000])
def test_what_is_no_state_is_refused(raw: bytes) -> None:
    with pytest.raises(GameFileError):
        decode_state(State, raw)


_CHILD = """
import pickle, sys
import roundhouse
from roundhouse.model.codec import decode_state, encode_state, hash_state

for path, pickled in pickle.load(sys.stdin.buffer):
    game = roundhouse.load(path)
    entries = game.history[:: max(1, len(game) // 12)]
    for state in (game.start, *(e.state for e in entries), game.state):
        again = decode_state(game.rules.state_type, encode_state(state))
        print(hash_state(state), hash_state(again))
    for raw in pickled:
        state = pickle.loads(raw)
        print(hash_state(state), hash_state(pickle.loads(pickle.dumps(state))))
"""


@pytest.mark.parametrize("seed", ["0", "1", "271828"])
def test_hashes_are_the_same_in_every_process(seed: str) -> None:
    """However sets and strings are hashed there: of a game replayed, decoded, and unpickled."""
    paths = OWN if seed == "1" else OWN[::3]
    games = [roundhouse.load(path) for path in paths]
    sent = [
        (str(p), [pickle.dumps(s) for s in moments(g)]) for p, g in zip(paths, games, strict=True)
    ]
    due = []
    for game in games:
        due += 2 * [f"{h} {h}" for h in map(hash_state, moments(game))]
    source = str(Path(roundhouse.__file__).parents[1])
    child = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input=pickle.dumps(sent),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": source},
    )
    assert child.stdout.decode().split("\n")[:-1] == due


@pytest.mark.parametrize("name", all_titles())
def test_random_games_give_the_same_bytes_again(name: str) -> None:
    found = []
    for _ in range(2):
        game = random_game(all_titles()[name], 5)
        selfplay.play_on(game, Random(5), actions=120, policy=selfplay.lively)
        assert list(conformance.writable(game.state)) == []
        found.append([encode_state(e.state) for e in game.log])
    assert found[0] == found[1]


# what follows from a board


def test_facts_of_a_board_go_with_what_they_follow_from(game: Game) -> None:
    """A board with other markers keeps networks and track, one with other tiles neither; both
    agree with a board that never knew anything."""
    box, s = game.rules.box, game.state.fork()
    s.now = machine.ActionContext()
    owner = next(iter(s.corporations))
    coord = next(iter(box.map.hexes))
    found = network.reach(box.map, box.tiles, s.board, owner)
    add_marker(s, owner, coord, "flag")
    reserve(s, coord, ())
    assert network.REACH.of(s.board)
    assert network.reach(box.map, box.tiles, s.board, owner) is found
    moved = derived.changed(s.board, cities=FrozenDict())
    assert not network.REACH.of(moved)
    assert network.FACES.known(moved) is network.FACES.known(s.board)
    bare = derived.changed(s.board, tiles=FrozenDict())
    assert network.FACES.known(bare) is None
    fresh = pickle.loads(pickle.dumps(s.board))
    assert vars(fresh) == {}
    assert network.faces(box.map, box.tiles, fresh) == network.faces(box.map, box.tiles, s.board)


def test_a_fact_of_a_board_is_declared_once() -> None:
    with pytest.raises(ValueError, match="two facts"):
        derived.Derived("faces", "tiles")


def test_whether_a_network_leads_to_a_side_is_known_without_all_of_it(game: Game) -> None:
    """On boards that know nothing, and on those that know the networks."""
    rules = game.rules
    for state in moments(game):
        for who in state.corporations:
            for number, coord in enumerate(rules.box.map.hexes):
                side = 1 << number % 6
                fresh = pickle.loads(pickle.dumps(state.board))
                told = rules.leads_to(fresh, who, coord, side)
                assert told == bool(rules.reach(state.board, who).on(coord) & side), (who, coord)
                assert told == rules.leads_to(state.board, who, coord, side)


def test_kept_networks_are_those_of_a_board_that_knows_nothing(game: Game) -> None:
    tiles = game.rules.box.tiles
    for state in moments(game):
        fresh = pickle.loads(pickle.dumps(state.board))
        for who in state.corporations:
            assert game.rules.reach(state.board, who) == game.rules.reach(fresh, who)
        for key, found in network.REACH.of(state.board).items():
            map_, who, gauge, kind, starts, homes = key
            if kind == network.TRAILS:
                again = trails.reach(map_, tiles, fresh, who, gauge=gauge, homes=homes)
            else:
                again = network.reach(
                    map_, tiles, fresh, who,
                    gauge=gauge, starts=starts, blocking=kind == network.JOINED, homes=homes,
                )  # fmt: skip
            assert found == again, key


def test_kept_tokens_and_shut_cities_are_those_of_a_board_that_knows_nothing(game: Game) -> None:
    rules = game.rules
    for state in moments(game):
        fresh, map_ = pickle.loads(pickle.dumps(state.board)), rules.map_now(state.board)
        faces = network.faces(map_, rules.box.tiles, fresh)
        for who, spots in network.SPOTS.of(state.board).items():
            assert spots == network.token_spots(fresh, faces, who), who
        for who, shut in network.SHUT.of(state.board).items():
            network.lines_for(map_, faces, fresh, who, "broad")
            assert network.SHUT.of(fresh)[who] == shut, who
