"""What companies could run for in a position, and what routes drawn by hand come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ..model.actions import Run
from ..model.arguments import several, whole
from ..model.errors import IllegalAction, UnknownName
from ..model.records import State
from .standing import Position

if TYPE_CHECKING:
    from ..routes.answer import BestRoutes
    from ..routes.clock import Listener
    from ..routes.model import Route, RouteModel
    from ..routes.whatif import Lay


class WithRoutes(Position):
    """A position that is asked about routes: what they are, which are the best, what given ones
    earn, how one that was begun is completed."""

    def route_model(
        self,
        entity: str | None = None,
        *,
        trains: Sequence[str] | None = None,
        tile: Lay | None = None,
    ) -> RouteModel:
        """What routes are for a company (None: the one operating) now, in its turn or not.

        ``trains``: as if it had these, by id or type; ``tile``: as if this were laid (hex, tile,
        rotation). Raises :class:`UnknownName` if there is no such company, train or tile.
        """
        who = self._company(entity)
        return self.rules.route_model(self._supposing(who, trains, tile), who)

    def _supposing(self, who: str, trains: Sequence[str] | None, tile: Lay | None) -> State:
        """The state with other trains or one more tile."""
        from ..routes.whatif import with_lay, with_trains

        s = self.state
        if tile is not None:
            s = with_lay(self.rules.box, s, tile)
        if trains is not None:
            s = with_trains(self.rules.box, s, who, several(trains, "trains"))
        return s

    def best_routes(
        self,
        entity: str | None = None,
        *,
        time_limit: float = 10.0,
        effort: int | None = None,
        trains: Sequence[str] | None = None,
        tile: Lay | None = None,
        progress: Listener | None = None,
    ) -> BestRoutes:
        """The routes of a company that earn most, with proof or an upper bound.

        ``entity``, ``trains`` and ``tile`` as for :meth:`route_model`; ``time_limit`` in seconds;
        ``effort`` limits counted work instead, so that the answer is the same on every machine;
        ``progress`` is told how far the search is and cancels it by answering False.
        """
        who = self._company(entity)
        s = self._supposing(who, trains, tile)
        effort = None if effort is None else whole(effort, "effort")
        model = self.rules.route_model(s, who)
        return model.best(time_limit=time_limit, effort=effort, progress=progress)

    def check_routes(
        self, routes: Sequence[Run | Mapping[str, Any]], entity: str | None = None
    ) -> int:
        """What routes of a company earn now. Raises :class:`IllegalAction` naming train, hex and
        rule if they may not be run."""
        return sum([route.revenue for route in self.read_routes(routes, entity)])

    def read_routes(
        self, routes: Sequence[Run | Mapping[str, Any]], entity: str | None = None
    ) -> list[Route]:
        """Routes of a company with their stops, their track and what each adds to the total.
        Raises as :meth:`check_routes`."""
        try:
            runs = msgspec.convert(routes, list[Run])
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed", f"These are no routes: {error}") from error
        return self.rules.read_routes(self.state, self._company(entity), runs)

    def complete_route(
        self,
        train: str,
        partial: Sequence[Sequence[str]],
        entity: str | None = None,
        *,
        time_limit: float = 2.0,
    ) -> Run | None:
        """The best route of one train that contains what a player drew: lists of hexes from stop to
        stop, or one hex. None: there is no such route."""
        from ..routes.complete import complete_route

        model = self._running(entity, (train,))
        return complete_route(model, train, partial, time_limit=time_limit)

    def complete_routes(
        self,
        drawn: Mapping[str, Sequence[Sequence[str]]],
        entity: str | None = None,
        *,
        time_limit: float = 10.0,
    ) -> BestRoutes | None:
        """The routes of all trains that earn most together, those of some trains containing what a
        player drew for them, as in :meth:`complete_route`. None: there are no such routes."""
        from ..routes.complete import complete_routes

        model = self._running(entity, drawn)
        return complete_routes(model, drawn, time_limit=time_limit)

    def _running(self, entity: str | None, trains: Iterable[str]) -> RouteModel:
        """What routes are for a company that runs some trains, by id. Raises :class:`UnknownName`
        if one of them cannot run now."""
        model = self.route_model(entity)
        for train in trains:
            if train not in model.trains():
                raise UnknownName(f"{model.who} has no train {train} that can run now")
        return model
