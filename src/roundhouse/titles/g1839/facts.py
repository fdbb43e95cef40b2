"""What players of 1839 look at: discounts, the train marker, ports, foreigners' income, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from ...bank import cash
from ...board import laying
from ...facts import Deadline, Fact, Facts, Lot
from ...model.frozen import EMPTY
from ...model.records import MARKET, Token, set_corporation
from .markers import exchange_city, lift_exchange, place_exchange, stations
from .rules import Rules1839
from .state import COUNTRY, PUBLIC, AuctionRound, OperatingRound, State1839, StockRound
from .trading import UNIT


class Facts1839(Facts[State1839, Rules1839]):
    """See the module's text."""

    leader = "director"
    ends = {"train_marker": "the smallest train is of the same kind as two stock rounds ago"}

    def led(self, symbol: str) -> bool:
        """§6.4: nobody directs a foreigner."""
        return self.box.corporations[symbol].kind == PUBLIC

    def unsold(self, symbol: str) -> str:
        """§5.5: those of public companies are in the IPO, of foreigners on their charters."""
        return "IPO" if self.led(symbol) else "charter"

    def game(self, s: State1839) -> tuple[Fact, ...]:
        found = [self._port(kind, city, owner) for kind, city, owner in self._ports(s)]
        if (marker := self._marker(s)) is not None:
            text = f"The train marker lies on {marker} (§13.2)."
            found.insert(0, Fact(f"marker {marker}", text))
        return tuple(found)

    def _ports(self, s: State1839) -> Iterator[tuple[str, str, str]]:
        """Company, hex and owner of the port tokens on the map."""
        for coord, marks in s.board.markers.items():
            for kind, _, owner in (mark.partition(":") for mark in marks):
                if kind in self.rules.powers and self.rules.powers[kind].port is not None:
                    yield kind, coord, owner

    def _port(self, kind: str, coord: str, owner: str) -> Fact:
        port = self.rules.powers[kind].port
        assert port is not None
        place = self.box.map.hexes[coord].location or coord
        text = f"The port token of {kind} in {place}: +{self.money(port.owner)} for {owner}"
        return Fact(f"port {coord}", f"{text}, +{self.money(port.others)} for others (§8.3).")

    def _marker(self, s: State1839) -> str | None:
        return next((m for m in reversed(s.train_markers) if m), None)

    def of(self, s: State1839, key: str) -> tuple[Fact, ...]:
        c, found = s.corporations.get(key), []
        if c is None:
            return ()
        if key in {f.id for f in self.rules.foreigners(s)}:
            land = self.rules.country_of(key)
            held = self.money(cash(s, land))
            text = f"Foreigner of {land}, whose treasury holds {held}"
            text += f"; {self.money(c.cash)} in its income slot (§12)."
            found.append(Fact(f"{land} {held}", text))
        if c.kind == COUNTRY:
            its = ", ".join(f.id for f in self.rules.foreigners(s, key))
            found.append(Fact("treasury", f"A country: the treasury of {its} (§6.4)."))
        if (city := exchange_city(s, key)) is not None:
            place = city.partition("/")[0]
            found.append(
                Fact(f"⊚{place}", f"Its exchange marker opens {place} to everybody (§9.4).")
            )
        found += [
            Fact(p, f"Linked to the private company {p} (§2.4).")
            for p, symbol in s.linked.items()
            if symbol == key and not s.companies[p].closed
        ]
        return tuple(found)

    def train_note(self, s: State1839, train: str) -> str:
        return "(saved from rusting)" if train == s.spared else ""

    def bonus_markers(self, coord: str) -> Mapping[str, str]:
        """The port of each company (VES)."""
        ports = [c for c, p in self.rules.powers.items() if p.port and coord in p.port.hexes]
        return {f"{c}:{who}": f"Port of {who}" for c in ports for who in self.rules.of_kind(PUBLIC)}

    def route_rights(self, s: State1839, who: str) -> Mapping[str, str]:
        """§8.3 the mail and what adds to towns, §9.4 the exchange under a station."""
        owned = [c for c, p in self.rules.powers.items() if p.mail or p.town_bonus]
        company = s.corporations[who]
        under = stations(company) if company.kind == PUBLIC else []
        return {
            **{c: self.box.companies[c].name for c in owned},
            **{f"exchange {city}": f"Exchange in {city.partition('/')[0]}" for city in under},
        }

    def grant_right(self, s: State1839, who: str, right: str) -> None:
        kind, _, city = right.partition(" ")
        if not city:
            super().grant_right(s, who, kind)
            return
        if exchange_city(s, who):
            lift_exchange(s, who)
        elif laying.next_token(s, who) is None:
            set_corporation(s, who, tokens=(*s.corporations[who].tokens, Token(0)))
        place_exchange(s, who, city)

    def order_of_play(self, s: State1839) -> tuple[str, ...]:
        return s.round.passed if isinstance(s.round, StockRound) else super().order_of_play(s)

    def lots(self, s: State1839) -> tuple[Lot, ...]:
        pots = s.round.pots if isinstance(s.round, AuctionRound) else {}
        notes = {company: f"{self.money(pot)} lie on it" for company, pot in pots.items()}
        return tuple(replace(lot, note=notes.get(lot.item, "")) for lot in super().lots(s))

    def deadlines(self, s: State1839) -> tuple[Deadline, ...]:
        """§13.2: a marker is looked at two stock rounds after it was set, the last one after the
        next."""
        size = self.box.phases[s.phase].operating_rounds
        next_stock = self.left_of_set(s, size)
        return tuple(
            Deadline(next_stock + n * size, kind)
            for n, kind in enumerate((None, *s.train_markers)[-2:])
            if kind is not None
        )

    def train_money(self, s: State1839, brought: Mapping[str, float] = EMPTY) -> tuple[int, ...]:
        """§12: of each country still to operate, its treasury and what its foreigners have got so
        far and get yet, with what shares on their charters get, less what the pool's are bought
        back for."""
        begun = s.round.country if isinstance(s.round, OperatingRound) else 0
        lands = self.rules.constants.countries[begun:]
        return tuple([self._to_come(s, land, brought) for land in lands])

    def _to_come(self, s: State1839, country: str, brought: Mapping[str, float]) -> int:
        total = cash(s, country)
        for c in self.rules.foreigners(s, country):
            slot = c.cash + round(brought.get(c.id, 0.0))
            if c.cell is not None or slot:
                each, own = -(-slot // UNIT), c.held(c.id) // UNIT
                back = c.held(MARKET) // UNIT * self.rules.price(s, c.id)
                total += slot + each * own - back
        return max(0, total)

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
