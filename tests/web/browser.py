"""A real server in a process of its own, and a real Chromium."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import temporary

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


#: Bots take no time, unless a test is about that.
AT_ONCE = {"ROUNDHOUSE_BOT_PAUSE": "0"}
#: The file a server keeps everything in unless told otherwise.
DATABASE = "roundhouse.sqlite3"
#: Servers that run now, by address.
running: dict[str, subprocess.Popen[bytes]] = {}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def server(
    data: Path, *more: str, env: dict[str, str] | None = None, port: int | None = None
) -> Iterator[str]:
    """``roundhouse serve`` on a data directory; gives its address."""
    port = port or free_port()
    whole = clean_environment() | AT_ONCE | (env or {})
    command = [sys.executable, "-m", "roundhouse.cli.serve", "--port", str(port), "--data"]
    if not (data / DATABASE).exists() and "DATABASE_URL" not in whole:
        _begin_with_tables(data)
    process = subprocess.Popen([*command, str(data), *more], env=whole)
    address = f"http://127.0.0.1:{port}"
    running[address] = process
    try:
        _wait(address, process)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def clean_environment() -> dict[str, str]:
    """The environment without what these tests say about servers."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("ROUNDHOUSE_", "DJANGO_"))}


def _begin_with_tables(data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    with (
        closing(sqlite3.connect(_tables())) as made,
        closing(sqlite3.connect(data / DATABASE)) as own,
    ):
        made.backup(own)


@cache
def _tables() -> Path:
    """A database with nothing in its tables. Making these takes three times as long as all else a
    server does at its start, and there is one for most modules."""
    data = temporary.folder("tables")
    code = "from roundhouse.cli.site import prepare; prepare(None, migrate=True)"
    env = clean_environment() | {"ROUNDHOUSE_DATA": str(data)}
    env.pop("DATABASE_URL", None)
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    return data / DATABASE


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            urllib.request.urlopen(f"{address}/account/login/", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start")


# pages


def axe_faults(page: Any) -> list[tuple[str, list[str]]]:
    """What axe-core finds wrong with a page, with the places; skips where that is not installed."""
    axe = pytest.importorskip("axe_core_python", reason="axe-core is not installed")
    page.evaluate((resources.files(axe) / "axe.min.js").read_text())
    found = page.evaluate("axe.run()")["violations"]
    return [(v["id"], [n["html"][:160] for n in v["nodes"][:4]]) for v in found]


def ready(page: Any) -> Any:
    """A table's page, once it is drawn and has loaded all it needs."""
    page.wait_for_selector("#panel-now .sentence", timeout=60_000)
    page.wait_for_load_state("load")
    return page


def imported(page: Any, address: str, file: Path) -> Any:
    """The table of a game file."""
    page.goto(f"{address}/import/")
    page.set_input_files("input[type=file]", file)
    page.locator("main form button").first.click()
    return ready(page)


def version(page: Any) -> int:
    """The version of the game a page shows."""
    return int(page.locator("#panel-bar").get_attribute("data-version"))


def moved_on(page: Any, before: int) -> None:
    """Wait until a page shows a later version."""
    page.wait_for_function(
        "before => Number(document.getElementById('panel-bar').dataset.version) > before",
        arg=before,
    )
