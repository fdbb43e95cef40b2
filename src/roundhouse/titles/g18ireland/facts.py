"""What players of 18Ireland look at: standing bids and the money they bind, markers, the end."""

from __future__ import annotations

from collections.abc import Mapping

from ...facts import Fact, Facts
from ...model.records import set_corporation
from .merger import AGAINST, merged_cell
from .rules import Rules18Ireland
from .state import Charter, MergerRound, State18Ireland


class Facts18Ireland(Facts[State18Ireland, Rules18Ireland]):
    """See the module's text."""

    moves = (2, 2)  # §7.2: two steps for a minor; §5.2 3: a share issued costs one

    def game(self, s: State18Ireland) -> tuple[Fact, ...]:
        """The merger that is proposed, and how the vote stands (§5.3)."""
        m = s.round
        if not isinstance(m, MergerRound) or not m.merging:
            return ()
        text = f"Proposed to merge: {', '.join(m.merging)} (§5.3)."
        text = " ".join(filter(None, (text, self.asked(s))))
        return (Fact(" + ".join(m.merging), text),)

    def asked(self, s: State18Ireland) -> str:
        """How the vote stands (§5.3.6)."""
        m = s.round
        if not isinstance(m, MergerRound) or (vote := m.vote) is None or vote.accepted:
            return ""
        told = f"So far {vote.in_favour} votes for and {vote.against} against"
        return f"{told}; of {vote.available}, {vote.needed} must be for."

    def answer(self, s: State18Ireland, said: str) -> str:
        """§5.3: what a vote is for, and what it would make of the minors."""
        m = s.round
        if not isinstance(m, MergerRound) or m.vote is None:
            return super().answer(s, said)
        if said == AGAINST:
            return "Against it: they stay as they are"
        price = self.box.market.price[merged_cell(self.rules, s, m.merging)]
        return f"For it: {' and '.join(m.merging)} become a major at {self.money(price)}"

    def of(self, s: State18Ireland, key: str) -> tuple[Fact, ...]:
        c = s.corporations.get(key)
        if not isinstance(c, Charter) or not c.markers:
            return ()
        names = ", ".join(self.box.companies[m].name for m in c.markers)
        return (Fact("+" * len(c.markers), f"Bonus markers: {names} (§8.3)."),)

    def bonus_markers(self, coord: str) -> Mapping[str, str]:
        marked = [c for c, p in self.rules.powers.items() if p.marker and coord in p.marker.hexes]
        return {c: self.box.companies[c].name for c in marked}

    def route_rights(self, s: State18Ireland, who: str) -> Mapping[str, str]:
        """§8.3."""
        owned = [c for c, p in self.rules.powers.items() if p.marker or p.link]
        return {c: self.box.companies[c].name for c in owned}

    def later_companies(self, s: State18Ireland) -> list[Charter]:
        return self.rules.later_majors(s)

    def grant_right(self, s: State18Ireland, who: str, right: str) -> None:
        """§8.3: what a marker adds is its buyer's for good, the private's other powers while he has
        it."""
        if self.rules.powers[right].marker:
            set_corporation(s, who, markers=(*s.corporations[who].markers, right))
        else:
            super().grant_right(s, who, right)

    def endings(self, s: State18Ireland) -> tuple[Fact, ...]:
        left = self.money(s.bank)
        return (
            Fact("after this set" if s.broken else "", f"The bank breaks; it holds {left} (§13)."),
            Fact("after this round" if s.capped else "", "A marker enters £260 (§13)."),
            Fact("", "Only one player is not bankrupt (§13)."),
        )

    def rounds_left(self, s: State18Ireland) -> int | None:
        """§13: a broken bank ends the game with the set, a marker on the last price with the
        round."""
        if s.capped:
            return 1
        return self.left_of_set(s, s.set_size) if s.broken else None
