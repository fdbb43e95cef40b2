"""The tables and cards beside the map, as plain records for the templates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

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
from ...trains.depot import counted, kind_of
from ..remembered import Following
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


class CompanyLine(Struct):
    """What the strip tells of a corporation or minor."""

    symbol: str
    name: str
    token: str
    president: str
    led: bool
    price: int | None
    cash: int
    loans: int
    trains: list[TrainTag]
    operating: bool
    operated: bool
    started: bool
    facts: tuple[Fact, ...]


class CompanyCard(CompanyLine, kw_only=True):
    """A corporation or minor. ``stations``: prices of those left, and how many."""

    shares: int
    stations: list[tuple[int, int]]
    placed: list[str]
    holdings: list[Holding]
    privates: list[str]
    last: int | None


class PlayerLine(Struct):
    """What the strip tells of a player."""

    key: str
    name: str
    cash: int
    value: int
    certificates: int
    limit: int | None
    acting: bool
    first: bool
    bankrupt: bool
    #: Which of the players' colours and dashes is his, on lines and in charts.
    style: int
    bound: int
    facts: tuple[Fact, ...]


class PlayerCard(PlayerLine, kw_only=True):
    """A player. ``liquidity``: cash and what his shares would fetch at today's prices."""

    liquidity: int
    holdings: list[Holding]
    privates: list[tuple[str, str]]
    place: int


def company_lines(game: Game) -> tuple[list[CompanyLine], list[CompanyLine]]:
    """Lines of started companies in the order of play, and of those still to come."""
    s, rules = game.state, game.rules
    order = {c: n for n, c in enumerate(rules.facts.order_of_play(s))}
    operator = rules.operator(s)
    lines = [_company_line(rules, s, c, operator == c.id) for c in s.corporations.values()]
    started = [c for c in lines if c.started]
    started.sort(key=lambda c: (order.get(c.symbol, 999), -(c.price or 0)))
    return started, [c for c in lines if not c.started]


def companies_of(game: Game, tale: Tale) -> tuple[list[CompanyCard], list[CompanyCard]]:
    """The cards of the same."""
    privates = _privates(game.state)
    started, coming = (
        [_company(game, line, tale, privates.get(line.symbol, [])) for line in lines]
        for lines in company_lines(game)
    )
    return started, coming


def _privates(s: State) -> dict[str, list[str]]:
    """The private companies by their owners."""
    found = defaultdict[str, list[str]](list)
    for private in s.companies.values():
        if private.owner is not None:
            found[private.owner].append(private.id)
    return found


#: The lines of companies.
_LINES: Following[CompanyLine] = Following(2048)


def _company_line(rules: Rules[Any], s: State, c: Corporation, operating: bool) -> CompanyLine:
    president = called(rules, s, c.president) if c.president else ""
    facts = rules.facts.of(s, c.id)

    return _LINES.get(
        (rules, c, s.trains),
        lambda: CompanyLine(
            symbol=c.id,
            name=full_name(rules, c.id),
            token=token_of(rules, c.id),
            president=president,
            led=rules.facts.led(c.id),
            price=price(rules.box.market, s, c.id) if c.cell else None,
            cash=c.cash,
            loans=c.loans,
            trains=[_train(rules, s, t) for t in c.trains],
            operating=operating,
            operated=c.operated,
            started=c.cell is not None or c.president is not None or c.floated,
            facts=facts,
        ),
        s.phase,
        president,
        operating,
        facts,
    )


def _company(game: Game, line: CompanyLine, tale: Tale, privates: list[str]) -> CompanyCard:
    s, rules = game.state, game.rules
    c = s.corporations[line.symbol]
    runs = list(tale.runs.get(c.id, {}).values())
    return CompanyCard(
        **asdict(line),
        shares=c.shares,
        stations=sorted(Counter(t.price for t in c.tokens if t.city is None).items()),
        placed=[place_name(rules, t.city.partition("/")[0]) for t in c.tokens if t.city],
        holdings=[_holding(rules, s, c, h) for h in c.certs if c.certs[h]],
        privates=privates,
        last=runs[-1].revenue if runs else None,
    )


_HOLDERS = {MARKET: "market", BANK: "bank"}


def _holding(rules: Rules[Any], s: State, c: Corporation, holder: str) -> Holding:
    own = rules.facts.unsold(c.id)
    name = own if holder == c.id else _HOLDERS.get(holder) or called(rules, s, holder)
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
    triggers = later[0].on if later else ()
    return frozenset(name for kind in triggers for name in rules.rusted_by(kind))


def player_lines(game: Game) -> list[PlayerLine]:
    """Lines in the present order."""
    s = game.state
    order = [*s.order, *(k for k in s.players if k not in s.order)]
    deciding = set(game.players_to_act)
    return [_player_line(game.rules, s, key, deciding) for key in order]


def _player_line(rules: Rules[Any], s: State, key: str, deciding: set[Any]) -> PlayerLine:
    p = s.players[key]
    return PlayerLine(
        key=key,
        name=p.name,
        cash=p.cash,
        value=rules.value(s, key),
        certificates=rules.certificates(s, key),
        limit=limit if (limit := rules.cert_limit(s)) < NO_LIMIT else None,
        acting=p.id in deciding,
        first=bool(s.order) and s.order[0] == key,
        bankrupt=p.bankrupt,
        style=list(s.players).index(key) % PLAYER_STYLES,
        bound=rules.facts.bound(s, key),
        facts=rules.facts.of(s, key),
    )


def players_of(game: Game) -> list[PlayerCard]:
    """The cards of the same."""
    lines, privates = player_lines(game), _privates(game.state)
    ranks = sorted((line.value for line in lines), reverse=True)
    return [
        _player(game, line, ranks.index(line.value) + 1, privates.get(line.key, ()))
        for line in lines
    ]


def _player(game: Game, line: PlayerLine, place: int, privates: Sequence[str]) -> PlayerCard:
    s, rules = game.state, game.rules
    held = [c for c in s.corporations.values() if c.certs.get(line.key)]
    return PlayerCard(
        **asdict(line),
        liquidity=line.cash + sum(_worth(rules, s, c, line.key) for c in held),
        holdings=[_owned(rules, c, line.key) for c in held],
        privates=[(name, rules.box.companies[name].name) for name in privates],
        place=place,
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


#: The supply by depot and trains.
_SUPPLIES: Following[list[TrainRow]] = Following(256)


def trains_of(game: Game) -> list[TrainRow]:
    """The supply in depot order."""
    rules, s = game.rules, game.state
    return _SUPPLIES.get((rules, s.depot, s.trains), lambda: _supply(rules, s))


def _supply(rules: Rules[Any], s: State) -> list[TrainRow]:
    box = rules.box
    left = {p.kind: counted(box, p) for p in s.depot.piles}
    starts = {name: p.name for p in box.phases.values() for name in p.on}
    rusted = _rusted(rules)
    held = defaultdict[str, list[str]](list)
    for x in s.trains.values():
        held[x.kind].append(x.owner)
    pools = Counter(kind_of(s, x) for x in s.depot.market)
    rows = []
    for t in box.trains.values():
        owners, pool = [who for who in held.get(t.name, ()) if who != MARKET], pools[t.name]
        count = left.get(t.name, 0)
        rusts = [name for name, kinds in rusted.items() if t.name in kinds]
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
                kills=[name for name in box.trains if name in rusted[t.name] & held.keys()],
            )
        )
    return rows


@lru_cache(maxsize=64)
def _rusted(rules: Rules[Any]) -> Mapping[str, set[str]]:
    """The types the first train of each type rusts."""
    return {name: rules.rusted_by(name) for name in rules.box.trains}


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
