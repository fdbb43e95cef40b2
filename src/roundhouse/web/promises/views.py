"""Making promises, and planning a turn."""

from __future__ import annotations

import json

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ...game import Game
from ...model.actions import Action, player_key
from ...model.errors import IllegalAction
from ...promises import Situation
from ...sentences.buttons import Wording, heading, money
from .. import bounds
from ..models import Table
from ..page.drawing import called
from ..tables import Refused, action_of, open_game
from ..views.beside import doing
from ..views.common import Visit, begun_table
from . import managing, reading
from .page import panel_of

#: Steps of a plan at most; possibilities shown of each kind.
_STEPS, _SHOWN = 30, 400


@login_required
@require_http_methods(["GET", "POST"])
def promises(request: Visit, pk: int) -> HttpResponse:
    """All of one's promises and the forms for more; ``do``: make one, or withdraw one."""
    table = begun_table(request, pk)
    if request.method == "POST":
        return doing(request, table, "promises", lambda: _do(request, table))
    game = open_game(table).game
    context = {"table": table, "promises": panel_of(table, game, request.user)}
    return render(request, "promises/promises.html", context)


def _do(request: Visit, table: Table) -> None:
    if request.POST.get("do") == "withdraw":
        number = bounds.number(request.POST.get("number", "")) or 0
        managing.withdraw(table.pk, request.user, number)
        return
    game, place = open_game(table).game, managing.seat_of(table, request.user)
    promise = reading.read(request.POST, game, player_key(place.key))
    managing.make(table.pk, request.user, promise)


# planning a turn


@login_required
@require_http_methods(["GET", "POST"])
def plan(request: Visit, pk: int) -> HttpResponse:
    """One's next turn on what-if: steps are added one by one, then promised as a whole."""
    table = begun_table(request, pk)
    owner = player_key(managing.seat_of(table, request.user).key)
    game, fault = managing.ahead_of(table, owner), None
    steps = _steps(request)
    if request.method == "POST" and request.POST.get("do") == "promise":
        managing.plan_turn(pk, request.user, tuple(steps))
        return redirect("table", pk)
    game, taken, fault = _walked(game, owner, steps)
    at = Situation(game, owner)
    context = {
        "table": table,
        "steps": [label for _, label in taken],
        "raw": json.dumps([msgspec.to_builtins(a) for a, _ in taken]),
        "groups": _groups(at) if len(taken) < _STEPS else [],
        "fault": fault,
        "cash": money(game.rules, game.state.players[owner].cash),
        "over": not at.on_turn,
    }
    return render(request, "promises/plan.html", context, status=422 if fault else 200)


def _steps(request: Visit) -> list[Action]:
    """The steps so far, with the one that is added, or without the last."""
    try:
        raw = json.loads(request.POST.get("steps") or "[]")
        if request.POST.get("do") == "back":
            raw = raw[:-1]
        if added := request.POST.get("step"):
            price = bounds.number(request.POST.get("price", ""))
            step = json.loads(added)
            raw.append(step | ({"price": price} if price is not None and "price" in step else {}))
        return [action_of(one) for one in raw[:_STEPS]]
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused(
            "The steps of the plan cannot be read; begin it anew.", "malformed"
        ) from error


def _walked(
    game: Game, owner: str, steps: list[Action]
) -> tuple[Game, list[tuple[Action, str]], str]:
    """The game after the steps, as far as they can be done, each with its words."""
    taken: list[tuple[Action, str]] = []
    for step in steps:
        at = Situation(game, owner)
        if not at.covers(step):
            return game, taken, "That is not possible at that point of your turn."
        label = _label(game, step)
        try:
            game.apply(step)
        except IllegalAction as fault:
            return game, taken, fault.message
        taken.append((step, label))
    return game, taken, ""


def _label(game: Game, a: Action) -> str:
    words = Wording(game.rules, game.state)
    price = words.paid(a)
    cost = f" for {money(game.rules, price)}" if price is not None else ""
    who = called(game.rules, game.state, a.actor)
    return f"{who}: {heading(a)}: {words.label(a)}{cost}"


def _groups(at: Situation) -> list[tuple[str, list[tuple[str, str]], bool]]:
    """What may be done next, by kind: labels and actions, and whether a price may be named."""
    words = Wording(at.game.rules, at.s)
    found: dict[str, list[tuple[str, str]]] = {}
    priced: set[str] = set()
    for choice in at.choices:
        rows = found.setdefault(choice.type, [])
        if len(rows) >= _SHOWN:
            continue
        action = next(choice.actions())
        label = words.of(choice)
        if "price" in choice.domains:
            priced.add(choice.type)
            label += f" from {money(at.game.rules, getattr(action, 'price', 0))}"
        rows.append((msgspec.json.encode(action).decode(), label))
    return [(heading(kind), rows, kind in priced) for kind, rows in found.items()]
