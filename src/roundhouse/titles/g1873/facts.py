"""What players of 1873 look at: the premium, mines with their owners and machines, the end."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...facts import Fact, Lot, Unled
from ...model.actions import Action, Bid
from .auction import offered
from .concessions import route_cost
from .ending import Ending
from .fleet import letter, local_bonus, maintenance, net_revenue, size
from .state import (
    CardRound,
    Charter,
    DraftRound,
    Mine,
    OperatingRound,
    PremiumRound,
    State1873,
    mines_of,
)


class Facts1873(Ending):
    """See the module's text."""

    ends = {"phase_five": "the turn after phase 5 began is over"}

    def led(self, symbol: str) -> bool:
        """§2.4: the external railway has no president."""
        return symbol != self.rules.external

    def game(self, s: State1873) -> tuple[Fact, ...]:
        if not isinstance(s.round, DraftRound) or s.premium is None:
            return ()
        premium = self.money(s.premium)
        text = f"Every purchase of the draft costs {premium} more (§3.2)."
        return (Fact(f"premium {premium}", text),)

    def of(self, s: State1873, key: str) -> tuple[Fact, ...]:
        if key in s.players:
            return self._mines(s, key)
        c = s.corporations[key]
        if isinstance(c, Mine):
            return (self._mine(s, c),) if c.open else ()
        assert isinstance(c, Charter)
        states = (
            (c.formed and c.incomplete, "route!", self._unfinished(s, key)),
            (c.formed and c.pending, "train!", "It still has to buy its compulsory train."),
            (c.receivership, "receiver", "In receivership: nobody leads it (§6.6)."),
        )
        return (*self._mines(s, key), *(Fact(short, text) for true, short, text in states if true))

    def _unfinished(self, s: State1873, railway: str) -> str:
        """That the route of a railway is not complete, and what that still costs."""
        due = self.track_due(s, railway)
        cost = f"; what is left costs {self.money(due)}" if due else ""
        return f"Its concession route is not complete{cost} (§9.6)."

    def _mines(self, s: State1873, owner: str) -> tuple[Fact, ...]:
        return tuple(self._mine(s, m) for m in mines_of(s) if m.open and m.owner == owner)

    def _mine(self, s: State1873, c: Mine) -> Fact:
        machines = ", ".join(s.trains[t].variant or s.trains[t].kind for t in c.trains)
        name = self.box.corporations[c.id].name
        linked = ", connected" if c.connected else ""
        text = f"Mine {c.id} {name}: machine {machines or 'none'}, {self.money(c.cash)}{linked}."
        return Fact(f"{c.id}:{machines or '–'}", text)

    def train_word(self, kind: str) -> str:
        return {"M": "machine", "S": "switcher"}.get(letter(kind), "train")

    def fixed_income(self, s: State1873, who: str) -> int:
        """§5.8: what mines and their companies earn, less maintenance; of a railway that alone and
        what it gets by its home (§11.7)."""
        record = s.corporations[who]
        if isinstance(record, Mine) and not record.open:
            return 0
        if who in self.rules.railways:
            return local_bonus(self.rules, s, who) - maintenance(self.rules, s, who)
        return net_revenue(self.rules, s, who)

    def track_due(self, s: State1873, who: str) -> int:
        """§9.5.1: what is left of a railway's concession route."""
        return route_cost(self.rules, s, who) if who in self.rules.railways else 0

    def upkeep(self, who: str, begun: str | None) -> Mapping[str, int]:
        """§10.6: those of a railway; the external one pays none."""
        if who not in self.rules.railways:
            return {}
        phase = next((n for n, p in self.box.phases.items() if begun in p.on), "")
        costs = self.rules.constants.maintenance.get(phase, {})
        return {kind: costs[kind] for kind in self.box.trains if kind in costs}

    def unled(self, who: str, kind: str) -> Unled | None:
        """§6.4: the external railway."""
        if who != self.rules.external:
            return None
        return Unled(self.rules.constants.external_per_size * size(kind), self.rules.lasts(kind))

    def scores_for_owner(self, s: State1873, who: str) -> int:
        """§13.4: an independent mine counts its face value."""
        return self.rules.mines[who].value if who in self.rules.mines else 0

    def lots(self, s: State1873) -> tuple[Lot, ...]:
        """The premium is not paid when it is bid, but with every purchase of the draft (§3)."""
        own, more = not isinstance(s.round, PremiumRound), self._on_top(s)
        return tuple(replace(lot, own=own, price=lot.price + more) for lot in super().lots(s))

    def paid(self, s: State1873, a: Action) -> int | None:
        """A purchase of the draft names the price of the card alone."""
        price = super().paid(s, a)
        return price if price is None or not isinstance(a, Bid) else price + self._on_top(s)

    def _on_top(self, s: State1873) -> int:
        """§3.2.3: what every purchase costs more now."""
        return (s.premium or 0) if isinstance(s.round, DraftRound) else 0

    def later_lots(self, s: State1873) -> tuple[Lot, ...]:
        """What the premium will be paid for."""
        sold = offered(self.rules, s) if isinstance(s.round, PremiumRound) else ()
        return tuple(Lot(c, self.box.companies[c].value, note="sold in the draft") for c in sold)

    def rounds_left(self, s: State1873) -> int | None:
        return self.left_until(s, self._last_turn(s))

    def _last_turn(self, s: State1873) -> int | None:
        """§13.2: the first 5 card fixes the end: 5a begins after the next stock round, and the turn
        after that is the last."""
        begun = s.phase == "5"
        return s.turn + 1 + isinstance(s.round, OperatingRound) if begun else s.last_turn

    def left_of_set(self, s: State1873, size: int) -> int:
        """§4.1: cards are auctioned before the stock round."""
        return size if isinstance(s.round, CardRound) else super().left_of_set(s, size)

    def endings(self, s: State1873) -> tuple[Fact, ...]:
        last = self._last_turn(s)
        sure = f"after turn {last}" if last is not None else ""
        fixed = "phase 5a begins after the next stock round, and the turn after that is the last"
        return (
            Fact(sure, f"The first 5 card fixes the end: {fixed} (§13)."),
            Fact("", "A marker on 1000 ends the game with its operating round (§13)."),
        )
