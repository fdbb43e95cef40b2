"""The boards rounds are about: what is auctioned, and who holds what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from ...facts import Lot
from ...game import Game
from ...model.records import MARKET
from ...sentences.buttons import lot_name
from ...sentences.words import capital, lot_is_private, unsold_words
from .drawing import called
from .now import Item, Now
from .panels import CompanyCard


class Bid(Struct):
    """A bid that stands."""

    who: str
    price: int
    mine: bool


class LotRow(Struct):
    """Something auctioned: what it is and brings, its bids, and what the viewer may do."""

    symbol: str
    name: str
    value: int
    income: int
    text: str
    price: int
    bids: list[Bid]
    inside: list[str]
    out: list[str]
    open: bool
    note: str
    items: list[Item]
    corporation: bool


class Purse(Struct):
    """A player's money: what he has, what his bids bind, what is free."""

    name: str
    cash: int
    bound: int
    free: int
    acting: bool


class AuctionBoard(Struct):
    """All that is auctioned, the one being fought for first."""

    lots: list[LotRow]
    purses: list[Purse]


def auction_of(game: Game, now: Now, mine: frozenset[str]) -> AuctionBoard:
    """The auction as somebody sees it."""
    s, facts = game.state, game.rules.facts
    items = [i for g in now.groups if g.kind in ("bid", "choose") for i in g.items]
    lots = sorted(facts.lots(s), key=lambda lot: not lot.open)
    deciding = set(game.players_to_act)
    purses = []
    for key in s.order:
        player, bound = s.players[key], facts.bound(s, key)
        turn = player.id in deciding
        purses.append(Purse(player.name, player.cash, bound, player.cash - bound, turn))
    rows = [_lot(game, lot, items, mine, len(lots) == 1) for lot in lots]
    rows += [_lot(game, lot, [], mine, False) for lot in facts.later_lots(s)]
    return AuctionBoard(rows, purses)


def _lot(game: Game, lot: Lot, items: list[Item], mine: frozenset[str], only: bool) -> LotRow:
    rules, s = game.rules, game.state
    private = rules.box.companies.get(lot.item) if lot_is_private(s, lot.item) else None

    def names(keys: Iterable[str]) -> list[str]:
        return [called(rules, s, key) for key in keys]

    return LotRow(
        symbol=lot.item,
        name=lot_name(rules, s, lot.item),
        value=private.value if private else 0,
        income=private.revenue if private else 0,
        text=private.text if private else "",
        price=lot.price,
        bids=[Bid(called(rules, s, who), price, who in mine) for who, price in reversed(lot.bids)],
        inside=names(lot.bidders),
        out=names(lot.passed),
        open=lot.open,
        note=lot.note,
        items=[i for i in items if i.about == lot.item or (only and not i.about)],
        corporation=private is None and lot.item in s.corporations,
    )


class Way(Struct):
    """A button of the grid. ``word``: what is done, and where there are several what differs;
    ``beside``: what it would change, of several what one pays or gets."""

    item: Item
    word: str
    beside: str


class Cell(Struct):
    """Who holds how much of a company, and what the viewer may buy or sell there."""

    percent: int
    president: bool
    ways: list[Way]


class GridRow(Struct):
    """A company: a cell for each holder."""

    card: CompanyCard
    cells: list[Cell]
    others: list[Item]


class ShareGrid(Struct):
    """Companies by holders. ``holders``: names of players, then the treasury and the market."""

    holders: list[str]
    acting: list[bool]
    rows: list[GridRow]
    to_come: list[CompanyCard]


def shares_of(
    game: Game, now: Now, cards: tuple[list[CompanyCard], list[CompanyCard]]
) -> ShareGrid:
    """Who holds what. A company's own shares stand under its treasury."""
    s = game.state
    items = [i for g in now.groups if g.kind in _WORDS for i in g.items]
    keys = list(s.order) + [k for k in s.players if k not in s.order]
    rows = []
    for card in cards[0]:
        if not s.corporations[card.symbol].certs:
            continue
        own = [i for i in items if i.symbol == card.symbol]
        rows.append(_row(game, card, keys, own))
    deciding = set(game.players_to_act)
    names = [s.players[k].name for k in keys]
    acting = [s.players[k].id in deciding for k in keys]
    unsold = capital(unsold_words(game.rules, [row.card.symbol for row in rows]))
    return ShareGrid([*names, unsold, "Market"], [*acting, False, False], rows, cards[1])


#: What is done in the grid's cells, as their buttons say it.
_WORDS = {"buy_shares": "Buy", "sell_shares": "Sell", "short": "Short"}


def _row(game: Game, card: CompanyCard, keys: list[str], items: list[Item]) -> GridRow:
    c = game.state.corporations[card.symbol]
    holders = [*keys, c.id, MARKET]
    cells = [
        Cell(c.held(h), c.president == h, _ways([i for i in items if i.source == h]))
        for h in holders
    ]
    return GridRow(card, cells, [i for i in items if i.source not in holders])


def _ways(items: list[Item]) -> list[Way]:
    """The buttons of a cell, told apart where one kind has several."""
    count, ways = Counter(i.kind for i in items), []
    alike = Counter((i.kind, i.short) for i in items)
    for item in items:
        word, beside = _WORDS[item.kind], item.after
        if count[item.kind] > 1:
            by = f" · {item.by}" if alike[item.kind, item.short] > 1 else ""
            word, beside = f"{word} {item.short}{by}".rstrip(), item.money
        ways.append(Way(item, word, beside))
    return ways
