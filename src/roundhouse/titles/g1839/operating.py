"""The operating round (§4.3): its order; running, the dividend and what foreigners get of it (§11);
the turns of these (§12)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.actions import RunRoutes
from ...model.choices import Choice
from ...model.events import TrainMoved, TurnStarted
from ...model.records import BANK, MARKET
from ...rounds.steps import dividend, running
from ...rounds.steps.operating import OperatingPlay
from ...rounds.steps.running import Earned
from ...stock import market, shares
from ...trains import depot
from .powers import BuyPrivates, UsePowers
from .routes import Routes1839
from .rules import Rules1839
from .state import ABROAD, OperatingRound, State1839, StockRound
from .station import Home, PlaceMarker
from .track import OutpostStation, Track
from .trading import UNIT
from .trains import BuyTrains, Discard, EarlyTrains


class RunTrains(running.RunTrains[State1839, Rules1839]):
    """§11.0."""

    rule = "11.1"

    def waits(self, s: State1839, who: str) -> bool:
        return bool(s.corporations[who].trains) and Routes1839(self.rules, s, who).can_run()

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        for choice in super().answers(s, who):
            yield Choice(choice.action, {"routes": choice.domains["routes"]})

    def check_answer(self, s: State1839, a: RunRoutes) -> None:
        if a.extra_revenue or a.subsidy:
            raise self.refuse("extra", "There is no revenue beyond the routes.", "16")
        super().check_answer(s, a)

    def ran(self, s: State1839, who: str, a: RunRoutes, earned: Earned) -> None:
        stops = {coord for route in earned.routes or () for coord, _ in route.stops}
        pay_foreigners(self.rules, s, stops, earned.revenue)
        self._retire(s, who)
        super().ran(s, who, a, earned)

    def skipped(self, s: State1839, who: str) -> None:
        self._retire(s, who)
        self.leave(s)

    def _retire(self, s: State1839, who: str) -> None:
        """§8.3 VV: trains that ran once more go."""
        for train in s.corporations[who].trains:
            if s.trains[train].obsolete:
                depot.remove(s, train)


def pay_foreigners(rules: Rules1839, s: State1839, hexes: set[str], revenue: int) -> None:
    """§11.7: every area with a hex on some route is started and gets its share once."""
    touched = {rules.foreigner_at[coord] for coord in hexes if coord in rules.foreigner_at}
    for foreigner in rules.foreign:
        if foreigner not in touched:
            continue
        if s.corporations[foreigner].cell is None:
            market.start(rules.box.market, s, foreigner, rules.par_cells(s)[-1])
        pay(s, BANK, foreigner, revenue * rules.constants.income_percent // 100, "income")


class ChooseDividend(dividend.ChooseDividend[State1839, Rules1839]):
    """§11.5–6: the company is paid for the pool."""

    rule = "11.5"
    paid_for = "pool"

    def half(self, s: State1839, who: str, revenue: int) -> int:
        """The half that is paid is rounded up to tens."""
        return revenue - -(-revenue // 20) * 10

    def steps_for(self, who: str, times: float) -> int:
        return super().steps_for(who, times) or -1


# foreigners (§12): nobody decides anything in their turns


def go_abroad(rules: Rules1839, s: State1839) -> None:
    """One thing more: a train for the foreigner on turn, else the next foreigner, else the next
    country. A purchase may be followed by discards (§10.3)."""
    m = OperatingRound.of(s)
    if m.foreigner is not None:
        if not _train_abroad(rules, s, m.foreigner):
            s.round = replace(m, foreigner=None)
    elif m.abroad:
        s.round = replace(m, foreigner=m.abroad[0], abroad=m.abroad[1:])
        _operate_abroad(rules, s, m.abroad[0])
    else:
        country = rules.constants.countries[m.country]
        parred = rules.foreigners_in_order(s, country)
        s.round = replace(m, country=m.country + 1, abroad=tuple(parred))


def _operate_abroad(rules: Rules1839, s: State1839, who: str) -> None:
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


def _train_abroad(rules: Rules1839, s: State1839, who: str) -> bool:
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


# the round


class Operating(OperatingPlay[State1839, Rules1839]):
    """§4.3: the public companies, then the foreigners."""

    progress = OperatingRound
    steps = (
        Discard,
        OutpostStation,
        BuyPrivates,
        UsePowers,
        EarlyTrains,
        Home,
        Track,
        PlaceMarker,
        RunTrains,
        ChooseDividend,
        BuyTrains,
    )
    stages = ("home", "track", "token", "routes", "dividend", "trains")
    next_round = StockRound

    def proceed(self, s: State1839) -> None:
        if OperatingRound.of(s).stage == ABROAD:
            go_abroad(self.rules, s)
        elif super().over(s):
            self.change(s, stage=ABROAD)
        else:
            super().proceed(s)

    def over(self, s: State1839) -> bool:
        m = OperatingRound.of(s)
        begun = m.stage == ABROAD and m.country == len(self.rules.constants.countries)
        return begun and m.foreigner is None and not m.abroad

    def why_over(self, s: State1839, *, last: bool) -> str | None:
        """§13.3."""
        return "stock_market" if self.rules.at_end_price(s) else None
