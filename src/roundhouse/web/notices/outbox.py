"""The outbox: what is due is sent, once, whatever becomes of the workers.

A worker takes what is due for one channel, for a minute and a half by the machine's clock, sends
it, and notes that it arrived. If it dies in between, another one takes it again, under the same
number, by which mail readers, browsers and hooks know that they have it. What fails is tried again
later and later.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.utils.crypto import get_random_string

from .. import clock
from ..presence import looks
from . import quiet, recipients
from .current import still_so
from .models import Channel, Delivery, Kind, Notice, Way
from .ways import Lost, Parcel, hooks, letters, push

#: Seconds a worker has for a message.
LEASE = 90.0
#: After how long a message that did not arrive is sent again; after the last it is given up.
AGAIN = tuple(timedelta(minutes=m) for m in (1, 4, 15, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60))
#: Messages sent through one channel together at most.
_TOGETHER = 50

_SEND: dict[str, Callable[[Parcel], None]] = {
    Way.MAIL: letters.send,
    Way.HOOK: hooks.send,
    Way.PUSH: push.send,
}

log = logging.getLogger(__name__)


def deliver_due() -> int:
    """Send what is due through one channel; how many notices that were."""
    mine = _taken()
    if not mine:
        return 0
    channel = mine[0].channel
    wanted = [d for d in mine if _wanted(d)]
    _note([d for d in mine if d not in wanted], state=Delivery.State.IDLE)
    wanted = _not_while_quiet(channel, wanted)
    if wanted:
        _send(channel, wanted)
    return len(mine)


def _taken() -> list[Delivery]:
    """What is due for one channel, and now this worker's."""
    waiting = Delivery.objects.filter(
        state=Delivery.State.WAITING, due__lte=clock.now(), taken__lt=clock.machine()
    )
    first = waiting.order_by("due", "pk").values_list("channel", flat=True).first()
    if first is None:
        return []
    by = get_random_string(24)
    some = waiting.filter(channel=first).order_by("pk").values_list("pk", flat=True)[:_TOGETHER]
    waiting.filter(pk__in=list(some)).update(taken=clock.machine() + LEASE, by=by)
    found = Delivery.objects.filter(by=by, state=Delivery.State.WAITING)
    return list(
        found.select_related("notice__table", "notice__user", "channel__user").order_by("pk")
    )


def _wanted(delivery: Delivery) -> bool:
    """Whether what is told is still so, and the person does not see it anyway."""
    notice = delivery.notice
    if not notice.user.is_active or (delivery.tries and _too_late(notice)):
        return False
    if not still_so(notice):
        return False
    urges, table = notice.kind in (Kind.TURN, Kind.ASKED, Kind.NEAR), notice.table
    return not (urges and table is not None and looks(notice.user, table))


def _too_late(notice: Notice) -> bool:
    return clock.now() - notice.at > timedelta(days=7)


def _not_while_quiet(channel: Channel, found: list[Delivery]) -> list[Delivery]:
    """What is late may have come into somebody's night: it waits for the morning."""
    now = clock.now()
    until = quiet.not_before(recipients.hours_of(channel.user), now)
    if until <= now:
        return found
    _note(found, due=until, taken=0)
    return []


def _send(channel: Channel, found: list[Delivery]) -> None:
    parcel = Parcel(channel, [d.notice for d in found], _number(found))
    try:
        _SEND[channel.way](parcel)
    except Lost as fault:
        _failed(channel, found, fault)
    except Exception:  # else it would be tried every minute and a half for good
        log.exception("Channel %s fails.", channel.pk)
        _failed(channel, found, Lost("it fails by a fault of the program"))
    else:
        _note(found, state=Delivery.State.SENT, sent=clock.now(), fault="")
        if channel.fault:
            Channel.objects.filter(pk=channel.pk).update(fault="")


def _number(found: list[Delivery]) -> str:
    """The same for the same notices through the same channel, and for no others."""
    text = ",".join(str(d.pk) for d in found) + found[0].channel.secret
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _failed(channel: Channel, found: list[Delivery], fault: Lost) -> None:
    log.info("Channel %s: %s", channel.pk, fault)
    Channel.objects.filter(pk=channel.pk).update(fault=str(fault))
    if fault.gone and channel.way == Way.PUSH:
        channel.delete()  # the browser has signed off
        return
    if fault.gone:
        Channel.objects.filter(pk=channel.pk).update(good=False)
    with transaction.atomic():
        for delivery in found:
            _put_off(delivery, fault)


def _put_off(delivery: Delivery, fault: Lost) -> None:
    tries, change = delivery.tries + 1, {"fault": str(fault), "taken": 0.0}
    more = {"tries": tries}
    if fault.lasting or tries > len(AGAIN):
        _note([delivery], state=Delivery.State.FAILED, **change, **more)
    else:
        pause = max(AGAIN[tries - 1], timedelta(seconds=fault.after))
        _note([delivery], due=clock.now() + pause, **change, **more)


def _note(found: list[Delivery], **change: object) -> None:
    Delivery.objects.filter(pk__in=[d.pk for d in found]).update(**change)


def try_out(channel: Channel) -> str:
    """Send a test at once; why it did not arrive, or nothing."""
    notice = Notice(
        user=channel.user,
        kind=Kind.MESSAGE,
        key="test",
        subject="A test from Roundhouse",
        text="If you can read this, notices reach you here.",
        path="/notices/",
        at=clock.now(),
    )
    try:
        _SEND[channel.way](Parcel(channel, [notice], f"test-{get_random_string(24)}"))
    except Lost as fault:
        Channel.objects.filter(pk=channel.pk).update(fault=str(fault))
        return str(fault)
    Channel.objects.filter(pk=channel.pk).update(fault="", good=True)
    return ""
