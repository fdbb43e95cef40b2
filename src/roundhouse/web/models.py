"""What the server keeps: tables with their places, and each table's append-only log."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models

from . import clock


def invitation() -> str:
    """A word nobody guesses, for the link to a table that is not public."""
    return secrets.token_urlsafe(12)


class Tables(models.QuerySet["Table"]):
    """Tables, with branches; lists that are shown to people begin with :meth:`games`."""

    def games(self) -> Tables:
        """The games, without anybody's branches of them."""
        return self.filter(parent=None)


class Table(models.Model):
    """A game on the server. The game itself is its log; what is kept here beside the set-up is
    what the lobby shows without opening it.

    ``version`` is the number of the last :class:`Move`; who sends an action names the version he
    has seen. ``others`` counts what else was told to those who look on, ``seating`` how often a
    seat of the running game got another name. ``revision`` is the rules revision the game is played
    under. With ``seats`` players the game begins by itself, with ``least`` its creator may begin it
    (0: with all); ``pace`` is what its players intend. ``declined``: the round in which somebody
    last said no to a bot. ``assistance`` is fixed when the table is made
    (``tables/assistance.py``).

    A table with a ``parent`` is somebody's branch of that game (``web/study``): its log goes on
    from the first ``point`` rows of the parent's, and its own rows are what comes after.
    """

    class Status(models.TextChoices):
        OPEN = "open", "open"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"

    class Undo(models.TextChoices):
        FREE = "free", "free: anybody at the table may take back"
        OWN = "own", "own: what I did since anybody else acted; further by consent"
        CONSENT = "consent", "by consent: everybody else has to agree"

    class Pace(models.TextChoices):
        LIVE = "live", "live: in one sitting"
        SLOW = "slow", "slow: over days or weeks"

    class Assistance(models.TextChoices):
        NONE = "none", "none: everybody finds his own routes"
        ROUTES = "routes", "routes: the best routes are found for everybody"
        ADVICE = "advice", "routes and advice: who asks is told what a bot would do"

    title = models.CharField(max_length=40)
    options = models.JSONField(default=list)
    seed = models.CharField(max_length=24)
    file_id = models.JSONField(null=True)
    description = models.CharField(max_length=200, blank=True)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tables"
    )
    created = models.DateTimeField(default=clock.now)
    hotseat = models.BooleanField(default=False)
    public = models.BooleanField(default=True)
    invite = models.CharField(max_length=32, default=invitation, unique=True)
    undo = models.CharField(max_length=8, choices=Undo.choices, default=Undo.OWN)
    assistance = models.CharField(
        max_length=8, choices=Assistance.choices, default=Assistance.ROUTES
    )
    seats = models.PositiveSmallIntegerField()
    least = models.PositiveSmallIntegerField(default=0)
    pace = models.CharField(max_length=8, choices=Pace.choices, default=Pace.SLOW)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    others = models.PositiveIntegerField(default=0)
    seating = models.PositiveIntegerField(default=0)
    revision = models.PositiveSmallIntegerField(default=1)
    imported = models.BooleanField(default=False)
    fault = models.TextField(blank=True)
    acting = models.JSONField(default=list)
    round = models.CharField(max_length=60, blank=True)
    since = models.DateTimeField(default=clock.now)
    result = models.JSONField(default=dict)
    declined = models.CharField(max_length=60, blank=True)
    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="branches")
    point = models.PositiveIntegerField(default=0)

    objects = Tables.as_manager()

    class Meta:
        ordering = ("-since", "-id")
        indexes = [models.Index(fields=("status", "title"))]

    def __str__(self) -> str:
        return f"{self.title} no. {self.pk}"

    @property
    def all_places(self) -> models.QuerySet[Place]:
        """The places in their order; those that were read with the table, without the detour over
        a manager that is made at each look."""
        read: dict[str, models.QuerySet[Place]] = vars(self).get("_prefetched_objects_cache", {})
        return read["places"] if "places" in read else self.places.all()

    @property
    def root(self) -> Table:
        """The game a branch is of; of a game itself."""
        return self.parent or self


class Place(models.Model):
    """A seat: ``key`` is the player's id in the game (number or name), ``name`` what is shown.
    ``bot``: how the server plays it, for ``user`` while he is away, or for nobody; empty: it does
    not. ``partner``: who plays it together with ``user``. ``deputy``: who may act for the player,
    by the player's leave."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="places")
    number = models.PositiveSmallIntegerField()
    key = models.JSONField()
    name = models.CharField(max_length=200)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="places"
    )
    bot = models.CharField(max_length=20, blank=True)
    deputy = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="stands_in"
    )
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="shares"
    )

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("table", "number"), name="one_place_a_number"),
            models.UniqueConstraint(fields=("table", "name"), name="one_place_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Move(models.Model):
    """One action of a table's log, as in game files, with what came of it.

    Rows are only ever added, and the action, who sent it and when never change. ``recorded``: it
    came with an imported file; ``stead``: the player a deputy sent it for. The other fields follow
    from the actions and may be made anew: ``events``; ``state_hash``, comparable under the same
    ``stamp`` (how states are written); ``position``, which outlives changes of how that is done.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    action = models.TextField()
    events = models.TextField(default="[]")
    state_hash = models.CharField(max_length=32)
    stamp = models.CharField(max_length=16, blank=True)
    position = models.CharField(max_length=24, blank=True)
    recorded = models.BooleanField(default=False)
    stead = models.CharField(max_length=200, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("table", "number"), name="one_move_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a log is only ever added to")
        super().save(*args, **kwargs)


class Snapshot(models.Model):
    """The state after a move, so that no game is ever replayed from its start."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="snapshots")
    number = models.PositiveIntegerField()
    state = models.BinaryField()
    stamp = models.CharField(max_length=16, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("table", "number"), name="one_snapshot_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}@{self.number}"


class Account(models.Model):
    """What is known of a user beyond Django's own. ``skeleton``: what the name looks like, which no
    two may share; ``confirmed``: the address was confirmed; ``looks``: the colours and patterns
    chosen for tables (``looks.py``)."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="account"
    )
    skeleton = models.CharField(max_length=200, unique=True)
    confirmed = models.BooleanField(default=False)
    looks = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return str(self.user)


class Block(models.Model):
    """Somebody who does not want to sit at a table with somebody else."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=("by", "user"), name="one_block_a_pair")]

    def __str__(self) -> str:
        return f"{self.by} blocks {self.user}"


class Barred(models.Model):
    """Who was sent away from a table and may not come back."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="barred")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

    def __str__(self) -> str:
        return f"{self.user} from {self.table_id}"


class Report(models.Model):
    """What somebody tells the host about what went on at a table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    about = models.CharField(max_length=200, blank=True)
    text = models.TextField(max_length=2000)
    at = models.DateTimeField(default=clock.now)
    settled = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"report {self.pk} about table {self.table_id}"


class Tally(models.Model):
    """How often something was done until a time (seconds since 1970)."""

    key = models.CharField(max_length=200, unique=True)
    count = models.PositiveIntegerField(default=0)
    until = models.FloatField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return self.key


class Upload(models.Model):
    """A game file somebody sent, until it has become a table; ``fault``: why it did not."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    raw = models.BinaryField()
    description = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=clock.now)
    table = models.ForeignKey(Table, null=True, on_delete=models.CASCADE)
    fault = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"file {self.pk}"

    @property
    def done(self) -> bool:
        """Whether it is known what has become of it."""
        return self.table_id is not None or bool(self.fault)


def mark() -> str:
    """The name of an open page."""
    return secrets.token_urlsafe(24)


class Looking(models.Model):
    """An open page of a table: ``until`` by the machine's clock, prolonged while it is open."""

    mark = models.CharField(max_length=48, unique=True, default=mark)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    until = models.FloatField(db_index=True)

    def __str__(self) -> str:
        return f"{self.user} looks at {self.table_id}"
