"""Who has what in a position, without names."""

from __future__ import annotations

from msgspec import Struct

from ...game import Game
from ...sentences.buttons import money
from ..page.panels import CompanyCard, PlayerCard, companies_of, players_of
from ..page.story import tale_of
from .indexing import nameless


class Row(Struct):
    """A player or a company, with what he has as words: money, worth or price, shares or trains."""

    name: str
    cash: str
    value: str
    has: str


def players_in(game: Game) -> list[Row]:
    """The players, called by their seats from whoever has to act."""
    names = {key: p.name for key, p in nameless(game.rules, game.state).players.items()}
    return [_player(game, card, names[card.key]) for card in players_of(game)]


def companies_in(game: Game) -> list[Row]:
    """The companies that have begun."""
    return [_company(game, card) for card in companies_of(game, tale_of(game))[0]]


def _player(game: Game, card: PlayerCard, name: str) -> Row:
    shares = [f"{h.symbol} {h.percent} %" for h in card.holdings]
    owned = [*shares, *(symbol for symbol, _ in card.privates)]
    return Row(name, money(game.rules, card.cash), money(game.rules, card.value), ", ".join(owned))


def _company(game: Game, card: CompanyCard) -> Row:
    price = money(game.rules, card.price) if card.price is not None else ""
    trains = " ".join(t.name for t in card.trains)
    return Row(card.symbol, money(game.rules, card.cash), price, trains)
