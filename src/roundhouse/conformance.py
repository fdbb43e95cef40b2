"""What holds in every state of every title: the invariants, told as sentences when broken.

The conformance tests run these over real and random games; a title gets them for free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import NoneType
from typing import Any

from msgspec import Struct

from .game import Game
from .model.frozen import FrozenDict
from .model.records import BANK, CLOSED, MARKET, Corporation, State
from .rounds.rules import Rules
from .rounds.step import RoundPlay
from .rounds.steps.discard import Discard


def faults(rules: Rules[Any], s: State, money: int | None = None) -> list[str]:
    """Everything wrong with a state. ``money``: what bank and all cash must sum to."""
    return [
        *_money(rules, s, money),
        *_shares(rules, s),
        *_market(rules, s),
        *_trains(s),
        *_board(rules, s),
        *_companies(s),
        *_discards(rules, s),
        *_waiting(rules, s),
    ]


def total_money(s: State) -> int:
    """Bank and all cash."""
    held = [p.cash for p in s.players.values()] + [c.cash for c in s.corporations.values()]
    return s.bank + sum(held)


def _money(rules: Rules[Any], s: State, money: int | None) -> Iterator[str]:
    if money is not None and total_money(s) != money:
        yield f"there is {total_money(s)} in money, not {money}"
    for corporation in s.corporations.values():
        if corporation.cash < 0:
            yield f"{corporation.id} has {corporation.cash}"
    if s.step in rules.in_debt or (s.finished and rules.in_debt):
        return
    for key, player in s.players.items():
        if player.cash < 0:
            yield f"{key} has {player.cash} and is not asked to pay"


def _shares(rules: Rules[Any], s: State) -> Iterator[str]:
    for c in s.corporations.values():
        certs = [cert for certs in c.certs.values() for cert in certs]
        if not certs:
            continue
        total = sum(cert.percent for cert in certs)
        if total != 100 and not rules.in_exchange(s, c.id):
            yield f"certificates of {c.id} sum to {total} %"
        for index, count in Counter(cert.index for cert in certs).items():
            if count > 1:
                yield f"{c.id}_{index} exists {count} times"
        for holder in c.certs:
            if holder not in s.players and holder not in s.corporations and holder != MARKET:
                yield f"{holder} holds shares of {c.id}"
        yield from _president(rules, s, c)


def _president(rules: Rules[Any], s: State, c: Corporation) -> Iterator[str]:
    if c.president is None:
        return
    if c.president not in s.players:
        yield f"{c.president} is president of {c.id}"
    if c.cell is None or rules.in_exchange(s, c.id):
        return
    if all(cert.index for cert in c.certs.get(c.president, ())):
        yield f"{c.president} leads {c.id} without its president's certificate"
    if rules.led_by_most(s, c.id) and max(c.held(p) for p in s.order) > c.held(c.president):
        yield f"{c.president} leads {c.id}, but others hold more"


def _market(rules: Rules[Any], s: State) -> Iterator[str]:
    placed = Counter(name for names in s.market.values() for name in names)
    for cell, names in s.market.items():
        if cell not in rules.box.market.cells:
            yield f"there is no price cell {cell}"
        for name in names:
            if s.corporations[name].cell != cell:
                yield f"{name} lies on {cell} but says {s.corporations[name].cell}"
    for c in s.corporations.values():
        if placed[c.id] != (c.cell is not None):
            yield f"{c.id} has {placed[c.id]} price markers"


def _trains(s: State) -> Iterator[str]:
    owned = Counter(t for c in s.corporations.values() for t in c.trains) + Counter(s.depot.market)
    for train, count in owned.items():
        if count > 1 or train not in s.trains:
            yield f"train {train} is owned {count} times"
    for record in s.trains.values():
        if owned[record.id] != 1:
            yield f"train {record.id} of {record.owner} is nowhere"
        elif record.owner != MARKET and record.id not in s.corporations[record.owner].trains:
            yield f"train {record.id} is not with {record.owner}"


def _board(rules: Rules[Any], s: State) -> Iterator[str]:
    box = rules.box
    for tile, count in Counter(laid.tile for laid in s.board.tiles.values()).items():
        name = tile.rpartition("-")[0]
        if count > 1:
            yield f"tile {tile} lies on {count} hexes"
        if name not in box.tiles.counts:
            yield f"{tile} is no tile of this title"
    laid = Counter(t.tile.rpartition("-")[0] for t in s.board.tiles.values())
    for name, count in laid.items():
        limit = box.tiles.counts.get(name)
        if limit is not None and count > limit:
            yield f"{count} tiles {name} lie on the map, {limit} exist"
    on_map: Counter[tuple[str, str]] = Counter(
        (owner, f"{coord}/{number}")
        for coord, cities in s.board.cities.items()
        for number, slots in enumerate(cities)
        for owner in slots
        if owner is not None and owner in s.corporations
    )
    charters = Counter(
        (c.id, t.city)
        for c in s.corporations.values()
        for t in c.tokens
        if t.city and rules.takes_slot(t)
    )
    for key in on_map.keys() | charters.keys():
        if on_map[key] != charters[key]:
            yield f"{key[0]} has {on_map[key]} tokens in {key[1]}, its charter says {charters[key]}"


def _companies(s: State) -> Iterator[str]:
    for company in s.companies.values():
        owner = company.owner
        known = owner in (None, CLOSED, BANK) or owner in s.players or owner in s.corporations
        if not known:
            yield f"{company.id} is owned by {owner}"


def _discards(rules: Rules[Any], s: State) -> Iterator[str]:
    """Nobody has too many trains once a step that asks for discards, or comes before it, is over;
    nor in rounds without one."""
    if s.finished or not any(_asking(play) for play in rules.rounds.values()):
        return
    play = rules.play(s)
    asking = _asking(play)
    names = [step.name for step in play.sequence]
    if asking is not None and s.step in names[: names.index(asking.name) + 1]:
        return
    for who in s.corporations if asking is None else asking.order(s):
        if rules.surplus(s, who):
            yield f"{who} has too many trains and nobody is asked to discard"


def _asking(play: RoundPlay[Any, Any]) -> Discard[Any, Any] | None:
    return next((step for step in play.sequence if isinstance(step, Discard)), None)


def _waiting(rules: Rules[Any], s: State) -> Iterator[str]:
    if s.finished is None and not s.acting:
        yield "the game waits for nobody"
    if s.finished is not None and s.acting:
        yield f"the game is over but waits for {s.acting}"
    asked = rules.play(s).asked(s) if s.finished is None else None
    if asked is not None and (asked[0].name, asked[1]) != (s.step, s.acting):
        yield f"“{asked[0].name}” asks {asked[1]}, but “{s.step}” waits for {s.acting}"
    yield from rules.faults(s)


def disagreements(game: Game, limit: int = 200) -> Iterator[str]:
    """Where ``choices`` and ``check`` disagree in this position: listed actions that are refused,
    or accepted ones that no choice covers. Looks at ``limit`` listed actions at most."""
    choices = game.choices()
    if not game.finished and not choices:
        yield f"nothing can be done in {game.state.step}"
    seen = 0
    for choice in choices:
        if not choice.covers(choice.action) and choice.enumerable:
            yield f"{choice} does not cover its own action"
        for action in choice.actions():
            seen += 1
            if seen > limit:
                return
            fault = game.why_not(action)
            if fault is not None:
                yield f"listed but refused: {action}: {fault}"
            if not any(c.covers(action) for c in choices):
                yield f"listed but not covered: {action}"


def writable(value: Any, path: str = "state") -> Iterator[str]:
    """Where a value could be written to: its maps, lists and records that are not frozen."""
    if isinstance(value, Struct):
        if not value.__struct_config__.frozen:
            yield f"{path}: a {type(value).__name__} is not frozen"
        for name in value.__struct_fields__:
            yield from writable(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, FrozenDict):
        for key, entry in value.items():
            yield from writable(entry, f"{path}[{key!r}]")
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            yield from writable(entry, f"{path}[{number}]")
    elif not isinstance(value, str | int | bool | NoneType):
        yield f"{path}: a {type(value).__name__} can be written to"
