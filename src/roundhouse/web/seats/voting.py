"""Votes of all people at a table: to send away who is gone, and to end the game with its standings.

Sending away: as soon as more than half of the others agree; when the time is up, if more of those
who answered are for it than against it. Ending: as soon as two thirds of all agree; when the time
is up, if two thirds of those who answered do and they are more than half of all. A vote ends at
once when it cannot be carried any more, and is void if the player in question acts again.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from ...model.actions import EndGame
from .. import clock
from ..live import announce
from ..models import Barred, Move, Place, Table
from ..notices.current import checks
from ..notices.models import Notice
from ..pulse import each
from ..tables import Forbidden, Refused, open_game
from ..tables.acting import carry_out
from ..tables.happenings import wanted
from ..tables.rights import present
from . import changing
from .changing import own, running
from .models import Ballot, How, Policy, Vote

#: How long a vote is open.
OPEN_FOR = timedelta(days=3)


def policy_of(table: Table) -> Policy:
    """How somebody may be sent away from a table; its own rule, or the default."""
    return Policy.objects.filter(table=table).first() or Policy(table=table)


def set_policy(table_id: int, user: Any, removal: str, patience: int) -> Policy:
    """Who made a table says how somebody may be sent away, before the game begins."""
    table = Table.objects.get(pk=table_id)
    if table.creator_id != user.pk:
        raise Forbidden("Only who made the table may do that.", "not_yours")
    if table.status != Table.Status.OPEN:
        raise Refused("The game has begun; that is settled.", "begun")
    if removal not in Policy.Removal.values or not 1 <= patience <= 24 * 60:
        raise Refused("Choose one of the ways, and between 1 hour and 60 days.", "policy")
    given = {"removal": removal, "patience": patience}
    found, _ = Policy.objects.update_or_create(table=table, defaults=given)
    return found


def keeps_waiting(place: Place, now: datetime | None = None) -> bool:
    """Whether the game has waited for a seat as long as its table's patience lasts."""
    table = place.table
    patience = timedelta(hours=policy_of(table).patience)
    return place.key in table.acting and (now or clock.now()) - table.since >= patience


def voters(vote: Vote) -> list[Place]:
    """The seats that have a say: all people play themselves, but the one in question."""
    return [p for p in present(vote.table) if p.pk != vote.place_id]


# opening


def call_removal(table_id: int, user: Any, number: int) -> Table:
    """Send away who is gone: by a vote, opened with one's own yes, or at once by the host where the
    table's policy says so. Raises :class:`Refused` or :class:`Forbidden`."""
    with running(table_id) as table:
        mine = own(table, user)
        place = _other(table, mine, number)
        policy = policy_of(table)
        if not keeps_waiting(place):
            text = f"The game must have waited for {place.name} for {policy.patience} hours."
            raise Refused(text, "patience")
        if policy.removal == Policy.Removal.NEVER:
            raise Forbidden("At this table nobody is sent away.", "policy")
        if policy.removal == Policy.Removal.HOST:
            _check_host(table, user)
            _remove(place)
        else:
            _say(open_vote(table, Vote.Kind.REMOVE, place, user), mine, True)
    return table


def _check_host(table: Table, user: Any) -> None:
    if table.creator_id != user.pk:
        raise Forbidden("Only who made the table may do that.", "not_yours")


def _other(table: Table, mine: Place, number: int) -> Place:
    place = table.places.select_related("user").filter(number=number, bot="").first()
    if place is None or place.user is None or place == mine:
        raise Refused("Nobody else sits there.", "nobody")
    return place


def call_end(table_id: int, user: Any) -> Table:
    """Ask everybody to end the game here, with its standings; one's own yes is given."""
    with running(table_id) as table:
        _say(open_vote(table, Vote.Kind.END, None, user), own(table, user), True)
    table.refresh_from_db()
    return table


def open_vote(table: Table, kind: str, place: Place | None, user: Any) -> Vote:
    """A new vote; ``user`` None: the table's clock asks. The table's row is locked. Raises
    :class:`Refused` if the same is being voted on."""
    if Vote.objects.filter(table=table, kind=kind, place=place, outcome="").exists():
        raise Refused("That is being voted on already.", "open")
    now = clock.now()
    found: Vote = Vote.objects.create(
        table=table, kind=kind, place=place, by=user, opened=now, closes=now + OPEN_FOR
    )
    _tell(found)
    return found


def _tell(vote: Vote) -> None:
    places = vote.table.places.filter(pk__in=[p.pk for p in voters(vote)])
    pairs = ((p.user, p.partner) for p in places.select_related("user", "partner"))
    users = [u for pair in pairs for u in pair if u is not None and u != vote.by]
    what = "end the game here" if vote.place is None else f"send {vote.place.name} away"
    text = f"A vote: {what}?"
    wanted.send(Table, table=vote.table, users=users, key=f"vote:{vote.pk}", text=text)


def still_so(notice: Notice, number: int) -> bool:
    """Whether the vote a notice tells of is open, and its reader has not voted."""
    vote = Vote.objects.select_related("table").filter(pk=number, outcome="").first()
    if vote is None:
        return False
    said = {b.place_id for b in vote.ballots.all()}
    return any(
        p.pk not in said and notice.user_id in (p.user_id, p.partner_id) for p in voters(vote)
    )


checks["vote"] = still_so


# voting


def cast(table_id: int, user: Any, vote_id: int, yes: bool) -> Table:
    """Say yes or no; it may be changed while the vote is open."""
    with running(table_id) as table:
        mine = own(table, user)
        vote = Vote.objects.filter(table=table, pk=vote_id, outcome="").first()
        if vote is None:
            raise Refused("There is nothing to vote on any more.", "gone")
        if mine not in voters(vote):
            raise Forbidden("You have no say in this.", "not_yours")
        _say(vote, mine, yes)
    table.refresh_from_db()
    return table


def _say(vote: Vote, mine: Place, yes: bool) -> None:
    Ballot.objects.update_or_create(vote=vote, place=mine, defaults={"yes": yes})
    settle(vote)


def close(vote_id: int) -> None:
    """Settle a vote whose time is up; nothing happens if it is settled, or its time is not up."""
    found = Vote.objects.filter(pk=vote_id, outcome="").first()
    if found is None or found.closes > clock.now():
        return
    if found.table.status != Table.Status.RUNNING:
        found.outcome = Vote.Outcome.VOID
        with transaction.atomic():
            found.save(update_fields=["outcome"])
            announce(found.table, nudge=True)
        return
    with running(found.table_id) as table:
        vote = Vote.objects.filter(pk=vote_id, outcome="", table=table).first()
        if vote is not None:
            settle(vote, final=True)


def close_due() -> int:
    """Settle all votes whose time is up; how many."""
    due = Vote.objects.filter(outcome="", closes__lte=clock.now()).values_list("pk", flat=True)
    return len(each(due, close))


def settle(vote: Vote, *, final: bool = False) -> None:
    """Carry a vote out, or lay it aside, if it is decided; the table's row is locked."""
    outcome = _void(vote) or _outcome(vote, final)
    if not outcome:
        return
    vote.outcome = outcome
    vote.save(update_fields=["outcome"])
    if outcome != Vote.Outcome.CARRIED:
        return
    if vote.kind == Vote.Kind.END:
        _end(vote)
    elif vote.place is not None:
        _remove(vote.place)


def _void(vote: Vote) -> str:
    place = vote.place
    if vote.kind == Vote.Kind.END or place is None:
        return ""
    back = Move.objects.filter(table=vote.table_id, user=place.user_id, at__gt=vote.opened)
    gone = place.user_id is None or back.exclude(action__contains='"type":"message"').exists()
    return Vote.Outcome.VOID if gone else ""


def _outcome(vote: Vote, final: bool) -> str:
    """What the ballots come to; empty: it is still open."""
    entitled = {p.pk for p in voters(vote)}
    said = [b.yes for b in vote.ballots.all() if b.place_id in entitled]
    yes, no, all_ = sum(said), len(said) - sum(said), len(entitled)
    if vote.kind == Vote.Kind.END:
        sure, lost = 3 * yes >= 2 * all_, 3 * no > all_
        late = 3 * yes >= 2 * (yes + no) and 2 * yes > all_
    else:
        sure, lost = 2 * yes > all_, 2 * no >= all_
        late = yes > no
    if all_ and (sure or (final and late)):
        return Vote.Outcome.CARRIED
    return Vote.Outcome.LOST if lost or final else ""


# carrying out


def _remove(place: Place) -> None:
    if place.user is not None:
        Barred.objects.get_or_create(table=place.table, user=place.user)
    changing.vacate(place, How.SENT_AWAY)


def _end(vote: Vote) -> None:
    table = vote.table
    player = table.places.order_by("number")[0].key
    action = EndGame(entity=player, entity_type="player")
    carry_out(table, open_game(table).game.copy(), vote.by, action)
