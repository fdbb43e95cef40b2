"""Whether what a notice tells is still so when it is sent: a turn may be over by then, a question
answered. The first word of a notice's key says what kind of thing it is about; each app says of its
own."""

from __future__ import annotations

from collections.abc import Callable

from ..models import Place, Question
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


def _question(notice: Notice, number: int) -> bool:
    return Question.objects.filter(pk=number, refused="").exists()


def _turn(notice: Notice, number: int) -> bool:
    place = Place.objects.select_related("table").filter(pk=number).first()
    return place is not None and turns.goes_on(place.table, place, int(last_of(notice)))


def last_of(notice: Notice) -> str:
    """The last word of a notice's key."""
    return notice.key.rpartition(":")[2]


checks.update(asked=_question, turn=_turn)
