"""A way to a train, and all of a company's."""

from __future__ import annotations

from msgspec import Struct

from ..model.actions import Action
from ..model.events import PresidentChanged, PriceMoved
from ..model.records import State


class Way(Struct, frozen=True):
    """A way to a train: ``actions`` with the ``states`` they meet, the last one buys it (or is the
    president's bankruptcy: ``train`` is empty then).

    ``train``: its type; ``seller``: whose it was, empty: the bank or the market; ``price`` to
    ``most``; ``help``: what the president has put in;
    ``after``: the state afterwards; ``presidents`` and ``prices``: who or what changed, as events;
    ``asked``: players who have to agree.
    """

    actions: tuple[Action, ...]
    states: tuple[State, ...]
    train: str
    seller: str
    price: int
    most: int
    help: int
    after: State
    presidents: tuple[PresidentChanged, ...]
    prices: tuple[PriceMoved, ...]
    asked: tuple[str, ...]


class Ways(Struct, frozen=True):
    """Ways of a company, the shortest first: with amounts at both ends of what is allowed, the
    first of equal things, and nothing spent on the way but for the train. ``complete``: of these
    none was left out; ``supposed``: its turn is not on."""

    who: str
    ways: tuple[Way, ...]
    complete: bool
    supposed: bool
