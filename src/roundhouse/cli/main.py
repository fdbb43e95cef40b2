"""``roundhouse``: the server, replaying and showing game files, best routes, random games."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from .. import __version__
from .advise import advise
from .arena import arena
from .check import check, schema
from .convert import convert
from .dump import dump
from .engine import engine
from .explore import index_games
from .host import backup, ratings, restore, verify, work
from .puzzles import puzzles
from .routes import routes
from .serve import serve
from .token import token

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..game import Game


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """18xx railway games, rules enforced."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--trace",
    type=click.Path(exists=True, path_type=Path),
    help="Compare every state with a trace: a file, or a folder of NAME.jsonl.gz.",
)
def replay(files: tuple[Path, ...], trace: Path | None) -> None:
    """Replay game FILES under full rule checking and show how they ended."""
    good = [_replay_one(file, trace) for file in files]
    sys.exit(0 if all(good) else 1)


def _replay_one(file: Path, trace: Path | None) -> bool:
    from ..creation import replay as replay_file
    from ..model.errors import GameFileError
    from .report import console, recorded_result, standing_table

    began = time.perf_counter()
    try:
        game, fault = replay_file(file)
    except GameFileError as error:
        console.print(f"[bold red]{file.name}[/]: {error}", highlight=False)
        return False
    took = time.perf_counter() - began
    console.print(standing_table(game, file.name))
    rate = len(game.log) / took
    console.print(f"{len(game.log)} actions checked in {took:.2f} s ({rate:,.0f} a second)")
    for number, finding in game.findings:
        console.print(f"[yellow]action {number}[/]: kept as recorded; {finding}", highlight=False)
    if fault is not None:
        console.print(f"[bold red]stopped[/] at {fault}", highlight=False)
        return False
    return recorded_result(game, file) and _matches(game, file, trace)


def _matches(game: Game, file: Path, trace: Path | None) -> bool:
    from ..compare import compare
    from .report import comparison, console

    if trace is None:
        return True
    path = trace / f"{file.stem}.jsonl.gz" if trace.is_dir() else trace
    found = compare(game, path)
    for line in comparison(found):
        console.print(line, highlight=False)
    return all(difference.order for difference in found)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", "number", type=int, help="Show the state after this action id.")
def show(file: Path, number: int | None) -> None:
    """Show a position of a game FILE: who acts, players, corporations, trains, map."""
    from ..creation import replay as replay_file
    from ..model.errors import GameFileError
    from .report import console, position

    try:
        game, fault = replay_file(file)
        if number is not None:
            game = game.at(number)
    except (GameFileError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    for part in position(game):
        console.print(part)
    if fault is not None and number is None:
        console.print(f"[bold red]stopped[/] at {fault}", highlight=False)


@main.command("random")
@click.argument("title")
@click.option("--players", default=4, show_default=True, help="Number of players.")
@click.option("--games", default=10, show_default=True, help="How many games.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first game.")
@click.option("--actions", default=4_000, show_default=True, help="Most actions a game.")
@click.option("--option", "options", multiple=True, help="An option or preset of the title.")
@click.option("--check/--no-check", default=True, help="Test all invariants after every action.")
@click.option(
    "--policy",
    type=click.Choice(["uniform", "lively", "thrifty", "quick", "club", "strong"]),
    default="uniform",
    show_default=True,
    help="How they choose: at random, so that games get far, looking ahead, or by level.",
)
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Keep game files.")
def random_games(
    title: str,
    players: int,
    games: int,
    seed: int,
    actions: int,
    options: tuple[str, ...],
    check: bool,
    policy: str,
    save: Path | None,
) -> None:
    """Let bots play games of TITLE."""
    from rich.progress import track

    from ..bots import POLICIES
    from ..model.errors import OptionError
    from ..selfplay import play_on
    from .report import console, summary

    played = []
    try:
        for number in track(range(seed, seed + games), "playing", console=console):
            game = _random_game(title, players, number, options)
            began = time.perf_counter()
            watch = _watch(game, check)
            count = play_on(
                game, Random(number), actions=actions, policy=POLICIES[policy], watch=watch
            )
            played.append((number, game, count, time.perf_counter() - began))
            if save is not None:
                save.mkdir(parents=True, exist_ok=True)
                game.save(save / f"{title}-{players}-{number}.json")
    except OptionError as error:
        raise click.ClickException(str(error)) from error
    console.print(summary(played))


def _random_game(title: str, players: int, seed: int, options: tuple[str, ...]) -> Game:
    from ..creation import new

    names = [f"Player {n}" for n in range(1, players + 1)]
    return new(title, names, seed=seed, options=options)


def _watch(game: Game, check: bool) -> Callable[[Game], None] | None:
    from ..conformance import faults, total_money

    if not check:
        return None
    money = total_money(game.start)

    def watch(game: Game) -> None:
        wrong = faults(game.rules, game.state, money)
        if wrong:
            raise click.ClickException("; ".join(wrong))

    return watch


@main.command()
def titles() -> None:
    """List the titles, their options and presets."""
    from .report import console, title_panels

    for panel in title_panels():
        console.print(panel)


main.add_command(advise)
main.add_command(arena)
main.add_command(check)
main.add_command(convert)
main.add_command(engine)
main.add_command(ratings)
main.add_command(routes)
main.add_command(schema)
main.add_command(serve)
for command in (work, verify, backup, restore, token, dump, puzzles, index_games):
    main.add_command(command)
