"""What-if as branches, and what is said of games that are over."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import transaction
from django.http import Http404
from ninja import Query, Router, Status

from ... import limits, tables
from ...models import Table
from ...study import analysis, branching, cloning, comparing, handing
from ...study.models import Branch, Remark
from ...study.page import begun_at
from .. import auth, shapes
from ..schemas.common import Done, Number
from ..schemas.study import (
    BranchChange,
    BranchesOut,
    BranchIn,
    BranchOut,
    CloneIn,
    ComparisonOut,
    HandIn,
    HandingOut,
    RemarkIn,
    RemarkOut,
    RemarksOut,
)
from ..schemas.tables import TableOut
from .common import Request, begun, table_for
from .play import TooLate

router = Router(tags=["Study"], auth=auth.seats)

Against = Annotated[int | None, Query(ge=0, le=2**53, description="id of an action of the game")]


@router.get("/{table}/branches", response=BranchesOut, auth=auth.read, summary="Branches")
def branches(request: Request, table: Number) -> Any:
    """Your branches of a game, and those all may see since it is over."""
    found = begun(request, table)
    own = branching.branches_of(found, request.user)
    seen = tables.may_see(found.root, request.user)
    published = analysis.variations_of(found.root) if seen else []
    return {
        "own": [_told(b, request.user) for b in own],
        "published": [_told(b, request.user) for b in published],
    }


@router.post("/{table}/branches", response={201: BranchOut}, summary="Begin a branch")
def begin(request: Request, table: Number, data: BranchIn) -> Any:
    """Play on in private from any point of a game or branch: a table of its own, whose seats are
    all yours. It gives the help its game gives; where that is none, it is refused."""
    found = begun(request, table)
    limits.count("new-branch", limits.visitor(request))
    try:
        made = branching.begin(found, request.user, data.at, data.name)
    except ValueError as error:
        raise Http404(tables.as_sentence(error)) from error
    return Status(201, _told(made.branch, request.user))


@router.get("/{table}/branch", response=BranchOut, auth=auth.read, summary="A branch")
def branch(request: Request, table: Number) -> Any:
    """What a branch is of, from where, and who may see it."""
    return _told(_branch(request, table), request.user)


@router.patch("/{table}/branch", response=BranchOut, summary="Change a branch")
def change(request: Request, table: Number, data: BranchChange) -> Any:
    """Rename it; share it by its link, or take the link back for good; publish it as a variation of
    a game that is over, or make it private again."""
    _branch(request, table)
    with transaction.atomic():  # all of it or nothing
        if data.name is not None:
            branching.rename(table, request.user, data.name)
        if data.shared is not None:
            branching.share(table, request.user, on=data.shared)
        if data.published is not None:
            analysis.publish(table, request.user, on=data.published)
    return _told(branching.branch_of(table, request.user), request.user)


@router.delete("/{table}/branch", response=Done, summary="Delete a branch")
def delete(request: Request, table: Number) -> Any:
    """Throw a branch of yours away."""
    _branch(request, table)
    branching.delete(table, request.user)
    return {"ok": True}


@router.get("/{table}/compare", response=ComparisonOut, auth=auth.read, summary="Compare")
def compare(request: Request, table: Number, against: Against = None) -> Any:
    """A branch beside its game, at a moment of the game (none: the end of the same round)."""
    found = _with_its_game(request, table)
    live, here = tables.open_game(found.root).game, tables.open_game(found).game
    try:
        told = comparing.compare(live, here, begun_at(found, here), against)
    except ValueError as error:
        raise Http404(tables.as_sentence(error)) from error
    return shapes.plain(told)


@router.get("/{table}/hand-over", response=HandingOut, auth=auth.account, summary="What fits")
def fits(request: Request, table: Number) -> Any:
    """What of a branch of yours fits its game as it stands, action by action."""
    found = _with_its_game(request, table)
    branching.branch_of(table, request.user)
    return _fits(found, request.user)


@router.post("/{table}/hand-over", response=HandingOut, auth=auth.play, summary="Hand over")
def hand_over(request: Request, table: Number, data: HandIn) -> Any:
    """Do in the game what was done in a branch of yours, as far as it is ready: what others did
    must have happened likewise, and only what is yours to decide is done. 409 if the game has moved
    on since ``version``."""
    found = _with_its_game(request, table)
    branching.branch_of(table, request.user)
    count = data.count or 1000
    try:
        done, fault = handing.hand_over(found, request.user, data.version, count)
    except tables.Stale as error:
        raise TooLate(error, shapes.standing(found.root, request.user)) from error
    told = _fits(Table.objects.get(pk=table), request.user)
    return told | {"done": done, "why": fault or told["why"]}


@router.post("/{table}/clone", response={201: TableOut}, summary="Make it a table of its own")
def clone(request: Request, table: Number, data: CloneIn | None = None) -> Any:
    """Another game from where a branch or a game stands: at one screen, or with a seat of yours and
    bots or others on the rest. Nothing that was said goes with it. Refused while a game runs that
    gives no advice."""
    found, wanted = begun(request, table), data or CloneIn()
    limits.count("new-table", limits.visitor(request))
    if wanted.seat is None:
        if wanted.others:
            raise tables.Refused("Say which seat is yours; at one screen all are.", "malformed")
        made = cloning.clone(found, request.user, wanted.name)
    else:
        kind = wanted.others or ""
        made = cloning.clone_for(found, request.user, wanted.seat, kind, wanted.name)
    return Status(201, shapes.table_of(made, request.user))


@router.get("/{table}/remarks", response=RemarksOut, auth=auth.read, summary="The analysis")
def remarks(request: Request, table: Number) -> Any:
    """What is said of the moments of a game that is over."""
    return {"remarks": [_remark(r) for r in analysis.remarks_of(begun(request, table))]}


@router.post("/{table}/remarks", response={201: RemarkOut}, auth=auth.chat, summary="Remark")
def remark(request: Request, table: Number, data: RemarkIn) -> Any:
    """Say something of a moment of a game that is over and that you have played."""
    found = begun(request, table)
    limits.count("chat", limits.visitor(request))
    return Status(201, _remark(analysis.note(found, request.user, data.after, data.text)))


@router.delete("/{table}/remarks/{number}", response=Done, auth=auth.chat, summary="Unsay")
def unsay(request: Request, table: Number, number: Number) -> Any:
    """Take a remark of yours away."""
    analysis.forget(begun(request, table), request.user, number)
    return {"ok": True}


def _branch(request: Request, pk: int) -> Branch:
    """A branch the sender may look at. Raises :class:`Http404`."""
    found = table_for(request, pk)
    if found.parent_id is None:
        raise Http404("This is no branch.")
    return Branch.objects.select_related("table__parent", "table__creator").get(table=found)


def _with_its_game(request: Request, pk: int) -> Table:
    """A branch the sender may look at, as he may at its game. Raises :class:`Http404`."""
    found = _branch(request, pk).table
    table_for(request, found.root.pk)
    return found


def _fits(branch: Table, user: Any) -> dict[str, Any]:
    """How a branch fits its game, as :class:`~..study.HandingOut`."""
    told = handing.handing_of(branch, user)
    return {**shapes.plain(told), "ready": len(told.ready)}


def _told(branch: Branch, user: Any) -> dict[str, Any]:
    """A branch as :class:`~..study.BranchOut`."""
    table = branch.table
    mine = user.is_authenticated and table.creator_id == user.pk
    log = tables.open_game(table.root).game.log
    return {
        "id": table.pk,
        "game": table.root.pk,
        "after": (log[table.point - 1].action.id or 0) if table.point else 0,
        "name": table.description,
        "mine": mine,
        "by": table.creator.get_username() if table.creator else None,
        "shared": branch.shared,
        "invite": table.invite if mine and branch.shared else None,
        "published": branch.published,
        "version": table.version,
        "status": table.status,
        "round": table.round,
        "created": table.created,
        "aside": len(branch.aside),
        "why": branch.why,
    }


def _remark(said: Remark) -> dict[str, Any]:
    """A remark as :class:`~..study.RemarkOut`."""
    by = said.author or (said.by.get_username() if said.by else "")
    return {"id": said.pk, "after": said.after, "text": said.text, "by": by}
