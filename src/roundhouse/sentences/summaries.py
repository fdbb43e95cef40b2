"""Short summaries of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .words import Words, capital, ending, listed

if TYPE_CHECKING:
    from ..model.records import State
    from ..rounds.rules import Rules


def name_of(rules: Rules[Any], state: State, key: str) -> str:
    """What an entity key is called: a player's name, a company's symbol, ``the bank`` …"""
    return str(Words(rules, state).who(key))


def where(rules: Rules[Any], state: State) -> str:
    """The place in the game in a few words: ``Operating Round 4.2, phase 5``."""
    if state.finished is not None:
        return f"finished: {ending(rules, state.finished)}"
    return f"{rules.round_of(state)}, phase {state.phase}"


def summary(rules: Rules[Any], state: State) -> str:
    """The state as a short plain text: where the game is, who is waited for, players by worth,
    corporations by price."""
    words = Words(rules, state)
    lines = [capital(where(rules, state))]
    if state.acting:
        waited = listed([str(words.who(k)) for k in state.acting])
        lines.append(f"Waiting for {waited}: {state.step}")
    ranking = sorted(state.order, key=lambda p: -rules.value(state, p))
    for player in ranking:
        record = state.players[player]
        worth = words.money(rules.value(state, player))
        lines.append(f"  {record.name}: {words.money(record.cash)} cash, worth {worth}")
    started = [c for c in state.corporations.values() if c.cell is not None]
    for c in sorted(started, key=lambda c: -rules.box.market.price[c.cell or ""]):
        trains = " ".join(words.train_kind(t) for t in c.trains) or "no trains"
        lines.append(f"  {c.id}: {words.price(c.cell)}, {words.money(c.cash)}, {trains}")
    return "\n".join(lines)
