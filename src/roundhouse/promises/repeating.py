"""Running and paying as last time."""

from __future__ import annotations

import hashlib

from ..model.actions import Dividend, RunRoutes
from ..model.events import Ran
from .kinds import Act, Held, RunAsLast, Stopped, Verdict, Wait
from .situation import Situation


def as_last(at: Situation, company: str, *, rest: bool = False) -> RunAsLast | None:
    """The promise to do what a company's last turn did; None: it has not run and paid, or another
    player leads it."""
    c = at.s.corporations.get(company)
    run, paid = _last_run(at, company), _last_dividend(at, company)
    if c is None or c.president != at.owner or run is None or paid is None:
        return None
    return RunAsLast(company=company, rests_on=prints(at, company), earns=run[1], rest=rest)


def keep_running(held: Held, p: RunAsLast, at: Situation) -> Verdict:
    """What a promise to run as last time does now."""
    c = at.s.corporations.get(p.company)
    if c is None or c.president != at.owner:
        return Stopped(f"You do not lead {p.company} any more.")
    if prints(at, p.company) != p.rests_on:
        return Stopped(f"The map, the trains or the stations of {p.company} have changed.")
    if not at.on_turn:
        return Wait()
    kinds = {choice.type for choice in at.choices if choice.actor == p.company}
    if "run_routes" in kinds:
        return _run(p, at)
    if "dividend" in kinds:
        return _pay(p, at)
    pass_ = at.passing(p.company) if p.rest else None
    return Act(pass_, f"You pass for {p.company}.", p) if pass_ is not None else Wait()


def _run(p: RunAsLast, at: Situation) -> Verdict:
    last = _last_run(at, p.company)
    if last is None:
        return Stopped("The last run was taken back.")
    sender = {"entity": last[0].entity, "entity_type": last[0].entity_type}
    action = RunRoutes(**sender, routes=last[0].routes)  # type: ignore[arg-type]
    twin = at.game.copy()
    if twin.why_not(action) is not None:
        return Stopped("The routes of the last run are not possible any more.")
    twin.apply(action)
    earns = _revenue(twin.log[-1].events, p.company)
    if earns != p.earns:
        now, then = at.money(earns), at.money(p.earns)
        return Stopped(f"The routes of the last run would earn {now} now, not {then}.")
    return Act(action, f"{p.company} runs as last time, for {at.money(earns)}.", p)


def _pay(p: RunAsLast, at: Situation) -> Verdict:
    last = _last_dividend(at, p.company)
    found = [c.action for c in at.choices if c.actor == p.company]
    wanted = [a for a in found if isinstance(a, Dividend) and last and a.kind == last.kind]
    if not wanted:
        return Stopped("It cannot pay as last time.")
    return Act(wanted[0], f"{p.company} pays as last time.", p)


def _last_run(at: Situation, company: str) -> tuple[RunRoutes, int] | None:
    for entry in reversed(at.game.history):
        if isinstance(entry.action, RunRoutes) and entry.action.actor == company:
            return entry.action, _revenue(entry.events, company)
    return None


def _revenue(events: tuple[object, ...], company: str) -> int:
    ran = (e.revenue for e in events if isinstance(e, Ran) and e.who == company)
    return next(ran, 0)


def _last_dividend(at: Situation, company: str) -> Dividend | None:
    for entry in reversed(at.game.history):
        if isinstance(entry.action, Dividend) and entry.action.actor == company:
            return entry.action
    return None


def prints(at: Situation, company: str) -> str:
    """A fingerprint of what a run rests on: the company's trains, its stations, and the tiles and
    stations on every hex its track touches."""
    s = at.s
    c, board = s.corporations[company], s.board
    reach = at.game.rules.reach(board, company)
    hexes = sorted({*reach.edges, *(spot[0] for spot in reach.nodes)})
    trains = sorted((t, s.trains[t].variant, s.trains[t].obsolete) for t in c.trains)
    tokens = sorted(t.city or "" for t in c.tokens)
    laid = [(h, board.tiles.get(h), board.cities.get(h), board.markers.get(h)) for h in hexes]
    closed = sorted(board.closed.items()), sorted(board.open)
    told = repr((trains, tokens, laid, closed)).encode()
    return hashlib.blake2b(told, digest_size=12).hexdigest()
