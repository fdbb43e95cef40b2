"""Static files are as small as their browser takes them, and the same however they come."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import roundhouse.web

brotli = pytest.importorskip("brotli", reason="the server's packages are not installed")

SCRIPT = "/static/roundhouse/map.js"
SHEET = "/static/roundhouse/page.css"
SCRIPTS = Path(roundhouse.web.__file__).parent / "static" / "roundhouse"


def got(client, path, accepted):
    answer = client.get(path, headers={"Accept-Encoding": accepted})
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    assert "Accept-Encoding" in answer.headers["Vary"]
    return answer.headers.get("Content-Encoding", ""), answer.content


@pytest.mark.parametrize("path", [SCRIPT, SHEET])
def test_all_codings_hold_the_same(client, path):
    plain = client.get(path).content
    coding, packed = got(client, path, "gzip, deflate, br")
    assert coding == "br"
    assert brotli.decompress(packed) == plain
    coding, zipped = got(client, path, "gzip")
    assert coding == "gzip"
    assert gzip.decompress(zipped) == plain
    assert len(packed) < len(zipped) < len(plain)


def without_comments(text):
    """The lines of a script outside comments that have lines of their own."""
    within = False
    for line in text.splitlines():
        begins = line.lstrip().startswith("/**")
        if not within and not begins and not line.lstrip().startswith("//"):
            yield line
        within = (within or begins) and not line.rstrip().endswith("*/")


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.js")), ids=lambda path: path.stem)
def test_scripts_lose_comments_and_nothing_else(client, path):
    sent = client.get(f"/static/roundhouse/{path.name}").content.decode()
    assert sent.splitlines() == list(without_comments(path.read_text()))


@pytest.mark.parametrize("accepted", ["gzip, br;q=0", "br;q=0.0, gzip", "gzip"])
def test_nobody_gets_what_he_does_not_take(client, accepted):
    assert got(client, SHEET, accepted)[0] == "gzip"


def test_a_part_of_a_file_is_that_part(client):
    answer = client.get(SHEET, headers={"Range": "bytes=0-9", "Accept-Encoding": "br"})
    assert answer.status_code == 206
    assert len(answer.content) == 10


def test_a_page_is_blurred_in_length(client):
    plain = client.get("/").content.decode()
    lengths = set()
    for _ in range(4):
        answer = client.get("/", headers={"Accept-Encoding": "gzip, br"})
        assert answer.headers["Content-Encoding"] == "br"
        told = brotli.decompress(answer.content).decode()
        assert told.partition("<header")[0] == plain.partition("<header")[0]
        assert int(answer.headers["Content-Length"]) == len(answer.content)
        lengths.add(len(answer.headers["X-Blur"]))
    assert len(lengths) > 1
    assert (
        client.get("/", headers={"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"
    )
