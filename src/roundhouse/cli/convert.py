"""``roundhouse convert``: a game file in other forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..game import Game

#: Form → how such a file is usually called.
_ENDINGS = {
    "csv": ".csv",
    "report": ".html",
    "playlog": ".bgsplay",
    "portable": ".portable.json",
    "nameless": ".nameless.json",
}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to", "form", type=click.Choice([*_ENDINGS]), required=True,
    help="csv: money, prices, revenue by round; report: to print, with maps; playlog: for Board "
    "Game Stats; portable: only what counts, for other programs; nameless: without people.",
)  # fmt: skip
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="- is here.")
@click.option("--date", type=click.DateTime(), help="When it was played (playlog).")
@click.option("--place", default="", help="Where it was played (playlog).")
def convert(file: Path, form: str, out: Path | None, date: datetime | None, place: str) -> None:
    """Write the game of FILE in another form, beside it or where --out says."""
    from ..creation import load
    from ..model.errors import RoundhouseError

    try:
        text = _forms(date or _written(file), place)[form](load(file))
    except (RoundhouseError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    path = out or file.with_name(file.stem + _ENDINGS[form])
    if str(path) == "-":
        click.echo(text, nl=False)
    elif path.resolve() == file.resolve():
        raise click.ClickException(f"{path} is the game itself; say another --out")
    else:
        path.write_text(text, encoding="utf-8")
        click.echo(path)


def _written(file: Path) -> datetime | None:
    """When a file was written, for games that do not say when they were played."""
    return datetime.fromtimestamp(file.stat().st_mtime) if file.exists() else None


def _forms(date: datetime | None, place: str) -> dict[str, Callable[[Game], str]]:
    from .. import interchange

    return {
        "csv": interchange.csv_of,
        "report": interchange.report_of,
        "playlog": lambda game: _json(interchange.playlog_of(game, date, place)),
        "portable": lambda game: _json(game.export()),
        "nameless": lambda game: _json(interchange.nameless(game)),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
