"""What routes are in 1839, and what a set of them earns (§11).

A location pays once over all trains of a company, except under its own exchange marker; so only a
whole set of routes has a revenue, and a train's is what it adds to those listed before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from ...board import network
from ...board.network import Spot
from ...board.tiles import NODE
from ...model.actions import Run
from ...routes.check import node_name
from ...routes.legs import Leg, legs_from
from ...routes.model import Route, RouteModel, Way
from ...routes.usual import UsualRoutes
from ...trains.depot import kind_of
from .rules import Rules1839
from .state import State1839
from .values import OFFBOARD, Values, train_kind

#: In place of a train: none carries the mail.
NO_MAIL = ""


class Routes1839(UsualRoutes):
    """Routes of one company at one moment. ``mail``: the train that carries the mail; None: if the
    company has the private, the one that visits most."""

    rule = "11.1"
    unit = "cities"
    two_of = "that are no off-boards"
    grain = 10
    shared_by_pay = True
    rules: Rules1839
    s: State1839

    def __init__(self, rules: Rules1839, s: State1839, who: str, mail: str | None = None) -> None:
        super().__init__(rules, s, who)
        self.kinds = {t: train_kind(rules.box.trains[kind_of(s, t)]) for t in self.trains()}
        self.values = Values(rules, s, who)
        self._mail = mail if self._has_mail() else NO_MAIL
        self._count_offboards = "offboards_count" in rules.options

    def for_runs(self, runs: Sequence[Run]) -> Routes1839:
        """The train that is said to carry the mail does."""
        asked = [r for r in runs if r.abilities]
        for run in asked:
            if run.abilities != (self.rules.mail,) or not self._has_mail():
                named = ", ".join(run.abilities or ())
                self.refuse("ability", f"{self.who} cannot use {named} in a run")
        if len(asked) > 1:
            self.refuse("mail", f"only one train of a run carries the mail of {self.rules.mail}")
        return Routes1839(self.rules, self.s, self.who, asked[0].train if asked else NO_MAIL)

    def _has_mail(self) -> bool:
        """§8.3: whether the company owns the private that carries mail."""
        mail = self.s.companies.get(self.rules.mail)
        return mail is not None and mail.owner == self.who

    def cases(self) -> Sequence[RouteModel]:
        """The mail is on one train: one of each kind may be it."""
        carriers = {kind_of(self.s, train): train for train in self.trains()}
        if self._mail is not None or not carriers:
            return [self]
        return [Routes1839(self.rules, self.s, self.who, train) for train in carriers.values()]

    def alike(self, train: str) -> str:
        kind = super().alike(train)
        return f"{kind} {self.rules.mail}" if train == self._mail else kind

    # one train: how far, and where (§11.1, §11.2)

    def reach_of(self, train: str) -> int:
        return self.kinds[train].cities or 0

    def count(self, train: str, stop: Spot) -> int:
        """Cities, with the option also off-boards for + trains."""
        kind = self.values.at(stop).kind
        counts = self._count_offboards and self.kinds[train].factor == 1
        return int(kind == "city" or (counts and kind == OFFBOARD))

    def groups_of(self, stop: Spot) -> tuple[str, ...]:
        """Off-boards are ends, and both ends not in one country."""
        foreigner = self.rules.foreigner_at.get(stop[0])
        return (self.rules.country_of(foreigner),) if foreigner else ()

    def makes_route(self, stop: Spot) -> bool:
        """All but off-boards, with the option these too."""
        return self._count_offboards or self.values.at(stop).kind != OFFBOARD

    def can_run(self) -> bool:
        """§11.0: whether some train has a legal route. If any has, a shorter one from a marker to
        the next place is legal too."""
        floods = [self._floods(t) for t in self.trains()]
        return (any(floods) and bool(self.flood_stops)) or (not all(floods) and self._has_a_leg())

    def _has_a_leg(self) -> bool:
        return any(
            self.makes_route(leg.end)
            for start in network.token_spots(self.board, self.faces, self.who)
            for leg in legs_from(self.faces, self.map.neighbors, start)
        )

    # one train: what it earns (§11.3)

    def _post(self, train: str) -> int:
        """What a stop is worth for the mail. Undecided, it may be on any train: what each earns by
        itself includes it."""
        return self._mail_pays if self._mail is None or train == self._mail else 0

    @cached_property
    def _mail_pays(self) -> int:
        return self.rules.powers[self.rules.mail].mail

    def stop_value(self, train: str, stop: Spot) -> int:
        kind, place = self.kinds[train], self.values.at(stop)
        return self._post(train) + (place.worth * kind.factor if place.kind in kind.pays else 0)

    def pass_value(self, train: str, stop: Spot) -> int:
        if self.values.at(stop).passed_at_nothing:
            return self._post(train)
        return self.stop_value(train, stop)

    def extra_pay(self, train: str, stops: Sequence[Spot]) -> dict[Spot, int]:
        """What an off-board pays whose worth is computed."""
        return {stop: v for stop, v in self.pays(train, stops) if self.values.computed(stop)}

    def extra_limit(self, train: str, stop: Spot) -> int:
        """As much as the best place inland, or twice the best in another country."""
        if not self.values.computed(stop):
            return 0
        own = self.groups_of(stop)
        inland = [worth for group, worth in self._worths if not group]
        abroad = [2 * worth for group, worth in self._worths if group and group != own]
        return max([0, *inland, *abroad]) * self.kinds[train].factor

    def bonus_most(self, train: str) -> int:
        """A route has two ends at most."""
        return 2 * max([self.extra_limit(train, stop) for stop in self._stops], default=0)

    @cached_property
    def _stops(self) -> list[Spot]:
        return [(coord, NODE + n) for coord, face in self.faces.items() for n in face.tile.stops]

    @cached_property
    def _worths(self) -> list[tuple[tuple[str, ...], int]]:
        """Every place's country, if it is an off-board, and worth."""
        return [(self.groups_of(stop), self.values.at(stop).worth) for stop in self._stops]

    def pays(self, train: str, stops: Sequence[Spot]) -> Iterator[tuple[Spot, int]]:
        """What each location of a route pays, by its first stop, without the mail."""
        paid = self.values.paid(self.kinds[train], stops)
        for stop in stops:
            location = self.values.at(stop).location
            if location in paid:
                yield stop, paid.pop(location)

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        return sum(self._post(train) + value for _, value in self.pays(train, stops))

    # all trains together

    def track_of(self, train: str) -> str | None:
        return None if self._floods(train) else ""

    def once(self, stop: Spot) -> str | None:
        place = self.values.at(stop)
        return None if place.pays_all else place.location

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        plain = [replace(r, revenue=sum(v for _, v in self.pays(r.train, r.stops))) for r in routes]
        carrier = self._carrier(routes)
        return [
            replace(r, revenue=r.revenue + self._postage(r)) if r.train == carrier else r
            for r in super().share_out(plain)
        ]

    def as_runs(self, routes: Sequence[Route]) -> tuple[Run, ...]:
        carrier = self._carrier(routes)
        return tuple(
            replace(run, abilities=(self.rules.mail,)) if run.train == carrier else run
            for run in super().as_runs(routes)
        )

    def _carrier(self, routes: Sequence[Route]) -> str:
        """The train that carries the mail."""
        if self._mail is not None:
            return self._mail
        return max(routes, key=self._postage).train if routes else NO_MAIL

    def _postage(self, route: Route) -> int:
        """§8.3 PTT: what the mail is worth on a route."""
        return self._mail_pays * len(self.values.locations(route.stops))

    # FLOOD (§11.4)

    def _floods(self, train: str) -> bool:
        return self.kinds[train].cities is None

    def given(self, train: str) -> Sequence[Way] | None:
        if not self._floods(train):
            return None
        return [(self.flood_stops, ())] if self.flood_stops else []

    @cached_property
    def flood_stops(self) -> tuple[Spot, ...]:
        """Everything a FLOOD train counts, in map order."""
        found: set[Spot] = set()
        seen: set[Spot] = set()
        for start in network.token_spots(self.board, self.faces, self.who):
            if start in seen:
                continue
            part = network.reach(
                self.map, self.rules.box.tiles, self.board, self.who, starts=[start]
            ).nodes
            seen.update(x for x in part if self.has_token(x))
            if len({self.values.at(x).location for x in part if self.makes_route(x)}) > 1:
                found.update(part)
        order = {coord: n for n, coord in enumerate(self.map.hexes)}
        return tuple(sorted(found, key=lambda x: (order[x[0]], x[1])))

    def rebuild(self, run: Run) -> Iterator[Way]:
        if not self._floods(run.train):
            yield from super().rebuild(run)
            return
        stops = self.flood_stops
        named = sorted(node_name(self.faces, x) for x in stops)
        if run.connections:
            self.refuse("flood", f"{run.train} follows no track; it names places only")
        if not stops:
            self.refuse("flood", f"{run.train} reaches too little to run")
        if run.nodes is not None and sorted(run.nodes) != named:
            self.refuse("flood", f"{run.train} counts {len(named)} places: all it can reach")
        yield stops, ()
