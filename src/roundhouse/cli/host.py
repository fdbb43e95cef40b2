"""For who keeps a server: ``work``, ``verify``, ``ratings``, ``backup``, ``restore``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..model.errors import OptionError
from .site import data_option, prepare


@click.command()
@data_option
@click.option("--parent", default=0, hidden=True, help="End with this process.")
@click.option("--long", is_flag=True, hidden=True, help="Only what reckons for long.")
def work(data: Path | None, parent: int, long: bool) -> None:
    """Carry out what the server leaves to workers: bots, imports, mail.

    `serve` starts one by itself; more may run beside it, on this machine or others that share its
    database.
    """
    prepare(data)
    from ..web import worker

    if long:
        worker.work_long(parent=parent)
    else:
        worker.work(parent=parent)


@click.command()
@data_option
@click.argument("tables", nargs=-1, type=int)
@click.option("--accept", is_flag=True, help="Take what the program makes of the named games now.")
@click.option("--revision", type=int, help="… under this rules revision, from now on.")
def verify(data: Path | None, tables: tuple[int, ...], accept: bool, revision: int | None) -> None:
    """Replay stored games and tell where the program plays one differently than it was played.

    TABLES: numbers of tables; none: all. Every game is replayed under its own rules revision; if
    there is a later one, also under that, and a game it would change is told to be pinned: it goes
    on under its own. Nothing is changed without --accept or --revision.
    """
    prepare(data, migrate=True)
    from ..web.models import Table
    from ..web.tables import Held, mend, verdict

    if (accept or revision is not None) and not tables:
        raise click.UsageError("name the tables that are to be changed")
    found = Table.objects.exclude(status=Table.Status.OPEN).order_by("pk")
    if tables:
        found = found.filter(pk__in=tables)
        if missing := set(tables) - set(found.values_list("pk", flat=True)):
            raise click.ClickException(f"no game at table {', '.join(map(str, sorted(missing)))}")
    bad = 0
    for table in found.iterator():
        if accept or revision is not None:
            try:
                mend(table.pk, revision)
            except (Held, ValueError) as fault:
                raise click.ClickException(f"table {table.pk}: {fault}") from fault
        told = verdict(Table.objects.get(pk=table.pk))
        bad += told.held is not None
        click.echo(told.text)
    sys.exit(1 if bad else 0)


@click.command()
@data_option
@click.argument("titles", nargs=-1)
def ratings(data: Path | None, titles: tuple[str, ...]) -> None:
    """Read the results of finished games again, and compute all ratings from them.

    TITLES: only these.
    """
    prepare(data, migrate=True)
    from ..titles.title import all_titles, find_title
    from ..web.people import results

    try:
        wanted = [find_title(name).id for name in titles] or list(all_titles())
    except OptionError as error:
        raise click.ClickException(f"{error}") from error
    for title in wanted:
        click.echo(f"{title}: {results.anew(title)} games")


@click.command()
@data_option
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(data: Path | None, file: Path) -> None:
    """Write all games and accounts to FILE, while the server runs."""
    prepare(data)
    from ..web import backups

    try:
        counts = backups.write(file)
    except backups.BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{file}: {_counted(counts)}")


@click.command()
@data_option
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Throw away what the database holds now.")
def restore(data: Path | None, file: Path, replace: bool) -> None:
    """Read the backup FILE into an empty database, of either kind."""
    prepare(data, migrate=True)
    from ..web import backups

    try:
        counts = backups.read(file, replace=replace)
    except backups.BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"restored: {_counted(counts)}")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
