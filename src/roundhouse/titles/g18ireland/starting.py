"""Starting corporations in the stock round: the auction of a minor, a major's par, homes (§5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Bid, Par, Pass
from ...model.choices import Choice, Span
from ...model.errors import BrokenInvariant, IllegalAction
from ...model.events import AuctionWon, BidMade, Founded, Passed
from ...model.records import put
from ...rounds.bidding import Bidding, leave, raise_bid
from ...rounds.step import Step
from ...rounds.steps.homes import ChooseCity, free_cities, put_free
from ...rounds.steps.tokens import City
from ...stock import market, shares
from ...stock.shares import clockwise
from .constants import MINOR
from .state import State18Ireland, StockRound

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace


def progress(s: State18Ireland) -> StockRound:
    assert isinstance(s.round, StockRound)
    return s.round


# homes (§9.6)


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


def open_cities(rules: Rules18Ireland, s: State18Ireland, symbol: str) -> list[tuple[str, int]]:
    """Where a corporation may put its home: for a minor any city of its hex, for a major any
    unreserved free slot on a hex with track."""
    if s.corporations[symbol].kind == MINOR:
        return list(free_cities(rules.box, s, [home_of(s, symbol)[0]], symbol))
    known: list[tuple[str, int]] | None = s.board.__dict__.get("open_cities")
    if known is None:
        box, board = rules.box, s.board
        coords = [c for c in box.map.hexes if laying.face_at(box, board, c).exits]
        known = board.__dict__["open_cities"] = list(free_cities(rules.box, s, coords, symbol))
    return known


class ChooseHome(ChooseCity[State18Ireland]):
    """A corporation just started, or opened for bids, chooses the city of its first token."""

    name = "home"
    rule = "9.6"
    rules: Rules18Ireland

    def due(self, s: State18Ireland) -> tuple[str, str] | None:
        homeless = progress(s).homeless
        return (homeless, homeless) if homeless else None

    def cities(self, s: State18Ireland, owner: str) -> list[City]:
        return open_cities(self.rules, s, owner)

    def chosen(self, s: State18Ireland, owner: str) -> None:
        self.rules.release(s, owner)
        self.change(s, homeless=None)


# minors


def bid_limit(rules: Rules18Ireland, s: State18Ireland, who: str) -> int:
    """The highest bid a player could make for a minor."""
    return 0 if rules.full(s, who) else cash(s, who)


def check_opening(rules: Rules18Ireland, s: State18Ireland, a: Bid) -> None:
    """Raise unless a player may open the auction of the top minor with this bid."""
    pile = rules.pile(s)
    if a.company or a.minor or a.corporation not in pile[:1]:
        top = pile[0] if pile else "nothing"
        raise IllegalAction("not_on_top", f"The pile's top is {top}, not {a.corporation}.", "5.1")
    _check_bid(rules, s, a, rules.constants.minor_bid)


def _check_bid(rules: Rules18Ireland, s: State18Ireland, a: Bid, least: int) -> None:
    step = rules.constants.raise_
    _check_not_full(rules, s, a.actor)
    if a.price < least or a.price % step:
        text = f"Bids are £{least} or more, in steps of £{step}."
        raise IllegalAction("price", text, "5.1")
    if a.price > cash(s, a.actor):
        raise IllegalAction("no_cash", f"You have £{cash(s, a.actor)}.", "5.1")


def _check_not_full(rules: Rules18Ireland, s: State18Ireland, who: str) -> None:
    if rules.full(s, who):
        limit = rules.cert_limit(s)
        raise IllegalAction("cert_limit", f"You hold {limit} certificates, the limit.", "5.1")


def opening_choices(rules: Rules18Ireland, s: State18Ireland, who: str) -> Iterator[Choice]:
    """Open the auction of the top minor."""
    low, top = rules.constants.minor_bid, bid_limit(rules, s, who)
    for symbol in rules.pile(s)[:1]:
        if low <= top:
            yield _bid_choice(rules, s, who, symbol, low, top)


def _bid_choice(
    rules: Rules18Ireland, s: State18Ireland, who: str, symbol: str, low: int, top: int
) -> Choice:
    return Choice(
        Bid(entity=s.players[who].id, entity_type="player", corporation=symbol, price=low),
        {"price": Span(low, top, rules.constants.raise_)},
    )


def open_auction(rules: Rules18Ireland, s: State18Ireland, a: Bid) -> None:
    """The home token is placed, and everybody who can may raise."""
    assert a.corporation is not None
    symbol = a.corporation
    coord, city = home_of(s, symbol)
    if city is None and not laying.face_at(rules.box, s.board, coord).exits:
        city = 0
    homeless = None
    if city is None:
        homeless = symbol
    else:
        place_home(rules, s, symbol, coord, city)
    bidders = (a.actor, *(p for p in clockwise(rules.alive(s), a.actor) if p != a.actor))
    s.round = replace(progress(s), bidding=Bidding(symbol, a.actor, bidders), homeless=homeless)
    bid(rules, s, a)


def bid(rules: Rules18Ireland, s: State18Ireland, a: Bid) -> None:
    """Make a bid; who cannot beat it is out, and the last one left wins."""
    bidding = progress(s).bidding
    assert bidding is not None
    s.now.emit(BidMade(a.actor, bidding.item, a.price))
    following = a.price + rules.constants.raise_
    bidding = raise_bid(
        bidding, a.actor, a.price, following, lambda player: bid_limit(rules, s, player)
    )
    _settle(rules, s, bidding)


def _settle(rules: Rules18Ireland, s: State18Ireland, bidding: Bidding) -> None:
    if bidding.winner is None:
        s.round = replace(progress(s), bidding=bidding)
        return
    _start_minor(rules, s, bidding.item, bidding.winner, bidding.price)
    s.round = replace(progress(s), bidding=None, started=True, acted=True, done=True)


def _start_minor(
    rules: Rules18Ireland, s: State18Ireland, symbol: str, who: str, price: int
) -> None:
    """The winner gets the president's certificate, the minor all he bid."""
    s.now.emit(AuctionWon(who, symbol, price))
    cell = rules.par_cell(min(price // 2, rules.constants.minor_par))
    s.bank_low = min(s.bank_low, s.bank - 2 * rules.box.market.price[cell])
    pay(s, who, symbol, price, "capital")
    launch(rules, s, symbol, who, cell)


def launch(rules: Rules18Ireland, s: State18Ireland, symbol: str, who: str, cell: str) -> None:
    """A corporation has a president and a price."""
    presidency = s.corporations[symbol].certs[symbol][0]
    shares.move(s, symbol, (presidency,), symbol, who)
    shares.set_president(s, symbol, who)
    market.place(s, symbol, cell, "par")
    s.corporations = put(s.corporations, symbol, replace(s.corporations[symbol], floated=True))
    s.now.emit(Founded(symbol, who, s.corporations[symbol].shares))


class MinorAuction(Step[State18Ireland]):
    """Raise, or be out for good."""

    name = "minor auction"
    rule = "5.1"
    takes = frozenset({Bid, Pass})
    rules: Rules18Ireland

    def actors(self, s: State18Ireland) -> tuple[str, ...]:
        bidding = progress(s).bidding
        turn = bidding.turn if bidding else None
        return (turn,) if turn else ()

    def _least(self, s: State18Ireland) -> int:
        bidding = progress(s).bidding
        assert bidding is not None
        return bidding.price + self.rules.constants.raise_

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        bidding = progress(s).bidding
        for who in self.actors(s):
            assert bidding is not None
            top = bid_limit(self.rules, s, who)
            yield _bid_choice(self.rules, s, who, bidding.item, self._least(s), top)
            yield Choice(Pass(entity=s.players[who].id, entity_type="player"))

    def check(self, s: State18Ireland, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        bidding = progress(s).bidding
        assert bidding is not None
        if a.company or a.minor or a.corporation != bidding.item:
            raise self.refuse("other_auction", f"{bidding.item} is being auctioned now.")
        _check_bid(self.rules, s, a, self._least(s))

    def apply(self, s: State18Ireland, a: Bid | Pass) -> None:
        if isinstance(a, Bid):
            bid(self.rules, s, a)
            return
        bidding = progress(s).bidding
        assert bidding is not None
        s.now.emit(Passed(a.actor, self.name))
        _settle(self.rules, s, leave(bidding, a.actor))


# majors


def affords_par(rules: Rules18Ireland, s: State18Ireland, who: str) -> bool:
    """Whether a player could pay for some major, were there a home for it."""
    return (
        rules.reached_phase(s, rules.constants.majors_start_with)
        and not rules.full(s, who)
        and 2 * rules.par_cells[-1].price <= cash(s, who)
        and bool(rules.unstarted_majors(s))
    )


def par_choices(rules: Rules18Ireland, s: State18Ireland, who: str) -> Iterator[Choice]:
    """Start a major at one of the par prices."""
    majors = rules.unstarted_majors(s) if affords_par(rules, s, who) else []
    if not majors or not open_cities(rules, s, majors[0]):
        return
    player = s.players[who].id
    for symbol in majors:
        for cell in rules.par_cells:
            if 2 * cell.price <= cash(s, who):
                yield Choice(
                    Par(
                        entity=player, entity_type="player", corporation=symbol, share_price=cell.id
                    )
                )


def check_par(rules: Rules18Ireland, s: State18Ireland, a: Par) -> None:
    """Raise unless the player may start this major at this price."""
    if not rules.reached_phase(s, rules.constants.majors_start_with):
        raise IllegalAction("phase", "Majors can be started from phase 6 on.", "5.1")
    if a.corporation not in rules.unstarted_majors(s):
        raise IllegalAction("no_major", f"{a.corporation} is no major that can start.", "5.1")
    cell = next((c for c in rules.par_cells if c.id == a.share_price), None)
    if cell is None:
        raise IllegalAction("par", f"{a.share_price} is no par price.", "5.1")
    _check_not_full(rules, s, a.actor)
    if 2 * cell.price > cash(s, a.actor):
        text = f"That costs £{2 * cell.price}; you have £{cash(s, a.actor)}."
        raise IllegalAction("no_cash", text, "5.1")
    if not open_cities(rules, s, a.corporation):
        raise IllegalAction("no_home", "No city has a free place for its home.", "5.1")


def par(rules: Rules18Ireland, s: State18Ireland, a: Par) -> None:
    """Start a major; its home is chosen next."""
    launch(rules, s, a.corporation, a.actor, a.share_price)
    pay(s, a.actor, a.corporation, 2 * rules.price(s, a.corporation), "shares")
    s.round = replace(progress(s), homeless=a.corporation, acted=True, done=True)
