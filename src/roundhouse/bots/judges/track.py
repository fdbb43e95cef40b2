"""Track and stations: tiles sieved by what they lead to, then by what the company would earn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...board.laying import parse_city
from ...model.actions import Action, LayTile, Pass, PlaceToken
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ...rounds.steps.progress import OperatingProgress
from ...sentences.buttons import place_name
from ...sentences.words import article, token_word
from ..decision import Candidate, Reason
from ..income import kinds_in
from ..view import View
from ..wording import signed, with_trains
from .laid import (
    LATER,
    Built,
    distinct,
    gain,
    later_trains,
    leads_to,
    long_run,
    measured,
    next_train,
    price_of_track,
)
from .outlook import after, foreseen, thinned
from .pairs import Second, best_second, linking

#: Tiles tried by the network, and of them, and of stations, by a search of routes.
_TRIED, _SEARCHED = 120, 12
#: First tiles whose next one is looked for where none brings anything by itself.
_FIRST = 4


def lays(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Tiles: what they add to the income now, to what is in reach, less what they cost."""
    who = _builder(view, choices[0])
    if who is None:
        return foreseen(view, choices)
    rough = []
    for choice in thinned(distinct(view, choices), _TRIED):
        s = _replaced(view, who, after(view, choice.action))
        if s is not None and who in s.corporations:
            rough.append((leads_to(view, s, who), choice, s))
    rough.sort(key=lambda one: _promise(view, who, *one), reverse=True)
    if not view.rules.reach(view.now.board, who).linked:
        rough = linking(view, who, rough)
    rough = rough[: _searched(view)]
    built = [measured(view, who, s, worth) for worth, _, s in rough]
    looked_on = 0 if any(b.more > 0 or b.later > 0 for b in built) else _FIRST
    found = []
    for n, ((_, c, s), b) in enumerate(zip(rough, built, strict=True)):
        then = best_second(view, who, c, s, b) if n < looked_on else None
        found.append(_lay(view, who, c, s, b, then))
    return found


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
    return max(found, key=lambda e: leads_to(view, e, who), default=s)


def _stations(s: State, who: str) -> int:
    return sum(1 for token in s.corporations[who].tokens if token.city)


def _lay(
    view: View, who: str, choice: Choice, s: State, built: Built, then: Second | None
) -> Candidate:
    c, now = s.corporations[who], view.now.corporations[who]
    score = gain(view, who, built) + _linked(view, choice.action, who, s)
    score -= view.weights.laid + view.needed(who, c.cash) - view.needed(who, now.cash)
    a = choice.action
    assert isinstance(a, LayTile)
    kinds = kinds_in(view.now, later_trains(view, now)) if long_run(view) > 0 else ()
    text = f"tile {a.tile.rpartition('-')[0]} on {place_name(view.rules, a.hex)}"
    text += f": {_brings(view, _figures(built), kinds)}"
    if then:
        score += then.better
        when = " in the next turn" if then.next_turn else ""
        text += f"; with a tile on {place_name(view.rules, then.hex)}{when}"
        text += f": {_brings(view, _figures(then.both), kinds)}"
    return Candidate(a, score, (Reason("track", text, score, _figures(built)),), unseen=True)


def _figures(built: Built) -> dict[str, int]:
    return {**built._asdict(), "reach": round(built.reach)}


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


def _linked(view: View, a: Action, who: str, s: State) -> float:
    """What a player gains by places that can earn more once a tile lies, when its company is done
    with track."""
    if view.known.works is None:
        return 0.0
    m = s.round
    if view.rules.operator(s) == who and isinstance(m, OperatingProgress) and m.stage == "track":
        s = after(view, Pass(entity=a.entity, entity_type=a.entity_type), s) or s
    kind, rounds = view.ledger.on_sale(LATER), max(0.0, view.ledger.rounds - 2.0)
    found = dict.fromkeys(s.players, 0.0)
    for place in s.corporations.values():
        if place is not view.now.corporations.get(place.id):
            more = view.mind.works.improved(view.now, s, place.id, kind)
            for player, part in view.parts(s, getattr(place, "owner", None)).items():
                found[player] += part * more * rounds
    return view.against(s, found, view.me)


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
            further.append((leads_to(view, s, who), a, who, s))
    further.sort(key=lambda one: -one[0])
    return found + [_station(view, a, who, s) for _, a, who, s in further[: _searched(view)]]


def _home(view: View, now: State, a: PlaceToken, who: str | None, s: State) -> Candidate:
    """The first station of a company: by the place, by what may be reached from there, and by what
    its first train would earn on the track there is."""
    place = parse_city(view.rules.box, now.board, a.city)
    site = view.mind.sites.site(now, place[0]) if place else 0.0
    ways = leads_to(view, s, who) if who is not None else 0.0
    run = view.income.having(s, who, next_train(view)) if who is not None else 0
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
    trains = c.trains or next_train(view)
    more = view.income.having(s, who, trains) - view.income.having(view.now, who, trains)
    reach = sites.potential(s, s.board, who) - sites.potential(view.now, view.now.board, who)
    cost = now.cash - c.cash
    part = max(0.2, view.part(c))
    rounds = view.ledger.rounds
    held = view.weights.held * min(1.0, rounds / 4)
    score = part * (more * min(6.0, rounds) + view.weights.potential * rounds * reach + held)
    score -= price_of_track(view, now, cost, part)
    score -= view.needed(who, c.cash) - view.needed(who, now.cash)
    place = parse_city(view.rules.box, view.now.board, a.city)
    where = place_name(view.rules, place[0]) if place else a.city
    figures = {"more": more, "reach": round(reach), "cost": cost}
    text = f"{article(token_word(a.token_type))} in {where}: {_brings(view, figures)}"
    return Candidate(a, score, (Reason("station", text, score, figures),), unseen=True)
