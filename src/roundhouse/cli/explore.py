"""``roundhouse index``: finished games into the explorer's index."""

from __future__ import annotations

from pathlib import Path

import click

from .site import data_option, prepare


@click.command("index")
@data_option
def index_games(data: Path | None) -> None:
    """Take all finished games that are not in the index of positions into it, now.

    A running server does so by itself, a few at a time.
    """
    prepare(data, migrate=True)
    from ..web.explorer.indexing import due, index

    tables = list(due().values_list("pk", flat=True))
    decisions = sum(index(pk) for pk in tables)
    click.echo(f"{len(tables)} games, {decisions} decisions")
