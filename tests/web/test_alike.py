"""Parts of a page that are sent anew, put into what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from .browser import CHROMIUM, imported, moved_on, version

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=20_000)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

GAMES = Path(__file__).parents[1] / "games"

#: Puts one part into the place of another one, which somebody has written into; tells of each
#: element of the new one what it was called before, and what its fields say.
PUT = """async ([before, after]) => {
  const { put } = await import("/static/roundhouse/alike.js");
  const element = (html) => {
    const template = document.createElement("template");
    template.innerHTML = `<div id="probe">${html}</div>`;
    return template.content.firstElementChild;
  };
  document.body.append(document.adoptNode(element(before)));
  const probe = document.getElementById("probe");
  const all = () => [...probe.querySelectorAll("*")];
  for (const field of probe.querySelectorAll("[data-typed]")) field.value = field.dataset.typed;
  for (const field of probe.querySelectorAll("[data-picked]")) field.checked = true;
  all().forEach((one) => { one.was = one.textContent.trim() || one.id || one.tagName; });
  put([element(after)]);
  const told = all().map((one) => [one.tagName, one.textContent.trim(), one.was ?? null]);
  const fields = [...probe.querySelectorAll("input, textarea, select")].map((f) =>
    f.type === "radio" ? f.checked : f.value);
  const heard = [...probe.querySelectorAll("[hx-post]")].map((f) => Boolean(f._htmx));
  probe.remove();
  return [told, fields, heard];
}"""


@pytest.fixture
def table(open_page, local):
    page = open_page()
    page.emulate_media(reduced_motion="reduce")  # amounts are counted up otherwise
    return imported(page, local, GAMES / "1817" / "base.json")


def put(page, before, after):
    return page.evaluate(PUT, [before, after])


def test_what_says_the_same_stays_where_others_come_and_go(table):
    before = "<ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>"
    told, _, _ = put(table, before, "<ul><li>new</li><li>a</li><li>c</li><li>D</li><li>e</li></ul>")
    assert told[1:] == [
        ["LI", "new", None], ["LI", "a", "a"], ["LI", "c", "c"], ["LI", "D", "d"],
        ["LI", "e", None],
    ]  # fmt: skip


def test_what_is_in_a_drawing_never_becomes_another_one(table):
    token = '<b class="tok"><svg aria-label="{0}"><title>{0}</title></svg></b>'
    told, _, _ = put(table, token.format("A"), token.format("B"))
    assert [said for _, said, _ in told] == ["B", "B", "B"]
    assert told[2][2] is None


def test_what_somebody_has_put_into_a_field_stays_with_the_field_it_was_meant_for(table):
    form = (
        '<form><input name="price" value="{0}" data-typed="7">'
        '<textarea data-typed="x">{0}</textarea>'
        '<input type="radio" name="a" value="{0}" data-picked><input type="radio" name="a" checked>'
        '<p>{1}</p><input name="version" value="{1}"></form>'
    )
    assert put(table, form.format(1, 1), form.format(1, 2))[1] == ["7", "x", True, False, "2"]
    assert put(table, form.format(1, 1), form.format(2, 2))[1] == ["2", "2", False, False, "2"]


def test_a_form_is_heard_whether_it_is_new_or_stays(table):
    form = '<form hx-post="{0}"><button>{1}</button></form>'
    told, _, heard = put(
        table, form.format("/a/", 1), form.format("/a/", 2) + form.format("/b/", 3)
    )
    assert heard[1:] == [True]
    assert [was for tag, _, was in told if tag == "FORM"] == ["1", None]
    assert put(table, form.format("/a/", 1), form.format("/b/", 1))[2] == [True]


#: The parts of a page that are always sent whole, as they are and as a reload would have them.
PARTS = """async () => {
  const own = ["style", "tabindex", "data-htmx-powered", "data-size", "data-foot"];
  const read = (page) => ["now", "bar", "history", "shares"].map((name) => {
    const part = page.getElementById(`panel-${name}`).cloneNode(true);
    for (const one of [part, ...part.querySelectorAll("*")]) {
      for (const attribute of own) one.removeAttribute(attribute);
      if (one.matches(".rh-mark")) for (const size of ["font-size", "y"]) one.removeAttribute(size);
      if (!one.getAttribute("class")) one.removeAttribute("class");
    }
    return part.innerHTML.replace(/>\\s+|\\s+</g, (space) => space.trim());
  });
  const answer = await fetch(location.href);
  return [read(document), read(new DOMParser().parseFromString(await answer.text(), "text/html"))];
}"""


#: Puts a piece of a part, which goes on from a fingerprint, into what is shown under another one;
#: tells whether it found its place, what is there then, and the fingerprint.
CROSSED = """async ([shown, since]) => {
  const { put } = await import("/static/roundhouse/alike.js");
  const panel = document.getElementById("panel-probe") ?? document.createElement("div");
  panel.id = "panel-probe";
  panel.dataset.digest = shown;
  panel.innerHTML = '<ol class="lines"><li>1</li></ol>';
  document.body.append(panel);
  const sent = document.createElement("div");
  Object.assign(sent.dataset, { part: "probe", since, digest: "new" });
  sent.innerHTML = '<ol class="lines" data-of="1"><i data-from="0" data-to="0"></i><li>2</li></ol>';
  return [put([sent]), panel.textContent, panel.dataset.digest];
}"""


def test_pieces_that_go_on_from_something_else_are_not_taken(table):
    """Two updates may cross; then all of a part is asked for."""
    assert table.evaluate(CROSSED, ["old", "old"]) == [True, "12", "new"]
    assert table.evaluate(CROSSED, ["other", "old"]) == [False, "1", ""]
    assert table.evaluate(CROSSED, ["new", "old"]) == [True, "1", "new"]  # it is there already


def test_parts_that_are_sent_whole_make_the_page_that_a_reload_shows(table):
    title = table.locator("#panel-bar h1").element_handle()
    for _ in range(8):
        before = version(table)
        table.locator("#panel-history [data-undo]").click()
        moved_on(table, before)
        shown, loaded = table.evaluate(PARTS)
        for there, meant in zip(shown, loaded, strict=True):
            assert there == meant or not meant  # of views that are not open nothing is loaded
    assert title.evaluate("one => one.isConnected")
