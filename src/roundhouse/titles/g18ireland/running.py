"""Running trains and paying dividends (§5.2 6–7, §11.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ...bank import pay
from ...model.actions import Dividend, RunRoutes
from ...model.choices import Anything, Choice, Routes
from ...model.events import DividendDeclared, Ran
from ...model.records import BANK, put
from ...rounds.running import Earned, earned
from ...rounds.steps.operating import TurnStep
from ...routes.best import BestRoutes, best_routes
from ...routes.check import check_runs
from ...routes.model import Route
from ...routes.sample import routes_of
from ...stock import market
from .constants import MINOR
from .routes import RouteRules18Ireland
from .state import State18Ireland
from .track import memory

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace

#: Effort of the search for the best routes where they are compulsory: some ten seconds, of which
#: real positions need a hundredth.
_EFFORT = 40_000


class RunTrains(TurnStep[State18Ireland]):
    """Routes for all trains at once; an empty list is accepted."""

    name = "routes"
    rule = "11"
    takes = frozenset({RunRoutes})
    stage = "routes"
    rules: Rules18Ireland

    def waits(self, s: State18Ireland, who: str) -> bool:
        if all(s.trains[t].ran for t in s.corporations[who].trains):
            return False
        return self.rules.reach(s.board, who).linked

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        for who in self.actors(s):
            model = RouteRules18Ireland(self.rules, s, who)
            yield Choice(
                RunRoutes(entity=who, entity_type="corporation", routes=()),
                {
                    "routes": self._choosable(s, model),
                    "extra_revenue": Anything(),
                    "subsidy": Anything(),
                },
            )

    def _choosable(self, s: State18Ireland, model: RouteRules18Ireland) -> Routes:
        if not self.best_only:
            return routes_of(model)
        return routes_of(
            model,
            lambda runs: self._check_best(s, model, check_runs(model, runs)),
            lambda rng: self.best(s, model).routes,
        )

    @property
    def best_only(self) -> bool:
        """§14: whether nothing less than the best will do."""
        return "must_run_best" in self.rules.options

    def best(self, s: State18Ireland, model: RouteRules18Ireland) -> BestRoutes:
        """The best routes an effort that does not depend on the machine can find."""
        known: dict[object, BestRoutes] = s.board.__dict__.setdefault("best_routes", {})
        key = (model.who, tuple(model.trains()), model.extras)
        if key not in known:
            known[key] = best_routes(model, effort=_EFFORT)
        return known[key]

    def _check_best(
        self, s: State18Ireland, model: RouteRules18Ireland, routes: Sequence[Route]
    ) -> None:
        if not self.best_only:
            return
        revenue, most = sum(r.revenue for r in routes), self.best(s, model).revenue
        if revenue < most:
            text = f"The trains can run for £{most}, not just £{revenue}."
            raise self.refuse("not_best", text, "14")

    def check(self, s: State18Ireland, a: RunRoutes) -> None:
        self._routes(s, a)

    def _routes(self, s: State18Ireland, a: RunRoutes) -> list[Earned]:
        model = RouteRules18Ireland(self.rules, s, a.actor)

        def read() -> list[Route]:
            routes = check_runs(model, a.routes)
            self._check_best(s, model, routes)
            return routes

        return earned(s.now, a.routes, read)

    def apply(self, s: State18Ireland, a: RunRoutes) -> None:
        routes = self._routes(s, a)
        revenue = sum(r for _, _, r in routes)
        trains = dict(s.trains)
        for name, _, _ in routes:
            if name in trains:
                trains[name] = replace(trains[name], ran=True)
        s.trains = trains
        s.now.emit(Ran(a.actor, revenue, tuple(routes)))
        self.change(s, revenue=revenue)
        self.leave(s)


class ChooseDividend(TurnStep[State18Ireland]):
    """Pay out or withhold."""

    name = "dividend"
    rule = "11.6"
    takes = frozenset({Dividend})
    stage = "dividend"
    rules: Rules18Ireland

    def waits(self, s: State18Ireland, who: str) -> bool:
        return memory(s).revenue > 0

    def skipped(self, s: State18Ireland, who: str) -> None:
        declare(self.rules, s, who, "withhold")

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        for who in self.actors(s):
            yield Choice(Dividend(entity=who, entity_type="corporation", kind="payout"))
            yield Choice(Dividend(entity=who, entity_type="corporation", kind="withhold"))

    def check(self, s: State18Ireland, a: Dividend) -> None:
        if a.kind == "half":
            raise self.refuse("half", "The revenue is paid out or withheld as a whole.")

    def apply(self, s: State18Ireland, a: Dividend) -> None:
        declare(self.rules, s, a.actor, a.kind)


def declare(rules: Rules18Ireland, s: State18Ireland, who: str, kind: str) -> None:
    """Pay, move the price, close what has fallen off the market; then the train stage."""
    m = memory(s)
    revenue = m.revenue
    s.corporations = put(s.corporations, who, replace(s.corporations[who], operated=True))
    if kind == "payout":
        paid = _pay_holders(rules, s, who, revenue)
    else:
        pay(s, BANK, who, revenue, "dividend")
        paid = [(who, revenue)] if revenue else []
    kept = 0 if kind == "payout" else revenue
    s.now.emit(DividendDeclared(who, kind, revenue, kept, tuple(paid)))
    _move_price(rules, s, who, revenue - kept)
    rules.close_fallen(s)
    s.round = replace(m, stage="trains" if who in s.corporations else "end")


def _pay_holders(
    rules: Rules18Ireland, s: State18Ireland, who: str, total: int
) -> list[tuple[str, int]]:
    """Per share its part, to players still in the game and for the treasury's shares."""
    corporation, paid = s.corporations[who], []
    for holder in (*rules.alive(s), who):
        amount = corporation.held(holder) * total // 100
        if amount:
            pay(s, BANK, holder, amount, "dividend")
            paid.append((holder, amount))
    return paid


def _move_price(rules: Rules18Ireland, s: State18Ireland, who: str, paid: int) -> None:
    """§7.2."""
    price, cells = rules.price(s, who), rules.box.market
    if not paid:
        market.move(s, who, cells.left, "withheld")
    elif paid >= price:
        double = paid >= 2 * price and s.corporations[who].kind == MINOR
        market.move(s, who, cells.right, "dividend", 2 if double else 1)
    if rules.in_zone(s.corporations[who], "endgame"):
        s.capped = True
