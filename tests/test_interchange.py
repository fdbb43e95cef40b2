"""Games in other forms: the schema of their files, figures, reports, play-logs, without names."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import roundhouse
from roundhouse.cli.main import main
from roundhouse.interchange import (
    csv_of,
    figures_of,
    game_file_schema,
    nameless,
    playlog_of,
    report_of,
)
from roundhouse.interchange import schema as schema_module

from reference import GAMES, reference_path

OWN = sorted(GAMES.glob("*/*.json"))
BASE = [next(p for p in OWN if p.parent.name == t) for t in sorted({p.parent.name for p in OWN})]


def name_of(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module", params=BASE, ids=name_of)
def game(request):
    return roundhouse.load(request.param)


@pytest.fixture(scope="module")
def one():
    return roundhouse.load(GAMES / "1817" / "base.json")


# the schema


@pytest.fixture(scope="module")
def validator():
    found = pytest.importorskip("jsonschema_rs", reason="jsonschema_rs is not installed")
    return found.Draft202012Validator(game_file_schema())


def test_the_shipped_schema_is_that_of_the_types():
    shipped = Path(schema_module.__file__).with_name(schema_module.NAME)
    told = "run `roundhouse schema src/roundhouse/interchange` and keep the game file's"
    assert json.loads(shipped.read_text()) == json.loads(json.dumps(game_file_schema())), told


@pytest.mark.parametrize("path", OWN, ids=name_of)
def test_our_own_games_are_what_the_schema_says(validator, path):
    file = json.loads(path.read_text())
    assert [str(e) for e in validator.iter_errors(file)] == []


def test_what_we_write_is_what_the_schema_says(validator, game):
    files = [game.dump(), nameless(game)]
    if all(game.title.options[o].portable for o in game.options):
        files.append(game.export())
    for file in files:
        as_json = json.loads(json.dumps(file))
        assert [str(e) for e in validator.iter_errors(as_json)] == []


def test_real_games_are_what_the_schema_says(validator):
    folder = reference_path()
    if folder is None:
        pytest.skip("the reference games are not at hand")
    for path in folder.glob("games/*/*.json"):
        file = json.loads(path.read_text())
        assert [str(e)[:200] for e in validator.iter_errors(file)] == [], path


@pytest.mark.parametrize(
    "change",
    [{"title": 7}, {"players": []}, {"actions": [{"type": "nothing"}]},
     {"actions": [{"type": "bid", "entity": 1, "entity_type": "player"}]},
     {"rules_revision": 0}],
)  # fmt: skip
def test_what_is_no_game_is_none_to_the_schema_either(validator, one, change):
    file = json.loads(json.dumps(one.dump() | change))
    assert not validator.is_valid(file)
    with pytest.raises(roundhouse.GameFileError):
        roundhouse.load(file)


# figures


def test_figures_are_those_of_the_game(game):
    rows = list(csv.DictReader(io.StringIO(csv_of(game))))
    last = [r for r in rows if (r["round"], r["action"]) == (rows[-1]["round"], rows[-1]["action"])]
    players = {r["id"]: int(r["worth"]) for r in last if r["kind"] == "player"}
    assert players == {str(k): v for k, v in game.result().items()}
    s = game.state
    for row in last:
        if row["kind"] != "player":
            assert int(row["cash"]) == s.corporations[row["id"]].cash
    from roundhouse.model.events import DividendDeclared

    earned = sum(
        e.revenue for x in game.history for e in x.events if isinstance(e, DividendDeclared)
    )
    told = sum(f.revenue or 0 for f in figures_of(game))
    shown = {f.id for f in figures_of(game) if f.kind != "player"}
    hidden = sum(
        e.revenue
        for x in game.history
        for e in x.events
        if isinstance(e, DividendDeclared) and e.who not in shown
    )
    assert 0 < told <= earned - hidden


def test_rounds_come_once_and_in_order(game):
    names = list(dict.fromkeys((f.round, f.action) for f in figures_of(game)))
    assert [n for _, n in names] == sorted(n for _, n in names)
    assert len(names) > 5


# the report


def test_a_report_stands_alone_and_holds_the_maps(one):
    page = report_of(one)
    assert page.count("<svg") >= 5
    assert not re.findall(r'(?:src|href)="https?:', page)
    assert "<script" not in page
    for seat in one.seats:
        assert seat.name in page
    for score in one.result().values():
        assert f"{score:,}" in page
    assert 'id="hex-' not in page
    for drawing in re.findall(r"<svg.*?</svg>", page, re.S)[:3]:
        ElementTree.fromstring(drawing.replace("&nbsp;", " "))
    short = report_of(one, log=False, maps=False)
    assert "<svg" not in short
    assert len(short) < len(page) / 3


def test_names_are_text_in_a_report():
    names = ["<b>Ann", "Ben & Co", '"Cleo"']
    game = roundhouse.new("1817", players=names, seed=1)
    page = report_of(game)
    assert "<b>Ann" not in page
    assert "&lt;b&gt;Ann" in page


# the play-log


def test_a_play_log_says_who_won_and_when(one):
    at = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)
    log = playlog_of(one, at, "The club")
    (play,) = log["plays"]
    assert play["playDate"] == "2026-05-01 19:30:00"
    scores = {p["playerRefId"]: p for p in play["playerScores"]}
    best = max(one.result().values())
    for player, seat in zip(log["players"], one.seats, strict=True):
        score = scores[player["id"]]
        assert player["name"] == seat.name
        assert int(score["score"]) == one.result()[seat.id]
        assert score["winner"] == (one.result()[seat.id] == best)
    assert log["locations"][0]["name"] == "The club"
    assert log == playlog_of(one, at, "The club")
    with pytest.raises(ValueError, match="when"):
        playlog_of(one)


def test_times_of_the_actions_count():
    game = roundhouse.new("1817", players=["A", "B", "C"], seed=1)
    for minute in (0, 5, 10, 600, 615):
        action = roundhouse.model.actions.Message(
            entity=1, entity_type="player", message="x", created_at=1_700_000_000 + 60 * minute
        )
        game.apply(action)
    (play,) = playlog_of(game)["plays"]
    assert play["playDate"] == "2023-11-14 22:13:20"
    assert play["durationMin"] == 25


# without names


@pytest.mark.parametrize("path", BASE, ids=name_of)
def test_a_game_without_names_is_the_same_game(path):
    raw = json.loads(path.read_text())
    marks = {}
    for place, player in enumerate(raw["players"]):
        marks[player["id"]] = 777_000 + place
        player["id"], player["name"] = 777_000 + place, f"Secret{place}"

    def mark(action):
        if action["entity_type"] == "player":
            action["entity"] = marks[action["entity"]]
        action["user"] = action["created_at"] = 1_699_999_999
        for one in action.get("auto_actions") or ():
            mark(one)

    for action in raw["actions"]:
        mark(action)
    raw["actions"].append(
        {"type": "message", "entity": 777_000, "entity_type": "player", "message": "Secret talk"}
    )
    raw |= {"id": 424_242, "description": "Secret game", "result": {}}
    original = roundhouse.replay(raw)[0]
    file = nameless(original)
    text = json.dumps(file)
    for secret in ("Secret", "77700", "424242", "1699999999", "message", "user", "created_at"):
        assert secret not in text, secret
    again = roundhouse.load(json.loads(text))
    assert list(again.result().values()) == list(original.result().values())
    assert again.finished == original.finished
    assert again.state.market == original.state.market
    assert again.state.board.tiles == original.state.board.tiles


# at the command line


@pytest.mark.parametrize("form", ["csv", "report", "playlog", "portable", "nameless"])
def test_convert_writes_each_form(form, tmp_path):
    game = tmp_path / "game.json"
    game.write_bytes((GAMES / "1817" / "base.json").read_bytes())
    done = CliRunner().invoke(main, ["convert", str(game), "--to", form])
    assert done.exit_code == 0, done.output
    written = Path(done.output.strip())
    assert written.exists()
    assert written != game
    if form in ("portable", "nameless"):
        assert roundhouse.load(written).finished


def test_convert_says_what_is_wrong(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for file in (broken, tmp_path / "missing.json"):
        done = CliRunner().invoke(main, ["convert", str(file), "--to", "csv"])
        assert done.exit_code == 1
        assert "Error" in done.output
    good = tmp_path / "good.json"
    good.write_bytes((GAMES / "1817" / "base.json").read_bytes())
    done = CliRunner().invoke(main, ["convert", str(good), "--to", "csv", "-o", str(good)])
    assert done.exit_code == 1
    assert roundhouse.load(good).finished
