"""Money: the verb that moves it, and the end of who has none."""

from __future__ import annotations

from msgspec.structs import replace

from .model.errors import BrokenInvariant
from .model.events import Paid
from .model.frozen import put
from .model.records import BANK, State


def cash(s: State, who: str) -> int:
    """The cash of a player, corporation or the bank."""
    if who == BANK:
        return s.bank
    player = s.players.get(who)
    return player.cash if player is not None else s.corporations[who].cash


def pay(s: State, payer: str, payee: str, amount: int, why: str, *, debt: bool = False) -> None:
    """Move money. Raises :class:`BrokenInvariant` if the payer has too little, unless it may be
    left in ``debt``; the bank may always."""
    if amount < 0:
        payer, payee, amount = payee, payer, -amount
    if amount == 0 or payer == payee:
        return
    _change(s, payer, -amount, debt)
    _change(s, payee, amount, True)
    s.now.emit(Paid(payer, payee, amount, why))


def ruin(s: State, player: str, payee: str) -> None:
    """A player loses all his cash, or what he owes, and is bankrupt."""
    pay(s, player, payee, cash(s, player), "bankruptcy", debt=True)
    s.players = put(s.players, player, replace(s.players[player], bankrupt=True))


def _change(s: State, who: str, amount: int, debt: bool) -> None:
    if who == BANK:
        s.bank = left = s.bank + amount
        if left < s.bank_low:
            s.bank_low = left
        return
    player = s.players.get(who)
    if player is not None:
        left = player.cash + amount
        s.players = put(s.players, who, replace(player, cash=left))
    else:
        corporation = s.corporations[who]
        left = corporation.cash + amount
        s.corporations = put(s.corporations, who, replace(corporation, cash=left))
    if left < 0 and not debt:
        raise BrokenInvariant(f"{who} would have {left}")
