"""Passes, turns, rounds, phases, and what titles tell in their own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model import events as ev
from ...model.events import Event
from ..words import Part, capital, ending, spoken
from .teller import Teller, Tells, Told


def _passed(t: Teller, e: ev.Passed) -> Told:
    w = t.words
    if e.who not in w.state.players:
        yield "pass", e.who, (w.who(e.who), f" passes ({e.step})" if e.step else " passes")
        return
    about = (" on ", t.lot(e.about)) if e.about else ()
    yield "pass", e.who, (w.who(e.who), " passes", *about)


def _phase(t: Teller, e: ev.PhaseStarted) -> Told:
    yield "round", "", (f"Phase {e.phase} begins",)


def _round(t: Teller, e: ev.RoundStarted) -> Told:
    yield "round", "", (f"{t.words.rules.round_told(e)} begins",)


def _turn(t: Teller, e: ev.TurnStarted) -> Told:
    t.on_turn = e.who
    yield "round", e.who, (t.words.who(e.who), " operates")


def _ended_game(t: Teller, e: ev.GameEnded) -> Told:
    yield "round", "", (f"The game ends: {ending(t.words.rules, e.reason)}",)


def _noted(t: Teller, e: ev.Noted) -> Told:
    """A title's own sentence: a text with ``{who}``, ``{what}`` and ``{amount}`` (or ``{share}``, a
    number among others) in it."""
    text = t.words.rules.box.game.notes.get(e.code)
    if text is None:
        text = f"{{who}}: {spoken(e.code)}" if e.who else capital(spoken(e.code))
        text += (" {what}" if e.what else "") + (" ({amount})" if e.amount else "")
    values: dict[str, Part] = {
        "who": t.words.who(e.who),
        "what": t.words.who(e.what),
        "amount": t.words.money(e.amount),
        "share": f"{e.amount} of {e.among}" if e.among else str(e.amount),
    }
    yield "other", e.who, tuple(_filled(capital(text), values))


def _filled(text: str, values: dict[str, Part]) -> Iterator[Part]:
    for piece in text.replace("}", "{").split("{"):
        if piece:
            yield values.get(piece, piece)


TELLING: Mapping[type[Event], Tells] = {
    ev.Passed: _passed,
    ev.PhaseStarted: _phase,
    ev.RoundStarted: _round,
    ev.TurnStarted: _turn,
    ev.GameEnded: _ended_game,
    ev.Noted: _noted,
}
