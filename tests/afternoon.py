"""A stranger's afternoon: wheel and source archive are built and installed in empty environments,
with what they say they need, and there is done what the documents promise.

    python tests/afternoon.py [--notebook]

A typed script, the notebook's cells, an environment loop, a bot over HTTP against an installed
server, a title of one's own in a package of its own. ``--notebook``: in a real notebook, whose
packages are not pinned. Needs a package index or what pip has kept of it; without, it is skipped
with a word.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Environment names that lead to the checkout, or steer a server.
OURS = re.compile(r"PYTHON|VIRTUAL_ENV|ROUNDHOUSE|DJANGO")


class Stranger:
    """Somebody with an empty environment, and a folder to work in."""

    def __init__(self, place: Path) -> None:
        self.home, self.bin = place / "home", place / "venv" / "bin"
        self.home.mkdir(parents=True)
        venv.create(place / "venv", with_pip=True)
        self.constraints = place / "constraints.txt"
        self.constraints.write_text("\n".join(pins()))
        self.environment = {k: v for k, v in os.environ.items() if not OURS.match(k)}

    def run(self, program: str, *arguments: str | Path) -> str:
        """What a program of the environment prints. Raises :class:`SystemExit` if it fails."""
        command = [str(self.bin / program), *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.home, env=self.environment, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(f"afternoon: {' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def install(self, *what: str) -> None:
        """Install something, in the pinned versions where there are some."""
        quiet = ("--quiet", "--disable-pip-version-check")
        self.run("python", "-m", "pip", "install", *quiet, "-c", self.constraints, *what)

    def script(self, text: str) -> str:
        """What a script prints."""
        (self.home / "script.py").write_text(text)
        return self.run("python", "-W", "error", "script.py")


def pins() -> list[str]:
    """The pinned versions, without hashes."""
    files = [ROOT / "requirements" / name for name in ("run.txt", "dev.txt")]
    lines = (line.rstrip(" \\") for file in files for line in file.read_text().splitlines())
    return [re.sub(r"\[\w+(,\w+)*\]", "", line) for line in lines if line[:1] not in ("", " ", "#")]


# what is done


def library(one: Stranger) -> None:
    """The library alone, with its three packages."""
    one.run("roundhouse", "random", "1817", "--games", "1", "--actions", "40")
    told = one.script(
        "import importlib.util, roundhouse\n"
        "game = roundhouse.new('1873', ['Ada', 'Ben', 'Cleo'], seed=1)\n"
        "assert game._repr_svg_().startswith('<svg')\n"
        "assert not importlib.util.find_spec('django')\n"
        "print(len(roundhouse.all_titles()))\n"
    )
    assert int(told) >= 8, told


def typed_script(one: Stranger) -> None:
    """A script that a strict type checker reads, and that runs."""
    shutil.copy(ROOT / "tests" / "typed" / "stranger.py", one.home)
    one.install("mypy")
    one.run("mypy", "--strict", "stranger.py")
    one.run("python", "-W", "error", "stranger.py")


def notebook(one: Stranger) -> None:
    """The notebook's cells, one after the other."""
    cells = json.loads((ROOT / "docs" / "notebook.ipynb").read_text())["cells"]
    one.script("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"))


def real_notebook(one: Stranger) -> None:
    """The notebook in a notebook: its cells draw."""
    shutil.copy(ROOT / "docs" / "notebook.ipynb", one.home)
    one.install("nbclient", "ipykernel")
    one.run("jupyter", "execute", "notebook.ipynb", "--inplace")
    drawn = (one.home / "notebook.ipynb").read_text().count("image/svg+xml")
    assert drawn == 6, drawn


def environment_loop(one: Stranger) -> None:
    """The first example of the page about environments."""
    text = (ROOT / "docs" / "environment.md").read_text()
    one.script(re.search(r"```python\n(.*?)```", text, re.S)[1])  # type: ignore[index]


def bot_over_http(one: Stranger) -> None:
    """The example bot plays at an installed server, which has the documents."""
    data, port = one.home / "data", free_port()
    token = one.run("roundhouse", "token", "--data", data).strip()
    command = [one.bin / "roundhouse", "serve", "--port", str(port), "--data", data]
    server = subprocess.Popen(command, cwd=one.home, env=one.environment)
    address = f"http://127.0.0.1:{port}"
    try:
        one.script(HTTP.format(address=address, token=token))
        shutil.copy(ROOT / "examples" / "bot.py", one.home)
        one.script(BOT.format(address=address, token=token))
        with urllib.request.urlopen(f"{address}/docs/rules/1817.html", timeout=60) as page:
            assert b"Roundhouse" in page.read()
    finally:
        server.terminate()
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            raise


#: Waits for the server, makes a table and plays a little.
HTTP = """
import time
import httpx
from roundhouse.client import Client

with Client({address!r}, {token!r}) as client:
    for attempt in range(600):
        try:
            client.account()
            break
        except httpx.TransportError:
            time.sleep(0.2)
    table = client.create_table("1817", hotseat=True, names=["Ada", "Ben", "Cleo"], seed=7)
    told = client.choices(table.id)
    assert client.act(table.id, told.mine[0].action, told.version).version == 1
"""

#: The example bot at that table, for a while.
BOT = """
from random import Random
import bot
from roundhouse.client import Client

with Client({address!r}, {token!r}) as client:
    table = client.tables(whose="my_turn").tables[0]
    acted, act = [], client.act
    def act_for_a_while(*given, **named):
        acted.append(given)
        if len(acted) > 40:
            raise SystemExit
        return act(*given, **named)
    client.act = act_for_a_while
    try:
        bot.play(client, table.id, Random(1))
    except SystemExit:
        pass
    assert client.table(table.id).version >= 40
"""


def own_title(one: Stranger) -> None:
    """The title of the guide, as it is told there: installed, checked, played."""
    page = (ROOT / "docs" / "new-title.md").read_text()
    blocks = re.findall(r"(?:^\*\*`([^`\n]+)`\*\*\n\n)?^```(\w+)\n(.*?)^```", page, re.M | re.S)
    for name, _, text in blocks:
        if name:
            (one.home / name).parent.mkdir(parents=True, exist_ok=True)
            (one.home / name).write_text(text)
    one.install("-e", ".")
    for name, language, text in blocks:
        if not name and language == "sh":
            one.run(*text.split())
        elif not name:
            one.script(text)
    assert "Skerry" in one.run("roundhouse", "titles")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


# the afternoon


def build(place: Path) -> tuple[Path, Path]:
    """Wheel and source archive. Raises :class:`SystemExit` with what is wrong with them."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"afternoon: the package is not built\n{done.stdout}{done.stderr}")
    return next(place.glob("*.whl")), next(place.glob("*.tar.gz"))


def unreachable(one: Stranger) -> str:
    """Why pip finds no packages; nothing if it does. Asks for one that is always there, in no
    version of ours, so a pin that is wrong is no reason."""
    pip = [one.bin / "python", "-m", "pip", "download", "--quiet", "--no-deps", "pip"]
    place = ["-d", one.home / "download"]
    done = subprocess.run([*pip, *place], env=one.environment, capture_output=True, text=True)
    return (done.stderr.strip() or "pip fails").splitlines()[-1] if done.returncode else ""


def main(arguments: list[str]) -> None:
    """The whole afternoon."""
    with tempfile.TemporaryDirectory(prefix="afternoon-") as name:
        place = Path(name)
        one = Stranger(place / "wheel")
        if why := unreachable(one):
            print(f"afternoon: skipped, no package index can be reached ({why})")
            return
        wheel, source = build(place / "dist")
        one.install(str(wheel))
        done: list[Callable[[Stranger], None]] = [library, typed_script, notebook]
        done += [real_notebook] if "--notebook" in arguments else []
        for what in done:
            what(one)
            print(f"afternoon: {what.__name__} works", flush=True)
        one.install(f"{wheel}[web,client,env]")
        for what in (environment_loop, bot_over_http, own_title):
            what(one)
            print(f"afternoon: {what.__name__} works", flush=True)
        other = Stranger(place / "source")
        other.install(str(source))
        library(other)
        print("afternoon: the source archive works", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
