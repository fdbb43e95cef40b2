"""What a player may promise. Records only, which JSON can hold; what they do is in
:mod:`.keeping`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ..model.actions import Action, Amount, AnyAction, Count, Name

Percent: TypeAlias = Annotated[int, Meta(ge=1, le=200)]


class Promise(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """What all promises share."""


class BidUpTo(Promise, tag="bid", frozen=True):
    """Bid the least possible for a private ``company``, a ``corporation`` or a ``minor``, as often
    as needed, while it costs no more than ``limit``. None named: an auction of no named thing.

    ``start``: also begin, where nobody has bid yet, or buy outright. ``leave``: pass once it costs
    more while it is being fought for. ``rest``: pass too where one leads already.
    """

    limit: Count
    company: Name | None = None
    corporation: Name | None = None
    minor: Name | None = None
    start: bool = False
    leave: bool = True
    rest: bool = False

    @property
    def item(self) -> str | None:
        """What it is for."""
        return self.company or self.corporation or self.minor


class PassUntil(Promise, tag="pass", frozen=True):
    """Pass when on turn: ``once``, until the end of this ``round``, or in ``all`` rounds of its
    kind. ``heedless``: whatever the others do; else it ends with what concerns the player.
    ``surcharge``: it ends when something on offer costs no more than this above its face value."""

    until: Literal["once", "round", "all"] = "round"
    heedless: bool = False
    surcharge: Count | None = None


class PassFor(Promise, tag="pass for", frozen=True):
    """Pass for companies one leads. ``where``: short name of a round → the companies (none named:
    all); ``minors``: for minors only. ``doing``: only where nothing but these types of actions
    could be done. ``until_another``: it ends when another company converts, merges or is bought.
    ``lasting``: beyond the present round."""

    where: dict[Name, tuple[Name, ...]]
    doing: tuple[Name, ...] = ()
    minors: bool = False
    until_another: bool = False
    lasting: bool = False


class BuyUntil(Promise, tag="buy", frozen=True):
    """Buy one certificate of a corporation a turn, and pass what is left of the turn, until it has
    floated (``float``), none is left (``gone``), or one holds so many percent.

    ``source``: where from; ``at_most``: the highest price of a share; ``then_pass``: pass
    afterwards until the end of the round. ``heedless``: as in :class:`PassUntil`.
    """

    corporation: Name
    until: Literal["float", "gone"] | Percent = "gone"
    source: Literal["any", "market", "treasury"] = "any"
    at_most: Count | None = None
    then_pass: bool = False
    heedless: bool = False


class Condition(Struct, frozen=True, omit_defaults=True):
    """``what`` of whom (``of``) compared with a number: the share ``price``, the ``treasury``, the
    number of ``trains`` or the ``loans`` of a company; one's own ``cash`` or ``holding`` (percent)
    of a company; the ``worth`` of all one has."""

    what: Literal["price", "treasury", "trains", "loans", "cash", "holding", "worth"]
    is_: Literal["<=", ">=", "="] = msgspec.field(name="is")
    amount: Amount
    of: Name = ""


class Order(Promise, tag="order", frozen=True):
    """Once: when on turn and all conditions hold, do something. Of equal certificates any is as
    good as the ones named."""

    do: AnyAction
    when: tuple[Condition, ...] = ()


class RunAsLast(Promise, tag="run", frozen=True):
    """Let a company run the routes of its last run and pay in the same way, while its trains, its
    stations and the map in its reach are as they were and the routes earn the same. ``rest``: pass
    everything else of its turn. ``rests_on``: a fingerprint of all that, made by
    :func:`~roundhouse.promises.repeating.as_last`."""

    company: Name
    rests_on: str
    earns: Amount
    rest: bool = False


class Agree(Promise, tag="agree", frozen=True):
    """Answer when asked to agree: yes or no to an action of a type (none named: any) about a thing
    (``about``: a train's id or type, a company), ``from_`` so much on, and up to so much."""

    yes: bool
    types: tuple[Name, ...] = ()
    about: Name | None = None
    from_: Amount | None = msgspec.field(default=None, name="from")
    up_to: Amount | None = None


class Plan(Promise, tag="plan", frozen=True):
    """A whole turn: actions to be done one after the other. Before each, all that are left are
    tried out on a copy of the game. ``costs``: by how much each changed the money of the player and
    of who acts when it was planned; if it would be another amount the plan ends."""

    actions: tuple[AnyAction, ...]
    costs: tuple[Amount, ...] = ()


AnyPromise: TypeAlias = BidUpTo | PassUntil | PassFor | BuyUntil | Order | RunAsLast | Agree | Plan

_decoder = msgspec.json.Decoder(AnyPromise)


def encode(promise: Promise) -> str:
    """A promise as JSON."""
    return msgspec.json.encode(promise).decode()


def decode(raw: str | bytes) -> AnyPromise:
    """The promise again. Raises :class:`msgspec.ValidationError`, or its parent
    :class:`msgspec.DecodeError` if this is no JSON."""
    found: AnyPromise = _decoder.decode(raw)
    return found


class Held(Struct, frozen=True):
    """A promise and its owner (a player's key). ``since``: the id of the last action when it was
    made; ``round``: the round it was made in, as :func:`round_key` gives it."""

    promise: AnyPromise
    owner: str
    since: int = 0
    round: str = ""


class Act(Struct, frozen=True):
    """Do this now. ``then``: what the promise is afterwards; None: it is kept."""

    action: Action
    why: str
    then: AnyPromise | None = None


class Stopped(Struct, frozen=True):
    """The promise is over, and why."""

    why: str


class Wait(Struct, frozen=True):
    """Nothing now."""


Verdict: TypeAlias = Act | Stopped | Wait
