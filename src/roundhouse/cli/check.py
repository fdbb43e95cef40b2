"""``roundhouse check`` and ``roundhouse schema``: for who makes a title."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..titles.title import Title


@click.command()
@click.argument("name", metavar="TITLE")
@click.option("--games", default=6, show_default=True, help="Random games to play.")
@click.option("--actions", default=400, show_default=True, help="Most actions a game.")
@click.option("--seed", default=0, show_default=True, help="Seed of the first game.")
def check(name: str, games: int, actions: int, seed: int) -> None:
    """Check TITLE: its data files, and random games under the whole conformance suite.

    TITLE is the name of an installed title, or a module with a TITLE of its own.
    """
    from ..title_check import check_title
    from .report import console

    title = _named(name)
    faults = 0
    for fault in check_title(title, games=games, actions=actions, seed=seed):
        faults += 1
        console.print(f"[bold red]✗[/] {fault}", highlight=False, soft_wrap=True)
    if faults:
        console.print(f"{title.id}: {faults} fault{'s' if faults > 1 else ''}")
        sys.exit(1)
    console.print(f"[green]{title.id} is sound[/]: data, texts, and {games} random games")


def _named(name: str) -> Title:
    from ..model.errors import OptionError
    from ..titles.title import Title, find_title, register

    try:
        return find_title(name)
    except OptionError as error:
        try:
            title = import_module(name).TITLE
        except (ImportError, AttributeError, TypeError, ValueError):
            raise click.ClickException(str(error)) from error
    if not isinstance(title, Title):
        raise click.ClickException(f"TITLE of module {name} is no title")
    register(title)
    return title


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def schema(folder: Path) -> None:
    """Write the JSON Schemas of a title's data files and of game files into FOLDER, for editors and
    other tools."""
    from ..box.json_schema import FILES, schema_of
    from ..interchange.schema import write

    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        path = folder / f"{name}.schema.json"
        path.write_text(json.dumps(schema_of(name), indent=1) + "\n", encoding="utf-8")
        click.echo(path)
    click.echo(write(folder))
