"""What a title is made of. Its rules know none of its rounds and parts, so that all of those may
import the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..facts import Facts
from ..routes.model import RouteModel
from ..routes.usual import UsualRoutes
from .rules import Rules
from .step import RoundPlay
from .steps.trading import Trading


def no_more(rules: Rules[Any], s: Any) -> Iterable[str]:
    """The broken invariants of a title that has none beyond those of all titles."""
    return ()


class Contents(NamedTuple):
    """The class of a title's rules; its rounds, the first one first; and the parts of its rules.

    ``trading``: how shares are traded; ``routes``: what routes are for a company; ``facts``: what
    players look at; ``invariants``: what is wrong with a state, in sentences.
    """

    rules: type[Rules[Any]]
    rounds: tuple[type[RoundPlay[Any, Any]], ...]
    trading: type[Trading[Any, Any, Any]] = Trading
    routes: Callable[[Any, Any, str], RouteModel] = UsualRoutes
    facts: type[Facts[Any, Any]] = Facts
    invariants: Callable[[Any, Any], Iterable[str]] = no_more
