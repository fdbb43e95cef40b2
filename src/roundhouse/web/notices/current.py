"""Whether what a notice tells is still so when it is sent: a turn may be over by then, a question
answered. The first word of a notice's key says what kind of thing it is about; each app says of its
own."""

from __future__ import annotations

from collections.abc import Callable

from ..deals.models import Deal
from ..models import Place
from . import turns
from .models import Notice

#: By the first word of a key: whether the thing of a number is still so, and the notice's user's
#: affair.
checks: dict[str, Callable[[Notice, int], bool]] = {}


def still_so(notice: Notice) -> bool:
    """Whether a notice is still to be sent."""
    what, _, rest = notice.key.partition(":")
    first = rest.partition(":")[0]
    check = checks.get(what)
    return check is None or check(notice, int(first))


def _deal(notice: Notice, number: int) -> bool:
    """Whether an offer, or a question, waits for who is told of it."""
    deal = Deal.objects.filter(pk=number, state=Deal.State.OPEN).first()
    if deal is None:
        return False
    waiting = Place.objects.filter(table=deal.table_id, number__in=deal.waiting)
    return any(notice.user_id in (p.user_id, p.partner_id, p.deputy_id) for p in waiting)


def _turn(notice: Notice, number: int) -> bool:
    place = Place.objects.select_related("table").filter(pk=number).first()
    return place is not None and turns.goes_on(place.table, place, int(last_of(notice)))


def last_of(notice: Notice) -> str:
    """The last word of a notice's key."""
    return notice.key.rpartition(":")[2]


checks.update(asked=_deal, deal=_deal, turn=_turn)
