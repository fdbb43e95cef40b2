"""The rules Fenland's rounds share (§1, §4, §5)."""

from __future__ import annotations

from collections.abc import Sequence

from roundhouse.board.network import Spot
from roundhouse.board.tiles import NODE, revenue_of
from roundhouse.box.box import Box
from roundhouse.model.records import BANK, Board, Cert, Corporation, Token
from roundhouse.model.revisions import Terms
from roundhouse.rounds.rules import Rules, Seat
from roundhouse.routes.model import RouteModel
from roundhouse.stock.shares import certificate_count
from roundhouse.trains.depot import first_depot, kind_of

from .state import FenlandState, StockRound
from .trading import FenlandTrading

LAST_SET = 8


class FenlandRoutes(RouteModel):
    """§3.2: what the usual route model does not say: trains, their reach, values by phase."""

    rule = "3.2"
    grain = 10

    def __init__(self, rules: Fenland, s: FenlandState, who: str) -> None:
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.rules, self.s = rules, s

    def trains(self) -> Sequence[str]:
        return self.s.corporations[self.who].trains

    def reach_of(self, train: str) -> int:
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        assert isinstance(distance, int)
        return distance

    def alike(self, train: str) -> str:
        return kind_of(self.s, train)

    def stop_value(self, train: str, stop: Spot) -> int:
        coord, end = stop
        node = self.faces[coord].tile.nodes[end - NODE]
        return revenue_of(node, self.rules.box.phases[self.s.phase].tiles)


class Fenland(Rules[FenlandState]):
    """Setup, certificates, whose turn it is, the end."""

    state_type = FenlandState

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        self.trading = FenlandTrading(self)
        self.pars = [c.id for c in box.market.cells.values() if c.zone == "par"]

    def setup(self, seats: Sequence[Seat], seed: int) -> FenlandState:
        players = self.seated(seats)
        first = next(iter(players))
        return FenlandState(
            players=players,
            order=tuple(players),
            corporations={c: self._railway(c) for c in self.box.corporations},
            companies={},
            trains={},
            depot=first_depot(self.box),
            market={},
            board=Board(),
            round=StockRound(player=first),
            phase=next(iter(self.box.phases)),
            bank=(self.box.game.bank or 0) - self.starting_cash * len(players),
            set_size=1,
        )

    def _railway(self, symbol: str) -> Corporation:
        definition = self.box.corporations[symbol]
        certs = tuple(Cert(i, p, i) for i, p in enumerate(definition.certificates))
        tokens = tuple(Token(price) for price in definition.tokens)
        return Corporation(id=symbol, shares=5, tokens=tokens, certs={symbol: certs})

    def certificates(self, s: FenlandState, player: str) -> int:
        return certificate_count(s, player)

    def in_order(self, s: FenlandState) -> list[str]:
        return [c for c in super().in_order(s) if s.corporations[c].floated]

    def route_model(self, s: FenlandState, who: str) -> FenlandRoutes:
        return FenlandRoutes(self, s, who)

    def over(self, s: FenlandState) -> str | None:
        """§5: why the game ends after a set of operating rounds."""
        if s.bank <= 0:
            return BANK
        return "final_round" if s.turn >= LAST_SET else None
