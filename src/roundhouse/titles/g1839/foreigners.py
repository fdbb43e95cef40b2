"""The foreigners' turns: nobody decides anything (§12)."""

from __future__ import annotations

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.events import TrainMoved, TurnStarted
from ...model.records import BANK, MARKET
from ...stock import market, shares
from ...trains import depot
from .rules import Rules1839
from .state import OperatingRound, State1839
from .trading import UNIT


def over(rules: Rules1839, m: OperatingRound) -> bool:
    """All have operated."""
    return m.foreigner is None and not m.abroad and m.country == len(rules.constants.countries)


def proceed(rules: Rules1839, s: State1839) -> None:
    """One thing more: a train for the foreigner on turn, else the next foreigner, else the next
    country. A purchase may be followed by discards (§10.3)."""
    m = OperatingRound.of(s)
    if m.foreigner is not None:
        if not _buy_train(rules, s, m.foreigner):
            s.round = replace(m, foreigner=None)
    elif m.abroad:
        s.round = replace(m, foreigner=m.abroad[0], abroad=m.abroad[1:])
        _operate(rules, s, m.abroad[0])
    else:
        country = rules.constants.countries[m.country]
        parred = rules.foreigners_in_order(s, country)
        s.round = replace(m, country=m.country + 1, abroad=tuple(parred))


def _operate(rules: Rules1839, s: State1839, who: str) -> None:
    """§12.1–3: income, price, own shares out of the pool."""
    s.now.emit(TurnStarted(who))
    treasury, slot = rules.country_of(who), cash(s, who)
    pay(s, who, treasury, slot, "income")
    if slot:
        _pay_shares(s, who, treasury, -(-slot // UNIT))
    prices = rules.box.market
    market.move(s, who, prices.right if slot else prices.left, "income" if slot else "no income")
    price = rules.price(s, who)
    for cert in rules.trading.singles(s.corporations[who], MARKET):
        if cash(s, treasury) < price:
            break
        pay(s, treasury, BANK, price, "shares")
        shares.move(s, who, (cert,), MARKET, who)


def _pay_shares(s: State1839, who: str, treasury: str, each: int) -> None:
    """Players get theirs, the country that of the charter; the pool's is lost."""
    c = s.corporations[who]
    pay(s, BANK, treasury, each * (c.held(who) // UNIT), "dividend")
    for player in s.order:
        pay(s, BANK, player, each * (c.held(player) // UNIT), "dividend")


def _buy_train(rules: Rules1839, s: State1839, who: str) -> bool:
    """§12.4: a train for the treasury's money leaves the game, with all that follows from it."""
    pile, treasury = depot.top(s), rules.country_of(who)
    if pile is None or cash(s, treasury) < rules.box.trains[pile.kind].price:
        return False
    price = rules.box.trains[pile.kind].price
    pay(s, treasury, BANK, price, "train")
    train = f"{pile.kind}-{pile.next}"
    if pile.left is not None:
        depot.draw(s, pile.kind)
    s.now.emit(TrainMoved(train, depot.DEPOT, depot.GONE, price))
    rules.left_depot(s, train)
    return True
