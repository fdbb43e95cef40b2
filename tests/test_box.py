"""Data files: everything in them means something, names lead somewhere, all faults told at once."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import roundhouse
from roundhouse.board import hexes, tiles, tileset
from roundhouse.box import json_schema, schema
from roundhouse.box.forms import misfits
from roundhouse.box.overlay import in_currency, laid_over
from roundhouse.cli.main import main
from roundhouse.digest import digest
from roundhouse.model.choices import InOrder
from roundhouse.model.errors import TitleDataError
from roundhouse.title_check import data_faults, game_faults
from roundhouse.titles.title import Title, all_titles, find_title

SOURCE = Path(roundhouse.__file__).parent


def cut(tmp_path: Path, name: str, **changes: str) -> Title:
    """A copy of a title whose data files have one text replaced by another (``old=>new``)."""
    base = find_title(name)
    package = "cut_" + re.sub(r"\W", "_", tmp_path.name)
    folder = tmp_path / package
    shutil.copytree(SOURCE / "titles" / f"g{name.casefold()}" / "data", folder / "data")
    for file, change in changes.items():
        old, _, new = change.partition("=>")
        path = folder / "data" / f"{file}.json"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
    (folder / "__init__.py").touch()
    return Title("Cut", "Cut", package, base.contents)


def test_names_that_lead_nowhere_are_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    title = cut(
        tmp_path,
        "1817",
        trains='"rusts_on": "6"=>"rusts_on": "9"',
        companies='"option": "volatility"=>"option": "mildness"',
        corporations='"id": "A&S"=>"id": "market"',
    )
    faults = list(data_faults(title))
    assert "trains.json: 3, rusts_on: there is no train '9'" in faults
    assert "companies.json: P12, option: there is no option 'mildness'" in faults
    assert "corporations.json: 'market' is a reserved word" in faults


def test_faults_of_form_of_names_and_of_the_titles_own_data_are_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No kind of fault hides another, nor does one in a file hide the next."""
    monkeypatch.syspath_prepend(tmp_path)
    title = cut(
        tmp_path,
        "1817",
        market='"price": 40}=>"price": "40"}',
        trains='"rusts_on": "6"=>"rusts_on": "9"',
        companies='"mail": =>"letters": ',
        game='"loans": =>"loan": ',
    )
    faults = "\n".join(data_faults(title))
    assert re.search(r"market.json: Expected `int`, got `str` - at `\$.rows\[0\]", faults)
    assert "trains.json: 3, rusts_on: there is no train '9'" in faults
    assert faults.count("powers: Object contains unknown field `letters`") > 1
    assert "special: Object missing required field `loans`" in faults
    assert "special: Object contains unknown field `loan`" in faults


@pytest.mark.parametrize(
    ("file", "change", "fault"),
    [
        ("trains", '"pay": 8,=>"pay": 4,', "pays the best 4 of 8 stops"),
        ("trains", '"multiplier": 2=>"factor": 2', "'factor' has no meaning"),
        ("trains", '["town"], "pay": 99=>["village"], "pay": 99', "no kind of place 'village'"),
        ("trains", '["town"], "pay": 99=>["city"], "pay": 99', "2 rows say how a city is treated"),
        ("map", '"kind": "city"=>"route": "optional", "kind": "city"', "unknown field `route`"),
        ("map", '{"a": 0,=>{"lanes": [2, 0], "a": 0,', "unknown field `lanes`"),
        ("map", '{"a": 0,=>{"gauge": "narrow", "a": 0,', "narrow track, which nothing"),
    ],
)
def test_what_routes_cannot_say_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, change: str, fault: str
) -> None:
    """The best of more stops, stops one may make or not, lanes, track no train is for: no title
    plays them by accident."""
    monkeypatch.syspath_prepend(tmp_path)
    faults = list(data_faults(cut(tmp_path, "1828", **{file: change})))
    assert any(fault in told for told in faults)


def test_a_power_on_a_missing_hex_is_found_before_a_game_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    title = cut(tmp_path, "1817", map='{"coord": "F13", "id": "F13-=>{"coord": "Z99", "id": "Z99-')
    with pytest.raises(TitleDataError) as caught:
        title.rules(frozenset(), 4)
    assert "companies.json: PSM, powers, city_tile: there is no hex 'F13'" in caught.value.faults


@pytest.mark.parametrize(
    ("title", "file", "change", "fault"),
    [
        ("1817", "trains", "signal_end_game=>signal_the_end", "'signal_the_end' has no meaning"),
        ("1828", "companies", '"presidency": "=>"presidency": "X', "there is no corporation 'X"),
        ("1839", "corporations", '"id": "NCS"=>"id": "NCX"', "there is no company 'NCS'"),
        ("1873", "companies", '"id": "12"=>"id": "99"', "companies.json has no entry for 12"),
        ("18Ireland", "trains", '"can_buy_companies"=>"buy"', "status: 'buy' has no meaning"),
        ("18Ireland", "market", '"endgame": "=>"final": "', "no cell is in the zone 'final'"),
        ("1817", "trains", '"price": 100=>"price": -100', ">= 0 - at `$.trains[0].price`"),
        ("1817", "trains", '"operating_rounds": 2=>"operating_rounds": 0', "`int` >= 1"),
        ("1817", "trains", '"yellow"=>"mauve"', "Invalid enum value 'mauve'"),
        ("1817", "game", '"currency": "$%s"=>"currency": "$"', "matching regex '%s'"),
        ("1828", "map", '"slots": 1=>"slots": -1', "`int` >= 0"),
        ("1839", "corporations", '"city": 0=>"city": 7', "AMS, home: N15 has no city 7"),
        ("1873", "game", '"min": 2=>"min": 9', "players: 9 at least, 5 at most"),
        ("18Ireland", "game", '"minimum_raise": 5=>"minimum_raise": 0', "`int` >= 1"),
        ("18Ireland", "companies", '"max_price": 80=>"max_price": 8', "20 at least, 8 at most"),
        ("1839", "trains", '"visit": =>"visit": "x", "pay": ', "2+, distance: 'visit' is 'x'"),
        ("1817", "game", '"max_tokens": 8=>"max_tokens": 0', "`int` >= 1"),
    ],
)
def test_what_a_title_lacks_is_told_when_it_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, file: str, change: str, fault: str
) -> None:
    """What its rules need beyond names that lead somewhere, and what they do not know."""
    monkeypatch.syspath_prepend(tmp_path)
    faults = list(data_faults(cut(tmp_path, title, **{file: change})))
    assert any(fault in told for told in faults), faults


def test_no_field_of_the_data_is_without_effect() -> None:
    """Every field of the schema is read somewhere in the code."""
    code = "\n".join(p.read_text(encoding="utf-8") for p in SOURCE.rglob("*.py"))
    unread = set()
    for module in (schema, hexes, tiles, tileset):
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                fields = [f for f in kind.__struct_fields__ if not re.search(rf"\.{f}\b", code)]
                unread |= {(kind.__name__, f) for f in fields}
    assert not unread


@pytest.mark.parametrize("name", json_schema.FILES)
def test_shipped_schemas_are_those_of_the_types(name: str) -> None:
    shipped = SOURCE / "box" / "schemas" / f"{name}.schema.json"
    assert json.loads(shipped.read_text(encoding="utf-8")) == json.loads(
        json.dumps(json_schema.schema_of(name))
    )


def test_an_entry_without_a_name_of_its_own_lies_over_none() -> None:
    base = [{"id": "A", "value": 1}]
    assert laid_over("companies.json", base, [{"id": {}}, {"id": "A"}]) == [{"id": {}}, base[0]]


@pytest.mark.parametrize("title", all_titles())
def test_texts_speak_of_the_money_of_their_title(title: str) -> None:
    box = find_title(title).box
    if "$" not in box.game.currency:
        assert not re.findall(r".{0,40}\$\d.{0,20}", f"{box.game} {box.companies} {box.help}")


def test_amounts_of_a_base_are_written_in_the_titles_money() -> None:
    box = find_title("1817DE").box
    assert f"corporation {box.game.currency.replace('%s', '20')} after" in box.companies["ME"].text
    assert in_currency('["$1,200 or $5.", 3]', "$%s", "%s M") == '["1,200 M or 5 M.", 3]'


def test_check_finds_a_title_sound() -> None:
    result = CliRunner().invoke(main, ["check", "1817NA", "--games", "1", "--actions", "40"])
    assert result.exit_code == 0, result.output
    assert "1817NA is sound" in result.output


def test_check_names_an_unknown_title() -> None:
    result = CliRunner().invoke(main, ["check", "1899"])
    assert result.exit_code == 1
    assert "there is no title '1899'" in result.output


def test_a_title_that_breaks_in_play_is_told_with_game_and_action(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title = find_title("1817NA")
    kind = type(title.rules(frozenset(), 3))
    monkeypatch.setattr(kind, "faults", lambda self, s: ["money is missing"] if s.turn else [])
    (fault, *_) = game_faults(title, 1, 30)
    assert re.match(r"game 1, \d players, .*action 1: money is missing", fault)


class Loose(msgspec.Struct):
    name: str


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    loose: list[Loose] | None = None


def test_only_forms_that_forbid_it_call_a_field_unknown() -> None:
    unknown, _ = misfits({"name": 1, "more": 2}, Strict)
    assert unknown.startswith("Object contains unknown field `more`")
    (only,) = misfits({"name": 1, "more": 2}, Loose)
    assert "str" in only


@pytest.mark.parametrize("value", [None, 3, "ab", ("a",), ("a", "a"), (["a"], "b"), ("b", "c")])
def test_what_is_no_order_of_piles_is_none(value: object) -> None:
    assert not InOrder((("a", "b"), ("a", "b"))).contains(value)
    assert InOrder((("a", "b"), ("a", "b"))).contains(("b", "a"))


@pytest.mark.parametrize("title", all_titles())
def test_whether_anything_is_drawn_by_lot_is_said(title: str) -> None:
    game = find_title(title).box.game
    names = [f"Player {n}" for n in range(game.players.min)]

    def starts(options: list[str]) -> int:
        games = (roundhouse.new(title, names, options=options, seed=n) for n in range(6))
        return len({digest(g.rules, g.state) for g in games})

    ways: list[list[str]] = [[], *([o.id] for o in game.options), *([p.id] for p in game.presets)]
    assert any(starts(way) > 1 for way in ways) == game.chance
