"""``roundhouse arena``: matches between players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from ..arena import Match, Played, Standing


@click.command()
@click.argument("titles", nargs=-1, required=True)
@click.option(
    "--player", "players", multiple=True, required=True,
    help="Who has a seat: thrifty, magnate:quick, or engine: and a command. Once a seat.",
)  # fmt: skip
@click.option("--games", default=12, show_default=True, help="Games of each title.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first deal.")
@click.option("--option", "options", multiple=True, help="An option or preset of the titles.")
@click.option("--actions", default=6_000, show_default=True, help="Most actions a game.")
@click.option("--workers", type=int, help="Processes; one a core if not said.")
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
    """Let players play matches of TITLES, each deal from every seat, and say who is stronger."""
    import msgspec

    from ..arena import standings
    from ..arena.running import by_title
    from ..model.errors import RoundhouseError
    from .report import console

    matches = [
        match
        for title in titles
        for match in _lineups(title, players, games, seed, options, actions, save is not None)
    ]
    try:
        played = _play(matches, workers, cluster)
        for title, some in by_title(played).items():
            console.print(_ranking(title, standings(some)))
            console.print(_economy(some))
        if len(titles) > 1:
            console.print(_ranking("all titles", standings(played)))
    except (RoundhouseError, ValueError, RuntimeError) as fault:
        raise click.ClickException(str(fault)) from fault
    for one in played:
        for called, why in zip(one.match.seats, one.faults, strict=True):
            if why:
                console.print(f"[red]{called}[/] forfeits seed {one.match.seed}: {why}")
    if save is not None:
        _keep(played, save)
    if out is not None:
        bare = [msgspec.structs.replace(p, file=None) for p in played]
        out.write_bytes(msgspec.json.format(msgspec.json.encode(bare), indent=1))


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


def _play(matches: list[Match], workers: int | None, cluster: str | None) -> list[Played]:
    from rich.progress import Progress

    from ..arena import run
    from .report import console

    with Progress(console=console) as progress:
        task = progress.add_task("playing", total=len(matches))

        def watch(played: Played) -> None:
            progress.advance(task)

        return run(matches, workers=workers, cluster=cluster, watch=watch)


def _keep(played: list[Played], folder: Path) -> None:
    import msgspec

    folder.mkdir(parents=True, exist_ok=True)
    for n, one in enumerate(played, start=1):
        name = f"{one.match.title}-{one.match.seed}-{n}.json"
        (folder / name).write_bytes(msgspec.json.encode(one.file))


def _ranking(title: str, found: list[Standing]) -> Table:
    from rich.table import Table

    table = Table(title=title)
    for column in ("player", "seats", "wins", "share", "95 %", "fair", "rating", "95 %", "worth",
                   "ms", "forfeits"):  # fmt: skip
        table.add_column(column, justify="left" if column == "player" else "right")
    for s in found:
        share, low, high = (f"{100 * x:.0f} %" for x in s.share)
        rating, bottom, top = (f"{x:.1f}" for x in s.rating)
        table.add_row(
            s.name, str(s.seats), f"{s.wins:g}", share, f"{low}–{high}", f"{100 * s.fair:.0f} %",
            rating, f"{bottom}–{top}", f"{s.worth:.2f}", f"{s.ms:.1f}", str(s.faults or ""),
        )  # fmt: skip
    return table


def _economy(played: list[Played]) -> Table:
    from rich.table import Table

    from ..arena.economy import table_of

    e = table_of([p.economy for p in played])
    table = Table(show_header=False)
    table.add_row("games", f"{e.games}, {e.turns:.1f} turns in the mean")
    table.add_row("founded by turn", ", ".join(f"{t}: {n:.1f}" for t, n in e.founded.items()))
    phases = (f"{p}: {at:.1f}" + _part(part) for p, (at, part) in e.phases.items())
    table.add_row("phases by turn", ", ".join(phases))
    table.add_row("a game", ", ".join(f"{k} {n:.1f}" for k, n in e.counts.items()))
    table.add_row("worth", f"winner {e.winner:,.0f}, mean {e.mean:,.0f}")
    table.add_row("deals, price ÷ face", quartiles(e.deals))
    table.add_row("ends", ", ".join(f"{why} {n}" for why, n in e.ends.items()))
    return table


def _part(part: float) -> str:
    return "" if part == 1 else f" ({100 * part:.0f} %)"


def quartiles(values: tuple[float, ...]) -> str:
    """The least, the quartiles and the most of some values in order."""
    if not values:
        return "none"
    at = [values[round(part / 4 * (len(values) - 1))] for part in range(5)]
    return f"{len(values)}: " + " · ".join(f"{x:.2f}" for x in at)
