"""How far a round has come: the records of operating rounds and stock rounds of all titles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from ...model.frozen import EMPTY, put
from ...model.records import Round
from ..bidding import Bids

#: The stage of a turn that is over, and of a round in which no turn has begun.
END = "end"

M = TypeVar("M", bound="OperatingProgress")
K = TypeVar("K", bound="StockProgress")


class OperatingProgress(Round, frozen=True, kw_only=True):
    """``order[index]`` operates, in ``stage``. Of the turn: ``lays`` that count, ``upgraded``: one
    of them was no new tile, ``placed`` a token, ``revenue`` of the run, ``last_sale``: price of the
    share the president sold last to help with a train, 0 if he sold none; ``to_place``: (owner,
    hex) of tokens whose city has to be chosen.

    ``lasting``: what a title remembers beyond one turn; everything else begins anew with each.
    """

    lasting: ClassVar[tuple[str, ...]] = ()

    order: tuple[str, ...]
    index: int = -1
    stage: str = END
    lays: int = 0
    upgraded: bool = False
    placed: bool = False
    revenue: int = 0
    last_sale: int = 0
    to_place: tuple[tuple[str, str], ...] = ()

    @property
    def who(self) -> str:
        """The entity on turn; there is one once the first turn has begun."""
        return self.order[self.index]

    @property
    def later(self) -> tuple[str, ...]:
        """The entities that have their turn after the one on turn, in this order."""
        return self.order[self.index + 1 :]

    def turn(self: M, index: int, stage: str) -> M:
        """The record at the beginning of a turn."""
        kept = {name: getattr(self, name) for name in self.lasting}
        return type(self)(number=self.number, order=self.order, index=index, stage=stage, **kept)


class StockProgress(Round, frozen=True, kw_only=True):
    """``player`` is on turn; ``passed``: who passed in their last turns, in the order of passing;
    ``barred``: companies each player has sold in this round and cannot buy. Of the turn: ``acted``:
    something has been done, so that it is no pass; ``done``: nothing may follow.

    ``lasting``: what a title remembers beyond one turn; everything else begins anew with each.
    """

    lasting: ClassVar[tuple[str, ...]] = ()

    player: str
    passed: tuple[str, ...] = ()
    barred: Mapping[str, tuple[str, ...]] = EMPTY
    acted: bool = False
    done: bool = False

    @property
    def idle(self) -> bool:
        """Whether a turn that ended now would be a pass."""
        return not self.acted

    def all_passed(self, players: Sequence[str]) -> bool:
        """Whether all of the players have passed in a row."""
        return bool(self.passed) and len(self.passed) == len(players)

    def bar(self: K, player: str, symbol: str) -> K:
        """The record after a player has sold shares of a company."""
        mine = dict.fromkeys((*self.barred.get(player, ()), symbol))
        return replace(self, barred=put(self.barred, player, tuple(mine)))

    def turn(self: K, player: str) -> K:
        """The record at the beginning of the next player's turn."""
        passed = self.passed
        if not self.idle:
            passed = tuple(p for p in passed if p != self.player)
        elif self.player not in passed:
            passed = (*passed, self.player)
        kept = {name: getattr(self, name) for name in self.lasting}
        barred, number = self.barred, self.number
        return type(self)(number=number, player=player, passed=passed, barred=barred, **kept)


class StandingProgress(Round, frozen=True, kw_only=True):
    """``player`` is on turn; ``passed``: who passed in a row; ``bids``: those standing, by thing,
    in the order made; ``contested``: what its bidders are fighting for."""

    player: str
    passed: tuple[str, ...] = ()
    bids: Mapping[str, Bids] = EMPTY
    contested: str | None = None
