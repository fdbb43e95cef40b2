"""Rules revisions, with a fix made up for the example title: old games keep the old rule."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

import fenland
import roundhouse
from fenland.operating import Operating
from fenland.rules import Fenland
from fenland.state import FenlandState
from fenland.stock import Stock, Turn
from roundhouse import Game, GameFileError, OptionError, TitleDataError, selfplay
from roundhouse.model.choices import Choice
from roundhouse.model.revisions import Fix, Revisions
from roundhouse.rounds.step import Fault
from roundhouse.titles import title as registry
from roundhouse.titles.title import Contents, Title, all_titles

NO_SALES = Fix("Nothing is sold in the first stock round.", "2.3")
DEARER = Fix("A 2-train costs 100.", "4")
SCORE = Fix("Nobody is given a point for having played.", "5")
UNLISTED = Fix("Something the title never had otherwise.")


class NewFenland(Fenland):
    """The example with two later revisions, the second one of its data."""

    revisions: ClassVar[Revisions] = {2: (NO_SALES,), 3: (DEARER, SCORE)}

    def value(self, s: FenlandState, player: str) -> int:
        return super().value(s, player) + (not self.mended(SCORE))


class NewTurn(Turn):
    """§2.3 as revision 2 has it."""

    def why_no_sales(self, s: FenlandState) -> Fault | None:
        if self.rules.mended(NO_SALES) and s.turn == 1:
            return "first", "Nothing is sold in the first stock round."
        return super().why_no_sales(s)


class NewStock(Stock):
    steps = (NewTurn,)


@pytest.fixture
def title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Title:
    """The example as a package of its own, whose 2-trains are dearer from revision 3 on."""
    package = tmp_path / "newfenland"
    shutil.copytree(Path(fenland.__file__).parent / "data", package / "data")
    (package / "__init__.py").touch()
    trains = package / "data" / "trains.json"
    text = trains.read_text()
    (package / "data" / "until-2").mkdir()
    (package / "data" / "until-2" / "trains.json").write_text(text)
    raw = json.loads(text)
    raw["trains"][0]["price"] = 100
    trains.write_text(json.dumps(raw))
    monkeypatch.syspath_prepend(tmp_path)

    def contents() -> Contents:
        rounds = (NewStock, Operating)
        return fenland.TITLE.contents()._replace(rules=NewFenland, rounds=rounds)

    found = Title("NewFenland", "NewFenland", "newfenland", contents)
    monkeypatch.setitem(registry._registered, found.id, found)
    return found


def begun(title: Title, revision: int | None = None) -> Game:
    """A game in which the second player could sell a share, as far as revision 1 goes."""
    game = roundhouse.new(title.id, ["Ada", "Ben"], seed=1, revision=revision)
    first = title.box.corporations
    railway = next(iter(first))
    par = game.rules.par_cells(game.state)[0]
    play(game, 1, "par", corporation=railway, share_price=par)
    play(game, 2, "buy_shares", shares=[f"{railway}_1"], percent=20)
    play(game, 1, "pass")
    return game


def play(game: Game, player: int, kind: str, **fields: Any) -> None:
    game.apply({"type": kind, "entity": player, "entity_type": "player", **fields})


def sale(game: Game) -> dict[str, Any]:
    railway = next(iter(game.state.corporations))
    return {
        "type": "sell_shares",
        "entity": 2,
        "entity_type": "player",
        "shares": [f"{railway}_1"],
        "percent": 20,
    }


def sales(game: Game) -> Iterator[Choice]:
    return (c for c in game.choices() if c.type == "sell_shares")


def test_new_games_take_the_latest_revision(title: Title) -> None:
    game = begun(title)
    assert (title.latest, game.revision) == (3, 3)
    assert not list(sales(game))
    fault = game.why_not(sale(game))
    assert fault is not None
    assert fault.code == "first"


def test_an_old_game_goes_on_under_its_rules(title: Title) -> None:
    old = begun(title, revision=1)
    assert list(sales(old))
    assert old.rules.box.trains["2"].price == 80
    loaded = roundhouse.load(old.dump())
    assert loaded.revision == 1
    for game in (old, loaded, old.copy(), old.at(2)):
        assert game.revision == 1
        assert game.rules is old.rules
    loaded.apply(sale(loaded))
    assert roundhouse.load(loaded.export()).revision == 1
    selfplay.play_on(loaded, Random(1), actions=300, policy=selfplay.lively)
    again = roundhouse.load(loaded.dump())
    assert again.state == loaded.state


def test_fixes_of_data_apply_from_their_revision_on(title: Title) -> None:
    prices = [title.box_of(n).trains["2"].price for n in (1, 2, 3)]
    assert prices == [80, 80, 100]
    assert title.box_of(1) is title.box_of(2)
    assert title.box_of(3) is title.box
    for revision, price in zip((1, 2, 3), prices, strict=True):
        rules = title.rules(frozenset(), 2, revision)
        assert rules.box.trains["2"].price == price
        assert rules.mended(NO_SALES) == (revision >= 2)
        assert rules.mended(DEARER) == (revision >= 3)
        assert rules.mended(UNLISTED)


def foreign(game: Game) -> dict[str, Any]:
    """What another program would have written."""
    raw = game.dump()
    del raw["rules_revision"]
    return raw


def test_a_foreign_file_takes_the_latest_revision_that_replays_it(title: Title) -> None:
    old = begun(title, revision=1)
    assert roundhouse.load(foreign(old)).revision == 3, "nothing in it tells them apart"
    old.apply(sale(old))
    game = roundhouse.load(foreign(old))
    assert game.revision == 1
    assert game.state == old.state
    assert roundhouse.load(foreign(old) | {"rules_revision": None}).revision == 1


def test_a_foreign_file_that_no_revision_replays(title: Title) -> None:
    old = begun(title, revision=1)
    old.apply(sale(old))
    raw = foreign(old)
    raw["actions"].append({"type": "bankrupt", "entity": 1, "entity_type": "player"})
    game, fault = roundhouse.replay(raw)
    assert fault is not None
    assert fault.where.startswith("actions[4]")
    assert (game.revision, len(game)) == (1, 4), "it gets furthest under the first"


def test_a_foreign_file_takes_the_revision_that_leads_to_its_result(title: Title) -> None:
    """Where every revision plays all actions, the recorded result tells."""
    old = roundhouse.new(title.id, ["Ada", "Ben"], seed=1, revision=2)
    raw = foreign(old)
    assert roundhouse.load(raw).revision == 3
    play(old, 1, "end_game")
    raw = foreign(old)
    assert roundhouse.load(raw).revision == 2
    assert roundhouse.load(raw | {"result": {}}).revision == 3
    raw["result"] = {"1": 1, "2": 2}
    assert roundhouse.load(raw).revision == 3, "none leads to it"


def test_a_file_that_names_its_revision_is_held_to_it(title: Title) -> None:
    old = begun(title, revision=1)
    old.apply(sale(old))
    with pytest.raises(GameFileError) as refused:
        roundhouse.load(old.dump() | {"rules_revision": 2})
    assert refused.value.where.startswith("actions[3]")
    for wrong in (4, 0, -1, "2", 1.5, True, [1]):
        with pytest.raises(GameFileError) as refused:
            roundhouse.load(old.dump() | {"rules_revision": wrong})
        assert refused.value.where == "rules_revision"
    with pytest.raises(OptionError, match="no rules revision 4"):
        roundhouse.new(title.id, ["Ada", "Ben"], revision=4)


def test_revisions_are_counted_up(title: Title, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NewFenland, "revisions", {3: (DEARER,)})
    with pytest.raises(TitleDataError, match="counted up"):
        _ = title.latest


@pytest.mark.parametrize("title", all_titles().values(), ids=lambda t: t.id)
def test_every_title_lists_sound_revisions(title: Title) -> None:
    """Counted up from 2, each fix once and with its sentence; old data are of old revisions."""
    fixes = [fix for listed in title.revisions.values() for fix in listed]
    assert title.latest == 1 + len(title.revisions)
    assert len(set(fixes)) == len(fixes)
    assert all(fix.text.endswith(".") for fix in fixes)
    for revision in range(1, title.latest + 1):
        assert title.box_of(revision).game.players == title.box.game.players
