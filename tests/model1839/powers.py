"""What a company may do at any time of its turn: buy privates, VES, VV, JJB (8)."""

from __future__ import annotations

from typing import Any

from . import trains
from .board import lay_dike
from .closing import close_private
from .data import PRIVATES, RANKS, D, at_least
from .state import State, Turn, need, pay


def buy_private(s: State, turn: Turn, a: dict[str, Any]) -> None:
    private, cost = a.get("company"), a.get("price")
    need(at_least(s.phase, "Green"), "4.5: from Green on")
    need(private in PRIVATES and private != "RWS", "8.1: not for sale")
    seller = s.privates[private]
    need(seller in s.players, "8.1: not a player's")
    need(not turn.emergency, "8.1: not after an emergency action")
    need(isinstance(cost, int) and 1 <= cost <= PRIVATES[private]["value"], "8.1: 1 to its face")
    need(s.cash[turn.company] >= cost, "8.1: not enough cash")
    pay(s, turn.company, -cost)
    pay(s, seller or "", cost)
    s.privates[private] = turn.company
    if private == "SWO":
        lay_dike(s, private)


def use(s: State, turn: Turn, a: dict[str, Any]) -> None:
    match a["entity"], a["type"]:
        case "VES", "assign":
            need(a.get("target_type") == "hex", "8.3: on a hex")
            need(a.get("target") in D["ports"], "8.3: no port")
            s.ports[a["target"]] = turn.company
        case "VV", "assign":
            need(a.get("target_type") == "train", "8.3: a train")
            need(a.get("target") in s.trains[turn.company], "8.3: not its train")
            s.marked.add(a["target"])
        case "JJB", "choose_ability":
            convert(s, turn, a.get("choice"))
        case _:
            need(False, "8.3: no power of the private")
    close_private(s, a["entity"])


def convert(s: State, turn: Turn, rank: Any) -> None:
    """JJB becomes a train of a rank that has not rusted."""
    wide = "jjb_any_train" in s.options
    need(rank in (RANKS[:-1] if wide else ["2+", "3+", "5+"]), "8.3: no such train")
    need(not at_least(s.phase, "Brown"), "8.3: before Brown")
    rusted = {"2+": "Blue"}.get(rank)
    need(rusted is None or not at_least(s.phase, rusted), "8.3: rusted already")
    need(trains.room(s, turn.company), "8.3: at the limit")
    s.trains[turn.company].append(trains.extra_id(rank))
