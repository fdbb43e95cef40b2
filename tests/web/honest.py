"""What hangs on tables is read anew at every look, and must be what was remembered: whoever changes
such a row has to tell so, or others would go on seeing what was."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from django.db.models import Model

from roundhouse.web.attached import Rows
from roundhouse.web.models import Table
from roundhouse.web.remembered import Remembered
from roundhouse.web.talk.models import Said


class Honest(Remembered[Rows]):
    """Remembers, and fails if what it remembers is not true any more."""

    def get(self, question: Hashable, find: Callable[[], Rows]) -> Rows:
        known, now = super().get(question, find), find()
        told, true = plain(known), plain(now)
        if told != true:
            invite, others, seating = question
            same = Table.objects.filter(invite=invite, others=others, seating=seating)
            assert not same.exists(), f"changed, and nobody was told: {told} is now {true}"
        return now


class HonestTalk(Remembered[tuple[int, list[Said]]]):
    """The same of what was said at tables, from an entry of their logs on."""

    def get(self, question: Hashable, find: Callable[[], Any]) -> tuple[int, list[Said]]:
        known, now = super().get(question, find), find()
        first = max(known[0], now[0])
        told, true = ([(s.pk, s.text) for s in x[1] if s.after >= first] for x in (known, now))
        if told != true:
            invite, others = question
            same = Table.objects.filter(invite=invite, others=others)
            assert not same.exists(), f"said, and nobody was told: {told} is now {true}"
        return known if told == true else self.put(question, now)


def plain(rows: Rows) -> dict[str, Any]:
    """The values of what hangs on a table."""
    return {name: _value(value, 3) for name, value in (rows.many | rows.one).items()}


def _value(found: Any, depth: int) -> Any:
    """A row with what hangs on it, some steps far: rows lead back to where they hang."""
    if isinstance(found, dict):
        return {name: _value(value, depth) for name, value in found.items()}
    if not isinstance(found, Model):
        return [_value(one, depth) for one in found] if found is not None else None
    names = (f.attname for f in found._meta.concrete_fields)
    own = {name: vars(found)[name] for name in names if name in vars(found)}
    if isinstance(found, Table) or not depth:
        return found.pk
    more = vars(found).get("_prefetched_objects_cache", {}) | found._state.fields_cache
    return own | {name: _value(value, depth - 1) for name, value in more.items()}
