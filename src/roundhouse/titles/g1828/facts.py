"""What players of 1828 look at: standing bids and the money they bind, the end."""

from __future__ import annotations

from ...facts import Closing, Fact, Facts, Lot
from ...rounds.bidding import highest
from .rules import Rules1828
from .state import AuctionRound, State1828


class Facts1828(Facts[State1828, Rules1828]):
    """See the module's text."""

    def lots(self, s: State1828) -> tuple[Lot, ...]:
        m = s.round
        if not isinstance(m, AuctionRound):
            return ()
        unsold = (c.id for c in s.companies.values() if c.owner is None)
        return tuple(self._lot(m, company) for company in unsold)

    def _lot(self, m: AuctionRound, company: str) -> Lot:
        value = highest(m.bids.get(company, ())) or self.box.companies[company].value
        return Lot.standing(m, company, value + self.rules.constants.minimum_raise)

    def endings(self, s: State1828) -> tuple[Fact, ...]:
        last = f"after turn {s.last_turn}" if s.last_turn is not None else ""
        return (
            Fact(
                "after this round" if s.topped else "", "A marker on the last cell ends the round."
            ),
            Fact(last, "Phase Purple: the next turn, with four operating rounds, is the last."),
            Fact("", "A bankruptcy ends the game at once."),
        )

    def closing(self, s: State1828) -> Closing | None:
        """§11.4: one step a dividend. Privates could still be turned into money or shares."""
        rounds = self.last_set(s)
        held = any(c.owner in s.players for c in s.companies.values())
        return None if rounds is None or held else Closing(rounds, rise=1, fall=1)

    def rounds_left(self, s: State1828) -> int | None:
        """§13."""
        return self.left_until(s, s.last_turn)
