"""Sheets: opening, writing, taking back."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction

from ...titles.title import all_titles
from .. import bounds
from ..tables.faults import Refused
from . import entries
from .book import BANK, POOL, Book, Terms, book_of, enter
from .models import Line, Sheet

#: Entries of a sheet; players; letters of a name.
_MOST, _PLAYERS, _NAME = 4000, 9, 24


def open_sheet(user: Any, title: str, names: str, cash: str, limit: str, bank: str) -> Sheet:
    """A new sheet; ``names`` one a line or between commas, amounts as forms have them (empty: as
    the title says). Raises :class:`Refused`."""
    if title not in all_titles():
        raise Refused("There is no such title.", "unknown")
    game = all_titles()[title].box.game
    players = _players(names, all_titles()[title].box.corporations)
    usual = str(len(players))
    terms = Terms(
        title, players, _amount(cash, game.cash.get(usual, 0)),
        _amount(limit, game.cert_limit.get(usual, 0)),
        _amount(bank, game.bank) if bank or game.bank is not None else None,
    )  # fmt: skip
    return Sheet.objects.create(user=user, terms=msgspec.to_builtins(terms))


def _players(names: str, taken: Any) -> tuple[str, ...]:
    found = [n.strip()[:_NAME] for n in names.replace("\0", "").replace("\n", ",").split(",")]
    found = [n for n in found if n]
    if not 1 <= len(found) <= _PLAYERS or len(set(found)) < len(found):
        raise Refused(f"Name 1 to {_PLAYERS} players, each differently.", "players")
    if clash := [n for n in found if n in taken or n in (BANK, POOL)]:
        raise Refused(f"{clash[0]} is what something else is called.", "players")
    return tuple(found)


def _amount(text: str, usual: int | None) -> int:
    value = bounds.number(text.strip(), 10**7) if text.strip() else usual
    if value is None:
        raise Refused("Amounts are whole numbers of 0 or more.", "amount")
    return value


def terms_of(sheet: Sheet) -> Terms:
    """What a sheet begins with."""
    return msgspec.convert(sheet.terms, Terms)


def read(sheet: Sheet) -> tuple[Book, list[Line]]:
    """What stands on a sheet, and its lines."""
    lines = list(sheet.lines.all())
    return book_of(terms_of(sheet), (entries.read(line.entry) for line in lines)), lines


@transaction.atomic
def write(key: str, form: dict[str, object]) -> Sheet:
    """Write an entry. Raises :class:`Refused`."""
    sheet = Sheet.objects.select_for_update().get(key=key)
    book, lines = read(sheet)
    if len(lines) >= _MOST:
        raise Refused("This sheet is full.", "full")
    try:
        entry = entries.typed(form)
    except msgspec.ValidationError as error:
        raise Refused("Fill in whole numbers, and choose who and what.", "malformed") from error
    _check_amounts(entry)
    enter(book, entry)
    number = lines[-1].number + 1 if lines else 1
    Line.objects.create(sheet=sheet, number=number, entry=entries.write(entry))
    return _counted(sheet)


def _check_amounts(entry: Any) -> None:
    for name in entry.__struct_fields__:
        value = getattr(entry, name)
        if isinstance(value, int) and abs(value) > 10**7:
            raise Refused("Amounts are 10,000,000 at most.", "amount")


@transaction.atomic
def take_back(key: str, number: int) -> Sheet:
    """Take back the last entry, if it is the one with this number. Raises :class:`Refused`."""
    sheet = Sheet.objects.select_for_update().get(key=key)
    last = sheet.lines.last()
    if last is None or last.number != number:
        raise Refused("Something else was written meanwhile; look at it first.", "stale")
    last.delete()
    return _counted(sheet)


def _counted(sheet: Sheet) -> Sheet:
    sheet.version += 1
    sheet.save(update_fields=["version"])
    return sheet
