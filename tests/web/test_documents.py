"""The site of the documents: built without a warning, whole, and served under the policy of all
pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import override_settings

from .browser import CHROMIUM, axe_faults, server

ROOT = Path(__file__).parents[2]
DOCUMENTS = list(ROOT.glob("docs/**/*.md"))


def test_every_page_is_there(site, builder):
    for pages in builder.PARTS.values():
        for _, page in pages:
            assert (site / page).with_suffix(".html").exists(), page
    names = {page.name for page in (site / "titles").glob("*.html")}
    assert names == {page.name for page in (site / "rules").glob("*.html")}
    assert len(names) >= 8
    documents = {
        p.relative_to(ROOT / "docs").with_suffix(".html") for p in ROOT.glob("docs/**/*.md")
    }
    assert documents <= {p.relative_to(site) for p in site.rglob("*.html")}


def test_every_title_is_drawn_and_every_section_can_be_linked_to(site):
    for page in (site / "titles").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        for picture in ("map", "market", "tiles"):
            assert f"{page.stem}/{picture}.svg" in text
            assert (site / "titles" / page.stem / f"{picture}.svg").stat().st_size > 2000
    for page in (site / "rules").glob("*.html"):
        headings = re.findall(r"<h[2-6] id=\"([^\"]+)\"", page.read_text(encoding="utf-8"))
        assert len(headings) > 5
        assert len(set(headings)) == len(headings)


def test_a_broken_link_and_a_written_in_script_are_found(builder, tmp_path):
    page = tmp_path / "index.html"
    page.write_text('<a href="none.html">x</a><a href="#no">x</a><img src="https://a.example/b">')
    assert len(list(builder.broken_links(tmp_path))) == 3
    page.write_text('<p onclick="x()">')
    for folder in ("javascripts", "stylesheets"):
        (tmp_path / "assets" / folder).mkdir(parents=True)
    with pytest.raises(builder.BrokenSite, match="written into the page"):
        builder.without_inline(page, tmp_path)
    page.write_text("<head></head><script>let a = 1</script><td style='x'>".replace("'x'", '"x"'))
    with pytest.raises(builder.BrokenSite):
        builder.without_inline(page, tmp_path)


def test_the_server_has_the_site(client, site):
    with override_settings(DOCUMENTS=site):
        assert client.get("/docs").headers["Location"] == "/docs/"
        start = client.get("/docs/")
        assert "Roundhouse" in start.content.decode()
        assert "script-src 'self'" in start.headers["Content-Security-Policy"]
        rules = client.get("/docs/rules/1817.html")
        assert rules.status_code == 200
        picture = client.get("/docs/titles/1817/map.svg")
        assert picture.headers["Content-Type"] == "image/svg+xml"
        again = client.get(
            "/docs/titles/1817/map.svg", HTTP_IF_MODIFIED_SINCE=picture.headers["Last-Modified"]
        )
        assert again.status_code == 304
        for path in ("none.html", "../cli/main.py", "%2e%2e/cli/main.py", "rules/"):
            assert client.get(f"/docs/{path}").status_code in (400, 404)
        assert client.post("/docs/").status_code == 405
        assert 'href="/docs/"' in client.get("/").content.decode()


def test_where_it_is_not_built_that_is_said_and_no_menu_leads_there(client, tmp_path):
    with override_settings(DOCUMENTS=tmp_path):
        answer = client.get("/docs/")
        assert 'href="/docs/"' not in client.get("/").content.decode()
    assert answer.status_code == 404
    assert "python3 run.py docs" in answer.content.decode()


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_of_every_kind(site, open_page, tmp_path, scheme):
    """Text, examples, wide tables, a title with its pictures."""
    with server(tmp_path, env={"ROUNDHOUSE_DOCUMENTS": str(site)}) as address:
        page = open_page(color_scheme=scheme, bypass_csp=True)
        for name in ("index", "library", "performance", "titles/1817wo"):
            page.goto(f"{address}/docs/{name}.html")
            assert axe_faults(page) == [], name


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_a_browser_shows_it_and_searches_it(site, open_page, tmp_path):
    """No script error and nothing blocked: the fixture sees to that."""
    with server(tmp_path, "--accounts", env={"ROUNDHOUSE_DOCUMENTS": str(site)}) as address:
        page = open_page()
        page.goto(f"{address}/docs/")
        page.get_by_role("link", name="Environments").first.click()
        page.wait_for_url("**/environment.html")
        page.goto(f"{address}/docs/rules/1817.html")
        assert page.locator("h2").count() > 5
        page.keyboard.press("/")
        page.keyboard.type("selling short")
        page.get_by_role("heading", name="Selling short").first.wait_for()
