"""The president's help with a forced train, and bankruptcy (§10.6–7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...model.actions import Action, Bankrupt
from ...model.choices import Choice
from ...model.events import Bankruptcy
from ...model.records import BANK, put
from ...rounds.machine import finish
from ...rounds.step import Moment, Step
from ...stock.bundles import Bundle
from .state import Charter, State18Ireland
from .track import memory
from .trains import offers

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace


def president_of(s: State18Ireland, who: str) -> str:
    """Who has to help."""
    president = s.corporations[who].president
    assert president is not None
    return president


def is_forced(s: State18Ireland, who: str) -> bool:
    """§10.6: it has no train."""
    return not s.corporations[who].trains


def needs_help(rules: Rules18Ireland, s: State18Ireland, who: str) -> bool:
    """§10.6.1–2: it must buy and can pay for nothing on offer."""
    return is_forced(s, who) and cash(s, who) < min(offers(rules, s).values())


def funds(s: State18Ireland, who: str) -> int:
    """Treasury and president's cash together."""
    return cash(s, who) + cash(s, president_of(s, who))


def least_price(s: State18Ireland, who: str) -> int:
    """§10.6.4: after a sale, the least a train must cost: not one that could be had without the
    last share sold."""
    m = memory(s)
    return funds(s, who) - m.last_sale + 1 if m.last_sale else 0


def sellable(
    rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter
) -> Iterator[Bundle]:
    """§10.6.3: bundles of a corporation the president of ``who`` may sell to help it."""
    president = president_of(s, who)
    if president not in corporation.certs or corporation.cell is None:
        return
    price, unit = rules.price(s, corporation.id), corporation.unit
    need = max(offers(rules, s).values()) - funds(s, who)
    others = rules.trading.most_of_others(s, president, corporation)
    for bundle in rules.trading.bundles(s, president, corporation):
        keeps = corporation.held(president) - bundle.percent >= others and not bundle.president
        smallest = 1 if bundle.singles else 2
        shares = bundle.percent // unit
        if (keeps or corporation.id != who) and (shares - smallest) * price < need:
            yield bundle


def raisable(rules: Rules18Ireland, s: State18Ireland, who: str) -> int:
    """§10.7: funds, and the largest bundle of every corporation at present prices."""
    total = funds(s, who)
    for corporation in rules.started(s):
        most = max((b.percent for b in sellable(rules, s, who, corporation)), default=0)
        total += most // corporation.unit * rules.price(s, corporation.id)
    return total


def leads_on(
    rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter, bundle: Bundle
) -> bool:
    """§10.6.5: whether some train can still be bought after a sale."""
    ahead = s.fork()
    ahead.now = Moment()
    _help(rules, ahead, who, corporation.id, bundle)
    low, high = least_price(ahead, who), raisable(rules, ahead, who)
    return any(low <= price <= high for price in offers(rules, ahead).values())


def sales(rules: Rules18Ireland, s: State18Ireland, who: str) -> Iterator[tuple[Charter, Bundle]]:
    """All sales that help and lead on."""
    if not needs_help(rules, s, who):
        return
    for corporation in rules.started(s):
        for bundle in sellable(rules, s, who, corporation):
            if leads_on(rules, s, who, corporation, bundle):
                yield corporation, bundle


def _help(rules: Rules18Ireland, s: State18Ireland, who: str, symbol: str, bundle: Bundle) -> None:
    president, corporation = president_of(s, who), s.corporations[symbol]
    certs = rules.trading.certificates(corporation, president, bundle)
    note_sale(rules, s, symbol)
    rules.trading.sell(s, president, symbol, certs, bundle.percent)


def note_sale(rules: Rules18Ireland, s: State18Ireland, symbol: str) -> None:
    """Remember what a share of the sale about to be made brings."""
    s.round = replace(memory(s), last_sale=rules.price(s, symbol))


def resort(rules: Rules18Ireland, s: State18Ireland, fixed: int) -> None:
    """§7.5: the corporations after position ``fixed`` are put in order anew."""
    m = memory(s)
    later = set(m.order[fixed + 1 :])
    coming = tuple(c for c in rules.in_order(s) if c in later)
    s.round = replace(m, order=m.order[: fixed + 1] + coming)


def is_ruined(rules: Rules18Ireland, s: State18Ireland, who: str) -> bool:
    """§10.7: not even all sales together would pay for the cheapest train on offer."""
    return raisable(rules, s, who) < min(offers(rules, s).values())


def is_hopeless(rules: Rules18Ireland, s: State18Ireland, who: str) -> bool:
    """§10.7: it must buy a train and nothing can pay for one."""
    return is_forced(s, who) and is_ruined(rules, s, who)


class EarlyBankruptcy(Step[State18Ireland]):
    """§10.6.6: recorded games may declare a bankruptcy at other moments of the turn."""

    name = "early bankruptcy"
    rule = "10.7"
    takes = frozenset({Bankrupt})
    quiet = True
    rules: Rules18Ireland

    def admits(self, s: State18Ireland, who: str, kind: type[Action]) -> bool:
        """Where no purchase is forced yet, or none at all; else it is the train step's matter."""
        if not s.now.recorded or who != self.rules.operator(s):
            return False
        return not (memory(s).stage == "trains" and is_forced(s, who))

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        return iter(())

    def check(self, s: State18Ireland, a: Bankrupt) -> None:
        if not is_ruined(self.rules, s, a.actor):
            raise self.refuse("solvent", "Money for a train can still be raised.")

    def apply(self, s: State18Ireland, a: Bankrupt) -> None:
        go_bankrupt(self.rules, s, a.actor)


def go_bankrupt(rules: Rules18Ireland, s: State18Ireland, who: str) -> None:
    """§10.7."""
    player = president_of(s, who)
    held = [c for c in rules.in_order(s) if player in s.corporations[c].certs]
    for symbol in held:
        bundles = list(sellable(rules, s, who, s.corporations[symbol]))
        if bundles:
            _help(rules, s, who, symbol, max(bundles, key=lambda b: b.percent))
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
    m = memory(s)
    coming = [i for i in range(m.index + 1, len(m.order)) if m.order[i] in s.corporations]
    s.round = replace(m, stage="end")
    if coming:
        resort(rules, s, coming[0])
