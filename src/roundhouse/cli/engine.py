"""``roundhouse engine``: our bots for other programs."""

from __future__ import annotations

import sys

import click


@click.command()
@click.option("--bot", default="magnate", show_default=True, help="Which of our players.")
@click.option("--level", default="", help="How hard it thinks, where it has levels.")
def engine(bot: str, level: str) -> None:
    """Play what is asked on standard input, as docs/engine-protocol.md tells."""
    from ..engines import serve

    try:
        serve(sys.stdin.buffer, sys.stdout.buffer, bot, level)
    except ValueError as fault:
        raise click.UsageError(f"{fault}.") from fault
