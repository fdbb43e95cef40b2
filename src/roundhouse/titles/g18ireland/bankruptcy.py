"""What a bankruptcy brings (§10.7)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.events import Bankruptcy
from ...model.frozen import put
from ...model.records import BANK
from ...rounds.machine import finish
from ...rounds.steps.operating import operating_play
from .rules import Rules18Ireland
from .state import OperatingRound, State18Ireland


def close_down(
    rules: Rules18Ireland, s: State18Ireland, who: str, player: str, held: Iterable[str]
) -> None:
    """A player who has sold what he could is out: his cash goes to the corporation he had to help,
    and those among ``held`` that he presides over close."""
    pay(s, player, who, cash(s, player), "bankruptcy")
    s.players = put(s.players, player, replace(s.players[player], bankrupt=True))
    s.now.emit(Bankruptcy(player))
    for symbol in held:
        if s.corporations[symbol].president == player:
            _settle(rules, s, symbol)
            rules.close(s, symbol)
    _go_on(rules, s)


def _settle(rules: Rules18Ireland, s: State18Ireland, symbol: str) -> None:
    """The bank pays the other shareholders of a corporation that closes."""
    corporation, price = s.corporations[symbol], rules.price(s, symbol)
    for player in rules.alive(s):
        units = corporation.held(player) // corporation.unit
        pay(s, BANK, player, units * price, "settlement")


def _go_on(rules: Rules18Ireland, s: State18Ireland) -> None:
    """§10.7.4: who is next was fixed before; those after it are put in order anew."""
    reason = rules.game_over(s)
    if reason is not None:
        finish(s, reason)
        return
    m = OperatingRound.of(s)
    coming = [i for i in range(m.index + 1, len(m.order)) if m.order[i] in s.corporations]
    s.round = replace(m, stage="end")
    if coming:
        operating_play(rules, s).resort(s, coming[0])
