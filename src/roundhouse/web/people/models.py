"""What is kept of people, their groups, dates and tournaments."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import models

from .. import clock
from ..heirs import first_user, hand_on
from ..models import Table

_USER = settings.AUTH_USER_MODEL


def word() -> str:
    """A word nobody guesses, for the link to a group."""
    return secrets.token_urlsafe(12)


class Profile(models.Model):
    """What somebody tells of himself; ``hidden``: only who is signed in may see his page."""

    user = models.OneToOneField(_USER, on_delete=models.CASCADE, related_name="profile")
    about = models.TextField(max_length=2000, blank=True)
    hidden = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.user)


class Follow(models.Model):
    """Somebody wants to hear when another opens a table."""

    by = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="follows")
    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="followed_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("by", "user"), name="one_follow_a_pair")]

    def __str__(self) -> str:
        return f"{self.by} follows {self.user}"


# ratings


class Played(models.Model):
    """A finished game as ratings take it: for each seat its worth and who played which part of
    it, as ``[worth, [[who, share], …]]``. May be made anew from the game."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="played")
    title = models.CharField(max_length=40, db_index=True)
    at = models.DateTimeField()
    seats = models.JSONField(default=list)

    class Meta:
        ordering = ("at", "pk")
        verbose_name_plural = "played games"

    def __str__(self) -> str:
        return f"{self.title} {self.table_id}"


class Rating(models.Model):
    """How well somebody plays a title: ``mu`` with the uncertainty ``sigma``, after ``games``, some
    of them ``wins``. ``who``: an account (``user:5``) or a bot (``bot:thrifty``)."""

    title = models.CharField(max_length=40)
    who = models.CharField(max_length=40)
    user = models.ForeignKey(_USER, null=True, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("title", "who"), name="one_rating_a_title")]

    def __str__(self) -> str:
        return f"{self.who} at {self.title}"

    @property
    def shown(self) -> int:
        """One number: what he plays at least, very likely; 0 for who has just begun."""
        return round(40 * (self.mu - 3 * self.sigma))


# groups and dates


class Group(models.Model):
    """People who play together; nobody else sees it. ``word``: that of its link. When the owner's
    account goes, it is another member's."""

    name = models.CharField(max_length=80)
    about = models.TextField(max_length=2000, blank=True)
    word = models.CharField(max_length=32, default=word, unique=True)
    owner = models.ForeignKey(_USER, on_delete=hand_on, related_name="own_groups")
    made = models.DateTimeField(default=clock.now)
    members: models.ManyToManyField[Any, Any] = models.ManyToManyField(
        _USER, related_name="play_groups"
    )

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    def heir(self, gone: Collection[Any]) -> Any:
        """Who looks after it when its owner's account goes."""
        return self.members.exclude(pk__in=gone).filter(is_active=True).order_by("pk").first()


class Post(models.Model):
    """A line of talk, in a group or (None) on the site."""

    group = models.ForeignKey(Group, null=True, on_delete=models.CASCADE, related_name="posts")
    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="posts")
    text = models.CharField(max_length=1000)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.user}: {self.text[:40]}"


class Session(models.Model):
    """A date somebody proposes to play at, to a group or (None) to everybody here."""

    group = models.ForeignKey(Group, null=True, on_delete=models.CASCADE, related_name="sessions")
    by = models.ForeignKey(_USER, on_delete=hand_on, related_name="sessions")
    name = models.CharField(max_length=120)
    at = models.DateTimeField(db_index=True)
    hours = models.PositiveSmallIntegerField(default=4)

    class Meta:
        ordering = ("at",)

    def __str__(self) -> str:
        return self.name

    def heir(self, gone: Collection[Any]) -> Any:
        """Who looks after it when the account of who proposed it goes: the first who comes."""
        return first_user(self.coming.filter(says=Coming.Says.YES), gone)


class Coming(models.Model):
    """Whether somebody comes to a date."""

    class Says(models.TextChoices):
        YES = "yes", "comes"
        MAYBE = "maybe", "perhaps"
        NO = "no", "does not come"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="coming")
    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="+")
    says = models.CharField(max_length=8, choices=Says.choices)

    class Meta:
        verbose_name_plural = "comings"
        constraints = [models.UniqueConstraint(fields=("session", "user"), name="one_coming_each")]

    def __str__(self) -> str:
        return f"{self.user} {self.says}"


# tables


class HouseRules(models.Model):
    """What is agreed at a table beside the rules, in words; the program does not enforce it."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="house_rules")
    text = models.TextField(max_length=4000)

    class Meta:
        verbose_name_plural = "house rules"

    def __str__(self) -> str:
        return f"house rules of {self.table_id}"


class ReadyCheck(models.Model):
    """Before a live game begins: is everybody here? ``ready``: numbers of places; ``until`` then it
    is over."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="ready_check")
    until = models.DateTimeField()
    ready = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"ready check at {self.table_id}"


class Tournament(models.Model):
    """Several rounds of tables of one title; ``pace``: a usual clock by its name."""

    class Status(models.TextChoices):
        OPEN = "open", "open to entrants"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"

    name = models.CharField(max_length=120)
    title = models.CharField(max_length=40)
    options = models.JSONField(default=list)
    about = models.TextField(max_length=4000, blank=True)
    by = models.ForeignKey(_USER, on_delete=hand_on, related_name="tournaments")
    seats = models.PositiveSmallIntegerField(default=4)
    rounds = models.PositiveSmallIntegerField(default=3)
    pace = models.CharField(max_length=8, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    made = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name

    def heir(self, gone: Collection[Any]) -> Any:
        """Who seats the next rounds when the account of who announced it goes."""
        return first_user(self.entrants.filter(gone=False), gone) or first_user(self.entrants, gone)


class Entrant(models.Model):
    """Somebody who plays in a tournament; ``gone``: he does not any more."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="+")
    gone = models.BooleanField(default=False)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=("tournament", "user"), name="one_entrant_each")
        ]

    def __str__(self) -> str:
        return str(self.user)


class Seating(models.Model):
    """A table of a round. ``entrants``: who was seated there, in order."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="seatings")
    round = models.PositiveSmallIntegerField()
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="seating_of")
    entrants = models.JSONField(default=list)

    class Meta:
        ordering = ("round", "pk")

    def __str__(self) -> str:
        return f"round {self.round}: {self.table_id}"
