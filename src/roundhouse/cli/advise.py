"""``roundhouse advise``: what a bot would do in a position, and why; what a game cost whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..bots import Player
    from ..bots.advice import Turn
    from ..game import Game


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", "number", type=int, help="The position after this action id (else the last).")
@click.option("--bot", default="magnate", show_default=True, help="Whose advice.")
@click.option("--level", default="", help="How hard it thinks, where it has levels.")
@click.option(
    "--count", type=click.IntRange(min=1), default=5, show_default=True,
    help="So many possibilities, or turns.",
)  # fmt: skip
@click.option("--review", "whole", is_flag=True, help="The turns of the game that cost most.")
def advise(file: Path, number: int | None, bot: str, level: str, count: int, whole: bool) -> None:
    """Tell what a bot would do in a position of a game FILE, with its reasons."""
    from ..bots import player
    from ..creation import replay
    from ..model.errors import GameFileError

    try:
        game, fault = replay(file)
        adviser = player(bot, level, game.seed)
        if fault is not None:
            click.echo(f"The file could be played only up to {fault}", err=True)
        if whole:
            _review(game if number is None else game.at(number), adviser, count)
        else:
            _advise(game if number is None else game.at(number), adviser, count)
    except (GameFileError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def _advise(game: Game, adviser: Player, count: int) -> None:
    from ..bots.advice import advise as ask
    from ..bots.advice import said
    from ..sentences.buttons import money

    found = ask(game, adviser)
    if found is None:
        raise click.ClickException("nobody is waited for in this position")
    click.echo(f"{game.state.players[found.who].name}:")
    for n, candidate in enumerate(found.decision.candidates[:count], start=1):
        worth = money(game.rules, round(candidate.score))
        click.echo(f"{n:3}. {said(game, candidate.action)}  [{worth}]")
        for reason in candidate.reasons:
            click.echo(f"       {reason.text}")


def _review(game: Game, adviser: Player, count: int) -> None:
    from rich.progress import Progress

    from ..bots import Follower
    from ..bots.advice import review
    from .report import console

    if isinstance(adviser, Follower):  # it tells only what it does
        raise click.ClickException(
            f"{adviser.name} weighs nothing, so it cannot tell what a turn cost; magnate can"
        )
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("looking back", total=1.0)
        turns = review(game, adviser, most=count, progress=lambda p: bar.update(task, completed=p))
    for turn in turns:
        _tell(game, turn)
    if not turns:
        done = f"No turn cost anything, as {adviser.name} reckons."
        click.echo(done if game.history else "Nothing has been done yet.")


def _tell(game: Game, turn: Turn) -> None:
    from ..sentences.buttons import money

    name = game.state.players[turn.who].name
    click.echo(f"{turn.round}, {name}: {money(game.rules, round(turn.cost))}")
    for one in turn.decisions:
        why = f" ({one.why})" if one.why else ""
        click.echo(f"   {one.id:5}  {one.done}; better: {one.best}{why}")
