"""What a player would do in somebody's place, and what a finished game cost whom.

:func:`advise` is about one position, :func:`review` about all decisions of a game: a decision cost
what the best thing weighed is worth more than what was done, by the same player's reckoning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..dealing import Dealers
from ..deciding import decides
from ..game import Game
from ..model.actions import Action, Bid, Choose, Message, Pass, RunRoutes
from ..sentences.buttons import Wording, bid_name, doing, heading, money
from ..sentences.steps import group_name, passing, words_of
from .decision import Candidate, Decision
from .players import Player
from .together import decide, waited

#: Told how far a review is, from 0 to 1.
Progress = Callable[[float], None]

#: Costs up to that are written as nothing; and how exactly scores are reckoned.
_UNTOLD, _ROUNDED = 0.5, 1e-6

#: The lines of a game: chat, programs and notes are no decisions.
_NO_DECISION = frozenset({"message", "undo", "redo", "log", "end_game"})


class Advice(Struct, frozen=True):
    """What a player would do for somebody: ``who`` (by key) and the decision with its reasons."""

    who: str
    decision: Decision


def advise(game: Game, player: Player) -> Advice | None:
    """What a player would do for whoever is waited for; None if the game is over."""
    everybody = dict.fromkeys(game.state.players, player)
    who = waited(game, everybody)
    decision = decide(game, everybody)
    return Advice(who, decision) if who and decision else None


def said(game: Game, action: Action) -> str:
    """An action in a few words, those of its button, such as ``buy a train: 3 train from the bank
    for $180 (PRR)``."""
    s, rules = game.state, game.rules
    kind, label = _kind(game, action), _label(game, action)
    price, cost = rules.facts.paid(s, action), ""
    if price is not None and not label:
        cost = f": {money(rules, price)}"
    elif price:
        cost = f" for {money(rules, price)}"
    by = "" if action.actor in s.players else f" ({_sender(game, action)})"
    joint = "" if not label else " " if label.startswith("with ") else ": "
    return f"{kind}{joint}{label}{cost}{by}"


def _kind(game: Game, action: Action) -> str:
    """What is done, as the page calls it in this step."""
    if isinstance(action, Choose) and game.rules.follow_ups(game.state, action):
        return doing("merge")
    if isinstance(action, Bid | Choose) and (named := group_name(game, action)) != heading(action):
        return named[:1].lower() + named[1:]
    bare = isinstance(action, Bid) and not bid_name(game.rules, action)
    words = words_of(game.state, game.waiting) if bare else None
    return words[0] if words else doing(action)


def _label(game: Game, action: Action) -> str:
    """What the button of an action says, if that is more than what is done."""
    rules, s = game.rules, game.state
    if isinstance(action, Pass):
        label = passing(game, action.actor)
        return "" if label == heading(action) else label[:1].lower() + label[1:]
    if isinstance(action, Choose) and not action.auto_actions:
        ways = rules.follow_ups(s, action)
        if len(ways) > 1:
            return f"{action.choice} takes over another corporation"
        action = replace(action, auto_actions=ways)
    label = Wording(rules, s).label(action)
    same = (doing(action), heading(action))
    return "" if label.casefold() in map(str.casefold, same) else label


def _sender(game: Game, action: Action) -> str:
    """Who acts that is no player: a private company, or a mine that has but a number, by name."""
    symbol = str(action.entity)
    private = game.rules.box.companies.get(symbol)
    named = private is not None and (action.entity_type == "company" or symbol.isdigit())
    return private.name if private is not None and named else symbol


class Judged(Struct, frozen=True):
    """A decision of a game: what was done (``id``) by ``who`` in which round, what would have been
    best, why, and what the difference is worth."""

    id: int
    who: str
    round: str
    done: str
    best: str
    why: str
    cost: float


class Turn(Struct, frozen=True):
    """The decisions of one player without anybody else in between, with what they cost together."""

    who: str
    round: str
    first: int
    cost: float
    decisions: tuple[Judged, ...]


def judge_all(game: Game, player: Player, progress: Progress | None = None) -> Iterator[Judged]:
    """The decisions of a game for which the player would have done something else, or the same, as
    far as he can compare what was done. What he takes for equal has no cost."""
    entries = [e for e in game.history if e.action.type not in _NO_DECISION]
    before = game.at(0)
    for n, entry in enumerate(entries):
        if not isinstance(entry.action, Message):
            found = _judged(before, entry.action, player)
            if found is not None:
                yield found
        before = game.at(entry.action.id or 0)
        if progress is not None:
            progress((n + 1) / len(entries))


def _judged(game: Game, action: Action, player: Player) -> Judged | None:
    own = [k for k in waited_keys(game) if k in decides(game, action.actor)]
    choices = [c for c in game.choices() if own and own[0] in decides(game, c.actor)]
    if len(choices) < 2:
        return None
    fair = Dealers(dict.fromkeys(game.state.players, player)).open(game, choices)
    taken = [c for c in choices if c.covers(action) and c not in fair]
    decision = player.choose(game, [*fair, *taken])
    done = _among(action, decision.candidates)
    if done is None or not decision.candidates:
        return None
    best = decision.candidates[0]
    missed = best.score - done.score
    return Judged(
        id=action.id or 0,
        who=own[0],
        round=game.rules.round_of(game.state, short=True),
        done=said(game, action),
        best=said(game, best.action),
        why=best.sentence,
        cost=missed if missed > max(player.trifle(game), _UNTOLD) + _ROUNDED else 0.0,
    )


def waited_keys(game: Game) -> list[str]:
    """The players a game waits for, the one on turn first."""
    return list(dict.fromkeys(k for a in game.acting for k in sorted(decides(game, a))))


def _among(action: Action, candidates: Sequence[Candidate]) -> Candidate | None:
    """What was weighed that is the same as what was done: certificates and amounts that make no
    difference aside."""
    if isinstance(action, RunRoutes):
        return None
    wanted = _bare(action)
    return next((c for c in candidates if _bare(c.action) == wanted), None)


def _bare(action: Action) -> object:
    """An action as far as it differs: shares by their company and number."""
    fields = msgspec.structs.asdict(action)
    for name in ("id", "auto_actions", "user", "created_at", "original_id", "skip", "variant"):
        fields.pop(name, None)
    if shares := fields.get("shares"):
        fields["shares"] = sorted(s.rpartition("_")[0] for s in shares)
        fields.pop("percent", None)
        fields.pop("share_price", None)
    return action.type, tuple(sorted((k, repr(v)) for k, v in fields.items() if v is not None))


def review(
    game: Game, player: Player, *, most: int = 12, progress: Progress | None = None
) -> list[Turn]:
    """The turns of a game that cost most, the dearest first."""
    turns: list[list[Judged]] = []
    for judged in judge_all(game, player, progress):
        last = turns[-1][-1] if turns else None
        if last is not None and (last.who, last.round) == (judged.who, judged.round):
            turns[-1].append(judged)
        else:
            turns.append([judged])
    found = [
        Turn(t[0].who, t[0].round, t[0].id, sum(j.cost for j in t), tuple(j for j in t if j.cost))
        for t in turns
    ]
    return sorted((t for t in found if t.cost > 0), key=lambda t: -t.cost)[:most]
