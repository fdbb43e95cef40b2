"""Notes and variations of a game that is over: who writes and sees them, and its file."""

from __future__ import annotations

import json

import pytest

from roundhouse.interchange import game_file_schema, read_analysis
from roundhouse.model.errors import GameFileError
from roundhouse.web import tables
from roundhouse.web.study import analysis, branching
from roundhouse.web.study.models import Branch

from .test_branches import account, finished, grown, played, visitor  # noqa: F401 - fixtures


@pytest.fixture
def analysed(finished, user):  # noqa: F811
    """A game with a note and a variation."""
    analysis.note(finished, user, 40, "Too dear.\nPass here.")
    branch = grown(branching.begin(finished, user, 40, "pass instead"), user, 3)
    analysis.publish(branch.pk, user, on=True)
    return finished


def test_notes_are_read_at_their_moment_and_listed(analysed, client):
    page = client.get(f"/table/{analysed.pk}/?at=40").content.decode()
    assert "Too dear." in page
    assert "Too dear." not in client.get(f"/table/{analysed.pk}/?at=41").content.decode()
    study = client.get(f"/table/{analysed.pk}/study/").content.decode()
    assert "Too dear." in study
    assert "pass instead" in study
    sent = client.post(f"/table/{analysed.pk}/remark/", {"after": "41", "text": "And here"})
    assert sent.url == f"/table/{analysed.pk}/?at=41"
    note = analysed.remarks.get(text="And here")
    client.post(f"/table/{analysed.pk}/remark/", {"forget": note.pk})
    assert not analysed.remarks.filter(pk=note.pk).exists()


def test_the_file_holds_the_analysis_and_gives_it_back(analysed, user, client):
    raw = client.get(f"/table/{analysed.pk}/file/").content
    said = json.loads(raw)["analysis"]
    assert said["notes"] == [{"after": 40, "by": "anna", "text": "Too dear.\nPass here."}]
    assert len(said["variations"][0]["actions"]) == 3
    validator = pytest.importorskip("jsonschema_rs", reason="jsonschema_rs is not installed")
    validator.Draft202012Validator(game_file_schema()).validate(json.loads(raw))
    again = tables.import_file(user, raw)
    assert [(r.after, r.author) for r in again.remarks.all()] == [(40, "anna")]
    branch = Branch.objects.get(table__parent=again)
    assert branch.published
    assert not branch.aside
    first = Branch.objects.get(table__parent=analysed)
    states = [tables.open_game(b.table).game.state for b in (branch, first)]
    assert states[0] == states[1]
    assert json.loads(client.get(f"/table/{again.pk}/file/").content)["analysis"] == said


def test_what_of_a_variation_does_not_fit_is_kept_and_told(analysed, user, client):
    raw = json.loads(client.get(f"/table/{analysed.pk}/file/").content)
    actions = raw["analysis"]["variations"][0]["actions"]
    actions[1] = {"type": "lay_tile", "entity": "PRR", "entity_type": "corporation", "hex": "A1",
                  "tile": "57-0", "rotation": 0}  # fmt: skip
    again = tables.import_file(user, json.dumps(raw).encode())
    branch = Branch.objects.get(table__parent=again)
    assert len(branch.aside) == 2
    assert branch.why.startswith("It cannot be done as the file says: ")
    assert branch.why[:30] in client.get(f"/table/{branch.table.pk}/").content.decode()


def test_a_faulty_analysis_is_named_with_its_place():
    with pytest.raises(GameFileError, match=r"analysis\.notes\[0\]\.after"):
        read_analysis(b'{"analysis": {"notes": [{"after": "x", "text": "y"}]}}')


def test_variations_are_seen_by_who_sees_the_game_once_it_is_over(analysed, user):
    branch = Branch.objects.get(table__parent=analysed)
    stranger = visitor(account("dora"))
    assert stranger.get(f"/table/{branch.table.pk}/").status_code == 404
    analysed.public = True
    analysed.save()
    assert stranger.get(f"/table/{branch.table.pk}/").status_code == 200
    assert "Too dear." in stranger.get(f"/table/{analysed.pk}/?at=40").content.decode()
    assert stranger.post(f"/table/{analysed.pk}/remark/", {"text": "hm"}).status_code == 403
    analysis.publish(branch.table.pk, user, on=False)
    assert stranger.get(f"/table/{branch.table.pk}/").status_code == 404


def test_a_game_that_runs_is_not_analysed_for_all(played, user):  # noqa: F811
    branch = branching.begin(played, user, None)
    with pytest.raises(tables.Refused, match="when they are over"):
        analysis.publish(branch.pk, user, on=True)
    with pytest.raises(tables.Refused, match="when they are over"):
        analysis.note(played, user, 1, "hm")
    Branch.objects.update(published=True)
    assert not tables.may_see(branch, account("dora"))
    assert "analysis" not in json.loads(visitor(user).get(f"/table/{played.pk}/file/").content)
