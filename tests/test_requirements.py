"""Every package the program and its tests need is pinned, with the hashes of its files."""

from __future__ import annotations

import importlib.util
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def run():
    """The script that sets everything up."""
    spec = importlib.util.spec_from_file_location("run_script", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["run_script"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["run.txt", "dev.txt"])
def test_every_pin_has_hashes_and_no_address(run, name):
    path = ROOT / "requirements" / name
    text = path.read_text()
    hashes = run.hashes_of(text)
    pins = run.pinned(path)
    assert len(pins) > 15
    for pin in pins:
        assert "==" in pin
        assert hashes.get(run.plain(pin)), f"{pin} has no hashes: python3 run.py lock"
    assert "://" not in text


def test_the_site_is_built_by_the_pinned_program(run):
    pins = run.pinned(ROOT / "requirements" / "dev.txt")
    wanted = (ROOT / "hatch_build.py").read_text()
    assert any(f'"{pin}"' in wanted for pin in pins if pin.startswith("zensical=="))


def test_what_pinned_packages_need_is_pinned(run):
    pins = [p for name in ("run.txt", "dev.txt") for p in run.pinned(ROOT / "requirements" / name)]
    pinned = {run.plain(pin) for pin in pins}
    for name in pinned:
        try:
            needs = [Requirement(raw) for raw in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:
            continue  # for another system
        for need in needs:
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in pinned, f"{name} needs {need}"


def test_an_audit_that_cannot_be_made_is_skipped_with_a_word(run, monkeypatch, capsys):
    def away(*given, **more):
        raise OSError("no network")

    monkeypatch.setattr(run, "tool_of", away)
    assert run.audit() == 0
    assert "skipped" in capsys.readouterr().out


def test_an_audit_tells_what_it_found(run, monkeypatch, capsys):
    found = '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1"}]}]}'

    class Done:
        stdout = found

    monkeypatch.setattr(run, "tool_of", lambda *given: "tool")
    monkeypatch.setattr(run.subprocess, "run", lambda *given, **more: Done)
    assert run.audit() == 1
    assert "a 1: X-1" in capsys.readouterr().out
