"""Choosing a clock, and changing it by agreement."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction

from ..live import announce
from ..models import Place, Table
from ..notices.current import checks
from ..notices.models import Kind, Notice
from ..notices.receivers import called
from ..notices.recipients import Word, people_of, tell
from ..prepared import Prepared
from ..seats import changing
from ..seats.models import How
from ..tables import Forbidden, Refused
from ..tables.rights import present
from . import keeping
from .models import Clock, Proposal

_H, _D = timedelta(hours=1), timedelta(days=1)

#: Usual clocks: what they are called, and their terms. The first is none.
PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("none", {}),
    "day": ("a day for each turn", {"turn": _D}),
    "days": ("three days for each turn", {"turn": 3 * _D}),
    "week": (
        "slow: a week in all, 12 hours more a day",
        {"kind": "budget", "budget": 7 * _D, "daily": 12 * _H, "most": 10 * _D},
    ),
    "live": (
        "live: an hour in all, a minute more a turn",
        {"kind": "budget", "budget": _H, "increment": _H / 60, "nights": False, "vacation": 0},
    ),
}


def choose(table_id: int, user: Any, fields: dict[str, Any] | None) -> None:
    """Who made a table gives it a clock, or none, before the first action."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.creator_id != user.pk:
            raise Forbidden("Only who made the table may do that.", "not_yours")
        if table.version or table.hotseat:
            raise Refused("The game has begun; its clock is settled.", "begun")
        if fields is None:
            Clock.objects.filter(table=table).delete()
        else:
            Clock.objects.update_or_create(table=table, defaults=fields)
            keeping.follow(table)
        announce(table, nudge=True)


def propose(table_id: int, user: Any, kind: str, amount: timedelta = timedelta(0)) -> None:
    """Ask the others to stop the clock, to let it go on, or for more time."""
    with transaction.atomic():
        table, mine = _at(table_id, user)
        found = _clock(table)
        if kind not in ("resume" if found.paused else "pause", "more"):
            raise Refused("That cannot be proposed now.", "not_now")
        if kind == "more" and not timedelta(0) < amount <= 60 * _D:
            raise Refused("Ask for something between a minute and 60 days.", "malformed")
        place = mine if kind == "more" else None
        Proposal.objects.filter(table=table, kind=kind, place=place).delete()
        proposal = Proposal.objects.create(
            table=table, kind=kind, place=place, by=mine, amount=amount, agreed=[mine.number]
        )
        if not _settle(table, proposal):
            _ask(table, proposal, mine)
        announce(table, nudge=True)


def answer(table_id: int, user: Any, pk: int, *, yes: bool) -> None:
    """Agree to a proposal, or not; a no ends it."""
    with transaction.atomic():
        table, mine = _at(table_id, user)
        proposal = Proposal.objects.filter(table=table, pk=pk).first()
        if proposal is None or (proposal.kind == "bot" and proposal.place_id == mine.pk):
            raise Refused("There is nothing to agree to any more.", "gone")
        if not yes:
            proposal.delete()
        else:
            proposal.agreed = sorted({*proposal.agreed, mine.number})
            proposal.save()
            _settle(table, proposal)
        announce(table, nudge=True)


def _at(table_id: int, user: Any) -> tuple[Table, Place]:
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.status != Table.Status.RUNNING or table.hotseat:
        raise Refused("No clock runs here.", "not_now")
    return table, changing.own(table, user)


def _clock(table: Table) -> Clock:
    found = Clock.objects.filter(table=table).first()
    if found is None:
        raise Refused("This table has no clock.", "not_now")
    return found


def asked(table: Table, proposal: Proposal) -> list[Place]:
    """The places whose people have not answered yet."""
    return [p for p in _voters(table, proposal) if p.number not in proposal.agreed]


def _voters(table: Table, proposal: Proposal) -> list[Place]:
    late = proposal.place_id if proposal.kind == "bot" else None
    return [p for p in present(table) if p.pk != late]


def _settle(table: Table, proposal: Proposal) -> bool:
    """Do what was proposed once enough agree."""
    voters = _voters(table, proposal)
    yes = sum(p.number in proposal.agreed for p in voters)
    enough = len(voters) // 2 + 1 if proposal.kind == "bot" else len(voters)
    if yes < enough:
        return False
    place, found = proposal.place, _clock(table)
    kind, amount = proposal.kind, proposal.amount
    proposal.delete()
    if kind == "pause" and not found.paused:
        keeping.pause(table, found)
    elif kind == "resume" and found.paused:
        keeping.resume(table, found)
    elif kind == "more" and place is not None:
        keeping.grant(place, amount)
    elif kind == "bot" and place is not None and place.key in table.acting and not place.bot:
        changing.stand_in(place, How.LATE)
    return True


def _ask(table: Table, proposal: Proposal, mine: Place) -> None:
    what = "asks for more time" if proposal.kind == "more" else f"would like {said(proposal)}"
    for user in people_of(asked(table, proposal)):
        word = Word(
            Kind.ASKED, f"clock:{proposal.pk}", f"{mine.name} {what}: {called(table)}",
            "Everybody has to agree.", f"/table/{table.pk}/time/", table,
        )  # fmt: skip
        tell(user, word)


def still_so(notice: Notice, number: int) -> bool:
    """Whether somebody is still asked to agree to what a notice tells of."""
    proposal = Proposal.objects.select_related("table").filter(pk=number).first()
    return proposal is not None and notice.user in people_of(asked(proposal.table, proposal))


checks["clock"] = still_so


def said(proposal: Proposal) -> str:
    """What is proposed, in words."""
    return str(Proposal.Kind(proposal.kind).label)


def lapse(table: Table, place: Place) -> None:
    """Who was late has acted: nobody needs to stand in for him."""
    for proposal in _ABOUT.all(place.pk):
        proposal.delete()


_ABOUT = Prepared(lambda place: Proposal.objects.filter(kind="bot", place=place), int)
