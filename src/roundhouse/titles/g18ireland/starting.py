"""Starting corporations in the stock round: the auction of a minor, a major's par, homes (§5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from ...bank import pay
from ...board import laying
from ...board.derived import Derived
from ...model.errors import BrokenInvariant
from ...model.events import Founded
from ...model.records import set_corporation
from ...rounds.bidding import Bidding
from ...rounds.step import Fault
from ...rounds.steps.auctions import RisingAuction
from ...rounds.steps.homes import ChooseCity, free_cities, put_free
from ...rounds.steps.tokens import City
from ...stock import market, shares
from ...stock.shares import starting_with
from .constants import MINOR
from .rules import Rules18Ireland
from .state import State18Ireland, StockRound

# homes (§9.6)


#: Where any major may put its home.
_OPEN_CITIES: Derived[tuple[City, ...]] = Derived("open_cities_18ireland")


def home_of(s: State18Ireland, symbol: str) -> tuple[str, int | None]:
    """Hex and, if it is fixed, city kept for a minor."""
    for coord, places in s.board.reserved.items():
        for place in places:
            if place.entity == symbol:
                return coord, place.city
    raise BrokenInvariant(f"no place is kept for {symbol}")


def place_home(
    rules: Rules18Ireland, s: State18Ireland, symbol: str, coord: str, city: int
) -> None:
    """Put a first token into its reserved slot, free of charge."""
    put_free(rules.box, s, symbol, coord, city)
    rules.release(s, symbol)


def open_cities(rules: Rules18Ireland, s: State18Ireland, symbol: str) -> Sequence[City]:
    """Where a corporation may put its home: for a minor any city of its hex, for a major any
    unreserved free slot on a hex with track."""
    if s.corporations[symbol].kind == MINOR:
        return list(free_cities(rules.box, s, [home_of(s, symbol)[0]], symbol))
    box, board = rules.box, s.board
    coords = (c for c in box.map.hexes if laying.face_at(box, board, c).exits)
    found = free_cities(box, s, coords, symbol)
    return _OPEN_CITIES.known(board) or _OPEN_CITIES.keep(board, tuple(found))


class ChooseHome(ChooseCity[State18Ireland, Rules18Ireland]):
    """A corporation just started, or opened for bids, chooses the city of its first token."""

    name = "home"
    rule = "9.6"

    def due(self, s: State18Ireland) -> tuple[str, str] | None:
        homeless = StockRound.of(s).homeless
        return (homeless, homeless) if homeless else None

    def cities(self, s: State18Ireland, owner: str) -> list[City]:
        return list(open_cities(self.rules, s, owner))

    def chosen(self, s: State18Ireland, owner: str) -> None:
        self.rules.release(s, owner)
        self.change(s, homeless=None)


# minors


class MinorAuction(RisingAuction[State18Ireland, Rules18Ireland]):
    """§5.1: the top minor of the pile is auctioned; raise, or be out for good."""

    name = "minor auction"
    rule = "5.1"
    names = "corporation"
    drops_out = True

    def on_offer(self, s: State18Ireland) -> list[str]:
        return self.rules.pile(s)[:1]

    def bidders(self, s: State18Ireland, who: str, price: int) -> tuple[str, ...]:
        return starting_with(self.rules.alive(s), who)

    def begin(self, s: State18Ireland, bidding: Bidding) -> None:
        """The home token is placed."""
        symbol = bidding.item
        coord, city = home_of(s, symbol)
        if city is None and laying.face_at(self.box, s.board, coord).exits:
            self.change(s, homeless=symbol)
        else:
            place_home(self.rules, s, symbol, coord, city or 0)

    def first_bid(self, s: State18Ireland, item: str) -> int:
        return self.rules.constants.minor_bid

    def why_not_bid(self, s: State18Ireland, who: str) -> Fault | None:
        return self.rules.trading.why_full(s, who)

    def won(self, s: State18Ireland, bidding: Bidding) -> None:
        """The winner gets the president's certificate, the minor all he bid."""
        winner, price, symbol = bidding.winner or "", bidding.price, bidding.item
        cell = self.box.market.up_to(min(price // 2, self.rules.constants.minor_par), "par")
        s.bank_low = min(s.bank_low, s.bank - 2 * self.box.market.price[cell])
        pay(s, winner, symbol, price, "capital")
        launch(self.rules, s, symbol, winner, cell)
        self.change(s, bidding=None, started=True, acted=True, done=True)


def launch(rules: Rules18Ireland, s: State18Ireland, symbol: str, who: str, cell: str) -> None:
    """A corporation has a president and a price."""
    shares.take_presidency(s, symbol, who)
    market.start(rules.box.market, s, symbol, cell)
    set_corporation(s, symbol, floated=True)
    s.now.emit(Founded(symbol, who, s.corporations[symbol].shares))
