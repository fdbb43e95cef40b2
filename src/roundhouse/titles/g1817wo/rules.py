"""The rules of 1817WO: Nieuw Zeeland, a city without track that opens late (F4.4, F4.5)."""

from __future__ import annotations

from msgspec import Struct

from ...board import laying
from ...box.forms import Forms
from ...box.names import HexName
from ...model.records import BLOCKER, Board
from ..g1817.constants import Constants, Powers
from ..g1817.founding import home_cities
from ..g1817.rules import Rules1817
from ..g1817.state import State1817


class NieuwZeeland(Struct, frozen=True, forbid_unknown_fields=True):
    """``home_sizes``: what a corporation founded there may be divided into; ``free_loans`` bear it
    no interest, and without a loan the bank pays it ``income``."""

    hex: HexName
    home_sizes: tuple[int, ...]
    free_loans: int
    income: int


class ConstantsWO(Constants, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``special`` of ``game.json``."""

    nieuw_zeeland: NieuwZeeland


class State1817WO(State1817, kw_only=True):
    """``second_home``: who has to place its second token before anything else (F4.4.4)."""

    second_home: str | None = None


class Rules1817WO(Rules1817):
    """1817 with Nieuw Zeeland."""

    state_type = State1817WO
    forms = Forms(ConstantsWO, Powers)
    events = (*Rules1817.events, "nieuw_zeeland_available")
    constants: ConstantsWO

    def first_board(self) -> Board:
        """F4.4.1: a marker fills the slot at first."""
        return Board(cities={self.constants.nieuw_zeeland.hex: ((BLOCKER,),)})

    def event(self, s: State1817, name: str) -> None:
        if name == "nieuw_zeeland_available":
            laying.fill_slot(self.box, s, self.constants.nieuw_zeeland.hex, 0, 0, None)
        else:
            super().event(s, name)

    def lives_there(self, s: State1817, symbol: str) -> bool:
        """Whether a corporation has a token in Nieuw Zeeland, its home or not."""
        return symbol in laying.slots_at(self.box, s.board, self.constants.nieuw_zeeland.hex)[0]

    def sizes(self, s: State1817, symbol: str) -> tuple[int, ...]:
        """F4.4.3."""
        usual = super().sizes(s, symbol)
        if not self.lives_there(s, symbol):
            return usual
        return tuple(n for n in usual if n in self.constants.nieuw_zeeland.home_sizes)

    def interest_owed(self, s: State1817, who: str, rate: int) -> int:
        """F4.5."""
        owed, there = super().interest_owed(s, who, rate), self.constants.nieuw_zeeland
        if not self.lives_there(s, who):
            return owed
        return owed - rate * there.free_loans if s.corporations[who].loans else -there.income

    def stations_bought(self, s: State1817, symbol: str) -> None:
        """F4.4.4: who is at home there has to place its second token at once, if there is room."""
        assert isinstance(s, State1817WO)
        second = s.corporations[symbol].tokens[1:2]
        waiting = bool(second) and second[0].city is None
        if waiting and self.lives_there(s, symbol) and home_cities(self, s):
            s.second_home = symbol
