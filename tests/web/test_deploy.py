"""The files a host begins with: what they name is there, and said as the program understands it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import resolve, reverse

from roundhouse.cli.main import main
from roundhouse.cli.serve import serve

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PORT = next(str(p.default) for p in serve.params if p.name == "port")


def text(name: str) -> str:
    return (DEPLOY / name).read_text()


def understood(words: list[str]) -> None:
    """Raises if the program does not know such a command line; nothing is run."""
    command = main.commands[words[0]]
    command.make_context(words[0], words[1:])


def lines(name: str, key: str) -> list[str]:
    """What stands behind a word at the beginning of lines."""
    return re.findall(rf"^{key}[ =](.+)$", text(name), re.M)


@pytest.mark.parametrize("name", ["roundhouse.service", "Containerfile"])
def test_every_setting_that_is_named_is_read(name):
    known = "".join(p.read_text() for p in (ROOT / "src/roundhouse").rglob("*.py"))
    named = set(
        re.findall(r"ROUNDHOUSE_[A-Z_]+", text(name) + (ROOT / "docs/hosting.md").read_text())
    )
    assert named
    for one in named:
        assert f'"{one}"' in known or one.endswith("_"), one


def test_the_unit_starts_the_program():
    (start,) = lines("roundhouse.service", "ExecStart")
    words = shlex.split(start)
    assert words[1:3] == ["-m", "roundhouse"]
    understood(words[3:])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_the_unit(tmp_path):
    (start,) = lines("roundhouse.service", "ExecStart")
    here = text("roundhouse.service").replace(start.split()[0], sys.executable)
    unit = tmp_path / "roundhouse.service"
    unit.write_text(here.replace("/etc/roundhouse.env", str(unit)))
    told = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    ours = [line for line in told.stderr.splitlines() if "roundhouse" in line]
    assert (told.returncode, ours) == (0, [])


def test_the_container_is_made_of_what_is_here():
    for source, _ in (line.split() for line in lines("Containerfile", "COPY")):
        assert (ROOT / source).exists()
    for wanted in re.findall(r"-r (\S+)", text("Containerfile")):
        assert (ROOT / wanted).is_file()
    (entry,), (command,) = lines("Containerfile", "ENTRYPOINT"), lines("Containerfile", "CMD")
    assert json.loads(entry) == ["python", "-m", "roundhouse"]
    understood(json.loads(command))
    assert lines("Containerfile", "EXPOSE") == [PORT]
    (asked,) = re.findall(rf"http://127\.0\.0\.1:{PORT}(/\S+?)'", text("Containerfile"))
    assert resolve(asked).url_name == "health"
    assert any(re.search(p, asked[1:]) for p in settings.SECURE_REDIRECT_EXEMPT)


def test_what_is_not_of_the_program_stays_out_of_the_container():
    out = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "**/__pycache__"} <= set(out)


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_proxies_lead_to_the_program_and_let_through_what_it_takes(name):
    assert f"127.0.0.1:{PORT}" in text(name)
    (most,) = re.findall(r"(?:client_max_body_size|max_size) (\d+)m", text(name), re.I)
    assert int(most) * 10**6 > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    for inside in ("health", "metrics"):
        assert inside in text(name)
        assert resolve(reverse(inside)).url_name == inside


def test_nginx_holds_no_stream_back():
    (stream,) = re.findall(r"location ~ (\^/table\S+) ", text("nginx.conf"))
    assert re.search(stream, reverse("stream", args=[17]))
    assert not re.search(stream, reverse("table", args=[17]))
    for header in ("Host", "X-Forwarded-For", "X-Forwarded-Proto", "X-Request-Id"):
        assert f"proxy_set_header {header} " in text("nginx.conf")
