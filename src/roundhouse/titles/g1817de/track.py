"""Track of 1817DE: tokens on printed cities without track choose again on the first tile (F5.5)."""

from __future__ import annotations

from ...board import laying
from ...model.actions import LayTile
from ...rounds.step import replaced
from ...rounds.steps.homes import ChooseAgain, choose_again
from ...rounds.steps.tokens import LOOSE
from ..g1817.operating import Operating
from ..g1817.rules import Rules1817
from ..g1817.state import State1817
from ..g1817.track import Track


class TrackDE(Track):
    """Track; on a hex with two cities without track all tokens come off the map before it."""

    def answer(self, s: State1817, a: LayTile) -> None:
        old = laying.face_at(self.box, s.board, a.hex)
        choose_again(self.box, s, a.hex, old, s.now.checked.face)
        super().answer(s, a)


class TokenChoice(ChooseAgain[State1817, Rules1817]):
    """The operating corporation places them again, in either city, whoever owns them."""

    name = "token choice"
    rule = "F5.5"
    loose = LOOSE | {"tokener"}


class OperatingDE(Operating):
    """§5.2 with F5.5: before everything else in the turn but loans and bridges."""

    steps = replaced(Operating.steps, {Track: (TokenChoice, TrackDE)})
