"""What the server keeps of deals, and of what is asked at a table."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Max, Q

from .. import clock
from ..models import Place, Table
from ..prepared import Prepared


class Deal(models.Model):
    """An offer from ``place`` to do something others have a say in: the ``action`` as it is written
    once all ``parties`` (numbers of places) have ``agreed``. ``by``: who spoke for the place (None:
    a bot, or an account that is no more). ``refused``: the name of who said no; ``counters``: the
    offer it answers; ``until``: when it expires; ``tried``: the version at which an agreed one was
    looked at last.

    ``now``: it is the question of its table, put by who meant to do it at that moment. It is gone
    with the next move; until then it is shown, answered or not.
    """

    class State(models.TextChoices):
        OPEN = "open", "open"
        AGREED = "agreed", "agreed, done as soon as it can be"
        DONE = "done", "done"
        DECLINED = "declined", "declined"
        WITHDRAWN = "withdrawn", "withdrawn"
        COUNTERED = "countered", "answered with another offer"
        EXPIRED = "expired", "expired"
        VOID = "void", "not possible any more"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveIntegerField()
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="offers")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    action = models.TextField()
    parties = models.JSONField(default=list)
    agreed = models.JSONField(default=list)
    counters = models.ForeignKey("self", null=True, on_delete=models.SET_NULL)
    note = models.CharField(max_length=200, blank=True)
    now = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    refused = models.CharField(max_length=200, blank=True)
    why = models.CharField(max_length=200, blank=True)
    until = models.DateTimeField(null=True)
    tried = models.PositiveIntegerField(null=True)
    made = models.DateTimeField(default=clock.now)
    ended = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("table", "number"), name="one_deal_a_number"),
            models.UniqueConstraint(
                fields=("table",), condition=Q(now=True), name="one_question_a_table"
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number} at {self.table_id}"

    @property
    def living(self) -> bool:
        """Whether it may still come to something."""
        return self.state in (Deal.State.OPEN, Deal.State.AGREED)

    @property
    def waiting(self) -> list[int]:
        """The places that have not answered."""
        return [n for n in self.parties if n not in self.agreed]

    @property
    def open(self) -> bool:
        """Whether it waits for somebody's word."""
        return self.state == self.State.OPEN


def lasting() -> models.QuerySet[Deal]:
    """Deals that may still come to something, and questions that were told no."""
    states = (Deal.State.OPEN, Deal.State.AGREED)
    return (
        Deal.objects.filter(Q(now=True) | Q(state__in=states))
        .select_related("place")
        .defer("tried")
    )


def standing(table: Table) -> list[Deal]:
    """Those of a table, for looking at: as they were read for everybody (``web/attached.py``)."""
    read: list[Deal] | None = vars(table).get("standing")
    return list(lasting().filter(table=table)) if read is None else read


def of_locked(table: Table) -> list[Deal]:
    """The same of a table whose row is locked, read once; who changes one changes it in this list,
    who makes one calls :func:`read_anew`."""
    read: list[Deal] | None = vars(table).get("standing")
    if read is None:
        read = vars(table)["standing"] = _LASTING.all(table.pk)
    return read


def read_anew(table: Table) -> None:
    """A deal of a table was made."""
    vars(table).pop("standing", None)


_LASTING = Prepared(lambda table: lasting().filter(table=table), int)


def question_of(table: Table) -> Deal | None:
    """What a table is asked now, and was perhaps told no to."""
    return Deal.objects.filter(table=table, now=True).select_related("place").first()


def next_number(table: Table) -> int:
    """The number of the next deal of a table."""
    last: int | None = Deal.objects.filter(table=table).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1
