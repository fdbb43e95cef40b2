"""Routes and what-if, as far as the table's policy on assistance goes."""

from __future__ import annotations

from typing import Any

from ninja import Router

from ....game import Game
from ....model.errors import IllegalAction
from ... import limits, tables
from ...page.log import sentences_of
from ...tables import assistance
from .. import auth, shapes
from ..schemas.analysis import EarningsOut, RoutesIn, RoutesOut, RunsIn, WhatIfIn, WhatIfOut
from ..schemas.common import Number
from .common import Request, at_moment, begun
from .play import action_of

router = Router(tags=["Routes and what-if"], auth=auth.account)


@router.post("/{table}/routes", response=RoutesOut, summary="The best routes")
def routes(request: Request, table: Number, data: RoutesIn) -> Any:
    """The routes of a company that earn most, with proof or an upper bound; with other trains or
    one more tile, too. Refused where the table does not help its players so."""
    found = begun(request, table)
    assistance.check(found, assistance.Aid.ROUTES)
    limits.count("routes", limits.visitor(request))
    game = at_moment(found, data.at)
    lay = (data.tile.hex, data.tile.tile, data.tile.rotation) if data.tile else None
    try:
        company = game.route_model(data.company).who
        with limits.few("search"):
            best = game.best_routes(company, effort=data.effort, trains=data.trains, tile=lay)
    except ValueError as error:
        raise tables.Refused(tables.as_sentence(error), "routes") from error
    return {
        "company": company,
        "revenue": best.revenue,
        "bound": best.bound,
        "proven": best.optimal,
        "routes": shapes.plain(best.routes),
    }


@router.post("/{table}/earnings", response=EarningsOut, summary="What routes earn")
def earnings(request: Request, table: Number, data: RunsIn) -> Any:
    """What some routes of a company earn now; refused, with the rule, if they may not be run."""
    game = tables.open_game(begun(request, table)).game
    try:
        company = game.route_model(data.company).who
        read = game.read_routes(data.routes, company)
    except IllegalAction as error:
        raise tables.Refused(error.message, error.code, error.rule) from error
    except ValueError as error:
        raise tables.Refused(tables.as_sentence(error), "routes") from error
    told = [{"train": r.train, "revenue": r.revenue, "text": r.text} for r in read]
    return {"company": company, "revenue": sum(r.revenue for r in read), "routes": told}


@router.post("/{table}/what-if", response=WhatIfOut, summary="Try moves out")
def what_if(request: Request, table: Number, data: WhatIfIn) -> Any:
    """Play some actions on a copy of the game, now or from an earlier moment, and see what would
    be. Refused where the table does not help its players so."""
    found = begun(request, table)
    assistance.check(found, assistance.Aid.ADVICE)
    limits.count("routes", limits.visitor(request))
    game = at_moment(found, data.at).copy()
    played, fault, told = _played(game, data)
    return {
        "played": played,
        "fault": fault,
        "told": told,
        "acting": list(game.acting),
        "choices": shapes.choices_of(game, tables.my_keys(found, request.user)),
        **shapes.state_of(game),
    }


def _played(game: Game, data: WhatIfIn) -> tuple[int, dict[str, Any] | None, list[str]]:
    """How many of the actions were legal, what is wrong with the next, and what happened."""
    actions = [action_of(raw, f"body.actions[{n}]") for n, raw in enumerate(data.actions)]
    told: list[str] = []
    for number, action in enumerate(actions):
        before = len(game.log)
        try:
            game.apply(action)
        except IllegalAction as error:
            return number, shapes.judgement(error), told
        told += [text for e in game.log[before:] for text in sentences_of(game, e) if text]
    return len(actions), None, told
