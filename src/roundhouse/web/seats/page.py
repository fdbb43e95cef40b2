"""A table's seats and votes as one viewer sees them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..models import Place, Table
from ..tables.rights import alone
from . import changing, voting
from .models import Invitation, Policy, Sitting, Vote


class Ballots(Struct):
    """A vote: what it is about, who has said what, until when; ``mine``: the viewer may vote."""

    number: int
    text: str
    yes: list[str]
    no: list[str]
    waiting: list[str]
    closes: Any
    mine: bool
    said: bool | None

    @property
    def pending(self) -> bool:
        """Whether the viewer is to vote still."""
        return self.mine and self.said is None

    @property
    def other(self) -> str:
        """What the viewer did not say."""
        return "no" if self.said else "yes"


class Invited(Struct):
    """An open invitation of the viewer's, or to him."""

    word: str
    seat: str
    whom: str
    by: str
    partner: bool


class Seats(Struct):
    """What is not as usual with the seats. ``away``: the server plays for the viewer."""

    free: list[Place]
    away: bool
    votes: list[Ballots]
    invitations: list[Invited]
    seated: bool

    @property
    def any(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.free or self.away or self.votes or self.invitations)


def seats_of(table: Table, user: Any) -> Seats:
    """The panel at the table."""
    mine = seat_of(table, user) or alone(table, user)
    votes = [vote for vote in table.votes.all() if not vote.outcome]
    invitations = (i for p in table.all_places for i in p.invitations.all())
    to_me = [i for i in invitations if user.is_authenticated and i.user_id == user.pk]
    return Seats(
        changing.free_places(table) if _running(table) else [],
        mine is not None and bool(mine.bot) and table.status == Table.Status.RUNNING,
        [_ballots(vote, mine) for vote in votes],
        [_invited(i) for i in to_me],
        mine is not None,
    )


def shown_at(table: Table, user: Any) -> Seats | None:
    """The panel at the table, where there may be anything in it: at one screen only if a bot plays
    for who sits there."""
    if table.hotseat and not ((mine := alone(table, user)) and mine.bot):
        return None
    return seats_of(table, user)


def seat_of(table: Table, user: Any) -> Place | None:
    """The viewer's own seat."""
    if not user.is_authenticated or table.hotseat:
        return None
    return next((p for p in table.all_places if user.pk in (p.user_id, p.partner_id)), None)


def _running(table: Table) -> bool:
    return table.status == Table.Status.RUNNING and not table.hotseat


def _ballots(vote: Vote, mine: Place | None) -> Ballots:
    entitled = voting.voters(vote)
    said = {b.place_id: b.yes for b in vote.ballots.all()}
    text = "End the game here, with the standings as they are?"
    if vote.place is not None:
        text = f"Send {vote.place.name} away, who keeps the game waiting?"
    return Ballots(
        vote.pk,
        text,
        [p.name for p in entitled if said.get(p.pk) is True],
        [p.name for p in entitled if said.get(p.pk) is False],
        [p.name for p in entitled if p.pk not in said],
        vote.closes,
        mine in entitled and mine is not None,
        said.get(mine.pk) if mine is not None else None,
    )


def _invited(found: Invitation) -> Invited:
    whom = found.user.get_username() if found.user is not None else ""
    return Invited(found.word, found.place.name, whom, found.by.get_username(), found.partner)


class House(Struct):
    """What the page of people shows of seats. ``alone``: against bots, at one screen."""

    mine: Place | None
    running: bool
    alone: bool
    host: bool
    policy: Policy
    removals: list[tuple[str, str]]
    free: list[Place]
    gone: list[int]
    own: list[Invited]
    panel: Seats
    record: list[Sitting]


def house_of(table: Table, user: Any) -> House:
    """The page of people."""
    mine, running = seat_of(table, user) or alone(table, user), _running(table)
    others = [p for p in table.all_places if p.user_id and not p.bot and p != mine]
    own = Invitation.objects.filter(place__table=table, by=user).select_related("place", "user")
    return House(
        mine,
        running,
        table.hotseat and mine is not None and table.status == Table.Status.RUNNING,
        table.creator_id == user.pk,
        voting.policy_of(table),
        list(Policy.Removal.choices),
        changing.free_places(table) if running else [],
        [p.number for p in others if running and voting.keeps_waiting(p)],
        [_invited(i) for i in own],
        seats_of(table, user),
        list(Sitting.objects.filter(place__table=table).select_related("place")),
    )
