"""Steps in words: what is to be done in each, what passing says, what choosing is called."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..model.actions import Action, Choose, PlaceToken
from ..model.records import State
from ..rounds.step import Step
from ..rounds.steps.stock import StockTurn
from .buttons import doing, heading, sells_at_prices
from .words import capital

#: Step → what is to be done in it; what its pass says at first; and once something was done in it.
STEPS: dict[str, tuple[str, str, str]] = {
    "auction": ("bid or pass", "Pass", "Pass"),
    "nominate": ("put something up for auction", "Nominate nothing", "Nominate nothing"),
    "premium": ("bid for the premium", "No higher premium", "No higher premium"),
    "draft": ("buy a mine or a concession", "Buy nothing", "Buy nothing"),
    "par": ("set the price", "Pass", "Pass"),
    "stock turn": ("sell, buy or pass", "Pass", "End the turn"),
    "stock": ("sell, buy or pass", "Pass", "End the turn"),
    "minor auction": ("bid for the minor", "Out of this auction", "Out of this auction"),
    "founding auction": ("bid for the corporation", "Out of this auction", "Out of this auction"),
    "size": ("choose the corporation’s size", "Pass", "Pass"),
    "privates": ("hand over private companies", "No private company", "No more private companies"),
    "home token": ("choose the home", "Pass", "Pass"),
    "home": ("choose the home", "Pass", "Pass"),
    "cash crisis": ("raise money", "Pass", "Pass"),
    "track": ("lay track", "No track", "No more track"),
    "second tile": ("lay the second tile", "No second tile", "No second tile"),
    "token": ("place a token", "No token", "No more tokens"),
    "marker": ("place a marker", "No marker", "No more markers"),
    "routes": ("run the trains", "Run no train", "Run no train"),
    "dividend": ("decide on the dividend", "Pass", "Pass"),
    "trains": ("buy trains", "Buy no train", "Buy no more trains"),
    "equipment": ("buy or scrap equipment", "Buy nothing", "Buy no more"),
    "buy mine": ("buy a mine", "Buy no mine", "Buy no more mines"),
    "switch": ("exchange switchers", "Exchange nothing", "Exchange no more"),
    "convert": ("convert or not", "Do not convert", "Do not convert"),
    "discard": ("discard a train", "Pass", "Pass"),
    "loans": ("repay loans", "Repay nothing", "Repay no more"),
    "borrow": ("take a loan or not", "No loan", "No more loans"),
    "companies": ("buy private companies", "Buy no private company", "Buy no more of them"),
    "issue": ("issue a share or not", "Issue nothing", "Issue no more"),
    "shells": ("move trains between the halves", "Leave the trains", "Leave the trains"),
    "merger": ("convert, merge or pass", "Do neither", "No more mergers"),
    "merger proposal": ("propose a merger", "Propose nothing", "Propose no more"),
    "merger loans": ("take loans for the merger", "No loan", "No more loans"),
    "merger vote": ("vote on the merger", "Pass", "Pass"),
    "merger target": ("name whom to merge with", "No merger", "No merger"),
    "investors": ("buy a share from the treasury", "Buy nothing", "Buy no more"),
    "offer": ("offer the corporation for sale or not", "Do not offer it", "Do not offer it"),
    "acquisition auction": ("bid for the corporation", "Do not bid", "Out of this auction"),
    "buyer": ("choose the buyer", "Pass", "Pass"),
    "buyer loans": ("repay or take loans", "Leave the loans", "No more loans"),
    "exchange": ("exchange the private or not", "Do not exchange it", "Do not exchange it"),
    "report": ("report connections", "Report nothing", "Report no more"),
    "coal marker": ("buy a coal marker or not", "No marker", "No marker"),
    "free tile": ("lay the private’s tile or not", "Not now", "Not now"),
    "special station": ("use the private’s station or not", "Not now", "Not now"),
    "bridge": ("build the bridge or not", "Not now", "Not now"),
    "company lay": ("lay the private’s tiles or not", "Not now", "Not now"),
    "free lay": ("lay the private’s tile or not", "Not now", "Not now"),
    "town tile": ("lay the private’s tile or not", "Not now", "Not now"),
    "outpost": ("place the station with the tile or not", "No station", "No station"),
    "exchange par": ("set the price", "Pass", "Pass"),
    "second home token": ("choose the second home", "Pass", "Pass"),
    "token choice": ("choose the station’s city again", "Pass", "Pass"),
    "replace token": ("choose the station’s city again", "Pass", "Pass"),
    "remove token": ("take a station off the map", "Pass", "Pass"),
    "merger tokens": ("take one of two stations off", "Pass", "Pass"),
    "merger major": ("choose the new major", "Pass", "Pass"),
    "merge": ("choose the mines of the new company", "Pass", "Pass"),
}


#: The same of steps in which nothing but a question is answered.
_ANSWERS: dict[str, tuple[str, str, str]] = {
    "merger": ("say what becomes of single shares", "Pass", "Pass")
}
#: The same of auctions in which everything is sold at its price, nothing bid for.
_SALES: dict[str, tuple[str, str, str]] = {
    "auction": ("buy one, have money laid on one, or pass", "Pass", "Pass")
}
#: The same of turns in which nothing may be sold.
_NO_SALES: dict[str, tuple[str, str, str]] = {
    name: ("buy or pass", *STEPS[name][1:]) for name in ("stock turn", "stock")
}
#: What choosing is called in a step, as a heading.
_CHOOSING = {
    "auction": "Lay money on one",
    "home": "Home",
    "size": "Size",
    "merger vote": "Vote",
    "buyer": "Buyer",
    "stock turn": "Propose a merger",
    "merger": "A single share",
}


#: What placing a station is in a step that is about another one than usual.
_PLACING = {
    "home token": "Place the home station",
    "home": "Place the home station",
    "second home token": "Place the second home station",
    "marker": "Place a marker",
}


def placing(s: State, a: Action) -> str:
    """“Place the home station”: what an action does on a hex, where that is named beside it."""
    named = _PLACING.get(s.step) if isinstance(a, PlaceToken) else None
    return named or capital(doing(a))


def words_of(s: State, step: Step[Any, Any] | None) -> tuple[str, str, str] | None:
    """What is to be done in a step, what its pass says at first, and what later."""
    asks = step is not None and step.takes == {Choose}
    special = _ANSWERS if asks else _SALES if sells_at_prices(s, step) else STEPS
    if isinstance(step, StockTurn) and step.why_no_sales(s):
        special = _NO_SALES
    return special.get(s.step) or STEPS.get(s.step)


def begun(game: Game, actor: str) -> bool:
    """Whether the actor has done something in the present step already."""
    s, step = game.state, game.waiting
    if step is None or not game.history:
        return False
    last = game.history[-1].action
    before = game.history[-2].state if len(game.history) > 1 else game.start
    same = last.actor == actor and before.step == s.step
    return same and last.type != "pass" and type(last) in step.takes


def passing(game: Game, actor: str) -> str:
    """What the pass of the present step says."""
    words = words_of(game.state, game.waiting)
    if words is None:
        return "Pass"
    return words[2] if begun(game, actor) else words[1]


def sells(game: Game) -> bool:
    """Whether the game waits for somebody to buy things at their prices: none is bid for."""
    return sells_at_prices(game.state, game.waiting)


def group_name(game: Game, a: Action) -> str:
    """The heading of the actions like one in the present step."""
    if a.type == "bid" and sells(game):
        return "Buy"
    if a.type == "sell_shares" and game.state.step == "issue":  # by the company, not a holder
        return "Issue shares"
    return (_CHOOSING.get(game.state.step) if a.type == "choose" else None) or heading(a)
