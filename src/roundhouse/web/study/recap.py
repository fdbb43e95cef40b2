"""What has happened in a game since a moment, as a card of a few sentences, for one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from ...deciding import leader_of
from ...game import Game
from ...history import Entry
from ...model.actions import Log, Message
from ...model.events import (
    Bankruptcy,
    CorporationClosed,
    DividendDeclared,
    Event,
    Founded,
    GameEnded,
    Merged,
    PhaseStarted,
    PresidentChanged,
    Ran,
    RoundStarted,
    TileLaid,
    TokenPlaced,
    TrainMoved,
    TrainsRusted,
)
from ...sentences.buttons import corporation_name, money
from ..page.drawing import called
from ..page.since import prices_since
from ..tables import round_name

E = TypeVar("E", bound=Event)

#: Things of one kind that are named.
_NAMED = 4


class Recap(Struct):
    """``since``: the action after which it begins; ``count`` of actions after it."""

    since: int
    count: int
    lines: list[str]


def recap_of(game: Game, since: int, mine: Collection[str] = ()) -> Recap:
    """What others have done after an action, told to who plays ``mine``."""
    entries = _of_others(game, since, mine)
    count = sum(not isinstance(e.action, Message | Log) for e in entries)
    events = [event for e in entries for event in e.events]
    then = game.at(min(since, game.history[-1].action.id or 0)) if game.history else game
    told = (
        _rounds(game, count, events),
        _runs(game, events),
        _trains(game, events),
        _track(game, events),
        _prices(game, then, events),
        _standing(game, then, mine),
    )
    return Recap(since, count, [line for line in told if line])


def _of_others(game: Game, since: int, mine: Collection[str]) -> list[Entry]:
    """What was done by others than who plays ``mine`` and the companies he leads."""
    later = [e for e in game.history if (e.action.id or 0) > since]
    own = {a for a in {e.action.actor for e in later} if leader_of(game, a) in mine}
    return [e for e in later if e.action.actor not in own]


def _all(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [e for e in events if isinstance(e, kind)]


def _joined(parts: Sequence[str]) -> str:
    """``a, b and c``, and how many more."""
    shown = list(parts[:_NAMED])
    if len(parts) > _NAMED:
        shown.append(f"{len(parts) - _NAMED} more")
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else "".join(shown)


def _rounds(game: Game, count: int, events: Sequence[Event]) -> str:
    said = f"{count} actions were done" if count != 1 else "1 action was done"
    if _all(events, GameEnded):
        return f"{said}, and the game is over."
    begun = [game.rules.round_told(e) for e in _all(events, RoundStarted)]
    here = f"{said}; it is {round_name(game)} now"
    return f"{here}, after {_joined(begun[:-1])}." if len(begun) > 1 else f"{here}."


def _runs(game: Game, events: Sequence[Event]) -> str:
    ran, paid = _all(events, Ran), _all(events, DividendDeclared)
    if not ran:
        return ""
    best = max(ran, key=lambda e: e.revenue)
    total = sum(e.revenue for e in ran)
    said = f"{len(ran)} run{'s' if len(ran) > 1 else ''} earned {money(game.rules, total)}, "
    said += f"the best of them {best.who}’s {money(game.rules, best.revenue)}"
    kept = [e.who for e in paid if e.revenue and e.kept >= e.revenue]
    return f"{said}; {_joined(list(dict.fromkeys(kept)))} paid nothing out." if kept else f"{said}."


def _trains(game: Game, events: Sequence[Event]) -> str:
    bought = [
        f"{e.target} a {_kind(game, e.train)}"
        for e in _all(events, TrainMoved)
        if e.target in game.state.corporations
    ]
    said = [f"new trains: {_joined(bought)}"] if bought else []
    said += [f"phase {e.phase} began" for e in _all(events, PhaseStarted)]
    rusted = Counter(_kind(game, t) for e in _all(events, TrainsRusted) for t in e.trains)
    said += [f"{n} {kind}{'s' if n > 1 else ''} rusted" for kind, n in rusted.items()]
    said += _companies(game, events)
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _kind(game: Game, train: str) -> str:
    """What a train is called: “2T-train”, “2M-machine”; of one that is gone, by its card."""
    record = game.state.trains.get(train)
    kind = (record.variant or record.kind) if record is not None else train.rpartition("-")[0]
    return f"{kind}-{game.rules.facts.train_word(kind)}"


def _companies(game: Game, events: Sequence[Event]) -> Iterator[str]:
    """Companies that came, merged and went, and players who are out."""
    founded = [e.corporation for e in _all(events, Founded)]
    if founded:
        yield f"{_joined(founded)} {'were' if len(founded) > 1 else 'was'} founded"
    for e in _all(events, Merged):
        yield f"{e.other} merged into {e.survivor}"
    closed = [corporation_name(game.rules, e.corporation) for e in _all(events, CorporationClosed)]
    if closed:
        yield f"{_joined(closed)} closed"
    for b in _all(events, Bankruptcy):
        yield f"{called(game.rules, game.state, b.who)} is bankrupt"


def _track(game: Game, events: Sequence[Event]) -> str:
    tiles = Counter(e.who for e in _all(events, TileLaid))
    tokens = [f"{e.who} in {e.city.partition('/')[0]}" for e in _all(events, TokenPlaced)]
    said = []
    if tiles:
        most = _joined([f"{n} by {who}" for who, n in tiles.most_common()])
        count = tiles.total()
        said.append(f"{count} tile{'s were' if count > 1 else ' was'} laid, {most}")
    if tokens:
        said.append(f"stations were placed by {_joined(tokens)}")
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _prices(game: Game, then: Game, events: Sequence[Event]) -> str:
    cells = game.rules.box.market.price
    since = then.history[-1].action.id or 0 if then.history else 0
    moved = [(c, cells[a], cells[b]) for c, (a, b) in prices_since(game, since).items()]
    moved.sort(key=lambda m: -abs(m[2] - m[1]))
    said = []
    if moved:
        said.append(f"Prices: {_joined([f'{c} {a} → {b}' for c, a, b in moved])}")
    leaders = {
        e.corporation: e.after for e in _all(events, PresidentChanged)
        if e.before and e.after and e.before != e.after
    }  # fmt: skip
    led = [f"{called(game.rules, game.state, p)} leads {c} now" for c, p in leaders.items()]
    text = "; ".join([*said, *([_joined(led)] if led else [])])
    return f"{text}." if text else ""


def _standing(game: Game, then: Game, mine: Collection[str]) -> str:
    """How the person stands; for an onlooker, who is ahead."""
    rules, s = game.rules, game.state
    worths = {p: rules.value(s, p) for p in s.players}
    order = sorted(worths, key=lambda p: -worths[p])
    waiting = [called(rules, s, p) for p in s.players if s.players[p].id in game.players_to_act]
    are = "are" if len(waiting) > 1 else "is"
    turn = f" {_joined(waiting)} {are} waited for." if waiting else ""
    own = [p for p in order if p in mine]
    if len(own) != 1 or len(order) == 1:
        lead = s.players[order[0]].name
        return f"{lead} is ahead with {money(rules, worths[order[0]])}.{turn}"
    me = own[0]
    more = worths[me] - then.rules.value(then.state, me)
    word = "more" if more >= 0 else "less"
    change = f"{money(rules, abs(more))} {word} than then" if more else "as then"
    rival = next(p for p in order if p != me)
    margin = worths[me] - worths[rival]
    name, by = s.players[rival].name, money(rules, abs(margin))
    place = (
        f"{by} {'ahead of' if margin > 0 else 'behind'} {name}" if margin else f"level with {name}"
    )
    return f"You are worth {money(rules, worths[me])}, {change}, {place}.{turn}"
