"""``roundhouse dump``: finished games for study."""

from __future__ import annotations

from pathlib import Path

import click

from .site import data_option, prepare


@click.command()
@data_option
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--imported", is_flag=True, help="With games that were imported as files.")
@click.option("--public", is_flag=True, help="Only those of tables anybody could look at.")
def dump(data: Path | None, out: Path, imported: bool, public: bool) -> None:
    """Write the finished games of a server to OUT (.jsonl.gz), without names.

    One game file a line: seats instead of players, nothing that was said or taken back, no times.
    """
    prepare(data, migrate=True)
    from ..web.dump import write

    try:
        written, held = write(out, imported=imported, public=public)
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from error
    click.echo(f"{written} games" + (f", {held} left out, as they are held" if held else ""))
