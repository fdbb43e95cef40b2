"""Getting the server's part of the program ready for a command."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

#: The option every command about a server's games has.
data_option: Callable[[Any], Any] = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for games and settings (also ROUNDHOUSE_DATA).",
)


def prepare(data: Path | None, *, migrate: bool = False) -> None:
    """Set Django up on a data directory, and bring the database up to date if wanted. Raises
    :class:`click.ClickException` where the server's packages are not installed."""
    if data is not None:
        os.environ["ROUNDHOUSE_DATA"] = str(data.resolve())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roundhouse.web.settings")
    try:
        import django
        import uvicorn  # noqa: F401 - the last of the server's packages to be missed
    except ImportError as error:
        raise click.ClickException(
            f"the server needs more packages ({error.name}): pip install 'roundhouse[web]'"
        ) from error
    django.setup()
    if migrate:
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
