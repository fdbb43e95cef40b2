"""Track and stations: tiles sieved by what they lead to, then by what the company would earn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...board.laying import parse_city
from ...model.actions import Action, LayTile, Pass, PlaceToken
from ...model.choices import Choice
from ...model.records import Corporation, State
from ...rounds import machine
from ...rounds.steps.progress import OperatingProgress
from ...sentences.buttons import place_name
from ..decision import Candidate, Reason
from ..income import kinds_in
from ..view import View
from ..wording import signed, with_trains
from .outlook import after, foreseen, thinned

#: Tiles tried by the network, and of them, and of stations, by a search of routes.
_TRIED, _SEARCHED = 120, 12
#: Rounds until the train a company is thought to run later is there.
_LATER = 4.5
#: First tiles whose second one is looked for, and what it counts to reach a stop at all.
_PAIRED, _LINKED = 6, 40.0
#: The work of building something and of asking what it leads to.
_BUILT = 15


def lays(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Tiles: what they add to the income now, to what is in reach, less what they cost."""
    who = _builder(view, choices[0])
    if who is None:
        return foreseen(view, choices)
    rough = []
    for choice in thinned(_distinct(view, choices), _TRIED):
        s = _replaced(view, who, after(view, choice.action))
        if s is not None and who in s.corporations:
            rough.append((_leads_to(view, s, who), choice, s))
    rough.sort(key=lambda one: _promise(view, who, *one), reverse=True)
    if not view.rules.reach(view.now.board, who).linked:
        rough = _with_second(view, who, rough)
    return [_lay(view, who, c, s, worth) for worth, c, s in rough[: _searched(view)]]


def _leads_to(view: View, s: State, who: str) -> float:
    """What a company gets to by what has just been built, or may from there."""
    view.mind.spent.add(_BUILT)
    return view.mind.sites.potential(s, s.board, who)


def _searched(view: View) -> int:
    """How many tiles, and stations, routes are searched for."""
    return _SEARCHED if view.thorough else view.known.searched


def _promise(
    view: View, who: str, potential: float, choice: Choice, s: State
) -> tuple[float, float]:
    """What a tile is sieved by: the places it makes better, and what it leads to together with what
    the stops that are reached pay."""
    paying = view.income.paying(s, who, view.ledger.on_sale(1.0))
    return _linked(view, choice.action, who, s), potential + paying


def _replaced(view: View, who: str, s: State | None) -> State | None:
    """The position once a token that a tile sent back lies where it leads to most."""
    if s is None or who not in s.corporations:
        return s
    if _stations(s, who) >= _stations(view.now, who):
        return s
    asked = [c.action for c in machine.choices(view.rules, s)]
    ends = [after(view, a, s) for a in asked if isinstance(a, PlaceToken)]
    found = [end for end in ends if end is not None]
    return max(found, key=lambda e: _leads_to(view, e, who), default=s)


def _stations(s: State, who: str) -> int:
    return sum(1 for token in s.corporations[who].tokens if token.city)


def _with_second(
    view: View, who: str, rough: list[tuple[float, Choice, State]]
) -> list[tuple[float, Choice, State]]:
    """The first of two tiles by what both lead to, for a company that reaches nothing yet."""
    found = []
    for worth, choice, s in rough[:_PAIRED]:
        best = worth + _LINKED * view.rules.reach(s.board, who).linked
        following = [c for c in machine.choices(view.rules, s) if isinstance(c.action, LayTile)]
        for second in thinned(following, _TRIED // 2):
            then = after(view, second.action, s)
            if then is not None and view.rules.reach(then.board, who).linked:
                both = _leads_to(view, then, who)
                best = max(best, both + 0.9 * _LINKED)
        found.append((best, choice, s))
    return sorted(found, key=lambda one: -one[0])


def _lay(view: View, who: str, choice: Choice, s: State, potential: float) -> Candidate:
    before = view.mind.sites.potential(view.now, view.now.board, who)
    c, now = s.corporations[who], view.now.corporations[who]
    trains = c.trains or _supposed(view)
    more = view.income.having(s, who, trains) - view.income.having(view.now, who, trains)
    rounds = min(_LATER, view.ledger.rounds)
    after_that = min(view.weights.later, max(0.0, view.ledger.rounds - rounds))
    then = _later(view, c) if after_that > 0 else trains
    later = view.income.having(s, who, then) - view.income.having(view.now, who, then)
    reach = view.weights.potential * view.ledger.rounds * (potential - before)
    cost = now.cash - c.cash
    part = max(0.2, view.part(c))
    score = part * (more * rounds + later * after_that + reach)
    score -= price_of_track(view, now, cost, part)
    score += _linked(view, choice.action, who, s)
    score -= view.weights.laid + view.needed(who, c.cash) - view.needed(who, now.cash)
    a = choice.action
    assert isinstance(a, LayTile)
    figures = {"more": more, "later": later, "reach": round(potential - before), "cost": cost}
    what = f"tile {a.tile.rpartition('-')[0]} on {place_name(view.rules, a.hex)}"
    text = f"{what}: {_brings(view, figures, kinds_in(view.now, then))}"
    return Candidate(a, score, (Reason("track", text, score, figures),), unseen=True)


def _brings(view: View, figures: Mapping[str, int], kinds: Sequence[str] = ()) -> str:
    """What something built brings and costs, as far as it does; ``kinds``: later trains."""
    more, reach, cost = figures["more"], figures["reach"], figures["cost"]
    later = figures.get("later", more)
    told = [f"{signed(more)} a run"] if more or not reach else []
    if later != more and kinds:
        told.append(f"{signed(later)} {with_trains(view.rules.facts, kinds)}")
    if reach:
        told.append(f"{abs(reach)} {'more' if reach > 0 else 'less'} in stops to be reached")
    if cost:
        told.append(f"{'costs' if cost > 0 else 'brings'} {view.money(abs(cost))}")
    return ", ".join(told)


def price_of_track(view: View, c: Corporation, cost: int, part: float) -> float:
    """What it costs a player that a company spends something on track: where plans count what track
    costs, what its plan loses by it, much where a train cannot be paid then; no less than usual."""
    usual = part * view.weights.track * cost
    if not view.known.building or cost <= 0 or c.cell is None:
        return usual
    now, firm = view.plan(view.now, c.id), view.firm(view.now, c)
    less = view.plan(view.now, c.id, cash=firm.cash - cost)
    lost = (now.worth - less.worth) * c.held(view.me) / c.unit
    if c.president == view.me:
        lost += view.lead(now) - view.lead(less)
    return max(usual, lost)


def _linked(view: View, a: Action, who: str, s: State) -> float:
    """What a player gains by places that can earn more once a tile lies, when its company is done
    with track."""
    if view.known.works is None:
        return 0.0
    m = s.round
    if view.rules.operator(s) == who and isinstance(m, OperatingProgress) and m.stage == "track":
        s = after(view, Pass(entity=a.entity, entity_type=a.entity_type), s) or s
    kind, rounds = view.ledger.on_sale(_LATER), max(0.0, view.ledger.rounds - 2.0)
    found = dict.fromkeys(s.players, 0.0)
    for place in s.corporations.values():
        if place is not view.now.corporations.get(place.id):
            more = view.mind.works.improved(view.now, s, place.id, kind)
            for player, part in view.parts(s, getattr(place, "owner", None)).items():
                found[player] += part * more * rounds
    return view.against(s, found, view.me)


def _later(view: View, c: Corporation) -> tuple[str, ...]:
    """The trains a company is thought to run in some rounds: those that still run then, and the
    one on sale."""
    ledger = view.ledger
    lasting = [t for t in c.trains if ledger.life(view.now.trains[t].kind) > _LATER]
    kind = ledger.on_sale(_LATER)
    room = max(1, view.room(view.now, c))
    return (*lasting[: room - 1], *([kind] if kind else []))


def _supposed(view: View) -> tuple[str, ...]:
    """The train a company without one is thought to get."""
    kind = view.ledger.on_sale(1.0)
    return (kind,) if kind else ()


def _distinct(view: View, choices: Sequence[Choice]) -> list[Choice]:
    """Of tiles that look the same as they would lie, one."""
    found: dict[object, Choice] = {}
    for choice in choices:
        a = choice.action
        assert isinstance(a, LayTile)
        name = a.tile.rpartition("-")[0]
        pattern = view.rules.box.tiles.tiles[name].turned(a.rotation).pattern
        found.setdefault((a.actor, a.hex, name, pattern), choice)
    return list(found.values())


def _builder(view: View, choice: Choice) -> str | None:
    """The company that builds: the sender, or who owns the private that does."""
    actor = choice.actor
    if actor in view.now.corporations:
        return actor
    return view.rules.operator(view.now)


#: What the track that leads on from a place counts where a company begins: of two cities of one
#: tile one may lead nowhere.
_WAYS = 0.5
#: What is left of a place to begin at where nobody can build until a later phase.
_SHUT = 0.3


def tokens(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Stations: what the company earns and reaches more; a first one by the place alone."""
    found, further = [], []
    for choice in choices:
        a = choice.action
        assert isinstance(a, PlaceToken)
        who = _builder(view, choice)
        s = after(view, a)
        if s is None:
            continue
        who = who if who in s.corporations else None
        if who is None or not (who in view.now.corporations and _stations(view.now, who)):
            found.append(_home(view, view.now, a, who, s))
        else:
            further.append((_leads_to(view, s, who), a, who, s))
    further.sort(key=lambda one: -one[0])
    return found + [_station(view, a, who, s) for _, a, who, s in further[: _searched(view)]]


def _home(view: View, now: State, a: PlaceToken, who: str | None, s: State) -> Candidate:
    """The first station of a company: by the place, by what may be reached from there, and by what
    its first train would earn on the track there is."""
    place = parse_city(view.rules.box, now.board, a.city)
    site = view.mind.sites.site(now, place[0]) if place else 0.0
    ways = _leads_to(view, s, who) if who is not None else 0.0
    run = view.income.having(s, who, _supposed(view)) if who is not None else 0
    if place and not view.mind.sites.opens(now, place[0]):
        site, ways = _SHUT * site, _SHUT * ways
    where = place_name(view.rules, place[0]) if place else a.city
    text = f"{where}: its stop and those near it count {site:.0f}"
    if run:
        text += f", the first train would earn {view.money(run)} a run"
    why = Reason("home", text, site)
    return Candidate(a, 100.0 + site + _WAYS * ways + run, (why,))


def at_home(view: View, s: State, who: str) -> State:
    """The position once a company that has just been begun has its first station, where that is to
    be chosen now."""
    if s.finished is not None or s.acting != (who,) or s.corporations[who].cell is None:
        return s
    offered = [c.action for c in machine.choices(view.rules, s)]
    homes = [a for a in offered if isinstance(a, PlaceToken)]
    ends = [(a, end) for a in homes if (end := after(view, a, s)) is not None]
    scores = [_home(view, s, a, who, end).score for a, end in ends]
    return ends[scores.index(max(scores))][1] if ends else s


def _station(view: View, a: PlaceToken, who: str, s: State) -> Candidate:
    sites = view.mind.sites
    c, now = s.corporations[who], view.now.corporations[who]
    trains = c.trains or _supposed(view)
    more = view.income.having(s, who, trains) - view.income.having(view.now, who, trains)
    gain = sites.potential(s, s.board, who) - sites.potential(view.now, view.now.board, who)
    cost = now.cash - c.cash
    part = max(0.2, view.part(c))
    rounds = view.ledger.rounds
    held = view.weights.held * min(1.0, rounds / 4)
    score = part * (more * min(6.0, rounds) + view.weights.potential * rounds * gain + held)
    score -= price_of_track(view, now, cost, part)
    score -= view.needed(who, c.cash) - view.needed(who, now.cash)
    place = parse_city(view.rules.box, view.now.board, a.city)
    where = place_name(view.rules, place[0]) if place else a.city
    figures = {"more": more, "reach": round(gain), "cost": cost}
    text = f"a station in {where}: {_brings(view, figures)}"
    return Candidate(a, score, (Reason("station", text, score, figures),), unseen=True)
