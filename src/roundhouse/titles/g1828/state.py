"""The state of a game of 1828: what it adds to the common records, and its rounds' memories."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...model.records import Corporation, State
from ...rounds.steps.progress import OperatingProgress, StandingProgress, StockProgress


class Charter(Corporation, frozen=True, kw_only=True):
    """A corporation, a system or the minor.

    ``routed``: it has had a route (§10.3). Of a system: ``members`` are the two it was made of,
    which also name its shells; ``train_shells``: the shell each train is in; ``treasury`` is the
    index of the share it owns itself (§5.6.6); ``late``: a part was unfloated (§5.6.6.4).
    """

    routed: bool = False
    members: tuple[str, ...] = ()
    train_shells: tuple[tuple[str, str], ...] = ()
    treasury: int | None = None
    late: bool = False

    @property
    def system(self) -> bool:
        return bool(self.members)

    @property
    def entity_type(self) -> str:
        """What traces call it; systems are corporations there."""
        return self.kind or "corporation"

    @property
    def sender_type(self) -> str:
        """What it is as the sender of an action."""
        return "system" if self.members else self.entity_type

    def names(self) -> tuple[str, ...]:
        """Itself, or the corporations a system is made of."""
        return self.members or (self.id,)

    def shell(self, name: str) -> tuple[str, ...]:
        """The trains in a shell, in order of arrival."""
        return tuple(t for t, s in self.train_shells if s == name and t in self.trains)

    def shell_of(self, train: str) -> str:
        """The shell a train is in."""
        return next(s for t, s in self.train_shells if t == train)

    @property
    def train_groups(self) -> tuple[tuple[str, ...], ...]:
        """The trains each limit counts: by shell, or all of them."""
        return tuple(self.shell(m) for m in self.members) or (self.trains,)


class AuctionRound(StandingProgress, frozen=True, kw_only=True, tag="auction"):
    """§3. ``clearing``: everybody has passed (§3.7); ``pars``: (player, corporation) still to be
    given a price (§3.6)."""

    clearing: bool = False
    pars: tuple[tuple[str, str], ...] = ()


class Question(Struct, frozen=True):
    """What a player is asked in a merger. ``kind``: ``aside``, ``source`` or ``single``;
    ``offers``: the answers as game files write them."""

    player: str
    kind: str
    offers: tuple[str, ...]


class Task(Struct, frozen=True):
    """A piece of an exchange still to be done (§5.6.5): its kind, whose, and with whom."""

    kind: str
    holder: str = ""
    order: tuple[str, ...] = ()


class Merger(Struct, frozen=True):
    """§5.6: ``player`` merges ``survivor`` with ``target``, which is None until it is named.

    ``clashes``: hexes where a token must be taken off; ``agenda``: what is left to be exchanged;
    ``question``: waiting for an answer; ``exchanging``: somebody answered "Exchange"; ``aside``:
    the certificate a player has set aside, as (corporation, index); ``extra``: see option
    ``merger_exact_pairs``; ``failed``: it cannot be completed and must be taken back (§5.6.7).
    """

    player: str
    survivor: str
    target: str | None = None
    clashes: tuple[str, ...] = ()
    agenda: tuple[Task, ...] = ()
    question: Question | None = None
    exchanging: bool = False
    aside: tuple[str, int] | None = None
    extra: int = 0
    failed: bool = False

    @property
    def system(self) -> str:
        return f"{self.survivor}-{self.target}"

    @property
    def pair(self) -> tuple[str, str]:
        return self.survivor, self.target or ""


class StockRound(StockProgress, frozen=True, kw_only=True, tag="stock"):
    """§5.1. ``passed``: §5.7; ``failed``: player, survivor and target of mergers that failed
    (§5.6.7.4).

    Of the turn: ``used``: the buy-type action taken; ``bought``: corporations of the certificates
    got; ``par_due``: a presidency taken with M&H (§5.5.5).
    """

    lasting = ("failed",)

    failed: tuple[tuple[str, str, str], ...] = ()
    used: str = ""
    bought: tuple[str, ...] = ()
    par_due: tuple[str, str] | None = None
    merger: Merger | None = None


class OperatingRound(OperatingProgress, frozen=True, kw_only=True, tag="operating"):
    """§5.10. ``fresh``: nothing has been done yet.

    Of the turn: ``extra`` (E&K's tile laid), ``hexes`` laid on, ``shuffled`` (trains changed
    shells). Interruptions: ``special``: the private whose power is asked for; ``par_due``: §5.5.5.
    """

    lasting = ("fresh", "to_place")

    fresh: bool = False
    extra: bool = False
    hexes: tuple[str, ...] = ()
    shuffled: bool = False
    special: str | None = None
    par_due: tuple[str, str] | None = None


AnyRound = AuctionRound | StockRound | OperatingRound


class State1828(State, kw_only=True):
    """Adds the zones open for par (§5.3), the turn after which the game ends (§13), and whether a
    marker has moved onto the last cell."""

    corporations: Mapping[str, Charter]
    round: AnyRound
    par_zones: tuple[str, ...] = ()
    last_turn: int | None = None
    topped: bool = False
