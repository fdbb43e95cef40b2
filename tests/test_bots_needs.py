"""What bots make of help with trains: what must be sold for it, who cannot raise it, and a game
that is over before it is due."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from openings import of_1839, to_stock
from roundhouse import Game, bots
from roundhouse.bots import needs
from roundhouse.bots.ledger import ends_with_trade
from roundhouse.bots.view import View
from roundhouse.model.records import Cert, Corporation, State

ADA, BEN = "player:1", "player:2"


def _with(s: State, *companies: Corporation) -> State:
    s = s.fork()
    s.corporations = {**s.corporations, **{c.id: c for c in companies}}
    return s


def _cash(s: State, player: str, cash: int) -> State:
    s = s.fork()
    s.players = {**s.players, player: replace(s.players[player], cash=cash)}
    return s


def _led(s: State, symbol: str, by: str, percent: int, cash: int = 0) -> Corporation:
    """A company somebody leads that has floated and owns no train."""
    president = (Cert(0, 20), *[Cert(n, 10) for n in range(1, percent // 10 - 1)])
    rest = tuple([Cert(n, 10) for n in range(percent // 10 - 1, 9)])
    return replace(
        s.corporations[symbol],
        cell="79,9,5", par=79, floated=True, cash=cash, president=by,
        certs={by: president, symbol: rest},
    )  # fmt: skip


def _worth(game: Game, s: State) -> float:
    return View(bots.Magnate("quick").mind(game), s, ADA).worth(s, ADA)


def _needy() -> tuple[Game, State]:
    """Ada leads a railway without money that must have a train, and has shares of one that has
    enough."""
    game = to_stock(of_1839())
    s = game.state
    rich = _led(s, "HISM", BEN, 30, cash=700)
    shares = tuple([Cert(n, 10) for n in range(4, 8)])
    rich = replace(rich, certs={**rich.certs, ADA: shares, "HISM": (Cert(3, 10), Cert(8, 10))})
    return game, _with(s, _led(s, "AMS", ADA, 60), rich)


def test_what_is_sold_for_help_costs_more_than_it_brings() -> None:
    game, s = _needy()
    poor, rich = _worth(game, _cash(s, ADA, 0)), _worth(game, _cash(s, ADA, 200))
    assert rich - poor > 200 + 50
    # what he has more than that is money like any other
    assert _worth(game, _cash(s, ADA, 400)) - rich == pytest.approx(200)


def test_nothing_is_sold_for_a_railway_that_can_pay() -> None:
    game, s = _needy()
    s = _with(s, replace(s.corporations["AMS"], cash=700))
    assert _worth(game, _cash(s, ADA, 200)) - _worth(game, _cash(s, ADA, 0)) == pytest.approx(200)


def test_who_cannot_raise_the_money_may_end_the_game() -> None:
    game, s = _needy()
    alone = _cash(_with(game.state, _led(game.state, "AMS", ADA, 20)), ADA, 0)
    view = View(bots.Magnate("quick").mind(game), s, BEN)
    assert needs.ending(view, _cash(s, ADA, 0)) == 0  # the shares of another company do
    assert needs.ending(view, alone) > 0
    assert needs.ending(view, _cash(alone, ADA, 100)) == 0


def test_what_a_president_can_pay_once_his_other_companies_may_have_after_it() -> None:
    game, _ = _needy()
    s = _with(game.state, _led(game.state, "AMS", ADA, 20), _led(game.state, "HISM", ADA, 20))
    view = View(bots.Magnate("quick").mind(game), s, BEN)
    both = needs.ending(view, _cash(s, ADA, 0))  # nothing can be bought
    either = needs.ending(view, _cash(s, ADA, 100))  # one can, and is passed on
    assert 0 < either < 0.2 * both


def test_a_game_that_may_end_at_once_is_worth_what_it_would_score() -> None:
    """A bankruptcy ends it: who is ahead of the others now gains by it, whoever hopes for more
    loses."""
    game = to_stock(of_1839())
    s = _cash(_with(game.state, _led(game.state, "AMS", ADA, 20)), ADA, 0)
    s = _cash(s, BEN, 2000)
    safe = _cash(s, ADA, 100)
    view = View(bots.Magnate("quick").mind(game), safe, BEN)
    assert view.worth(s, BEN) > view.worth(safe, BEN)


@pytest.mark.parametrize(("cash", "later"), [(100, True), (1000, False)])
def test_the_next_kind_of_train_waits_for_who_can_pay_it(cash: int, later: bool) -> None:
    """All trains of a kind are as good as sold to companies that must have one; of what they have
    beside it depends when one of the next kind is bought."""
    game = to_stock(of_1839())
    s = game.state
    public = [k for k in s.corporations if game.rules.box.corporations[k].float_percent]
    s = _with(s, *[_led(s, k, ADA, 60, cash=cash) for k in public[:7]])
    ledger = bots.Magnate("quick").mind(game).ledger(s)
    assert (ledger.arrival["3+"] > 2) == later


def test_the_stock_round_that_ends_the_game() -> None:
    game = to_stock(of_1839())
    s, known = game.state, bots.Magnate("quick").mind(game).known
    market = game.rules.box.market
    top = max(market.price.values())
    last = next(c for c in market.cells if market.price[market.up(c)] == top > market.price[c])
    held = {ADA: (Cert(0, 20), *[Cert(n, 10) for n in range(1, 9)])}
    full = replace(_led(s, "AMS", ADA, 60), cell=last, certs=held)
    assert ends_with_trade(game.rules, known, _with(s, full))
    sold = {ADA: held[ADA][:-1], "market": held[ADA][-1:]}
    assert not ends_with_trade(game.rules, known, _with(s, replace(full, certs=sold)))
    # nothing is earned then: a share is worth its last price
    then = _with(s, full)
    view = View(bots.Magnate("quick").mind(game), then, ADA)
    assert view.ledger.rounds == 0
    assert view.share(then, full)[0] == pytest.approx(top)
