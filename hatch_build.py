"""What building the package adds: the site of the documents, which the server has at ``/docs``."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: What makes the site; another version's theme may not be mended in the same places.
GENERATOR = "zensical==0.0.73"
#: Names a folder that holds the site already.
GIVEN = "ROUNDHOUSE_SITE"


class Documents(BuildHookInterface):
    """Builds the site, and puts it into wheel and source archive. A wheel made of a source archive
    takes the site that is in there."""

    def dependencies(self) -> list[str]:
        """What building the site needs besides the standard library."""
        return [] if self.carried else [GENERATOR, "msgspec>=0.19"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the site as a part of the archive; an installation that reads the checkout needs
        none."""
        if version == "editable":
            return
        top = "roundhouse" if self.target_name == "wheel" else "src/roundhouse"
        site = self.carried or built(Path(self.root))
        build_data["force_include"][str(site)] = f"{top}/site"

    @property
    def carried(self) -> Path | None:
        """The site as a source archive carries it; None in a checkout."""
        root = Path(self.root)
        return root / "src" / "roundhouse" / "site" if (root / "PKG-INFO").exists() else None


def built(root: Path) -> Path:
    """The folder of the site; it is built once for all archives that one call makes. Raises
    :class:`RuntimeError` with what is wrong with it."""
    if GIVEN not in os.environ:
        folder = tempfile.mkdtemp(prefix="roundhouse-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        site = Path(folder) / "site"
        command = [sys.executable, "docs/build_site.py", str(site)]
        paths = [str(root / "src"), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the documents make no site: {done.stdout}{done.stderr}")
        os.environ[GIVEN] = str(site)
    return Path(os.environ[GIVEN])
