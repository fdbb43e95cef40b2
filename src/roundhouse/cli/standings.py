"""What ``roundhouse arena`` prints: who is stronger, what games they were, who forfeited."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..arena import Played, Standing, standings
from ..arena.contestants import ENGINE
from ..arena.economy import table_of
from ..arena.running import by_title
from ..engines.client import plain
from ..sentences.words import counted

#: Columns where nobody says how many there are: a file or a program takes long lines.
_WIDE = 160
#: The most letters of a player's name in a table.
_LONGEST = 16


def wide_console() -> Console:
    """Where tables go."""
    found = Console(highlight=False)
    if found.is_terminal or "COLUMNS" in os.environ:
        return found
    return Console(highlight=False, width=_WIDE)


def show(console: Console, played: Sequence[Played]) -> None:
    """All there is to be told of some games."""
    names = list(dict.fromkeys(called for p in played for called in p.match.seats))
    titles = by_title(played)
    for title, some in titles.items():
        console.print(_ranking(title, some, names))
        console.print(_economy(some))
    if len(titles) > 1:
        console.print(_ranking("all titles", played, names))
    for line in (*_legend(names), *_forfeits(played, names)):
        console.print(line, soft_wrap=True)


def _short(called: str, names: Sequence[str]) -> str:
    """A player with the number he has among all; of engines the legend tells which they are."""
    name = "engine" if called.startswith(ENGINE) else plain(called)
    return f"{names.index(called) + 1} {name}"[:_LONGEST]


def _legend(names: Sequence[str]) -> Iterator[Text]:
    for called in names:
        if called.startswith(ENGINE):
            yield Text(f"{_short(called, names)}: {plain(called.removeprefix(ENGINE))}")


def _forfeits(played: Sequence[Played], names: Sequence[str]) -> Iterator[Text]:
    for one in played:
        for called, why in zip(one.match.seats, one.faults, strict=True):
            if why:
                where = f"{one.match.title}, seed {one.match.seed}"
                told = f" forfeits {where}: {why}"
                yield Text.assemble((_short(called, names), "red"), told)


def _ranking(title: str, played: Sequence[Played], names: Sequence[str]) -> Table:
    found = standings(played)
    forfeits = any(s.faults for s in found)
    table = Table(
        title=f"{title}: {counted(len(played), 'game')}, a fair share {100 * found[0].fair:.0f} %",
        caption=_broken_off(played),
        box=SIMPLE_HEAD,
        padding=0,
    )
    table.add_column("player", overflow="ellipsis")
    for column in ("won", "share", "95 %", "rating", "95 %", "worth", "ms"):
        table.add_column(column, justify="right", no_wrap=True)
    if forfeits:
        table.add_column("forfeits", justify="right", no_wrap=True)
    for s in found:
        table.add_row(Text(_short(s.name, names)), *_figures(s, forfeits))
    return table


def _figures(s: Standing, forfeits: bool) -> Iterator[str]:
    share, low, high = (f"{100 * x:.0f}" for x in s.share)
    rating, bottom, top = (f"{x:.1f}" for x in s.rating)
    yield from (f"{s.wins:.3g}/{s.seats}", f"{share} %", f"{low}–{high} %")
    yield from (rating, f"{bottom}–{top}", f"{s.worth:.2f}")
    yield f"{s.ms:,.0f}" if s.ms >= 100 else f"{s.ms:.1f}"
    if forfeits:
        yield str(s.faults or "")


def _broken_off(played: Sequence[Played]) -> str | None:
    some = sum(p.stalled for p in played)
    if not some:
        return None
    return f"{counted(some, 'game')} broken off: whoever was worth most then counts as the winner"


def _economy(played: Sequence[Played]) -> Table:
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
