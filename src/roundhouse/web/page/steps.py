"""The step the game waits in, in words: what is to be done, how far it is, what passing does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...game import Game
from ...model.actions import Action, Choose, Pass, company_key
from ...model.choices import Choice
from ...model.events import (
    Bankruptcy,
    CorporationClosed,
    Event,
    GameEnded,
    Liquidated,
    RoundStarted,
    TrainsRusted,
)
from ...model.records import State
from ...rounds.rules import Rules
from ...rounds.step import Step
from ...sentences.buttons import heading, sells_at_prices
from .drawing import called

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


#: The steps of these in which one does what one can of several things.
_TURNS = frozenset({"stock turn", "stock"})
#: The steps of these in which one company is fought for.
_FOUGHT = frozenset({"minor auction", "founding auction", "acquisition auction"})
#: The same of steps in which nothing but a question is answered.
_ANSWERS: dict[str, tuple[str, str, str]] = {
    "merger": ("say what becomes of single shares", "Pass", "Pass")
}
#: The same of auctions in which everything is sold at its price, nothing bid for.
_SALES: dict[str, tuple[str, str, str]] = {
    "auction": ("buy one, have money laid on one, or pass", "Pass", "Pass")
}
#: What choosing is called in a step, as a heading.
_CHOOSING = {"auction": "Lay money on one", "size": "Size", "merger vote": "Vote", "buyer": "Buyer"}


def _words(game: Game) -> tuple[str, str, str] | None:
    """The words of the step the game waits in."""
    return _words_of(game.state, game.waiting)


def _words_of(s: State, step: Step[Any, Any] | None) -> tuple[str, str, str] | None:
    asks = step is not None and step.takes == {Choose}
    special = _ANSWERS if asks else _SALES if sells_at_prices(s, step) else STEPS
    return special.get(s.step) or STEPS.get(s.step)


def sells(game: Game) -> bool:
    """Whether the game waits for somebody to buy things at their prices: none is bid for."""
    return sells_at_prices(game.state, game.waiting)


def group_name(game: Game, a: Action) -> str:
    """The heading of the actions like one in the present step."""
    if a.type == "bid" and sells(game):
        return "Buy"
    return (_CHOOSING.get(game.state.step) if a.type == "choose" else None) or heading(a)


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
    words = _words(game)
    if words is None:
        return "Pass"
    return words[2] if begun(game, actor) else words[1]


#: What one does with a turn of a stock round.
_TRADES = {
    "sell_shares": "sell", "short": "sell short", "buy_shares": "buy", "par": "start a company",
    "bid": "start a company", "choose": "merge",
}  # fmt: skip


def _turn(game: Game, actor: str) -> str:
    """What somebody can do with his turn of a stock round; empty if nobody is asked."""
    s = game.state
    own = {company_key(c.id) for c in s.companies.values() if c.owner == actor}  # which act for him
    kinds = {c.type for c in game.choices() if c.actor == actor or c.actor in own}
    trades = list(dict.fromkeys(word for kind, word in _TRADES.items() if kind in kinds))
    if "pass" not in kinds:
        return " or ".join(trades)
    return f"{', '.join(trades)} or pass" if trades else "nothing to sell or buy; pass"


def to_do(game: Game, actor: str) -> str:
    """What is to be done in the present step, and how far it is: “buy trains (3 of 4)”."""
    if game.state.step in _TURNS and (turn := _turn(game, actor)):
        return turn
    words = _words(game)
    if words is None:
        return ""
    return f"{_named(game, words[0])}{_progress(game.state, game, actor)}"


def only_pass(game: Game, choices: Iterable[Choice]) -> bool:
    """Whether what is to be done in the present step cannot be done; a turn says so itself."""
    return game.state.step not in _TURNS and all(c.type == "pass" for c in choices)


def bound(game: Game, words: str, choices: Iterable[Choice]) -> bool:
    """Whether what is to be done must be, in a step that may be passed at other times."""
    step = game.waiting
    passing = step is None or Pass not in step.takes or any(c.type == "pass" for c in choices)
    return not passing and "pass" not in words and " or not" not in words


def _named(game: Game, words: str) -> str:
    """What is to be done, with the company it is about where one is fought for."""
    if game.state.step not in _FOUGHT:
        return words
    lot = next((lot for lot in game.rules.facts.lots(game.state) if lot.open), None)
    return f"bid for {lot.item}" if lot else words


def _progress(s: State, game: Game, actor: str) -> str:
    company = s.corporations.get(actor)
    if company is None:
        return ""
    if s.step == "trains":
        limit = game.rules.box.phases[s.phase].train_limit
        of = limit if isinstance(limit, int) else limit.get(company.kind)
        return f" ({len(company.trains)} of {of})" if of is not None else ""
    laid = getattr(s.round, "lays", 0)
    return f" ({laid} laid)" if s.step == "track" and laid else ""


def follows(rules: Rules[Any], before: State, s: State, events: tuple[Event, ...]) -> str:
    """What comes after a pass that led from one state to another: “then OR 3.1 begins”, “then Ben,
    AMS: lay track”."""
    if s.finished:
        return "ends the game"
    started = next((e for e in events if isinstance(e, RoundStarted)), None)
    if started is not None:
        return f"then {started.name} {started.turn}.{started.number} begins"
    if not s.acting:
        return ""
    who = s.acting[0]
    doing = (_words_of(s, rules.play(s).waiting(s)) or ("",))[0]
    same = who in before.acting
    name = "" if same else called(rules, s, who)
    return f"then {': '.join(p for p in (name, doing) if p)}" if name or doing else ""


def forgone(game: Game, a: Action) -> str:
    """What an action gives up that whoever sends it needs; empty: nothing."""
    step = game.waiting
    return step.forgone(game.state, a) if step is not None and type(a) in step.takes else ""


def grave(was: Game, s: State, a: Action, events: tuple[Event, ...]) -> str:
    """What of an action that leads from a game to another state cannot be mended, as a question's
    first sentence; empty if nothing."""
    before, rules = was.state, was.rules
    told = [given_up] if (given_up := forgone(was, a)) else []
    for e in events:
        match e:
            case GameEnded():
                told.append("This ends the game.")
            case Bankruptcy():
                told.append("This is a bankruptcy.")
            case Liquidated():
                told.append(f"{called(rules, s, e.corporation)} goes into liquidation.")
            case CorporationClosed():
                told.append(f"{called(rules, before, e.corporation)} closes.")
    rusted = any(isinstance(e, TrainsRusted) for e in events)
    for c in () if rusted else s.corporations.values():
        old = before.corporations.get(c.id)
        if old is not None and old.trains and not c.trains and c.id not in " ".join(told):
            told.append(f"{called(rules, s, c.id)} is left without a train.")
    return " ".join(dict.fromkeys(told))
