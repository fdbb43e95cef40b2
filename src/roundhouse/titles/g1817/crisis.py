"""Cash crisis and bankruptcy (§5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay, ruin
from ...model.actions import Bankrupt, SellShares
from ...model.choices import Choice
from ...model.events import Bankruptcy
from ...model.records import BANK, CLOSED, MARKET, Cert, Corporation
from ...rounds.step import Step
from ...stock import shares
from ...stock.bundles import possible
from .rules import Rules1817
from .state import AcquisitionRound, State1817


class Crisis(Step[State1817, Rules1817]):
    """A player with negative cash sells shares until he is out of debt, or is bankrupt."""

    name = "cash crisis"
    rule = "5.5"
    takes = frozenset({SellShares, Bankrupt})

    #: The players last looked at, if none was in debt.
    _solvent: object = None

    def first(self, s: State1817) -> str | None:
        """Whose seat is looked at first (§5.5.1)."""
        raise NotImplementedError

    def aftermath(self, s: State1817) -> None:
        """What follows a sale or a bankruptcy."""

    def actors(self, s: State1817) -> tuple[str, ...]:
        if s.players is self._solvent:
            return ()
        if min([p.cash for p in s.players.values()]) >= 0:
            self._solvent = s.players
            return ()
        first, order = self.first(s), s.order
        if first in order:
            order = shares.starting_with(order, first)
        return tuple(p for p in order if cash(s, p) < 0)[:1]

    # sales

    def _most(self, s: State1817, who: str, corporation: Corporation) -> int:
        """How many certificates could be sold, debts aside (§5.5.2)."""
        if not self.rules.white(s, corporation.id):
            return 0
        if isinstance(s.round, AcquisitionRound) and not corporation.operated:
            return 0
        ordinary = len(self.rules.trading.singles(corporation, who))
        if corporation.president != who:
            return ordinary
        others = max(corporation.held(p) for p in self.rules.alive(s) if p != who)
        spare = (corporation.held(who) - others) // corporation.unit
        return max(0, min(ordinary, spare))

    def _needed(self, s: State1817, who: str, corporation: Corporation) -> int:
        """The fewest certificates whose price covers the debt."""
        price = self.rules.price(s, corporation.id)
        return -(cash(s, who) // price)

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            for corporation in self.rules.started(s):
                most = self._most(s, who, corporation) if who in corporation.certs else 0
                if not most:
                    continue
                most = min(most, self._needed(s, who, corporation))
                for bundle in possible(corporation.unit, most):
                    yield self.rules.trading.sale_choice(s, who, corporation, bundle)
            if self._hopeless(s, who):
                yield Choice(Bankrupt(entity=s.players[who].id, entity_type="player"))

    def _hopeless(self, s: State1817, who: str) -> bool:
        """§5.5.3: not even all legal sales together would do."""
        raised = sum(
            self._most(s, who, c) * self.rules.price(s, c.id)
            for c in self.rules.started(s)
            if who in c.certs
        )
        return cash(s, who) + raised < 0

    def check(self, s: State1817, a: SellShares | Bankrupt) -> None:
        if isinstance(a, Bankrupt):
            self._check_bankrupt(s, a.actor)
            return
        corporation, _, bundle = self.rules.trading.read_sale(s, a, "5.5.2")
        count, symbol = bundle.singles, corporation.id
        if bundle.president:
            raise self.refuse("presidency", "The president's certificate cannot be sold now.")
        self.rules.trading.insist_percent(bundle.percent, count * corporation.unit, "5.5")
        most = self._most(s, a.actor, corporation)
        if count > most:
            raise self.refuse(
                "unsellable", f"You can sell {most} certificates of {symbol} now.", "5.5.2"
            )
        if count > self._needed(s, a.actor, corporation):
            text = f"You need {self.money(-cash(s, a.actor))}; sell no more."
            raise self.refuse("too_many", text, "5.5.2")

    def _check_bankrupt(self, s: State1817, who: str) -> None:
        """§5.5.3: others who play by the same files let anybody in debt give up; what a finished
        file records counts, and is noted."""
        if self._hopeless(s, who):
            return
        fault = self.refuse("solvent", "You can still sell shares for what you need.", "5.5.3")
        if not s.now.recorded:
            raise fault
        s.now.findings.append(fault)

    def apply(self, s: State1817, a: SellShares | Bankrupt) -> None:
        if isinstance(a, Bankrupt):
            self._go_bankrupt(s, a.actor)
        else:
            corporation, certs, _ = self.rules.trading.read_sale(s, a, "5.5.2")
            self._sell(s, a.actor, corporation, certs)
        self.aftermath(s)

    def _sell(self, s: State1817, who: str, corporation: Corporation, certs: list[Cert]) -> None:
        symbol = corporation.id
        net = sum(c.percent for c in certs) // corporation.unit
        pay(s, BANK, who, max(0, net) * self.rules.price(s, symbol), "shares", debt=True)
        shares.move(s, symbol, certs, who, MARKET)
        self.rules.trading.cancel_shorts(s, symbol, MARKET)

    # bankruptcy

    def _go_bankrupt(self, s: State1817, who: str) -> None:
        """§5.5.3."""
        s.now.emit(Bankruptcy(who))
        owned = [c for c in self.rules.in_order(s) if who in s.corporations[c].certs]
        for symbol in owned:
            corporation = s.corporations[symbol]
            if most := self._most(s, who, corporation):
                count = max(0, min(most, self._needed(s, who, corporation)))
                certs = self.rules.trading.singles(corporation, who)[:count]
                self._sell(s, who, corporation, list(certs))
        for symbol in owned:
            corporation = s.corporations[symbol]
            if who in corporation.certs:
                self._sell(s, who, corporation, list(corporation.certs[who]))
            if corporation.president == who:
                self.rules.liquidate(s, symbol)
                shares.set_president(s, symbol, None)
        ruin(s, who, BANK)
        if "bankrupt_loses_privates" in self.rules.options:
            for company in self.rules.privates(s, who):
                self.rules.give_company(s, company, CLOSED)
