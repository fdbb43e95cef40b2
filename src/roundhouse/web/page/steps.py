"""The step the game waits in: what is to be done, how far it is, what passing does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...game import Game
from ...model.actions import Action, Pass, company_key
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
from ...sentences.steps import words_of
from .drawing import called

#: The steps in which one does what one can of several things.
_TURNS = frozenset({"stock turn", "stock"})
#: The steps in which one company is fought for.
_FOUGHT = frozenset({"minor auction", "founding auction", "acquisition auction"})


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
    words = words_of(game.state, game.waiting)
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
        return f"then {rules.round_told(started)} begins"
    if not s.acting:
        return ""
    who = s.acting[0]
    doing = (words_of(s, rules.play(s).waiting(s)) or ("",))[0]
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
