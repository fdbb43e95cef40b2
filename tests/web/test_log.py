"""The log's filters and excerpts, the spreadsheet, the title's page."""

from __future__ import annotations

from pathlib import Path

import pytest

import roundhouse
from roundhouse.history import Entry
from roundhouse.model.actions import Merge, Pass, ProgramSharePass
from roundhouse.model.events import Ran
from roundhouse.titles.title import all_titles
from roundhouse.web import tables
from roundhouse.web.page import log, spreadsheet, story
from roundhouse.web.page.now import now_of
from roundhouse.web.page.summary import summary_of
from roundhouse.web.page.view import View
from roundhouse.web.talk.saying import say

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture(scope="module")
def game():
    return roundhouse.load(GAMES / "1817" / "base.json")


def test_a_filter_reads_what_it_writes():
    for text in ("", "chat|", "track,trains|A&A", "|player:1"):
        assert str(log.Filter.read(text)) == text
    assert not log.Filter.read("nonsense")
    both = log.Filter.read("track|").toggled("trains")
    assert both.toggled("track") == log.Filter.read("trains|")


def test_lines_of_a_kind_and_about_somebody(game):
    wanted = log.Filter.read("trains|A&A")
    found = log.excerpt(game, wanted)
    assert 0 < len(found.lines) <= log.LINES
    for line in found.lines:
        for sentence in line.sentences:
            assert sentence.kind in ("train", "run")
            assert "A&A" in str(sentence)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Merge(entity=1, entity_type="player", corporation="H"), "Player 1 names H for a merger."),
        (
            ProgramSharePass(entity=1, entity_type="player"),
            "Player 1: pass until something changes.",
        ),
        (Pass(entity=1, entity_type="player"), "Player 1 passes."),
    ],
)
def test_what_no_event_tells_of_is_told_in_the_words_of_buttons(game, action, text):
    assert log.sentences_of(game, Entry(action, game.state)) == [text]


def test_who_ends_a_turn_in_which_he_acted_is_not_said_to_pass(game):
    before, ended = game.start, 0
    for entry in game.history:
        if entry.action.type == "pass" and before.step == "stock turn" and not before.round.idle:
            told = log.sentences_of(game, entry)
            assert told[0].endswith(" ends the turn.")
            ended += 1
        before = entry.state
    assert ended


def test_earlier_lines_follow_without_gap(game):
    end = log.excerpt(game, log.Filter())
    more = log.earlier(game, log.Filter(), end.before)
    ids = [line.id for line in (*more.lines, *end.lines)]
    assert ids == sorted(set(ids))
    assert ids == [e.action.id for e in game.log][-len(ids) :]


def test_a_moment_of_the_past_shows_some_of_what_came_later(game):
    found = log.excerpt(game, log.Filter(), 300)
    assert [line.id for line in found.lines if not line.later][-1] == 300
    assert found.lines[-1].later


def test_what_was_taken_back_is_struck(hotseat, user, client):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    tables.submit(hotseat.pk, user, {"type": "undo", "entity": 1, "entity_type": "player"}, 1)
    page = client.get(f"/table/{hotseat.pk}/").content.decode()
    assert page.count('class="entry undone') == 1


def test_the_page_filters_by_link_and_by_header(hotseat, user, client):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    say(hotseat.pk, user, "<i>hello</i>")
    page = client.get(f"/table/{hotseat.pk}/", {"show": "chat|"}).content.decode()
    assert 'id="entry-1"' not in page
    assert "&lt;i&gt;hello" in page
    known = {"X-Panels": "log:", "X-Log": "%7Cplayer%3A1"}
    part = client.get(f"/table/{hotseat.pk}/update/", headers=known).content.decode()
    assert 'id="entry-1"' in part
    assert "&lt;i&gt;hello" not in part


def test_the_spreadsheet_tells_prices_and_fortunes_by_round(game, hotseat, user):
    middle = game.at(600)
    view = View(hotseat, user)
    view.game = view.live = middle
    table = spreadsheet.spreadsheet_of(middle, story.tale_of(middle), view.companies[0])
    assert [p.worth for p in table.players] == [
        middle.rules.value(middle.state, key) for key in middle.state.players
    ]
    assert all("<polyline" in p.course for p in table.players)
    assert any(run is not None for row in table.rows for run in row.runs)


def test_a_run_looked_back_at_has_its_routes(game):
    at = next(e.action.id for e in game.history if e.action.type == "run_routes"
              and any(r.connections for r in e.action.routes))  # fmt: skip
    assert story.ran(game.at(at))
    assert story.ran(game.at(at + 1)) == ()


def test_what_is_told_on_from_earlier_is_what_is_told_at_once(game):
    story._tales.clear()
    at_once = story.tale_of(game)
    story._tales.clear()
    for entry in game.history[::7]:
        story.tale_of(game.at(entry.action.id))
    assert story.tale_of(game) == at_once
    events = [event for entry in game.history for event in entry.events]
    assert at_once.ran == {e.who for e in events if isinstance(e, Ran)}
    assert len(at_once.columns) > 10


def test_closed_tabs_are_filled_when_they_are_opened(hotseat, client):
    page = client.get(f"/table/{hotseat.pk}/").content.decode()
    assert '<div id="panel-sheet" data-digest=""></div>' in page
    part = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": "sheet:"})
    assert "<table" in part.content.decode()


@pytest.mark.parametrize("title", all_titles())
def test_every_title_has_its_page_and_help_for_every_step(title, client):
    found = roundhouse.find_title(title)
    page = client.get(f"/rules/{title}/").content.decode()
    assert "<h2>" in page
    assert len(summary_of(found.page)) > 1500
    rules = found.rules(frozenset(), found.box.game.players.min)
    steps = {s.name for play in rules.rounds.values() for s in play.sequence}
    assert steps <= set(found.box.help), steps - set(found.box.help)


def test_markup_in_a_page_stays_text():
    shown = summary_of("# T\n\n<script>alert(1)</script> [x](javascript:alert(1)) [y](../a.md)")
    assert "<script" not in shown
    assert "href" not in shown


def test_who_is_to_merge_is_told_by_name_in_the_log_and_over_the_buttons():
    game, _ = roundhouse.replay(GAMES / "1828" / "base.json")
    chosen = next(
        e
        for e in game.history
        if e.action.type == "choose" and game.rules.facts.merging(e.state) and not e.events
    )
    who = game.state.players[chosen.action.actor].name
    assert log.sentences_of(game, chosen) == [
        f"{who} proposes that {chosen.action.choice} takes over another company."
    ]
    before = game.at(game.history[game.history.index(chosen) - 1].action.id)
    player = chosen.action.actor
    groups = {g.kind: g for g in now_of(before, frozenset({player})).groups}
    assert groups["choose"].title == "Propose a merger"
    assert all(" takes over " in i.label for i in groups["choose"].items)


def test_what_is_gone_is_named_as_it_was():
    """A train that changed its name is told by the one it ran under, and one that left by its last;
    a private company bid for by its name though a company has its symbol now."""
    game, _ = roundhouse.replay(GAMES / "1828" / "base.json")
    told = [text for e in game.history for text in log.sentences_of(game, e)]
    assert any(t.startswith("C&P runs for $30: 2P ") for t in told)
    assert not any(t.startswith("C&P runs for $30: 2 ") for t in told)
    assert "C&P loses a 2P train." in told
    game = roundhouse.load(GAMES / "1817NA" / "base.json")
    told = [text for e in game.history for text in log.sentences_of(game, e)]
    name = game.rules.box.companies["ME"].name
    assert f"Player 3 bids $40 for {name}." in told
    assert not any(t.endswith(" for ME.") and "$40" in t for t in told)


def test_a_company_issues_shares_and_sells_none():
    game, _ = roundhouse.replay(GAMES / "18Ireland" / "base.json")
    issues = (game.at(e.action.id) for e in game.history if e.state.step == "issue")
    here = next(g for g in issues if any(c.type == "sell_shares" for c in g.choices()))
    viewer = frozenset(here.state.players)
    groups = {g.kind: g.title for g in now_of(here, viewer).groups}
    assert groups["sell_shares"] == "Issue shares"
