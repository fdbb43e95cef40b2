"""``roundhouse puzzles``: puzzles of finished games."""

from __future__ import annotations

from pathlib import Path

import click

from .site import data_option, prepare


@click.command()
@data_option
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--stored", is_flag=True, help="Of the server's finished games anybody could see.")
@click.option("--imported", is_flag=True, help="Of those that were imported as files, too.")
def puzzles(data: Path | None, files: tuple[Path, ...], stored: bool, imported: bool) -> None:
    """Make puzzles for the server of game FILES and of stored games.

    Only games that are over are taken; in puzzles nobody is named.
    """
    prepare(data, migrate=True)
    from ..web.puzzles.composing import make_from_tables

    if not files and not (stored or imported):
        raise click.UsageError("name game files, or ask for stored games (--stored)")
    made = sum(_of(file) for file in files)
    if stored or imported:
        made += make_from_tables(imported=imported)
    click.echo(f"{made} new puzzles")


def _of(file: Path) -> int:
    from ..creation import load
    from ..model.errors import GameFileError
    from ..web.puzzles.composing import make_from

    try:
        return make_from(load(file))
    except (GameFileError, ValueError) as error:
        raise click.ClickException(f"{file}: {error}") from error
