"""What an action would change, in a few words, told before it is done."""

from __future__ import annotations

from msgspec import Struct

from ...box.schema import NO_LIMIT
from ...game import Game
from ...model.actions import Action, BuyShares, Dividend, RunRoutes, SellShares
from ...model.errors import RoundhouseError
from ...model.events import DividendDeclared, Event, Noted, Paid, PresidentChanged, PriceMoved
from ...model.records import State
from ...sentences.log import tell
from ...sentences.words import money, signed
from . import steps
from .drawing import called

#: Things told of one action.
_MOST = 6
#: What stands between them.
AND = " · "


class Outcome(Struct):
    """What an action would change: in a few words, and the cells markers would move to. ``money``:
    what of it whoever acts gets or pays; ``grave``: what of it cannot be mended."""

    text: str = ""
    moves: dict[str, str] = {}
    grave: str = ""
    money: str = ""


class Trials:
    """Actions of one moment of a game, each tried once, whatever is told of it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[Action, tuple[State, tuple[Event, ...]]] = {}

    def tried(self, a: Action) -> tuple[State, tuple[Event, ...]]:
        """The state after an action, and what would happen. Raises :class:`IllegalAction`."""
        if a not in self._known:
            self._known[a] = self._game.tried(a)
        return self._known[a]

    def after(self, a: Action) -> State:
        """The state after an action. Raises :class:`IllegalAction`."""
        return self.tried(a)[0]


def outcome(game: Game, a: Action, trials: Trials | None = None) -> Outcome:
    """What an action would change for whoever acts: prices, money, presidencies, and how near he
    comes to the limit of certificates. ``trials``: those of this moment."""
    try:
        after, events = (trials or game).tried(a)
    except RoundhouseError:
        return Outcome()
    moved = [e for e in events if isinstance(e, PriceMoved)]
    spent = _spent(a, events)
    change = signed(game.rules, spent) if spent else ""
    told = _prices(game, events) + _dividends(game, events) + ([change] if change else [])
    told += _presidencies(game, a, events) + _certificates(game, a, after)
    if a.type == "pass":
        told += _notes(game, a, events)
        told += [then] if (then := steps.follows(game.rules, game.state, after, events)) else []
    return Outcome(
        AND.join(told[:_MOST]),
        {e.corporation: e.after for e in moved if e.after is not None},
        steps.grave(game, after, a, events),
        change,
    )


def _dividends(game: Game, events: tuple[Event, ...]) -> list[str]:
    """What each gets of a dividend."""
    paid = [one for e in events if isinstance(e, DividendDeclared) for one in e.paid]
    rules, s = game.rules, game.state
    return [f"{called(rules, s, who)} +{money(rules, amount)}" for who, amount in paid]


def _spent(a: Action, events: tuple[Event, ...]) -> int:
    """What whoever acts gets, or pays, dividends aside, and what comes of a run."""
    if isinstance(a, Dividend | RunRoutes):
        return 0
    paid = [e for e in events if isinstance(e, Paid) and e.why != "dividend"]
    got = sum(e.amount for e in paid if e.payee == a.actor)
    return got - sum(e.amount for e in paid if e.payer == a.actor)


def _notes(game: Game, a: Action, events: tuple[Event, ...]) -> list[str]:
    """What the title tells in its own words of anything but the one who acts."""
    notes = [e for e in events if isinstance(e, Noted) and e.who != a.actor]
    return [str(s).removesuffix(".") for s in tell(game.rules, game.state, notes)]


def _prices(game: Game, events: tuple[Event, ...]) -> list[str]:
    """Each price that moves: from where, and to where in the end."""
    cells = game.rules.box.market.price
    first: dict[str, str | None] = {}
    last: dict[str, str] = {}
    for event in events:
        if isinstance(event, PriceMoved) and event.after is not None:
            first.setdefault(event.corporation, event.before)
            last[event.corporation] = event.after
    return [
        f"{who} {f'{cells[before]} → ' if before else ''}{cells[last[who]]}"
        for who, before in first.items()
    ]


def _presidencies(game: Game, a: Action, events: tuple[Event, ...]) -> list[str]:
    """Who comes to lead what by trading shares."""
    if not isinstance(a, BuyShares | SellShares):
        return []
    changes = [e for e in events if isinstance(e, PresidentChanged) and e.before and e.after]
    return [
        f"{called(game.rules, game.state, e.after or '')} becomes {game.rules.facts.leader}"
        for e in changes
        if e.before != e.after
    ]


def _certificates(game: Game, a: Action, after: State) -> list[str]:
    """How many certificates a buyer would have of those he may."""
    limit = game.rules.cert_limit(game.state)
    if not isinstance(a, BuyShares) or a.actor not in game.state.players or limit >= NO_LIMIT:
        return []
    return [f"{game.rules.certificates(after, a.actor)}/{limit} certificates"]
