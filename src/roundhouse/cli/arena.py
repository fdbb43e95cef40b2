"""``roundhouse arena``: matches between players."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from ..arena import Match, Played

_FROM_1 = click.IntRange(min=1)


@click.command()
@click.argument("titles", nargs=-1, required=True)
@click.option(
    "--player", "players", multiple=True, required=True,
    help="Who has a seat: thrifty, magnate:quick, or engine: and a command. Once a seat.",
)  # fmt: skip
@click.option("--games", type=_FROM_1, default=12, show_default=True, help="Games of each title.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first deal.")
@click.option("--option", "options", multiple=True, help="An option or preset of the titles.")
@click.option(
    "--actions", type=_FROM_1, default=6_000, show_default=True, help="Most actions a game."
)
@click.option("--workers", type=_FROM_1, help="Processes; one a core if not said.")
@click.option("--cluster", help="The address of a Ray cluster; local: one begun here.")
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Keep game files.")
@click.option(
    "--json", "out", type=click.Path(dir_okay=False, path_type=Path), help="Keep results."
)
def arena(
    titles: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    seed: int,
    options: tuple[str, ...],
    actions: int,
    workers: int | None,
    cluster: str | None,
    save: Path | None,
    out: Path | None,
) -> None:
    """Let players play matches of TITLES, each deal from every seat, and say who is stronger.

    Interrupted, it keeps and tells what has been played."""
    from .standings import show, wide_console

    names = _checked(titles, players, options, here=cluster is None)
    _check_targets(save, out)
    matches = [
        match
        for name in names
        for match in _lineups(name, players, games, seed, options, actions, save is not None)
    ]
    console = wide_console()
    played: list[Played] = []
    try:
        _play(matches, workers, cluster, played, console)
        fault = None
    except (Exception, KeyboardInterrupt) as error:  # whatever it is, what is done is not lost
        fault = error
    _keep(played, save, out)
    if played:
        show(console, played)
    if fault is not None:
        _tell(fault, f"{len(played)} of {len(matches)} games were played")


def _tell(fault: BaseException, how_far: str) -> None:
    from ..model.errors import RoundhouseError

    if isinstance(fault, KeyboardInterrupt):
        click.echo(f"Stopped: {how_far}.", err=True)
        raise click.exceptions.Exit(130)
    if isinstance(fault, RoundhouseError | ValueError | RuntimeError):
        raise click.ClickException(f"{fault} ({how_far})") from fault
    raise fault


def _checked(
    titles: Sequence[str], players: Sequence[str], options: Sequence[str], *, here: bool
) -> list[str]:
    """The titles by their ids, each once, if all can be played. Programs that will run elsewhere
    are not tried ``here``."""
    from ..arena.contestants import ENGINE, check
    from ..arena.ratings import rate
    from ..creation import new
    from ..model.errors import RoundhouseError

    try:
        rate(())  # a library that is missing is told before hours of play
        names = [f"{n}" for n in range(1, len(players) + 1)]
        found = [new(title, names, seed=1, options=options).title.id for title in titles]
        for called in dict.fromkeys(players):
            if here or not called.startswith(ENGINE):
                check(called)
    except (RoundhouseError, ValueError, RuntimeError) as fault:
        raise click.ClickException(str(fault)) from fault
    return list(dict.fromkeys(found))


def _check_targets(save: Path | None, out: Path | None) -> None:
    """Whether what is played can be kept."""
    try:
        if save is not None:
            save.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"--save {save}: {error.strerror}") from error
    for target in (save, out):
        if target is not None:
            there = target if target.exists() else target.parent
            if not os.access(there, os.W_OK):
                raise click.ClickException(f"{target} cannot be written")


def _lineups(
    title: str,
    players: tuple[str, ...],
    games: int,
    seed: int,
    options: tuple[str, ...],
    actions: int,
    keep: bool,
) -> list[Match]:
    import msgspec

    from ..arena import lineups

    found = lineups(title, players, games, seed, options=options, keep=keep)
    return [msgspec.structs.replace(m, actions=actions) for m in found]


def _play(
    matches: list[Match],
    workers: int | None,
    cluster: str | None,
    played: list[Played],
    console: Console,
) -> None:
    """Play, and add every game to those played as soon as it is over."""
    from rich.progress import Progress

    from ..arena import run

    with Progress(console=console) as progress:
        task = progress.add_task("playing", total=len(matches))

        def watch(one: Played) -> None:
            played.append(one)
            progress.advance(task)

        run(matches, workers=workers, cluster=cluster, watch=watch)


def _keep(played: list[Played], folder: Path | None, out: Path | None) -> None:
    import msgspec

    if folder is not None:
        for n, one in enumerate(played, start=1):
            name = f"{one.match.title}-{one.match.seed}-{n}.json"
            (folder / name).write_bytes(msgspec.json.encode(one.file))
    if out is not None:
        bare = [msgspec.structs.replace(p, file=None) for p in played]
        out.write_bytes(msgspec.json.format(msgspec.json.encode(bare), indent=1))
