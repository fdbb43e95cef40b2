"""Deals: what one player does about what is somebody else's, with his consent.

Some actions the engine takes as they come although the rules leave them to an agreement between
players: a train or a private bought from another player's company, a merger with it
(:func:`concerned`). Whoever plays by himself — in self-play, in a match, at a table on the
server — chooses among :meth:`Dealers.fair` only: of such actions those that leave nobody who has a
say worse off by his own reckoning, at a price between what it is worth to both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil, floor
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from .game import Game
from .model.actions import Action, BuyCompany, BuyCorporation, BuyTrain, Merge
from .model.choices import Choice, Span
from .model.errors import IllegalAction
from .model.records import Corporation, State
from .rounds import machine
from .rounds.rules import Rules
from .trains import depot

replace = msgspec.structs.replace

#: What is below it is no loss but the rounding of fractions.
_DUST = 1e-6
#: Actions after which something that is under way has ended.
_AGENDA = 200


class Reckoner(Protocol):
    """Who says what a deal is worth."""

    def gain(self, game: Game, action: Action, who: str) -> float:
        """What an action changes for a player (by key), in the title's money; he agrees to nothing
        that is below 0. An action that cannot be carried out is worth minus infinity."""
        ...


IMPOSSIBLE = float("-inf")


class Answer(Struct, frozen=True):
    """What a player says to a deal: ``gain`` is what it changes for him by his reckoning."""

    who: str
    gain: float

    @property
    def yes(self) -> bool:
        return self.gain >= -_DUST


def proposer(game: Game, action: Action) -> str | None:
    """The player who decides on an action, by key: who is waited for, whichever of the companies of
    a merger names the other; or the owner of a private that acts."""
    rules, s = game.rules, game.state
    own = rules.president(s, action.actor)
    waited = [rules.president(s, a) for a in s.acting]
    if own in waited or action.entity_type == "company" or not waited:
        return own
    return waited[0]


def concerned(rules: Rules[Any], s: State, action: Action) -> tuple[str, ...]:
    """Players who have a say in an action, by key: who decides for its entity, and for what it buys
    or merges with. Empty for actions that need no consent."""
    if type(action) not in rules.consents:
        return ()
    entities = [e for e in (action.actor, _other_side(s, action)) if e is not None]
    found = [_say(rules, s, e) for e in entities if e in s.players or e in s.corporations]
    return tuple(dict.fromkeys(p for p in found if p is not None))


def _say(rules: Rules[Any], s: State, entity: str) -> str | None:
    """Whose consent an entity gives: its president's by the shares, even while somebody else is
    asked for it, as during a merger."""
    c = s.corporations.get(entity)
    return (c.president if c is not None else None) or rules.president(s, entity)


def _other_side(s: State, action: Action) -> str | None:
    """The owner of what an action buys, or the company it merges with."""
    match action:
        case BuyTrain(train=train) if train in s.trains:
            return s.trains[train].owner
        case BuyCompany(company=company) if company in s.companies:
            return s.companies[company].owner
        case BuyCorporation(minor=minor):
            return minor
        case Merge(corporation=corporation, minor=minor):
            return corporation or minor
    return None


def parties(game: Game, action: Action) -> tuple[str, ...]:
    """The players who have a say in an action beside the one who decides on it, by key."""
    found = concerned(game.rules, game.state, action)
    own = proposer(game, action) if found else None
    return tuple(p for p in found if p != own)


def outcome(rules: Rules[Any], s: State, action: Action) -> State | None:
    """The state after an action and, where it begins what can only be taken back as a whole, after
    that, each question answered by the first thing possible. None if it cannot be carried out."""
    try:
        s = machine.apply(rules, s, action)
        for _ in range(_AGENDA):
            if s.finished is not None or not rules.underway(s):
                return s
            if rules.failure(s) is not None:
                return None
            s = machine.apply(rules, s, next(iter(machine.choices(rules, s))).action)
    except IllegalAction:
        pass
    return None


class _Found(NamedTuple):
    """What is known of a state: where actions lead, which all who have a say in one ask, and what
    players have."""

    state: State | None
    outcomes: dict[Action, State | None]
    worths: dict[str, float]


class Book:
    """The reckoning of whoever has none of his own: what a player would score now, his part of
    what his companies own at face value, less the train a president's company has yet to buy."""

    def __init__(self) -> None:
        #: Of the state that was asked about last.
        self._last = _Found(None, {}, {})

    def gain(self, game: Game, action: Action, who: str) -> float:
        """As :class:`Reckoner`."""
        rules, s, found = game.rules, game.state, self._last
        if found.state is not s:
            found = self._last = _Found(s, {}, {})
        if action not in found.outcomes:
            found.outcomes[action] = outcome(rules, s, action)
        after = found.outcomes[action]
        if after is None:
            return IMPOSSIBLE
        if who not in found.worths:
            found.worths[who] = self.worth(rules, s, who)
        return self.worth(rules, after, who) - found.worths[who]

    def worth(self, rules: Rules[Any], s: State, who: str) -> float:
        """What a player has, in the title's money."""
        total = float(rules.value(s, who))
        for c in s.corporations.values():
            if who in c.certs and (part := c.held(who)):
                total += part / 100 * self._owned(rules, s, c)
            if c.president == who and c.floated and not c.trains:
                total -= self._next_train(rules, s)
        return total

    def _owned(self, rules: Rules[Any], s: State, c: Corporation) -> int:
        trains = sum(rules.list_price(s, t) for t in c.trains)
        privates = sum(rules.box.companies[p].value for p in rules.privates(s, c.id))
        return c.cash + trains + privates

    def _next_train(self, rules: Rules[Any], s: State) -> int:
        pile = depot.top(s)
        return rules.box.trains[pile.kind].price if pile is not None else 0


BOOK = Book()


class Dealers:
    """The players of a game as they deal with each other.

    ``seats``: who reckons for a player, by key. A player without one is a person: nothing is
    agreed with him unless ``proposing``; then what would not leave him worse off by the reckoning
    of whoever proposes is among the fair choices, and he has to be asked (:meth:`asked`).
    """

    def __init__(self, seats: Mapping[str, Reckoner], *, proposing: bool = False) -> None:
        self.seats = seats
        self.proposing = proposing

    @classmethod
    def alike(cls, game: Game, policy: object) -> Dealers:
        """All players of a game play by one policy; its reckoning is its ``gain``, if it has it."""
        found: Any = policy if hasattr(policy, "gain") else BOOK
        return cls(dict.fromkeys(game.state.players, found))

    def asked(self, game: Game, action: Action) -> tuple[str, ...]:
        """The people who have to be asked about an action and what it brings along."""
        about = (action, *(action.auto_actions or ()))
        found = [p for one in about for p in parties(game, one) if p not in self.seats]
        return tuple(dict.fromkeys(found))

    def complete(self, game: Game, action: Action) -> Action:
        """An action together with what must follow it, the best of that for who proposes it, where
        others are to be asked about both before the first is made."""
        following = game.rules.follow_ups(game.state, action)
        if not following:
            return action
        twin = game.copy()
        twin.apply(action)
        fair = [c.action for c in self.fair(twin, [Choice(a) for a in following])]
        own = proposer(twin, following[0]) or ""
        mine = self.seats.get(own, BOOK)
        best = max(fair or following, key=lambda a: mine.gain(twin, a, own))
        return replace(action, auto_actions=(best,))

    def answer(self, game: Game, action: Action, who: str) -> Answer:
        """What a player who reckons says to an action."""
        return Answer(who, self.seats[who].gain(game, action, who))

    def open(self, game: Game, choices: Sequence[Choice]) -> list[Choice]:
        """What may be chosen: the fair choices. Where the rules leave nothing but deals and nobody
        agrees to any, nobody can hold up the game: the one others lose least by."""
        if (found := self.fair(game, choices)) or not choices:
            return found
        return [max(choices, key=lambda c: self._least(game, c))]

    def _least(self, game: Game, choice: Choice) -> float:
        """What the others who have a say in a choice gain by it."""
        parts = parties(game, choice.action)
        reckoners = [(p, self.seats.get(p, BOOK)) for p in parts]
        return sum(r.gain(game, choice.action, p) for p, r in reckoners)

    def fair(self, game: Game, choices: Sequence[Choice]) -> list[Choice]:
        """The choices nobody else has a say in, and of the others those everybody agrees to, at a
        price that is named. Of trains that are alike one is enough."""
        asked = [self.agreed(game, proposal) for proposal in proposals(game, choices)]
        return [choice for choice in asked if choice is not None]

    def agreed(self, game: Game, proposal: Proposal) -> Choice | None:
        """A choice as it may be made; None: somebody who has a say in it, or in what must follow
        it, does not agree."""
        choice = proposal.choice
        if type(choice.action) not in game.rules.consents:
            return choice if self._goes_on(game, choice) else None
        return self._deal(game, choice) if proposal.deal else choice

    def _goes_on(self, game: Game, choice: Choice) -> bool:
        """Whether somebody agrees to what must follow a choice, if anything must."""
        following = game.rules.follow_ups(game.state, choice.action)
        if not following:
            return True
        twin = game.copy()
        twin.apply(choice.action)
        return any(self.fair(twin, [Choice(a)]) for a in following)

    def _deal(self, game: Game, choice: Choice) -> Choice | None:
        """A choice as it is agreed on."""
        span = choice.domains.get("price")
        if not isinstance(span, Span):
            return choice if self._all_gain(game, choice.action) else None
        prices = range(span.low, span.high + 1, span.step)
        if (price := self._price(game, choice.action, prices)) is None:
            return None
        rest = {k: d for k, d in choice.domains.items() if k != "price"}
        return Choice(replace(choice.action, price=price), rest)

    def _all_gain(self, game: Game, action: Action) -> bool:
        proposer, others = self._sides(game, action)
        return all(_agrees(r, game, action, who) for who, r in (*proposer, *others)) and (
            bool(others)
        )

    def _sides(self, game: Game, action: Action) -> tuple[_Side, _Side]:
        """Who proposes an action and who else has a say in it; no others if one of them is not to
        be asked."""
        own = proposer(game, action)
        mine = self.seats.get(own or "", BOOK)
        others = parties(game, action)
        if not self.proposing and any(p not in self.seats for p in others):
            others = ()
        return ((own, mine),) if own else (), tuple((p, self.seats.get(p, mine)) for p in others)

    def _price(self, game: Game, action: Action, prices: Sequence[int]) -> int | None:
        """The price halfway between the least the others take and the most the proposer gives;
        None: there is none that suits all."""
        mine, others = self._sides(game, action)

        def least(side: _Side, price: int) -> float:
            a = replace(action, price=price)
            return min((r.gain(game, a, who) for who, r in side), default=0.0)

        if not others:
            return None
        # who would rather not sell at all is found out at one price
        for side in (others, mine):
            likes = {_likes(game.state, action, who) for who, _ in side}
            best = likes.pop() if len(likes) == 1 else None
            if not (prices := _suiting(prices, partial(least, side), best)):
                return None
        middle = prices[len(prices) // 2]
        return middle if least((*mine, *others), middle) >= -_DUST else None


class Proposal(NamedTuple):
    """A choice, and whether somebody else has a say in it."""

    choice: Choice
    deal: bool


def proposals(game: Game, choices: Iterable[Choice]) -> Iterator[Proposal]:
    """Choices with whether they are deals; of deals about things that are alike the first."""
    rules, s = game.rules, game.state
    seen: set[object] = set()
    for choice in choices:
        deal = type(choice.action) in rules.consents and bool(parties(game, choice.action))
        if deal:
            kind = _kind(s, choice)
            if kind in seen:
                continue
            seen.add(kind)
        yield Proposal(choice, deal)


_Side = tuple[tuple[str, Reckoner], ...]


def _likes(s: State, a: Action, who: str) -> int | None:
    """Which of some prices is best for a player: the first if he has a larger part of who pays,
    the last if of who is paid; None where that cannot be told."""
    paid = _other_side(s, a) if isinstance(a, BuyTrain | BuyCompany) else None
    given, taken = _part(s, a.actor, who), _part(s, paid, who)
    return None if paid is None or given == taken else 0 if given > taken else -1


def _part(s: State, of: str | None, who: str) -> float:
    """A player's part of what somebody has, by percent."""
    c = s.corporations.get(of or "")
    return 100.0 * (of == who) if c is None else float(c.held(who))


def _suiting(
    prices: Sequence[int], gain: Callable[[int], float], best: int | None
) -> Sequence[int]:
    """Those of some rising prices at which nobody loses, a gain being taken to grow or fall evenly
    with the price; whoever has shares on both sides may like high prices or low ones. ``best``:
    where the gain is highest, if that is known."""
    known: dict[int, float] = {}
    if best is not None:
        known[prices[best]] = most = gain(prices[best])
        if most < -_DUST:
            return prices[:0]
    cheap, dear = [known[p] if p in known else gain(p) for p in (prices[0], prices[-1])]
    if cheap >= -_DUST and dear >= -_DUST:
        return prices
    if (cheap < -_DUST and dear < -_DUST) or IMPOSSIBLE in (cheap, dear):
        return prices[:1] if cheap >= -_DUST else prices[len(prices) - (dear >= -_DUST) :]
    part = cheap / (cheap - dear) * (len(prices) - 1)
    return prices[: floor(part + _DUST) + 1] if cheap > dear else prices[ceil(part - _DUST) :]


def _agrees(reckoner: Reckoner, game: Game, action: Action, who: str) -> bool:
    return reckoner.gain(game, action, who) >= -_DUST


def _kind(s: State, choice: Choice) -> object:
    """What choices of like things have in common."""
    a = choice.action
    if isinstance(a, BuyTrain) and a.train in s.trains:
        train = s.trains[a.train]
        how = (a.exchange, a.shell, train.ran, train.obsolete, repr(choice.domains.get("price")))
        return a.actor, train.owner, depot.kind_of(s, a.train), how
    return a


def deals(game: Game) -> Iterable[tuple[Game, Action]]:
    """The deals made in a game, each with the game as it was before it."""
    before = game.at(0)
    for entry in game.history:
        number = entry.action.id or 0
        if type(entry.action) in game.rules.consents and parties(before, entry.action):
            yield before, entry.action
        before = game.at(number)


def price_to_face(game: Game, action: Action) -> float | None:
    """The price of a train or private that is bought by its face value; None for other actions."""
    match action:
        case BuyTrain():
            return action.price / game.rules.list_price(game.state, action.train)
        case BuyCompany():
            return action.price / game.rules.box.companies[action.company].value
    return None
