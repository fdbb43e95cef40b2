"""The tables and cards beside the map, as plain records for the templates."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ...board.laying import free_copies
from ...board.tiles import COLORS, Tile
from ...board.upgrades import Upgrades
from ...box.schema import NO_LIMIT
from ...facts import Fact
from ...game import Game
from ...model.records import BANK, MARKET, Corporation, State
from ...rounds.rules import Rules
from ...sentences.buttons import place_name
from ...stock.market import price
from ...trains.depot import kind_of
from .drawing import called, certificate_of, full_name, tile_of, token_of
from .story import Tale

#: Players differ in colour and dash.
PLAYER_STYLES = 8


class Holding(Struct):
    """A holder's certificates of one company."""

    symbol: str
    percent: int
    president: bool
    drawn: str
    name: str = ""


class TrainTag(Struct):
    """A train as a small sign; ``doomed``: the next phase rusts it."""

    name: str
    doomed: bool = False
    obsolete: bool = False


class CompanyCard(Struct):
    """A corporation or minor. ``stations``: prices of those left, and how many."""

    symbol: str
    name: str
    token: str
    president: str
    price: int | None
    cash: int
    shares: int
    loans: int
    trains: list[TrainTag]
    stations: list[tuple[int, int]]
    placed: list[str]
    holdings: list[Holding]
    privates: list[str]
    last: int | None
    operating: bool
    operated: bool
    started: bool
    facts: tuple[Fact, ...] = ()


class PlayerCard(Struct):
    """A player. ``liquidity``: cash and what his shares would fetch at today's prices."""

    key: str
    name: str
    cash: int
    value: int
    certificates: int
    limit: int | None
    liquidity: int
    holdings: list[Holding]
    privates: list[tuple[str, str]]
    acting: bool
    first: bool
    bankrupt: bool
    place: int
    #: Which of the players' colours and dashes is his, on lines and in charts.
    style: int
    bound: int = 0
    facts: tuple[Fact, ...] = ()


def companies_of(game: Game, tale: Tale) -> tuple[list[CompanyCard], list[CompanyCard]]:
    """Cards of started companies in the order of play, and of those still to come."""
    s, rules = game.state, game.rules
    order = {c: n for n, c in enumerate(rules.facts.order_of_play(s))}
    privates, operator = _privates(s), rules.operator(s)
    cards = [
        _company(rules, s, c, tale, privates.get(c.id, []), operator == c.id)
        for c in s.corporations.values()
    ]
    started = [c for c in cards if c.started]
    started.sort(key=lambda c: (order.get(c.symbol, 999), -(c.price or 0)))
    return started, [c for c in cards if not c.started]


def _privates(s: State) -> dict[str, list[str]]:
    """The private companies by their owners."""
    found = defaultdict[str, list[str]](list)
    for private in s.companies.values():
        if private.owner is not None:
            found[private.owner].append(private.id)
    return found


def _company(
    rules: Rules[Any], s: State, c: Corporation, tale: Tale, privates: list[str], operating: bool
) -> CompanyCard:
    runs = list(tale.runs.get(c.id, {}).values())
    holders = [h for h in c.certs if c.certs[h]]
    return CompanyCard(
        symbol=c.id,
        name=full_name(rules, c.id),
        token=token_of(rules, c.id),
        president=called(rules, s, c.president) if c.president else "",
        price=price(rules.box.market, s, c.id) if c.cell else None,
        cash=c.cash,
        shares=c.shares,
        loans=c.loans,
        trains=[_train(rules, s, t) for t in c.trains],
        stations=sorted(Counter(t.price for t in c.tokens if t.city is None).items()),
        placed=[place_name(rules, t.city.partition("/")[0]) for t in c.tokens if t.city],
        holdings=[_holding(rules, s, c, h) for h in holders],
        privates=privates,
        last=runs[-1].revenue if runs else None,
        operating=operating,
        operated=c.operated,
        started=c.cell is not None or c.president is not None or c.floated,
        facts=rules.facts.of(s, c.id),
    )


_HOLDERS = {MARKET: "market", BANK: "bank"}


def _holding(rules: Rules[Any], s: State, c: Corporation, holder: str) -> Holding:
    name = "treasury" if holder == c.id else _HOLDERS.get(holder) or called(rules, s, holder)
    return Holding(c.id, c.held(holder), c.president == holder, "", name)


def _train(rules: Rules[Any], s: State, train: str) -> TrainTag:
    record = s.trains[train]
    doomed = record.kind in _doomed(rules, s.phase)
    return TrainTag(record.variant or record.kind, doomed, record.obsolete)


@lru_cache(maxsize=512)
def _doomed(rules: Rules[Any], phase: str) -> frozenset[str]:
    """Train types that rust when the phase after one comes."""
    phases = list(rules.box.phases.values())
    later = phases[phases.index(rules.box.phases[phase]) + 1 :]
    if not later:
        return frozenset()
    triggers = set(later[0].on)
    return frozenset(
        t.name
        for t in rules.box.trains.values()
        for trigger in (t.rusts_on if isinstance(t.rusts_on, tuple) else (t.rusts_on,))
        if trigger in triggers
    )


def players_of(game: Game) -> list[PlayerCard]:
    """Cards in the present order."""
    s, rules = game.state, game.rules
    values = {k: rules.value(s, k) for k in s.players}
    ranks = sorted(values.values(), reverse=True)
    order = [*s.order, *(k for k in s.players if k not in s.order)]
    deciding, privates = set(game.players_to_act), _privates(s)
    return [
        _player(rules, s, key, values[key], ranks.index(values[key]) + 1, deciding, privates)
        for key in order
    ]


def _player(
    rules: Rules[Any],
    s: State,
    key: str,
    value: int,
    place: int,
    deciding: set[Any],
    privates: dict[str, list[str]],
) -> PlayerCard:
    p = s.players[key]
    held = [c for c in s.corporations.values() if c.certs.get(key)]
    return PlayerCard(
        key=key,
        name=p.name,
        cash=p.cash,
        value=value,
        certificates=rules.certificates(s, key),
        limit=limit if (limit := rules.cert_limit(s)) < NO_LIMIT else None,
        liquidity=p.cash + sum(_worth(rules, s, c, key) for c in held),
        holdings=[_owned(rules, c, key) for c in held],
        privates=[(name, rules.box.companies[name].name) for name in privates.get(key, ())],
        acting=p.id in deciding,
        first=bool(s.order) and s.order[0] == key,
        bankrupt=p.bankrupt,
        place=place,
        style=list(s.players).index(key) % PLAYER_STYLES,
        bound=rules.facts.bound(s, key),
        facts=rules.facts.of(s, key),
    )


def _worth(rules: Rules[Any], s: State, c: Corporation, key: str) -> int:
    each = price(rules.box.market, s, c.id)
    return sum(each * max(0, x.percent) // c.unit for x in c.certs[key] if x.index != 0)


def _owned(rules: Rules[Any], c: Corporation, key: str) -> Holding:
    president = c.president == key
    return Holding(
        c.id, c.held(key), president, certificate_of(rules, c.id, c.held(key), president)
    )


# trains and phases


class TrainRow(Struct):
    """A train type: how many are left in the bank and what its first purchase brings."""

    name: str
    price: int
    distance: str
    left: str
    rusts: str
    phase: str
    variants: str
    owners: list[str]
    open_market: int
    gone: bool
    #: What its first purchase rusts of what is in play.
    kills: list[str] = []


def trains_of(game: Game) -> list[TrainRow]:
    """The supply in depot order."""
    s, box = game.state, game.rules.box
    left = {p.kind: p.left for p in s.depot.piles}
    starts = {name: p.name for p in box.phases.values() for name in p.on}
    kinds = {x.kind for x in s.trains.values()}
    held = [t for t in box.trains.values() if t.name in kinds]
    rows = []
    for t in box.trains.values():
        owners = [x.owner for x in s.trains.values() if x.kind == t.name and x.owner != MARKET]
        pool = sum(1 for x in s.depot.market if kind_of(s, x) == t.name)
        count = left.get(t.name, 0)
        rusts = _rusted_by(t.rusts_on)
        rows.append(
            TrainRow(
                name=t.name,
                price=t.price,
                distance=_distance(t.distance),
                left="∞" if t.name in left and count is None else str(count),
                rusts=" or ".join(rusts)
                or (f"obsolete by {t.obsolete_on}" if t.obsolete_on else ""),
                phase=starts.get(t.name, ""),
                variants=", ".join(f"{v.name} for {v.price}" for v in t.variants),
                owners=owners,
                open_market=pool,
                gone=t.name not in left and not owners and not pool,
                kills=[o.name for o in held if t.name in _rusted_by(o.rusts_on)],
            )
        )
    return rows


def _rusted_by(trigger: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """The trains that rust one, as its definition names them."""
    if isinstance(trigger, tuple):
        return trigger
    return (trigger,) if trigger else ()


def next_trains(rows: list[TrainRow]) -> list[TrainRow]:
    """The types the bank sells next: what is on offer, and what comes after it."""
    return [row for row in rows if row.left not in ("0", "")][:3]


#: What train data call places → what players call them.
_PLACES = {"city": "cities", "town": "towns", "offboard": "off-boards"}


def _distance(distance: Any) -> str:
    if isinstance(distance, int):
        return "∞" if distance >= NO_LIMIT else str(distance)
    return " + ".join(_stretch(row) for row in distance)


def _stretch(row: dict[str, Any]) -> str:
    """“3 cities/off-boards”, “all towns unpaid”, “5 cities ×2”."""
    count = row.get("visit", row.get("pay", NO_LIMIT))
    places = "/".join(_PLACES.get(n, n) for n in row.get("nodes", ()))
    unpaid = " unpaid" if row.get("pay") == 0 else ""
    factor = f" ×{row['multiplier']}" if row.get("multiplier", 1) > 1 else ""
    return f"{'all' if count >= NO_LIMIT else count} {places}{unpaid}{factor}"


class TileRow(Struct):
    """A tile of the supply and how many are left (None: unlimited). ``what``: whether it has cities
    or towns, or plain track; ``onto``: the tiles it may become."""

    name: str
    drawn: str
    color: str
    left: int | None
    what: tuple[str, ...]
    onto: tuple[str, ...]


def tiles_of(game: Game) -> list[TileRow]:
    """The supply of tiles, colour by colour."""
    s, box = game.state, game.rules.box
    rows = [
        TileRow(
            name,
            tile_of(game.rules, name),
            box.tiles.tiles[name].color,
            None if count is None else len(free_copies(box, s.board, name)),
            _what(box.tiles.tiles[name]),
            _onto(game.rules.upgrades, box.tiles.tiles[name]),
        )
        for name, count in box.tiles.counts.items()
    ]
    rank = {color: n for n, color in enumerate(COLORS)}
    return sorted(rows, key=lambda row: rank.get(row.color, len(rank)))


def _what(tile: Tile) -> tuple[str, ...]:
    kinds = (("city", tile.cities), ("town", tile.towns))
    return tuple(name for name, there in kinds if there) or ("track",)


@lru_cache(maxsize=4096)
def _onto(upgrades: Upgrades, tile: Tile) -> tuple[str, ...]:
    """The tiles that keep the track of one, wherever it lies."""
    old = tile.turned(0)
    return tuple(
        t.name
        for t in upgrades.followers("", old)
        if any(upgrades.keeps(old, t.turned(turn)) for turn in range(6))
    )
