"""How shares are traded (§5.2, §5.4), who is president (§6.3), when a corporation floats (§6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from ...bank import pay
from ...model.kept import kept
from ...model.records import BANK, MARKET, Cert, set_corporation
from ...rounds.steps.trading import Trading
from ...stock import shares
from . import current_merger
from .constants import GREY
from .rules import Rules1828
from .state import Charter, State1828


class Trading1828(Trading[State1828, Rules1828, Charter]):
    """Plain corporations sell at par; the pool takes a limited part; a price falls with each unit
    sold; the grey area knows no limit of holdings."""

    sections = {"pool_limit": "5.4.2", "presidency": "5.4.2", "singles_first": "5.4.3"}

    def singles(self, c: Charter, holder: str) -> tuple[Cert, ...]:
        """A system's treasury share stays where it is."""
        return tuple([x for x in c.certs.get(holder, ()) if x.index not in (0, c.treasury)])

    @kept
    def holdings(self, c: Charter, players: tuple[str, ...]) -> tuple[int, ...]:
        """Percent some players hold, one after the other."""
        return tuple([c.held(player) for player in players])

    def pool_room(self, c: Charter) -> int:
        """§5.4.2."""
        return self.rules.constants.pool_limit - c.held(MARKET)

    def sold(self, s: State1828, symbol: str, count: int) -> None:
        """§5.4.4–5."""
        self.rules.move_price(s, symbol, "down", "sale", count)
        current_merger.give_chance(s, symbol)

    def price(self, c: Charter, source: str) -> int:
        """§5.2.2."""
        return c.par or 0 if source == c.id and not c.system else self.rules.price_of(c)

    def max_holding(self, s: State1828, c: Charter) -> int:
        """§5.2.3, §6.1."""
        free = self.rules.in_zone(c, GREY) and "limit_60_always" not in self.rules.options
        return 100 if free else self.rules.constants.max_holding

    def take(
        self, s: State1828, player: str, symbol: str, certs: Sequence[Cert], source: str
    ) -> None:
        """§5.2.7: one certificate, the president's too where a corporation starts."""
        shares.move(s, symbol, certs, source, player)
        current_merger.give_chance(s, symbol)
        settle_presidency(s, symbol, handed=certs[0].index == 0)
        test_float(self.rules, s, symbol)

    def take_presidency(self, s: State1828, player: str, symbol: str) -> None:
        """§5.3.2: of a corporation he starts."""
        own = s.corporations[symbol].certs[symbol]
        self.take(s, player, symbol, [c for c in own if c.index == 0], symbol)

    def settle(self, s: State1828, symbol: str, owed: tuple[str, int] | None = None) -> None:
        settle_presidency(s, symbol)


PRESIDENCY = 20


def settle_presidency(s: State1828, symbol: str, *, handed: bool = False) -> None:
    """§6.3, after every transfer. ``handed``: the president's certificate itself just went to its
    new holder, so nothing is swapped for it."""
    corporation = s.corporations[symbol]
    held = {p: corporation.held(p) for p in s.order}
    most = max(held.values())
    old = corporation.president
    if old is not None and held[old] == most:
        return
    new = _successor(s, corporation, [p for p in s.order if held[p] == most])
    if new is None:
        return
    shares.set_president(s, symbol, new)
    found = shares.locate(s, f"{symbol}_0")
    assert found is not None
    _, keeper, presidency = found
    if keeper == new and (handed or old is None):
        return
    # §6.3.3: two single units for the president's certificate, to whoever has it: the old
    # president, the pool if he sold it, or the corporation
    singles = [c for c in corporation.certs[new] if c.index != 0][:2]
    shares.move(s, symbol, singles, new, keeper)
    shares.move(s, symbol, (presidency,), keeper, new)


def _successor(s: State1828, corporation: Charter, most: list[str]) -> str | None:
    """§6.3.2, among those who hold most."""
    large = [p for p in most if corporation.held(p) >= PRESIDENCY]
    if corporation.president is not None:
        after = shares.clockwise(s.order, corporation.president)
        return next((p for p in after if p in large), None)
    with_presidency = [p for p in most if any(c.index == 0 for c in corporation.certs.get(p, ()))]
    return next(iter(with_presidency + large), None)


def test_float(rules: Rules1828, s: State1828, symbol: str) -> None:
    """§6.4: a corporation whose own hand is down to 4 units floats and gets ten times its par, a
    system of an unfloated part ten times its price."""
    corporation = s.corporations[symbol]
    if corporation.floated or corporation.cell is None:
        return
    if not _enough_sold(rules, s, corporation):
        return
    set_corporation(s, symbol, floated=True)
    if corporation.system and "merger_keep_cash" in rules.options:
        return
    base = rules.price(s, symbol) if corporation.system else corporation.par or 0
    pay(s, BANK, symbol, base * corporation.shares, "capital")


def _enough_sold(rules: Rules1828, s: State1828, corporation: Charter) -> bool:
    needed = rules.constants.float_units
    if corporation.late and "merger_rest_to_pool" in rules.options:
        held = sum(corporation.held(p) for p in s.order) // corporation.unit
        return held + 1 >= needed
    # §6.4.3: a treasury share is not for sale
    own = corporation.certs.get(corporation.id, ())
    on_sale = sum(c.percent for c in own if c.index != corporation.treasury) // corporation.unit
    return corporation.shares - on_sale >= needed
