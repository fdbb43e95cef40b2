"""Addresses that are told about an account's games as soon as something happens: for programs.

What is told is the event of the account's stream, signed as all hooks are (``notices/ways``). A
task of the queue is written with the move itself, so that nothing is told that has not happened.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.dispatch import receiver

from ...game import Game
from .. import clock, outward
from ..deals.models import Deal
from ..models import Place, Table
from ..notices.ways import Lost
from ..notices.ways.hooks import deliver
from ..prepared import Prepared
from ..tables import happenings, my_places
from ..tables.faults import Refused
from . import shapes
from .models import Webhook

log = logging.getLogger(__name__)

EVENTS: Final = ("start", "turn", "question", "end")
#: Hooks an account may have.
MOST = 10
#: Seconds after which it is tried again, each time.
_AGAIN: Final = (10, 60, 600, 3600, 6 * 3600)
#: Events in a row that did not arrive after which a hook is told nothing more.
_MISSES = 20


def make(user: Any, url: str, events: Iterable[str]) -> Webhook:
    """A new hook of somebody's. Raises :class:`Refused`."""
    try:
        outward.check(url)
    except outward.Unreachable as error:
        raise Refused(str(error), "address") from error
    wanted = [e for e in EVENTS if e in set(events)] or list(EVENTS)
    with transaction.atomic():
        own = Webhook.objects.filter(user=user)
        if own.filter(url=url).exists():
            raise Refused("You have a webhook for this address already.", "known")
        if own.count() >= MOST:
            raise Refused(f"You have {MOST} webhooks already.", "too_many_hooks")
        return Webhook.objects.create(user=user, url=url, events=wanted)


@receiver(happenings.moved)
def moved(table: Table, game: Game, user: Any, action: Any, before: list[Any], **more: Any) -> None:
    """The game has begun, or an action was carried out."""
    head = {"table": table.pk, "title": table.title, "version": table.version}
    for hook in _hooks(table):
        if action is None:
            _tell(hook, {"type": "start", **head, "seats": _keys(table, hook)})
        if shapes.my_turn(table, hook.user):
            _tell(hook, {"type": "turn", **head, "round": table.round})
        if table.status == Table.Status.FINISHED:
            _tell(hook, {"type": "end", **head, "result": table.result})


@receiver(happenings.asked)
def asked(table: Table, question: Deal, **more: Any) -> None:
    """A question was put, or answered without ending it."""
    head = {"table": table.pk, "title": table.title, "version": table.version}
    for hook in _hooks(table):
        mine = {p.number for p in my_places(table, hook.user)}
        if question.open and mine & set(question.waiting):
            _tell(hook, {"type": "question", **head})


def _keys(table: Table, hook: Webhook) -> list[Any]:
    return [p.key for p in my_places(table, hook.user)]


def _hooks(table: Table) -> list[Webhook]:
    return _OF_ONE.all(table.creator_id or 0) if table.hotseat else _OF_ALL.all(table.pk)


def _good() -> QuerySet[Webhook]:
    return Webhook.objects.filter(off=False).select_related("user")


def _acting(table: int) -> Q:
    """Users who act for a seat of a table."""
    seats = Place.objects.filter(table=table)
    users = (Q(user__in=seats.values(name)) for name in ("user", "partner", "deputy"))
    return reduce(or_, users)


_OF_ONE = Prepared(lambda user: _good().filter(user=user), int)
_OF_ALL = Prepared(lambda table: _good().filter(_acting(table)), int)


def _tell(hook: Webhook, event: dict[str, Any]) -> None:
    from .tasks import deliver

    if event["type"] in hook.events:
        told = {"id": str(uuid4()), "at": clock.now().isoformat(), **event}
        deliver.enqueue(hook.pk, json.dumps(told, ensure_ascii=False))


def ping(hook: Webhook) -> None:
    """Try a hook out, now. Raises :class:`Refused` with what went wrong."""
    told = {"id": str(uuid4()), "type": "ping", "at": clock.now().isoformat()}
    try:
        deliver(hook.url, hook.secret, json.dumps(told).encode(), told["id"])
    except Lost as fault:
        raise Refused(str(fault)[:300], "hook") from fault
    Webhook.objects.filter(pk=hook.pk).update(misses=0, fault="", off=False)


def tell(hook: int, body: str, tries: int = 0) -> bool:
    """Tell a hook; if it cannot be told, again later. Whether it was."""
    found = Webhook.objects.filter(pk=hook, off=False).first()
    if found is None:
        return False
    try:
        deliver(found.url, found.secret, body.encode(), json.loads(body)["id"])
    except Lost as fault:
        _missed(found, body, tries, fault)
        return False
    Webhook.objects.filter(pk=hook).update(misses=0, fault="")
    return True


def _missed(hook: Webhook, body: str, tries: int, fault: Lost) -> None:
    rows = Webhook.objects.filter(pk=hook.pk)
    if fault.gone:
        rows.update(off=True, fault=str(fault)[:300])
    elif tries < len(_AGAIN) and not fault.lasting:
        rows.update(fault=str(fault)[:300])
        again(hook.pk, body, tries + 1, max(_AGAIN[tries], fault.after))
    else:
        rows.update(misses=F("misses") + 1, fault=str(fault)[:300])
        rows.filter(misses__gte=_MISSES).update(off=True)


def again(hook: int, body: str, tries: int, seconds: int) -> None:
    """Tell a hook later."""
    from .tasks import deliver

    later = clock.now() + timedelta(seconds=seconds)
    deliver.using(run_after=later).enqueue(hook, body, tries)
