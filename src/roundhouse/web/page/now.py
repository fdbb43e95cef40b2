"""The *now* panel: what is to be done, by whom, and everything ``choices()`` offers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from ...deciding import offered
from ...game import Game
from ...model.actions import Action, BuyShares, LayTile, Par
from ...model.choices import Choice, Routes, Span
from ...model.records import State
from ...sentences.buttons import (
    VERBS,
    Wording,
    corporation_name,
    doing,
    heading,
    hex_of,
    money,
    open_numbers,
    place_name,
)
from ...sentences.steps import group_name, passing
from ..tables import decides
from . import steps
from .drawing import called
from .outcomes import AND, Trials, outcome

#: Consequences are told of at most this many buttons.
_TOLD = 30
#: Longer lists are folded.
_LONG = 8
#: What the button beside numbers or options says.
_DO = VERBS | {"sell_shares": "Sell", "par": "Start", "short": "Sell short"}
#: So many of what is refused for one reason are named.
_NAMED = 5


class Amount(Struct):
    """A number to be entered, with the values people want most."""

    name: str
    low: int
    high: int
    step: int
    quick: list[tuple[str, int]]
    #: Where not every amount between is possible: those that are.
    only: list[int] = []


class Option(Struct):
    """One of several actions that differ in one thing. ``after``: what it would change, in words;
    ``moves``: corporation → the cell its marker would move to; ``cell``: the price it names;
    ``grave``: what of it cannot be mended, so that it is asked once more; ``money``: what of
    ``after`` is got or paid."""

    label: str
    action: str
    after: str = ""
    moves: dict[str, str] = {}
    symbol: str = ""
    cell: str = ""
    grave: str = ""
    money: str = ""

    @property
    def beside(self) -> str:
        """What of ``after`` stands beside the label: what that does not say."""
        return AND.join(part for part in self.after.split(AND) if part not in self.label)

    @property
    def goals(self) -> str:
        """The moves as an attribute."""
        return json.dumps(self.moves) if self.moves else ""


class Item(Option, kw_only=True):
    """One button, with its numbers if it has any. ``options``: actions one of which is to be chosen
    first; ``about``: what is bought, sold or bid for; ``source``: who holds it."""

    kind: str
    amounts: list[Amount] = []
    hex: str = ""
    routes: bool = False
    options: list[Option] = []
    about: str = ""
    source: str = ""
    #: What the button of all actions like it, and this one among them, say.
    title: str = ""
    short: str = ""
    #: Who does it.
    by: str = ""

    @property
    def verb(self) -> str:
        """What the button beside numbers says."""
        return _DO.get(self.kind, "Do it")


class Place(Struct):
    """A hex on which something may be done."""

    hex: str
    name: str
    count: int


class Greyed(Struct):
    """What may not be done now, and why."""

    label: str
    why: str
    rule: str


class Group(Struct):
    """The buttons of one kind of action by one actor, and what of it is not possible now. ``own``:
    he is waited for, unlike a private company that may be used beside."""

    kind: str
    title: str
    actor: str
    own: bool = False
    items: list[Item] = []
    places: list[Place] = []
    greyed: list[Greyed] = []

    @property
    def long(self) -> bool:
        return len(self.items) > _LONG


class Now(Struct):
    """The panel. ``mine``: the viewer has something to decide."""

    sentence: str
    mine: bool
    groups: list[Group] = []
    usual: Item | None = None
    rule: str = ""
    step: str = ""
    others: list[str] = []


def now_of(game: Game, viewer: frozenset[str], *, assisted: bool = True) -> Now:
    """The panel for somebody who acts for some players (none: a spectator). Unless he is
    ``assisted`` no routes are filled in that he could run."""
    s, rules = game.state, game.rules
    if game.finished:
        return Now(_ending(game), False)
    choices = _in_order(game, offered(game, viewer))
    waited = [a for a in s.acting if viewer & decides(game, a)]
    step = game.waiting
    rule = step.rule if step else ""
    if not waited or not choices:
        return Now(_waiting(game), False, _groups(game, choices), None, rule, s.step)
    others = [called(rules, s, a) for a in s.acting if a not in waited]
    # A player may be waited for whose answer a company of his sends.
    asked = [c for c in choices if c.actor in waited] or choices
    groups = _groups(game, choices)
    _add_greyed(game, groups, viewer)
    usual = _usual(groups, assisted)
    return Now(_asking(game, waited[0], asked), True, groups, usual, rule, s.step, others)


def _in_order(game: Game, choices: Iterable[Choice]) -> list[Choice]:
    """Choices, those of the step that waits before what may be done beside it."""
    step = game.waiting
    main = step.takes if step else frozenset()
    return sorted(choices, key=lambda c: type(c.action) not in main)


def _ending(game: Game) -> str:
    best = next(iter(game.result().items()))
    name = next(p.name for p in game.state.players.values() if p.id == best[0])
    return f"The game is over: {name} wins with {money(game.rules, best[1])}."


def _who_decides(game: Game, actor: str) -> str:
    names = [game.state.players[k].name for k in sorted(decides(game, actor))]
    return " or ".join(names)


def _waiting(game: Game) -> str:
    s, rules = game.state, game.rules
    parts = []
    for actor in s.acting:
        who, entity = _who_decides(game, actor), called(rules, s, actor)
        parts.append(who if who == entity else f"{who} for {entity}")
    what = steps.to_do(game, s.acting[0]) if s.acting else ""
    if not what:
        choices = _in_order(game, game.choices())
        doings = dict.fromkeys(doing(c.action) for c in choices if c.type != "pass")
        what = ", ".join(doings)
    return f"Waiting for {', '.join(parts)}: {what or 'to pass'}."


def _asking(game: Game, actor: str, choices: list[Choice]) -> str:
    who, entity = _who_decides(game, actor), called(game.rules, game.state, actor)
    subject = who if who == entity else f"{who}, {entity}"
    if what := steps.to_do(game, actor):
        if steps.bound(game, what, choices):
            what = f"must {what.replace('buy trains', 'buy a train')}"
        elif steps.only_pass(game, choices):
            all_else = "pass (all else is not possible now)"
            what = all_else if "pass" in what else f"{what} (not possible now)"
        return f"{subject}: {what}."
    must = all(c.type != "pass" for c in choices)
    offered = dict.fromkeys(doing(c.action) for c in choices if c.type != "pass")
    doings = [*offered] + ([] if must else ["pass"])
    listed = ", ".join(doings[:-1]) + (" or " if len(doings) > 1 else "") + doings[-1]
    return f"{subject} {'must' if must else 'may'} {listed}."


def _usual(groups: list[Group], assisted: bool) -> Item | None:
    """What Enter does: the only thing to do, or running the routes that are filled in."""
    items = [i for g in groups for i in g.items if g.kind != "pass"]
    for item in items:
        if item.routes:
            return item if assisted else None
    everything = [i for g in groups for i in g.items]
    return everything[0] if len(everything) == 1 else None


def _groups(game: Game, choices: Iterable[Choice]) -> list[Group]:
    found: dict[tuple[str, str], Group] = {}
    s, rules, trials = game.state, game.rules, Trials(game)
    words = Wording(rules, s, trials.after)
    told = 0
    for choice in choices:
        kind, actor = choice.type, choice.actor
        title = group_name(game, choice.action)
        group = found.setdefault(
            (title, actor), Group(kind, title, called(rules, s, actor), actor in s.acting)
        )
        coord = hex_of(rules, s, choice.action)
        if isinstance(choice.action, LayTile):
            _count(game, group, choice.action.hex)
            continue
        if following := rules.follow_ups(s, choice.action):
            group.items += [_with(words, choice.action, one) for one in following]
            continue
        item = item_of(words, choice, coord)
        if any(_twins(item, other) for other in group.items):
            continue
        if item.routes:
            item.grave = steps.forgone(game, choice.action)
        elif not item.amounts and (told < _TOLD or kind == "pass"):
            would = outcome(game, choice.action, trials)
            item.after, item.money = would.text, would.money
            item.moves, item.grave = would.moves, would.grave
            told += 1
        if kind == "pass":
            item.label = passing(game, actor)
        group.items.append(item)
    for group in found.values():
        group.items = joined(group.items)
    return sorted(found.values(), key=lambda g: g.kind == "pass")


def _with(words: Wording, a: Action, following: Action) -> Item:
    """The button of an action together with what is to follow it."""
    both = msgspec.structs.replace(a, auto_actions=(following,))
    return Item(words.label(both), write(both), kind=a.type, symbol=_symbol(words.s, following))


#: Actions of one kind about one company that become one button with options.
_BY_COMPANY = frozenset({"sell_shares", "par"})
#: From so many companies one may bid for in the same way, they become one button with options.
_ALIKE = 3


def joined(items: list[Item]) -> list[Item]:
    """Buttons that differ in one thing as one: how much of a company is sold, at which price one is
    started, for which one the same amounts are bid."""
    sets: dict[object, list[Item]] = {}
    for n, item in enumerate(_whole(items)):
        key: object = n
        if item.kind in _BY_COMPANY and item.symbol and not item.amounts:
            key = (item.kind, item.symbol)
        elif item.kind == "bid" and item.symbol and item.amounts:
            key = (
                item.kind,
                *((a.name, *(a.only or (a.low, a.high, a.step))) for a in item.amounts),
            )
        sets.setdefault(key, []).append(item)
    found: list[Item] = []
    for same in sets.values():
        few = same[0].kind == "bid" and len(same) < _ALIKE
        found += same if few else [_joined(same)]
    return found


def _whole(items: list[Item]) -> list[Item]:
    """Bids for one thing in several ranges as one."""
    sets: dict[object, list[Item]] = {}
    for n, item in enumerate(items):
        alone = item.kind != "bid" or len(item.amounts) > 1 or not item.about
        fixed = 0 if item.amounts else _price(item)
        key: object = n if alone or (not item.amounts and not fixed) else item.about
        sets.setdefault(key, []).append(item)
    return [_spanning(same) for same in sets.values()]


def _price(item: Item) -> int:
    """The price an action without range names."""
    return int(json.loads(item.action).get("price") or 0)


def _spanning(same: list[Item]) -> Item:
    first = next((i for i in same if i.amounts), same[0])
    if len(same) == 1:
        return first
    amounts: set[int] = set()
    for item in same:
        ranges = [range(a.low, a.high + 1, a.step) for a in item.amounts]
        amounts.update(*ranges) if ranges else amounts.add(_price(item))
    only = sorted(amounts)
    name = first.amounts[0].name if first.amounts else "price"
    amount = Amount(name, only[0], only[-1], 1, [], only)
    return msgspec.structs.replace(first, amounts=[amount], action=same[0].action)


def _joined(same: list[Item]) -> Item:
    first = same[0]
    if first.kind == "bid":
        options = [Option(i.label, i.action, i.after, i.moves, i.symbol) for i in same]
        return Item("", "", kind="bid", amounts=first.amounts, options=options)
    if len(same) == 1:
        return first
    options = [
        Option(i.short or i.label, i.action, i.after, i.moves, cell=i.cell, grave=i.grave)
        for i in same
    ]
    return Item(
        first.title or first.label, "", kind=first.kind, symbol=first.symbol, options=options,
        about=first.about, source=first.source,
    )  # fmt: skip


def _twins(a: Item, b: Item) -> bool:
    """Whether two buttons read alike, which they do only if they have the same effect but for which
    of equal trains or certificates it is."""
    return (a.label, a.amounts) == (b.label, b.amounts)


def _add_greyed(game: Game, groups: list[Group], viewer: frozenset[str]) -> None:
    """What the viewer may look for in vain, what has the same reason told together."""
    words = Wording(game.rules, game.state)
    by_reason: dict[tuple[str, str, str, str], list[Action]] = {}
    for refusal in game.refusals():
        a, fault = refusal.action, refusal.fault
        if viewer & decides(game, a.actor):
            key = (a.type, a.actor, fault.message, fault.rule)
            by_reason.setdefault(key, []).append(a)
    for (kind, actor, why, rule), actions in by_reason.items():
        name = called(game.rules, game.state, actor)
        group = next((g for g in groups if (g.kind, g.actor) == (kind, name)), None)
        if group is None:
            group = Group(kind, heading(kind), name)
            groups.insert(len([g for g in groups if g.kind != "pass"]), group)
        label = passing(game, actor) if kind == "pass" else _all_of(words, actions)
        group.greyed.append(Greyed(label, why, rule))


def _all_of(words: Wording, actions: list[Action]) -> str:
    """Several actions in one label."""
    labels = list(dict.fromkeys(words.label(a) for a in actions))
    symbols = list(dict.fromkeys(_symbol(words.s, a) for a in actions))
    if len(symbols) > 1 and all(symbols):
        labels = symbols
    more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
    return ", ".join(labels[:_NAMED]) + more


def _count(game: Game, group: Group, coord: str) -> None:
    for n, place in enumerate(group.places):
        if place.hex == coord:
            group.places[n] = Place(coord, place.name, place.count + 1)
            return
    group.places.append(Place(coord, place_name(game.rules, coord), 1))


def item_of(words: Wording, choice: Choice, coord: str | None = None) -> Item:
    """The button of a choice."""
    a = choice.action
    return Item(
        label=words.of(choice),
        action=write(a),
        kind=a.type,
        amounts=[_amount(name, d) for name, d in open_numbers(choice).items()],
        symbol=_symbol(words.s, a),
        hex=coord or "",
        routes=any(isinstance(d, Routes) for d in choice.domains.values()),
        about=_about(a),
        source=_source(words.s, a),
        title=_title(words, a),
        short=_short(words, a) if a.type in (*_BY_COMPANY, "buy_shares") else "",
        by=called(words.rules, words.s, a.actor),
        cell=getattr(a, "share_price", None) or "",
    )


def _title(words: Wording, a: Action) -> str:
    """What the button of all actions that differ from this one in one thing says."""
    return (
        corporation_name(words.rules, a.corporation) if isinstance(a, Par) else _symbol(words.s, a)
    )


def _short(words: Wording, a: Action) -> str:
    """What tells an action from the others under one title."""
    if isinstance(a, Par):
        cell = words.rules.box.market.cells.get(a.share_price)
        return money(words.rules, cell.price) if cell else a.share_price
    if isinstance(a, BuyShares):
        return words.portion(a)
    return words.label(a).replace(f" of {_symbol(words.s, a)}", "", 1)


def _about(a: Action) -> str:
    """What a button buys, sells or bids for."""
    names = (getattr(a, n, None) for n in ("company", "corporation", "minor", "choice"))
    return next((n for n in names if isinstance(n, str)), "")


def _source(s: State, a: Action) -> str:
    """Who holds the shares a button is about."""
    if a.type not in ("buy_shares", "sell_shares", "short"):
        return ""
    if a.type != "buy_shares":
        return a.actor
    symbol, _, index = a.shares[0].rpartition("_")  # type: ignore[attr-defined]
    holders = s.corporations[symbol].certs.items()
    return next((h for h, certs in holders if any(str(c.index) == index for c in certs)), "")


def _amount(name: str, span: Span) -> Amount:
    quick = [("min", span.low)]
    if span.low + 5 < span.high and 5 % span.step == 0:
        quick.append(("+5", span.low + 5))
    top = span.low + (span.high - span.low) // span.step * span.step
    if top > span.low:
        quick.append(("max", top))
    return Amount(name, span.low, top, span.step, quick)


def _symbol(s: State, a: Action) -> str:
    """The company a button is about."""
    for field in ("corporation", "minor"):
        if getattr(a, field, None) in s.corporations:
            return str(getattr(a, field))
    shares = getattr(a, "shares", ())
    return shares[0].rpartition("_")[0] if shares else ""


def write(a: Action) -> str:
    """An action for a form."""
    return msgspec.json.encode(a).decode()


def filled(raw: str, fields: dict[str, int]) -> dict[str, Any]:
    """An action from a form, its numbers put in."""
    action = json.loads(raw)
    if not isinstance(action, dict):
        raise ValueError("no action")
    return action | fields
