"""Set up and run Roundhouse with nothing but Python 3.11 or newer.

    python3 run.py                     open the game: a page at http://127.0.0.1:8018
    python3 run.py replay GAME.json    any command of `roundhouse`, --help lists them
    python3 run.py test                set up everything for development and run all checks
    python3 run.py test --long         … and soaks that take long

The first call creates `.venv` beside this file and installs the pinned packages into it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")


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


def checks() -> list[list[str]]:
    """What `test` runs, in order."""
    workers = str(min(4, os.cpu_count() or 1))
    return [
        ["-m", "ruff", "check", "."],
        ["-m", "ruff", "format", "--check", "."],
        ["-m", "mypy"],
        ["-m", "pytest", "-n", workers, "--dist", "worksteal"],
    ]


def long_checks() -> list[list[str]]:
    """What `test --long` runs besides: soaks, from the start and from positions of known games.
    What takes minutes goes here."""
    titles = ("1817", "1817NA", "1817WO", "1817DE", "1828", "1839", "1873", "18Ireland")
    soaks = [["tests/soak.py", title, "--games", "60"] for title in titles]
    hasty = [["tests/soak.py", title, "--games", "60", "--hasty"] for title in titles]
    branches = [["tests/soak.py", title, "--games", "30", "--branches"] for title in titles]
    model = [["tests/compare1839.py", "--first", "9000", "--games", "20"]]
    return soaks + hasty + branches + model


def main(arguments: list[str]) -> int:
    """Run a command; returns its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - run by whatever Python there is
        print("Roundhouse needs Python 3.11 or newer.", file=sys.stderr)
        return 1
    if arguments[:1] == ["test"]:
        install("run.txt", "dev.txt")
        steps = checks()
        steps[-1] += [a for a in arguments[1:] if a != "--long"]
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
