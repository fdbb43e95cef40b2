"""What the command line prints: tables of standings, positions and titles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from .. import clinch
from ..box.schema import NO_LIMIT
from ..compare import Difference
from ..game import Game
from ..model.records import MARKET, State
from ..sentences.words import unsold_words
from ..titles.title import Title, all_titles
from ..trains.depot import counted

console = Console()


def money(game: Game, amount: int) -> str:
    """An amount in the title's currency."""
    return game.rules.money(amount)


def standing_table(game: Game, name: str) -> Table:
    """Scores, highest first."""
    reason = (game.end_reason or "still running").replace("_", " ")
    heading = f"{escape(name)}: {game.title.id}, rules revision {game.revision}, {reason}"
    table = Table(title=heading)
    table.add_column("player")
    for heading in ("worth", "cash", "certificates"):
        table.add_column(heading, justify="right")
    by_id = {p.id: k for k, p in game.state.players.items()}
    for player_id, score in game.result().items():
        key = by_id[player_id]
        player = game.state.players[key]
        count = game.rules.certificates(game.state, key)
        label = escape(player.name) + (" (bankrupt)" if player.bankrupt else "")
        table.add_row(label, money(game, score), money(game, player.cash), str(count))
    return table


def recorded_result(game: Game, file: Path) -> bool:
    """Compare with the result the file records, if it does."""
    recorded = json.loads(file.read_bytes()).get("result") or {}
    ours = {str(k): v for k, v in game.result().items()}
    if not recorded:
        return True
    if recorded == ours:
        console.print("[green]the recorded result is the same[/]")
        return True
    console.print(f"[bold red]the file records another result[/]: {recorded}", highlight=False)
    return False


#: Differences from a trace shown of each kind.
_SHOWN = 20


def comparison(found: Sequence[Difference]) -> Iterator[str]:
    """What differs from a trace, those of order only apart."""
    if not found:
        yield "[green]every state agrees with the trace[/]"
    for colour, what, order in (("red", "differs", False), ("yellow", "another order", True)):
        some = [d for d in found if d.order == order]
        yield from (f"[bold {colour}]{what}[/] {escape(str(d))}" for d in some[:_SHOWN])
        if len(some) > _SHOWN:
            yield f"[{colour}]… and {len(some) - _SHOWN} more paths[/]"


def position(game: Game) -> Iterator[RenderableType]:
    """A readable state."""
    s = game.state
    waiting = ", ".join(_name(game, k) for k in s.acting) or "nobody"
    head = f"{game.rules.round_of(s)}, phase {s.phase}"
    if s.finished:
        head += f", ended: {s.finished.replace('_', ' ')}"
    yield Panel(
        f"{head}\nwaits for {escape(waiting)}: {s.step}",
        title=f"{game.title.id}, rules revision {game.revision}",
    )
    yield _players(game)
    yield _corporations(game)
    yield _supply(game)
    yield from _auction(game)
    yield from _facts(game)


def _auction(game: Game) -> Iterator[Table]:
    """What is auctioned now, with its bids."""
    s, rules = game.state, game.rules
    lots = (*rules.facts.lots(s), *rules.facts.later_lots(s))
    if not lots:
        return
    table = Table(title="auction")
    for heading in ("item", "name", "from", "bids", "still in", "note"):
        table.add_column(heading)
    for lot in lots:
        company = game.rules.box.companies.get(lot.item)
        bids = ", ".join(f"{_name(game, p)} {money(game, n)}" for p, n in lot.bids)
        inside = ", ".join(_name(game, p) for p in lot.bidders)
        name = company.name if company else ""
        told = (escape(text) for text in (bids, inside, lot.note))
        table.add_row(lot.item, escape(name), money(game, lot.price), *told)
    yield table


def _facts(game: Game) -> Iterator[str]:
    """What the title's players look at, and what may end the game."""
    s, facts = game.state, game.rules.facts
    yield from (escape(f.text) for f in facts.game(s))
    seen: set[str] = set()
    for key in (*s.order, *s.corporations):
        told = [f.text for f in facts.of(s, key) if f.text not in seen]
        seen.update(told)
        if told:
            yield f"[bold]{escape(_name(game, key))}:[/] {escape(' '.join(told))}"
    for key in s.order:
        if bound := facts.bound(s, key):
            yield f"[bold]{escape(_name(game, key))}[/] has bound {money(game, bound)} by bids."
    for end in facts.endings(s):
        sure = f" [bold]{end.short}[/]" if end.short else ""
        yield f"ends: {escape(end.text)}{sure}"
    if (decided := clinch.clinched(game)) is not None:
        yield f"[bold]{escape(' '.join(clinch.told(game, decided)))}[/]"


def _name(game: Game, key: str) -> str:
    player = game.state.players.get(key)
    return player.name if player else key


def _players(game: Game) -> Table:
    s = game.state
    table = Table(title="players in turn order")
    for heading in ("player", "cash", "worth", "certificates", "shares", "privates"):
        table.add_column(heading)
    for key in s.order:
        player = s.players[key]
        shares = [
            f"{c.id}{'*' if c.president == key else ''} {c.held(key)}"
            for c in s.corporations.values()
            if c.certs.get(key)
        ]
        most = game.rules.cert_limit(s)
        limit = f"/{most}" if most < NO_LIMIT else ""
        table.add_row(
            escape(player.name),
            money(game, player.cash),
            money(game, game.rules.value(s, key)),
            f"{game.rules.certificates(s, key)}{limit}",
            "  ".join(shares),
            " ".join(game.rules.privates(s, key)),
        )
    return table


def _corporations(game: Game) -> Table:
    s = game.state
    table = Table(title="corporations by price (* president; shares in percent)")
    prices = game.rules.box.market.price
    started = [c for c in s.corporations.values() if c.cell is not None or c.cash or c.trains]
    started.sort(key=lambda c: -prices.get(c.cell or "", 0))
    columns = {
        "": [c.id for c in started],
        "price": [str(prices.get(c.cell or "", "")) for c in started],
        "cash": [money(game, c.cash) for c in started],
        "loans": [str(c.loans or "") for c in started],
        "president": [escape(_name(game, c.president) if c.president else "") for c in started],
        "trains": [" ".join(c.trains) for c in started],
        "tokens": [
            " ".join(t.city.partition("/")[0] if t.city else "–" for t in c.tokens) for c in started
        ],
        "privates": [" ".join(game.rules.privates(s, c.id)) for c in started],
        unsold_words(game.rules, [c.id for c in started]): [
            str(c.held(c.id) or "") for c in started
        ],
        "market": [str(c.held(MARKET) or "") for c in started],
    }
    told = {heading: cells for heading, cells in columns.items() if any(cells)}
    for heading in told:
        table.add_column(heading)
    for row in zip(*told.values(), strict=True):
        table.add_row(*row)
    return table


def _supply(game: Game) -> Group:
    s: State = game.state
    counts = [(counted(game.rules.box, p), p.kind) for p in s.depot.piles]
    piles = [f"{'∞' if left is None else left} × {kind}" for left, kind in counts]
    lines = [f"bank: {money(game, s.bank)}"] if game.title.box.game.bank else []
    lines += [f"trains: {', '.join(piles)}", *_rusting(game)]
    if s.depot.market:
        lines.append(f"open market: {', '.join(s.depot.market)}")
    laid = [f"{hex_} {t.tile} ↻{t.rotation}" for hex_, t in sorted(s.board.tiles.items())]
    lines.append(f"tiles laid: {len(laid)}  {', '.join(laid)}")
    return Group(*lines)


def _rusting(game: Game) -> Iterator[str]:
    """What the next purchases from the bank rust."""
    owned = {x.kind for x in game.state.trains.values()}
    for pile in game.state.depot.piles:
        rusting = game.rules.rusted_by(pile.kind) & owned
        if rusting and pile.left != 0:
            victims = (kind for kind in game.rules.box.trains if kind in rusting)
            yield f"the first {pile.kind} rusts {', '.join(victims)}"


def summary(played: Sequence[tuple[int, Game, int, float]]) -> Table:
    """A table of random games."""
    table = Table(title="random games")
    for heading in ("seed", "actions", "ended by", "turn", "phase", "actions/s", "winner"):
        table.add_column(heading)
    for seed, game, count, took in played:
        best = next(iter(game.result().items()))
        table.add_row(
            str(seed),
            str(count),
            (game.end_reason or "–").replace("_", " "),
            str(game.state.turn),
            game.state.phase,
            f"{count / max(took, 1e-9):,.0f}",
            money(game, best[1]),
        )
    return table


def title_panels() -> Iterator[Panel]:
    """A panel a title."""
    for title in all_titles().values():
        data = title.box.game
        lines = [
            f"designed by {data.designer}; {data.players.min}–{data.players.max} players",
            "",
        ]
        lines += [f"  [bold]{o.id}[/]  {o.explanation}" for o in data.options]
        lines += [f"  [bold]{p.id}[/] (preset)  {p.explanation}" for p in data.presets]
        lines += _revision_lines(title)
        yield Panel("\n".join(lines), title=f"{data.name} ({title.id})", title_align="left")


def _revision_lines(title: Title) -> Iterator[str]:
    """The rules revision, and what each one mended."""
    yield f"  rules revision {title.latest}"
    for number, fixes in title.revisions.items():
        for fix in fixes:
            section = f" §{fix.rule}" if fix.rule else ""
            yield f"  since revision {number}: {escape(fix.text)}{section}"
