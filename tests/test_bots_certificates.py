"""What bots make of the money and the certificates players may still hold: where one is short, what
brings most for it comes first."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from openings import of_1839, to_stock
from roundhouse import Game, bots
from roundhouse.bots import floats
from roundhouse.bots.decision import Candidate, Reason
from roundhouse.bots.judges import judge
from roundhouse.bots.judges.outlook import after
from roundhouse.bots.judges.purse import rationed
from roundhouse.bots.view import View
from roundhouse.model.actions import Bid, BuyShares, Par, SellShares
from roundhouse.model.records import Cert, State
from roundhouse.rounds import machine


def _view(game: Game, s: State) -> View:
    return View(bots.Magnate("quick").mind(game), s, s.acting[0])


def _pars(game: Game) -> dict[str, list[Par]]:
    """The prices companies may begin at, by company."""
    found: dict[str, list[Par]] = {}
    for a in [c.action for c in game.choices() if isinstance(c.action, Par)]:
        found.setdefault(a.corporation, []).append(a)
    return found


def _holding(s: State, player: str, counts: dict[str, int]) -> State:
    """The position with so many certificates of 10 % of companies with a player."""
    s = s.fork()
    for symbol, count in counts.items():
        c = s.corporations[symbol]
        certs = {**c.certs, player: tuple([Cert(n, 10) for n in range(1, count + 1)])}
        s.corporations = {**s.corporations, symbol: replace(c, certs=certs)}
    return s


def _scores(view: View, found: list[tuple[Par, float, float]]) -> list[Candidate]:
    """What rationing leaves of some starts of companies, by score and cost."""
    return rationed(view, [Candidate(a, w, (Reason("cash", "", -cost),)) for a, w, cost in found])


def test_the_prices_a_company_may_begin_at_use_up_no_money_beside_each_other() -> None:
    game = to_stock(of_1839())
    view, pars = _view(game, game.state), list(_pars(game).values())
    cost, worth = game.state.players[view.me].cash / 4, [300.0, 400.0, 500.0]
    one = [(a, w, cost) for a, w in zip(pars[0], worth, strict=False)]
    assert [c.score for c in _scores(view, one)] == worth
    several = [(a[0], w, cost) for a, w in zip(pars, worth, strict=False)]
    assert all(c.score < w for c, w in zip(_scores(view, several), worth, strict=True))


def test_where_certificates_are_short_what_brings_most_for_each_comes_first() -> None:
    game = to_stock(of_1839())
    me = game.state.acting[0]
    pars = list(_pars(game).values())
    first, second = pars[0][0], pars[1][0]
    rich = game.state.fork()
    rich.players = {**rich.players, me: replace(rich.players[me], cash=9_000)}
    found = [(first, 300.0, 134.0), (second, 500.0, 240.0)]
    assert [c.score for c in _scores(_view(game, rich), found)] == [300.0, 500.0]
    others = [k for k in rich.corporations if k not in (first.corporation, second.corporation)]
    full = _holding(rich, me, dict(zip(others, (5, 6), strict=False)))
    view = _view(game, full)
    assert view.rules.limit_of(full, me) - view.rules.certificates(full, me) == 5
    less = _scores(view, found)
    assert {r.code for c in less for r in c.reasons} == {"cash", "certificates"}
    assert less[1].score > 0 > less[0].score


def test_a_company_nobody_may_hold_more_certificates_of_hardly_floats() -> None:
    game = to_stock(of_1839())
    game.apply(next(iter(_pars(game).values()))[0])
    s = game.state
    c = next(c for c in s.corporations.values() if c.cell is not None and not c.floated)
    others = [k for k in _pars(to_stock(of_1839())) if k != c.id]
    hopes = []
    for counts in ((0, 0, 0), (5, 5, 6)):
        full = s
        for player in s.players:
            full = _holding(full, player, dict(zip(others, counts, strict=False)))
        hopes.append(floats.hope(_view(game, full), full, full.corporations[c.id]))
    assert hopes[0] > 0.7
    assert hopes[1] < 0.4 * hopes[0]


def test_a_private_is_not_bought_for_what_brings_more_in_shares() -> None:
    """RWS of 1839 at its face, ƒ220, with two tenths of a company at ƒ94: who bought it was last of
    four at half of the tables of bots. Its first train closes it."""
    game = of_1839()
    mind, me = bots.Magnate("quick").mind(game), game.state.acting[0]
    view = View(mind, game.state, me)
    assert view.private(game.state, "RWS") < 20
    bought = [c.action for c in game.choices() if isinstance(c.action, Bid)]
    asked = [a for a in bought if a.company == "RWS"]
    scores = {getattr(c.action, "company", ""): c.score for c in judge(view, game.choices())}
    assert asked
    assert scores["RWS"] < 0
    s = game.state.fork()
    s.round = replace(s.round, pots={"RWS": 110})
    cheap = View(mind, s, me)
    offered = machine.choices(game.rules, s)
    found = {getattr(c.action, "company", ""): c.score for c in judge(cheap, list(offered))}
    assert found["RWS"] > 0


def test_trains_that_get_everywhere_do_so_from_the_first_run() -> None:
    game = to_stock(of_1839())
    mind, s = bots.Magnate("quick").mind(game), game.state.fork()
    cell = next(c.id for c in game.rules.box.market.cells.values() if c.price == 94)
    s.corporations = {**s.corporations, "NWS": replace(s.corporations["NWS"], cell=cell)}
    last = s.fork()
    last.depot = replace(s.depot, piles=(replace(s.depot.piles[-1], next=1),))
    last.phase = "Black"
    parts = []
    for now in (s, last):
        view = View(mind, now, s.acting[0])
        train = view.ledger.on_sale(0.0)
        income = view.firm(now, now.corporations["NWS"]).income
        parts.append(income / mind.known.typical[str(train)])
    assert parts == [pytest.approx(mind.known.first_run), pytest.approx(0.9)]


def _nearly_floating(cash: int) -> tuple[View, str]:
    """A position of 1839 late in the game: a player holds as many certificates as he may, and a
    company he leads, in which two shares miss, would run the train that gets everywhere."""
    game = to_stock(of_1839())
    s, me = game.state.fork(), game.state.acting[0]
    first, *others = _pars(game)
    cell = next(c.id for c in game.rules.box.market.cells.values() if c.price == 94)
    own = (Cert(0, 20), Cert(1, 10), Cert(2, 10))
    c = s.corporations[first]
    rest = tuple([Cert(n, 10) for n in range(3, 9)])
    c = replace(c, cell=cell, president=me, certs={me: own, c.id: rest})
    s.corporations = {**s.corporations, first: c}
    for symbol, count in zip(others, (5, 5, 3), strict=False):
        o = s.corporations[symbol]
        certs = {me: tuple([Cert(n, 10) for n in range(1, count + 1)])}
        floated = replace(o, cell=cell, floated=True, president="player:2", certs=certs)
        s.corporations = {**s.corporations, symbol: floated}
    s.depot = replace(s.depot, piles=(replace(s.depot.piles[-1], next=1),))
    s.phase, s.turn = "Black", 7
    s.players = {**s.players, me: replace(s.players[me], cash=cash)}
    return View(bots.Magnate("quick").mind(game), s, me), first


def test_who_may_hold_no_more_sells_a_share_to_have_his_company_float() -> None:
    view, symbol = _nearly_floating(9_000)
    assert floats.places(view, view.now, view.me) == 0
    assert floats.missing(view, view.now, view.now.corporations[symbol]) == 2
    choices = list(machine.choices(view.rules, view.now))
    best = judge(view, choices)[0]
    assert isinstance(best.action, SellShares)
    assert symbol in {r.figures.get("company") for r in best.reasons if r.code == "room"}
    then = after(view, best.action)
    assert then is not None
    bought = judge(View(view.mind, then, view.me), list(machine.choices(view.rules, then)))[0]
    assert isinstance(bought.action, BuyShares)
    assert bought.action.shares[0].startswith(symbol)


def test_nobody_makes_room_for_a_company_whose_train_he_cannot_pay() -> None:
    view, _ = _nearly_floating(500)
    found = judge(view, list(machine.choices(view.rules, view.now)))
    assert not [c for c in found if "room" in {r.code for r in c.reasons}]
