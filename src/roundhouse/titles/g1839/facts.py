"""What players of 1839 look at: discounts, the train marker, foreigners' income, the end."""

from __future__ import annotations

from ...rounds.facts import Fact, Facts, Lot
from .markers import exchange_city
from .rules import Rules1839
from .state import AuctionRound, State1839


class Facts1839(Facts[State1839, Rules1839]):
    """See the module's text."""

    def game(self, s: State1839) -> tuple[Fact, ...]:
        marker = self._marker(s)
        if marker is None:
            return ()
        return (Fact(f"marker {marker}", f"The train marker lies on {marker} (§13.2)."),)

    def _marker(self, s: State1839) -> str | None:
        return next((m for m in reversed(s.train_markers) if m), None)

    def of(self, s: State1839, key: str) -> tuple[Fact, ...]:
        c, found = s.corporations.get(key), []
        if c is None:
            return ()
        if key in {f.id for f in self.rules.foreigners(s)}:
            land = self.rules.country_of(key)
            income = self.money(c.cash)
            found.append(Fact(land, f"Foreigner of {land}; {income} in its income slot."))
        if (city := exchange_city(s, key)) is not None:
            place = city.partition("/")[0]
            found.append(
                Fact(f"⊚{place}", f"Its exchange marker opens {place} to everybody (§9.4).")
            )
        linked = [p for p, symbol in s.linked.items() if symbol == key]
        found += [Fact(p, f"Linked to the private company {p} (§2.4).") for p in linked]
        return tuple(found)

    def lots(self, s: State1839) -> tuple[Lot, ...]:
        if not isinstance(s.round, AuctionRound):
            return ()
        pots = s.round.pots
        return tuple(
            Lot(
                c.id,
                self.box.companies[c.id].value - pots.get(c.id, 0),
                note=f"{self.money(pots[c.id])} lie on it" if c.id in pots else "",
            )
            for c in s.companies.values()
            if c.owner is None
        )

    def endings(self, s: State1839) -> tuple[Fact, ...]:
        marker = self._marker(s)
        watched = ", ".join(self.rules.constants.ranks_watched)
        text = f"The train marker, set on the smallest of {watched} owned, ends the game two stock"
        return (
            Fact("", f"{text} rounds later if that train still runs (§13.2)."),
            Fact("", f"It lies on {marker} now." if marker else "It is not set yet."),
            Fact("", "A price of ƒ500 ends the game with its round (§13.3)."),
            Fact("", "A bankruptcy ends the game at once (§13.1)."),
        )
