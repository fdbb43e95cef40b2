"""Set up and run Roundhouse with nothing but Python 3.11 or newer.

    python3 run.py                     open the game: a page at http://127.0.0.1:8018
    python3 run.py replay GAME.json    any command of `roundhouse`, --help lists them
    python3 run.py test                set up everything for development and run all checks
    python3 run.py audit               look the pinned packages up among known vulnerabilities
    python3 run.py afternoon           install the package into empty environments and use it
    python3 run.py docs                build the site of the documents, shown at /docs
    python3 run.py lock                write the hashes of the pinned packages anew
    python3 run.py test --long         … and soaks that take long

The first call creates `.venv` beside this file and installs the pinned packages into it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
AUDITOR = "pip-audit==2.10.1"
LOCKER = "pip-tools==7.6.2"
#: Scripts for who works on this, by command.
SCRIPTS = {"docs": "docs/build_site.py", "afternoon": "tests/afternoon.py"}


def python() -> str:
    """The interpreter of the project's environment."""
    return str(BIN / ("python.exe" if os.name == "nt" else "python"))


def install(*requirements: str) -> None:
    """Create the environment if need be, and install pinned requirement files once."""
    files = [HERE / "requirements" / name for name in requirements] + [HERE / "pyproject.toml"]
    stamp = VENV / f".installed-{requirements[-1]}"
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    if not Path(python()).exists():
        print("creating .venv …", file=sys.stderr)
        venv.create(VENV, with_pip=True)
    pip = [python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    print("installing …", file=sys.stderr)
    subprocess.run([*pip, *(f"-r{f}" for f in files[:-1])], check=True, cwd=HERE)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], check=True, cwd=HERE)
    stamp.write_text(digest)


def checks(more: list[str]) -> list[list[str]]:
    """What `test` runs, in order; ``more`` is told pytest."""
    workers = str(min(4, os.cpu_count() or 1))
    return [
        ["-m", "ruff", "check", "."],
        ["-m", "ruff", "format", "--check", "."],
        ["-m", "mypy"],
        ["-m", "pytest", "-n", workers, "--dist", "worksteal", *more],
        ["tests/afternoon.py"],
        ["benchmarks/pace.py"],
    ]


def long_checks() -> list[list[str]]:
    """What `test --long` runs besides: soaks, from the start and from positions of known games.
    What takes minutes goes here."""
    titles = ("1817", "1817NA", "1817WO", "1817DE", "1828", "1839", "1873", "18Ireland")
    soaks = [["tests/soak.py", title, "--games", "60"] for title in titles]
    hasty = [["tests/soak.py", title, "--games", "60", "--hasty"] for title in titles]
    branches = [["tests/soak.py", title, "--games", "30", "--branches"] for title in titles]
    damage = [["tests/damage.py", title, "--copies", "300"] for title in titles]
    model = [["tests/compare1839.py", "--first", "9000", "--games", "20"]]
    spaces = [["tests/test_space.py", "10000"]]
    drills = [["tests/drills.py"], ["tests/tour.py"], ["tests/web/test_words.py"]]
    api = [["tests/api_soak.py"]]
    spaces += [["tests/test_clinch.py"], ["benchmarks/fresh_positions.py"]]
    bots = [["benchmarks/bots.py", "matches", "--games", "4", title] for title in titles]
    return soaks + hasty + branches + damage + model + spaces + drills + api + bots


def audit() -> int:
    """Look the pinned packages up among known vulnerabilities; 1 if one has some. Offline it is
    skipped with a word."""
    try:
        command = [
            tool_of(AUDITOR, "pip-audit"),
            "--disable-pip",
            "--format",
            "json",
            "--timeout",
            "20",
        ]
        files = [f"-r{HERE / 'requirements' / name}" for name in ("run.txt", "dev.txt")]
        done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=300)
        found = json.loads(done.stdout)["dependencies"]
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"audit: skipped, the list of vulnerabilities cannot be reached ({error!r:.60})")
        return 0
    bad = [(d["name"], d["version"], v["id"]) for d in found for v in d.get("vulns", ())]
    for name, version, number in bad:
        print(f"audit: {name} {version}: {number}")
    print(f"audit: {len(found)} packages, {len(bad)} known vulnerabilities")
    return 1 if bad else 0


def lock() -> int:
    """Write the hashes of all files of the pinned versions into the requirement files."""
    tool = tool_of(LOCKER, "pip-compile")
    names = ("run.txt", "dev.txt")
    pins = {name: pinned(HERE / "requirements" / name) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "all.in", Path(folder) / "all.txt"
        everywhere = (pin.split(";")[0] for name in names for pin in pins[name])
        source.write_text("\n".join(everywhere))
        quiet = ("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-trusted-host",
                 "--no-emit-find-links", "--allow-unsafe", "--strip-extras", "--quiet")  # fmt: skip
        subprocess.run([tool, "--generate-hashes", *quiet, "-o", out, source], check=True)
        hashes = hashes_of(out.read_text())
    for name in names:
        path = HERE / "requirements" / name
        head = [line for line in path.read_text().splitlines() if line.startswith("#")]
        lines = [" \\\n    ".join([pin, *hashes[plain(pin)]]) for pin in pins[name]]
        path.write_text("\n".join([*head, *lines]) + "\n")
    return 0


def pinned(path: Path) -> list[str]:
    """The pins of a requirement file, without hashes."""
    lines = (line.rstrip(" \\") for line in path.read_text().splitlines())
    return [line for line in lines if line and line[0] not in "# "]


def plain(pin: str) -> str:
    """The name of a pin as the index knows it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[=; ]", pin)[0]).lower()


def hashes_of(text: str) -> dict[str, list[str]]:
    """The hashes of each package in a file of pip-compile's."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line and not line.startswith(" "):
            name = plain(line)
        if "--hash=" in line:
            found.setdefault(name, []).append(line.strip().rstrip(" \\"))
    return found


def tool_of(requirement: str, name: str) -> str:
    """A program of an environment of its own, as nothing else needs it."""
    place = VENV / "tools"
    tool = place / BIN.name / name
    if not tool.exists():
        venv.create(place, with_pip=True)
        pip = [str(place / BIN.name / "python"), "-m", "pip", "install", "--quiet", requirement]
        subprocess.run(pip, check=True, timeout=300, capture_output=True)
    return str(tool)


def main(arguments: list[str]) -> int:
    """Run a command; returns its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - run by whatever Python there is
        print("Roundhouse needs Python 3.11 or newer.", file=sys.stderr)
        return 1
    if arguments[:1] == ["audit"]:
        return audit()
    if arguments[:1] == ["lock"]:
        return lock()
    if arguments and (script := SCRIPTS.get(arguments[0])):
        install("run.txt", "dev.txt")
        return subprocess.run([python(), script, *arguments[1:]], cwd=HERE).returncode
    if arguments[:1] == ["test"]:
        install("run.txt", "dev.txt")
        steps = checks([a for a in arguments[1:] if a != "--long"])
        if "--long" in arguments:
            steps += long_checks()
        codes = [subprocess.run([python(), *step], cwd=HERE).returncode for step in steps]
        return max(codes)
    install("run.txt")
    command = arguments or ["serve"]
    try:
        return subprocess.run([python(), "-m", "roundhouse", *command]).returncode
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
