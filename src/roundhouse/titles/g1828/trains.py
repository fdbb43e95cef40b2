"""Trains (§10): the two shells of a system (§5.11), buying, the president's help, bankruptcy,
discarding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...bank import ruin
from ...model.actions import BuyTrain, Pass, SwapTrain
from ...model.choices import Choice
from ...model.records import BANK, Train, set_corporation
from ...rounds.step import Fault
from ...rounds.steps import discard
from ...rounds.steps.emergency import EmergencyPurchase
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.trains import Offer
from ...stock import market
from .powers import close_presidencies
from .rules import Rules1828
from .state import OperatingRound, State1828


def house(s: State1828, who: str, train: str, shell: str) -> None:
    """Put a train of a system into a shell, last of those there."""
    charter = s.corporations[who]
    train_shells = (
        *(b for b in charter.train_shells if b[0] != train and b[0] in charter.trains),
        (train, shell),
    )
    set_corporation(s, who, train_shells=train_shells)


class Shuffle(TurnStep[State1828, Rules1828]):
    """Trains change from one shell to the other."""

    name = "shells"
    rule = "5.11"
    takes = frozenset({SwapTrain, Pass})
    stage = "shells"

    def waits(self, s: State1828, who: str) -> bool:
        charter = s.corporations[who]
        return bool(charter.system and charter.trains)

    def answers(self, s: State1828, who: str) -> Iterator[Choice]:
        for train in s.corporations[who].trains:
            yield self.choice(s, who, SwapTrain, train=train)

    def why_no_pass(self, s: State1828, who: str) -> Fault | None:
        if not self.rules.surplus(s, who):
            return None
        return "limit", f"A shell has more than {self.rules.train_limit(s, who)} trains."

    def why_no_answer(self, s: State1828, a: SwapTrain) -> Fault:
        return "not_yours", f"{a.actor} has no train {a.train}."

    def answer(self, s: State1828, a: SwapTrain) -> None:
        charter = s.corporations[a.actor]
        now = charter.shell_of(a.train)
        house(s, a.actor, a.train, next(m for m in charter.members if m != now))
        self.change(s, shuffled=True)


class BuyTrains(EmergencyPurchase[State1828, Rules1828]):
    """§10.3–10.7. A system names the shell a train goes to, and its president may help an empty one
    too; help that has begun with a sale ends with a purchase."""

    rule = "10.3"
    help_rule = "10.6"

    def must_own(self, s: State1828, who: str) -> bool:
        """Lacking a train it must own; C&StL's tile may just have given it its first route."""
        owner = s.corporations[who]
        every = "shells_must_own" in self.rules.options
        lacking = not all(owner.train_groups) if every else not owner.trains
        return lacking and (owner.routed or self.rules.linked(s, who))

    def lacking(self, s: State1828, who: str) -> bool:
        return self._empty(s, who) or self.must_own(s, who)

    def _empty(self, s: State1828, who: str) -> bool:
        owner = s.corporations[who]
        return owner.system and not all(owner.train_groups)

    def waits(self, s: State1828, who: str) -> bool:
        return self.lacking(s, who) or super().waits(s, who)

    def may_pass(self, s: State1828, who: str) -> bool:
        """§10.3.2. After voluntary sales that did not bring enough a pass is the only way out."""
        if self.must_own(s, who):
            return False
        return OperatingRound.of(s).last_sale == 0 or self.stuck(s, who)

    # what is on offer (§10.4)

    def _room(self, s: State1828, who: str) -> list[str | None]:
        """Shells with room for a train; None stands for the corporation itself."""
        owner, most = s.corporations[who], self.rules.train_limit(s, who)
        names: tuple[str | None, ...] = owner.members or (None,)
        left = [n for n, r in zip(names, owner.train_groups, strict=True) if len(r) < most]
        if "shells_must_own" in self.rules.options and self._empty(s, who):
            left = [n for n in left if not owner.shell(n or "")]
        return left

    def has_room(self, s: State1828, who: str) -> bool:
        return bool(self._room(s, who))

    def offers(self, s: State1828, who: str) -> Iterator[Offer]:
        room = self._room(s, who)
        for offer in super().offers(s, who):
            for shell in room:
                yield offer if shell is None else offer._replace(shell=shell)

    def why_kept(self, s: State1828, who: str, train: Train) -> Fault | None:
        minor = self.rules.constants.minor.id
        return ("not_for_sale", f"{minor} sells nothing.", "10.4") if train.owner == minor else None

    def why_not_offered(self, s: State1828, who: str, a: BuyTrain) -> Fault:
        owner = s.corporations[who]
        if owner.system and a.shell not in owner.members:
            return "shell", f"Name a shell: {' or '.join(owner.members)}.", "10.4.2"
        if owner.system and a.shell not in self._room(s, who):
            return "limit", f"There is no room for {a.train} in {a.shell}.", "10.4.2"
        return super().why_not_offered(s, who, a)

    def help_for(self, s: State1828, who: str, offer: Offer) -> int:
        """§10.4.3: for a system only where the shell has no train."""
        filled = offer.shell and s.corporations[who].shell(offer.shell)
        return 0 if filled else super().help_for(s, who, offer)

    def span(self, s: State1828, who: str, offer: Offer) -> tuple[int, int]:
        """§10.4.3: what would have been cheap enough without the last share sold is too cheap."""
        low, high = super().span(s, who, offer)
        return (low if offer.fixed else max(low, self.after_sale(s, who))), high

    def bought(self, s: State1828, who: str, a: BuyTrain) -> None:
        """§10.4.5."""
        if a.shell is not None:
            house(s, who, a.train, a.shell)
        self.change(s, last_sale=0)
        close_presidencies(self.rules, s, who)

    # sales and bankruptcy (§10.6–7)

    def go_bankrupt(self, s: State1828, who: str) -> None:
        """§10.7.2: everything legal is sold, all cash is lost, the game ends."""
        player = self.president(s, who)
        # §7.5, unfloated ones included
        order = market.by_price(self.box.market, s)
        for symbol in [c for c in order if player in s.corporations[c].certs]:
            while (bundle := self.largest(s, who, symbol)) is not None:
                self.sell_bundle(s, who, symbol, bundle)
        self.play.resort(s)
        ruin(s, player, BANK)
        super().go_bankrupt(s, who)


class Discard(discard.Discard[State1828, Rules1828]):
    """§10.5: trains over the limit leave the game; not while shells are being sorted."""

    rule = "10.5"

    def order(self, s: State1828) -> Iterable[str]:
        m = OperatingRound.of(s)
        return () if m.stage == "shells" and m.shuffled else s.corporations
