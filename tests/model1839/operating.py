"""Operating rounds: the flow of the companies' turns (4.3, 9, 10, 11)."""

from __future__ import annotations

from typing import Any

from . import emergency, foreign, market, powers, routes, stock, track, trains
from .data import COMPANIES, PHASES, PRIVATES
from .state import CLOSED, POOL, State, Turn, held, need, operating_order, owner, pay, price


def begin_set(s: State) -> None:
    """4.1: the number of rounds is fixed now."""
    s.ors = int(PHASES[s.phase]["ors"])
    s.num = 0
    begin_round(s)


def begin_round(s: State) -> None:
    s.round, s.num = "OR", s.num + 1
    for private, who in s.privates.items():
        if who is not None and who != CLOSED:
            about = PRIVATES[private]
            pay(s, who, about["company_revenue"] if who in COMPANIES else about["revenue"])
    s.order = operating_order(s, [c for c in COMPANIES if c in s.floated])
    s.queue = list(s.order)
    s.foreign = None
    next_turn(s)


def next_turn(s: State) -> None:
    """The next company, or the foreigners."""
    if s.queue:
        s.turn = Turn(s.queue.pop(0))
        first = s.turn.company not in s.operated
        if not first:
            s.turn.step = "track"
        elif not track.homes_to_choose(s, s.turn.company):
            track.place_home_by_itself(s, s.turn.company)
            s.turn.step = "track"
        s.operated.add(s.turn.company)
        return
    s.turn = None
    s.foreign = foreign.tasks(s)
    go_on_with_foreigners(s)


def go_on_with_foreigners(s: State) -> None:
    while s.foreign and not trains.above_limit(s):
        foreign.step(s)
    if not s.foreign and not trains.above_limit(s):
        end_round(s)


def end_round(s: State) -> None:
    s.foreign = None
    s.order = []
    if market.at_500(s):
        s.finished = "stock_market"
    elif s.num < s.ors:
        begin_round(s)
    else:
        s.number += 1
        stock.begin(s)


# actions


def act(s: State, a: dict[str, Any]) -> None:
    over = trains.above_limit(s)
    if over:
        need(a["type"] == "discard_train" and a["entity"] == over[0], "10.3: discards come first")
        trains.discard(s, over[0], a.get("train"))
    else:
        assert s.turn is not None
        _act_in_turn(s, s.turn, a)
    if s.finished or trains.above_limit(s):
        return
    if s.turn is None:
        go_on_with_foreigners(s)
    else:
        settle(s, s.turn)


def _act_in_turn(s: State, turn: Turn, a: dict[str, Any]) -> None:
    if turn.shz:
        track.place_dike_marker(s, turn, a)
        return
    check_actor(s, turn, a)
    match a["type"]:
        case "choose":
            need(turn.step == "home", "9.1: no home to choose")
            track.choose_home(s, turn, a)
        case "lay_tile":
            track.lay(s, turn, a)
        case "place_token":
            if turn.step == "home":
                track.choose_home(s, turn, a)
            else:
                track.place_marker(s, turn, a)
        case "run_routes":
            run(s, turn, a)
        case "dividend":
            dividend(s, turn, a.get("kind"))
        case "buy_train":
            trains.buy(s, turn, a)
        case "buy_company":
            powers.buy_private(s, turn, a)
        case "assign" | "choose_ability":
            powers.use(s, turn, a)
        case "remove_token" | "sell_shares" | "sell_company" | "bankrupt":
            emergency.act(s, turn, a)
        case "pass":
            pass_step(s, turn)
        case _:
            need(False, "9: no action of an operating turn")


#: Which privates act by themselves, in which actions.
PRIVATE_ACTIONS = {
    "lay_tile": ("LVG", "SHZ", "LS"),
    "place_token": ("CO", "SWO"),
    "assign": ("VES", "VV"),
    "choose_ability": ("JJB",),
    "buy_train": ("CM",),
}


def check_actor(s: State, turn: Turn, a: dict[str, Any]) -> None:
    """The entity is the company, a private of its own, or its director."""
    kind, who = a["entity_type"], a["entity"]
    if a["type"] in ("sell_shares", "sell_company"):
        director = s.president[turn.company]
        need(kind == "player" and f"player:{who}" == director, "10.6: the director sells")
    elif kind == "company":
        need(who in PRIVATE_ACTIONS.get(a["type"], ()), "8: no power of the private")
        need(owner(s, who) == turn.company, "8.1: not its private")
    else:
        need(kind == "corporation" and who == turn.company, "10.1: not its turn")
        need(a["type"] not in ("assign", "choose_ability"), "8.1: a power of a private")


def pass_step(s: State, turn: Turn) -> None:
    match turn.step:
        case "track":
            turn.step = "marker"
        case "marker":
            turn.step = "run"
        case "train":
            need(s.trains[turn.company], "10.5: it must own a train")
            turn.step = "end"
        case _:
            need(False, f"9: no pass in the step {turn.step}")


def settle(s: State, turn: Turn) -> None:
    """Go on from step to step as far as nothing is waited for."""
    company = turn.company
    if turn.shz:
        return
    if turn.step == "track" and turn.tiles == 2 and owner(s, "LVG") != company:
        turn.step = "marker"
    if turn.step == "marker" and (turn.marker_done or not track.any_marker(s, company)):
        turn.step = "run"
    if turn.step == "run" and not routes.has_route(s, company):
        turn.revenue = 0
        end_run(s, turn)
    if turn.step == "train" and s.trains[company] and not trains.can_buy(s, company):
        turn.step = "end"
    if turn.step == "end":
        next_turn(s)
        if s.turn is not None and not s.finished and s.round == "OR":
            settle(s, s.turn)


# running


def run(s: State, turn: Turn, a: dict[str, Any]) -> None:
    need(turn.step == "run", "11.0: not the run step")
    runs = routes.read(s, turn.company, a.get("routes") or [])
    turn.revenue = routes.revenue(s, turn.company, runs)
    for foreigner in routes.areas_run_to(runs):  # 11.7
        if not stock.parred(s, foreigner):
            market.enter(s, foreigner, market.highest_open(s))
        s.slots[foreigner] += turn.revenue // 5
    end_run(s, turn)


def end_run(s: State, turn: Turn) -> None:
    """Obsolete trains go; without revenue the dividend is skipped, as withheld (11.5, 8.3 VV)."""
    for train in [t for t in s.trains[turn.company] if t in s.obsolete]:
        trains.remove(s, turn.company, train)
    turn.step = "dividend"
    if turn.revenue == 0:
        dividend(s, turn, "withhold")


def dividend(s: State, turn: Turn, kind: Any) -> None:
    need(turn.step == "dividend", "11.5: not the dividend step")
    need(kind in ("payout", "half", "withhold"), "11.5: payout, half or withhold")
    total = turn.revenue
    paid = {"payout": total, "half": -(-(total // 10) // 2) * 10, "withhold": 0}[kind]
    pay(s, turn.company, total - paid)
    for player in s.players:
        pay(s, player, held(s, player, turn.company) * paid // 100)
    pay(s, turn.company, held(s, POOL, turn.company) * paid // 100)
    up = paid > 0 and paid >= price(s, turn.company)
    market.move(s, turn.company, "right" if up else "left")
    turn.step = "train"
