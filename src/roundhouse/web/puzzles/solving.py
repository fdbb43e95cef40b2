"""The puzzle of the day, and answers to puzzles."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import IntegrityError, transaction

from .. import clock
from . import daily
from .models import Attempt, Puzzle


def today() -> date:
    """The day by the server's clock."""
    return clock.now().date()


def puzzle_of(day: date) -> Puzzle | None:
    """The puzzle of a day up to today; who asks first for today's draws the oldest that has not had
    its day, of another kind than yesterday's if there is one. Where none is left some are made,
    and it is yesterday's until they are there."""
    found = Puzzle.objects.filter(day=day).first()
    if found is not None or day != today():
        return found
    if not Puzzle.objects.filter(day=None).exists():
        daily.ask_for(day)
    last = Puzzle.objects.filter(day__lt=day).first()
    free = Puzzle.objects.filter(day=None).order_by("pk")
    found = free.exclude(kind=last.kind).first() if last else None
    found = found or free.first()
    if found is None:
        return last
    try:
        with transaction.atomic():
            Puzzle.objects.filter(pk=found.pk, day=None).update(day=day)
    except IntegrityError:  # somebody else has drawn one meanwhile
        pass
    return Puzzle.objects.filter(day=day).first()


def is_right(puzzle: Puzzle, answer: str) -> bool:
    """Whether an answer is the right one; amounts count however they are written."""
    if puzzle.options:
        return answer == puzzle.answer
    digits = "".join(c for c in answer if c.isascii() and c.isdigit())
    return digits.lstrip("0") == puzzle.answer


def note(puzzle: Puzzle, user: Any, right: bool) -> None:
    """Remember what somebody who is signed in answered; who once was right stays so."""
    if not user.is_authenticated:
        return
    with transaction.atomic():
        mine, _ = Attempt.objects.select_for_update().get_or_create(puzzle=puzzle, user=user)
        if not mine.right:
            mine.right, mine.tries, mine.at = right, mine.tries + 1, clock.now()
            mine.save()
