"""Playing: the state, what may be done, doing it, taking back, asking others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from ninja import Query, Router, Status

from ....game import Game
from ....model.actions import Action, Redo, Undo
from ... import tables
from ...models import Place, Table
from ...tables import consent
from .. import auth, shapes
from ..errors import Malformed
from ..schemas.common import Number
from ..schemas.play import (
    ActIn,
    AgainIn,
    AnswerIn,
    BackIn,
    CheckIn,
    ChoicesOut,
    Judgement,
    MovesOut,
    Standing,
    StateOut,
)
from .common import Request, at_moment, begun

router = Router(tags=["Playing"], auth=auth.read)
#: Entries of a log told at once.
_PAGE = 500

At = Annotated[int | None, Query(ge=0, le=2**53, description="id of an action; 0: the start")]
#: Done; or others are asked first.
_DONE = {200: Standing, 202: Standing}


@router.get("/{table}/state", response=StateOut, summary="The state of the game")
def state(request: Request, table: Number, at: At = None) -> Any:
    """The whole position, now or as it stood after an action, as state traces write it."""
    found = begun(request, table)
    game = at_moment(found, at)
    return shapes.standing(found, request.user) | shapes.state_of(game) | {"at": at}


@router.get("/{table}/choices", response=ChoicesOut, summary="What may be done now")
def choices(request: Request, table: Number) -> Any:
    """Everything anybody may do now, complete: what is not covered is refused. Fill open fields in
    from ``domains`` and send the ``action``."""
    found = begun(request, table)
    game = tables.open_game(found).game
    told = shapes.choices_of(game, tables.my_keys(found, request.user))
    return shapes.standing(found, request.user) | {"choices": told}


@router.get("/{table}/moves", response=MovesOut, summary="The log")
def moves(
    request: Request,
    table: Number,
    since: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=_PAGE)] = 100,
) -> Any:
    """What was sent after entry ``since``, oldest first, each with what it brought about in
    sentences; what was taken back later is there, too."""
    found = begun(request, table)
    opened = tables.open_game(found)
    told = shapes.moves_of(opened, found, since, limit)
    last = told[-1]["number"] if told else opened.version
    return {
        "moves": told,
        "version": opened.version,
        "next": last if last < opened.version else None,
    }


@router.post("/{table}/act", response=_DONE, auth=auth.play, summary="Act")
def act(request: Request, table: Number, data: ActIn) -> Any:
    """Carry out an action. 409 if the game has moved on since ``version``, with how it stands now;
    202 if others have a say in it and are asked first."""
    begun(request, table)
    return _submitted(request, table, data.action, data.version, data.agreed)


@router.post("/{table}/undo", response=_DONE, auth=auth.play, summary="Take back")
def undo(request: Request, table: Number, data: BackIn) -> Any:
    """Take back as far as the table's policy lets you; beyond that the others are asked (202)."""
    found = begun(request, table)
    target = data.to
    if target == "turn":
        target = tables.turn_start(found, tables.open_game(found).game, request.user)
        if target is None:
            sentence = "You have done nothing since somebody else acted."
            raise tables.Refused(sentence, "nothing_to_undo")
    place = _my_place(found, request)
    action = Undo(entity=place.key, entity_type="player", action_id=target)
    return _submitted(request, table, action, data.version, data.agreed)


@router.post("/{table}/redo", response=_DONE, auth=auth.play, summary="Restore")
def redo(request: Request, table: Number, data: AgainIn) -> Any:
    """Restore what was taken back last, as long as nothing else was done since."""
    place = _my_place(begun(request, table), request)
    action = Redo(entity=place.key, entity_type="player")
    return _submitted(request, table, action, data.version, data.agreed)


def _my_place(table: Table, request: Request) -> Place:
    mine = tables.my_places(table, request.user)
    if not mine:
        raise tables.Forbidden("You have no seat at this table.", "no_seat")
    return next((p for p in mine if p.key in table.acting), mine[0])


def _submitted(
    request: Request,
    pk: int,
    action: Action | Mapping[str, Any],
    version: int,
    agreed: bool,
) -> Any:
    try:
        table = tables.submit(pk, request.user, action, version, agreed=agreed)
    except tables.Stale as error:
        fresh = shapes.standing(Table.objects.get(pk=pk), request.user)
        raise TooLate(error, fresh) from error
    told = shapes.standing(table, request.user)
    question = told["question"]
    waits = question is not None and question["own"] and not question["refused"]
    return Status(202 if waits else 200, told)


class TooLate(tables.Stale):
    """The game has moved on; ``fresh``: how it stands now."""

    def __init__(self, error: tables.Stale, fresh: dict[str, Any]) -> None:
        super().__init__(error.sentence, error.code, error.rule)
        self.where, self.fresh = "body.version", fresh


@router.post("/{table}/check", response=Judgement, summary="May this be done?")
def check(request: Request, table: Number, data: CheckIn) -> Any:
    """Whether the rules allow an action now, and if not, why, with the section; whom one would ask
    first. Nothing is done."""
    found = begun(request, table)
    action = action_of(data.action, "body.action")
    game = tables.open_game(found).game
    fault = game.why_not(action)
    if fault is not None:
        return shapes.judgement(fault)
    if found.hotseat or not tables.my_keys(found, request.user):
        return {"legal": True}
    return {"legal": True, "asks": [p.name for p in _asked(found, game, request, action)]}


def _asked(table: Table, game: Game, request: Request, action: Action) -> list[Place]:
    return consent.asked(table, game, request.user, action)


def action_of(raw: Mapping[str, Any], where: str) -> Action:
    """An action at a place of the request. Raises :class:`Malformed`."""
    try:
        return tables.action_of(raw)
    except tables.Refused as fault:
        raise Malformed(fault.sentence, where) from fault


@router.post("/{table}/answer", response=Standing, auth=auth.play, summary="Answer a question")
def answer(request: Request, table: Number, data: AnswerIn) -> Any:
    """Agree, or not, to what another player would like to do; with the last yes it is done."""
    begun(request, table)
    found = tables.answer(table, request.user, data.agree)
    return shapes.standing(found, request.user)


@router.post("/{table}/withdraw", response=Standing, auth=auth.play, summary="Withdraw a question")
def withdraw(request: Request, table: Number) -> Any:
    """Take back the question you put to others."""
    begun(request, table)
    return shapes.standing(tables.withdraw(table, request.user), request.user)
