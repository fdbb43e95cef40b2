"""``roundhouse routes``: the best routes of a position, with proof, and what was really run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..game import Game
    from ..model.actions import RunRoutes
    from ..routes.answer import BestRoutes


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", "number", type=int, help="The position after this action id (else the last).")
@click.option("--entity", help="The company (else the one operating).")
@click.option("--train", "trains", multiple=True, help="As if it had this train, by id or type.")
@click.option("--time-limit", type=float, default=30.0, show_default=True, help="In seconds.")
def routes(
    file: Path, number: int | None, entity: str | None, trains: tuple[str, ...], time_limit: float
) -> None:
    """Show the best routes of a company in a position of a game FILE."""
    from ..creation import replay
    from ..model.errors import GameFileError

    try:
        whole, fault = replay(file)
        game = whole if number is None else whole.at(number)
        who = entity or game.rules.operator(game.state)
        answer = game.best_routes(who, trains=trains or None, time_limit=time_limit)
    except (GameFileError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    except NotImplementedError as error:
        raise click.ClickException(f"{whole.title.id} has no route search yet") from error
    if fault is not None and number is None:
        click.echo(f"The file could be played only up to {fault}", err=True)
    click.echo(_report(who or "", answer))
    run = _next_run(whole, number, who)
    if run is not None and not trains:
        click.echo(_as_run(game, run))


def _report(who: str, answer: BestRoutes) -> str:
    lines = [f"{who}: {answer.revenue}, {_proof(answer)}"]
    lines += [f"  {r.train:>6}  {r.revenue:>5}  {r.revenue_str}" for r in answer.routes]
    return "\n".join(lines)


def _proof(answer: BestRoutes) -> str:
    if answer.optimal:
        return "proven best"
    return f"at most {answer.bound - answer.revenue} from the best"


def _next_run(game: Game, number: int | None, who: str | None) -> RunRoutes | None:
    """The run of the company right after the position."""
    from ..model.actions import RunRoutes

    for entry in game.history:
        action = entry.action
        if number is not None and (action.id or 0) > number:
            return action if isinstance(action, RunRoutes) and action.actor == who else None
    return None


def _as_run(game: Game, run: RunRoutes) -> str:
    from ..model.errors import IllegalAction

    try:
        total = str(game.check_routes(run.routes, run.actor))
    except IllegalAction as fault:
        total = f"not as we count it: {fault}"
    lines = [f"as run in action {run.id}: {total}"]
    lines += [f"  {r.train:>6}  {r.revenue or '':>5}  {r.revenue_str or ''}" for r in run.routes]
    return "\n".join(lines)
