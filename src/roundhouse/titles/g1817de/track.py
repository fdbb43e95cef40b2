"""Track of 1817DE: tokens on printed cities without track choose again on the first tile (F5.5)."""

from __future__ import annotations

from ...rounds.step import replaced
from ...rounds.steps.homes import ChooseAgain
from ...rounds.steps.tokens import LOOSE
from ..g1817.operating import Operating
from ..g1817.rules import Rules1817
from ..g1817.state import State1817
from ..g1817.track import Track


class TrackDE(Track):
    """Track; on a hex with two cities without track all tokens come off the map before it."""

    chooses_again = True


class TokenChoice(ChooseAgain[State1817, Rules1817]):
    """The operating corporation places them again, in either city, whoever owns them."""

    name = "token choice"
    rule = "F5.5"
    loose = LOOSE | {"tokener"}


class OperatingDE(Operating):
    """§5.2 with F5.5: before everything else in the turn but loans and bridges."""

    steps = replaced(Operating.steps, {Track: (TokenChoice, TrackDE)})
