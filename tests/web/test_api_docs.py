"""The examples of the page about the interface, run against a real server."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="the client's package is not installed")

from .browser import server

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
WRITTEN = "http://127.0.0.1:8018"


def blocks(language):
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found
    return found


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server's address, its folder, and a token."""
    data = tmp_path_factory.mktemp("docs")
    with server(data) as address:
        yield address, data, run("token", "--data", str(data))


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "roundhouse", *arguments],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout.strip()


def test_what_is_shown_in_python(served):
    address, _, token = served
    text = "\n\n".join(blocks("python")).replace(WRITTEN, address)
    test = doctest.DocTestParser().get_doctest(text, {"TOKEN": token}, "api.md", None, 0)
    told = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted > 15
    assert result.failed == 0, "".join(told)


def test_what_is_shown_for_the_shell(served):
    address, data, token = served
    if shutil.which("curl") is None:
        pytest.skip("curl is not at hand")
    for line in "\n".join(blocks("sh")).splitlines():
        if line.startswith("curl"):
            done = subprocess.run(
                ["bash", "-c", line.replace(WRITTEN, address)],
                capture_output=True, text=True, check=True, timeout=60,
                env={**os.environ, "TOKEN": token},
            )  # fmt: skip
            assert "code" not in json.loads(done.stdout)
        elif line.startswith("roundhouse"):
            words = line.split("#")[0].split()[1:]
            assert run(*words, "--data", str(data)).startswith("rh_")


def test_what_is_shown_as_json():
    for text in blocks("json"):
        json.loads(text)
