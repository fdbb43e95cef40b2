"""Track of 1817DE: tokens on printed cities without track choose again on the first tile (F5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...model.actions import LayTile, Pass
from ...rounds.step import replaced
from ...rounds.steps.homes import ChooseCity, free_cities, lift_all
from ...rounds.steps.tokens import LOOSE, City
from ..g1817.operating import Operating
from ..g1817.rules import Rules1817
from ..g1817.state import State1817
from ..g1817.track import Track


class State1817DE(State1817, kw_only=True):
    """``lifted``: whose tokens are off the map and have to be placed on ``lifted_from`` again."""

    lifted: tuple[str, ...] = ()
    lifted_from: str = ""


class Rules1817DE(Rules1817):
    """1817 with tokens that choose again."""

    state_type = State1817DE


class TrackDE(Track):
    """Track; on a hex with two cities without track all tokens come off the map before it."""

    def apply(self, s: State1817, a: LayTile | Pass) -> None:
        if isinstance(a, LayTile):
            self._lift(s, a.hex)
        super().apply(s, a)

    def _lift(self, s: State1817, coord: str) -> None:
        assert isinstance(s, State1817DE)
        face = laying.face_at(self.box, s.board, coord)
        if not face.exits and len(face.tile.cities) > 1:
            s.lifted, s.lifted_from = lift_all(self.box, s, coord), coord


class TokenChoice(ChooseCity[State1817DE, Rules1817]):
    """The operating corporation places them again, in either city, whoever owns them."""

    name = "token choice"
    rule = "F5.5"
    loose = LOOSE | {"tokener"}

    def due(self, s: State1817DE) -> tuple[str, str] | None:
        return (s.lifted[0], self.rules.operator(s) or "") if s.lifted else None

    def cities(self, s: State1817DE, owner: str) -> Iterator[City]:
        return free_cities(self.box, s, (s.lifted_from,), owner)

    def chosen(self, s: State1817DE, owner: str) -> None:
        s.lifted = s.lifted[1:]


class OperatingDE(Operating):
    """§5.2 with F5.5: before everything else in the turn but loans and bridges."""

    steps = replaced(Operating.steps, {Track: (TokenChoice, TrackDE)})
