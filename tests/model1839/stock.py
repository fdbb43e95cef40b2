"""Stock rounds (5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import market, operating
from .data import COMPANIES, FOREIGNERS, MARKET, D, at_least, rank_of
from .state import (
    IPO,
    POOL,
    State,
    StockTurn,
    certificates,
    country_of,
    held,
    indices,
    need,
    parred,
    pay,
    percent,
    price,
)


def begin(s: State) -> None:
    """13.2, then the first turn."""
    s.round, s.num = "SR", 1
    if train_marker_ends(s):
        s.finished = "train_marker"
        return
    s.sold = {p: set() for p in s.players}
    s.passed = []
    s.on_turn = 0
    s.stock = StockTurn()
    settle(s)


def train_marker_ends(s: State) -> bool:
    """13.2: look at the marker of two stock rounds ago, else set the one of this."""
    owned = {rank_of(t) for trains in s.trains.values() for t in trains}
    if s.train_markers.get(s.number - 2) in owned:
        return True
    for rank in ("7+", "5D", "7D", "FLOOD"):
        if rank in owned:
            s.train_markers[s.number] = rank
            break
    return False


# turns


def settle(s: State) -> None:
    """Go on as far as nobody is waited for."""
    while s.round == "SR" and not s.finished and not waited_for(s):
        end_turn(s)


def waited_for(s: State) -> bool:
    player = s.players[s.on_turn]
    if s.stock.bought:
        return can_sell(s, player) or (s.stock.parred is not None and can_buy_second(s, player))
    return can_sell(s, player) or can_buy(s, player) or can_par(s, player)


def end_turn(s: State) -> None:
    player = s.players[s.on_turn]
    if s.stock.acted:
        if player in s.passed:
            s.passed.remove(player)
    elif player not in s.passed:
        s.passed.append(player)
    if len(s.passed) == len(s.players):
        end_round(s)
        return
    s.on_turn = (s.on_turn + 1) % len(s.players)
    s.stock = StockTurn()


def end_round(s: State) -> None:
    market.end_of_stock_round(s)
    if market.at_500(s):
        s.finished = "stock_market"
        return
    s.players = list(s.passed)
    operating.begin_set(s)


def act(s: State, a: dict[str, Any]) -> None:
    player = s.players[s.on_turn]
    need(a["entity_type"] == "player" and f"player:{a['entity']}" == player, "5.1: not his turn")
    match a["type"]:
        case "pass":
            need(not (over_limit(s, player) and can_sell(s, player)), "5.8: he has to sell")
            end_turn(s)
        case "sell_shares":
            sell(s, player, a)
            s.stock.acted, s.stock.parred = True, None
        case "par":
            par(s, player, a)
        case "buy_shares":
            buy(s, player, a)
        case _:
            need(False, "5.2: a turn is sales, a purchase, a pass")
    settle(s)


# the certificate limit


def cert_limit(s: State, player: str) -> int:
    """5.8: two more for each company of which the player holds 80 %."""
    extra = sum(2 for c in COMPANIES if held(s, player, c) >= 80)
    return int(D["cert_limit"][str(len(s.players))]) + extra


def over_limit(s: State, player: str) -> bool:
    return certificates(s, player) > cert_limit(s, player)


# buying


def par(s: State, player: str, a: dict[str, Any]) -> None:
    company = a.get("corporation")
    need(company in COMPANIES, "5.6: no public company")
    need(not s.stock.bought, "5.2: one purchase")
    cell = next((c for c in market.open_prices(s) if cell_id(c) == a.get("share_price")), None)
    need(cell is not None, "5.6: no open starting price")
    assert cell is not None
    check_par(s, player, company, cell)
    pay(s, player, -2 * (MARKET[cell[0]][cell[1]] or 0))
    s.certs[company][0] = player
    s.president[company] = player
    market.enter(s, company, cell)
    s.stock = StockTurn(acted=True, bought=True, parred=company)
    float_if_sold(s, company)


def cell_id(cell: tuple[int, int]) -> str:
    return f"{MARKET[cell[0]][cell[1]]},{cell[0]},{cell[1]}"


def check_par(s: State, player: str, company: str, cell: tuple[int, int]) -> None:
    need(not parred(s, company) and s.certs[company][0] == IPO, "5.6: it has been started")
    need(certificates(s, player) < cert_limit(s, player), "5.8: certificate limit")
    need(s.cash[player] >= 2 * (MARKET[cell[0]][cell[1]] or 0), "5.5: not enough cash")


def can_par(s: State, player: str) -> bool:
    return not s.stock.bought and any(
        ok(check_par, s, player, c, cell) for c in COMPANIES for cell in market.open_prices(s)
    )


def ok(check: Any, *arguments: Any) -> bool:
    from .state import Refused

    try:
        check(*arguments)
    except Refused:
        return False
    return True


def buy(s: State, player: str, a: dict[str, Any]) -> None:
    company, wanted = shares_of(a)
    total = sum(percent(company, i) for i in wanted)
    need(a.get("percent", total) == total, "5.5: the percentage is not that of the certificates")
    if s.stock.bought:
        need(company == s.stock.parred and len(wanted) == 1, "5.5: one purchase a turn")
    else:
        bulk = company in COMPANIES and s.president.get(company) == player
        need(len(wanted) == 1 or (bulk and total <= 30), "5.5: one certificate a turn")
    for index in wanted:
        check_buy(s, player, company, index)
        _move_bought(s, player, company, index)
    if company in COMPANIES:
        new_director_by_purchase(s, player, company)
        float_if_sold(s, company)
    s.stock = StockTurn(acted=True, bought=True)


def shares_of(a: dict[str, Any]) -> tuple[str, list[int]]:
    """The company and the indices named; all different and of one company."""
    names = a.get("shares") or []
    need(names and len(set(names)) == len(names), "5: no certificates named")
    parts = [name.rsplit("_", 1) for name in names]
    need(all(len(p) == 2 and p[1].isdigit() for p in parts), "5: no such certificate")
    company = parts[0][0]
    need(company in COMPANIES or company in FOREIGNERS, "5: no such company")
    need(all(p[0] == company for p in parts), "5.4: one company at a time")
    size = 9 if company in COMPANIES else 10
    need(all(int(p[1]) < size for p in parts), "5: no such certificate")
    return company, [int(p[1]) for p in parts]


def check_buy(s: State, player: str, company: str, index: int) -> None:
    """5.5: whether a player may buy this certificate now."""
    source = s.certs[company][index]
    need(source in (IPO, POOL), "5.5: it is not for sale")
    need(parred(s, company), "5.5: the director's certificate is first")
    need(company not in s.sold[player], "5.5: he sold it in this round")
    need(s.cash[player] >= price(s, company) * percent(company, index) // 10, "5.5: too dear")
    if company in FOREIGNERS:
        need(at_least(s.phase, "Green"), "4.5: foreign shares from Green on")
        need(not over_limit(s, player), "5.8: he has to sell")
        return
    need(certificates(s, player) < cert_limit(s, player), "5.8: certificate limit")
    share = percent(company, index)
    need(source == POOL or held(s, player, company) + share <= 60, "5.5: 60 % from the IPO")


def _move_bought(s: State, player: str, company: str, index: int) -> None:
    cost = price(s, company) * percent(company, index) // 10
    pay(s, player, -cost)
    if company in FOREIGNERS and s.certs[company][index] == IPO:
        pay(s, country_of(company), cost)
    s.certs[company][index] = player


def can_buy(s: State, player: str) -> bool:
    return not s.stock.bought and any(
        ok(check_buy, s, player, company, index)
        for company, certs in s.certs.items()
        for index in certs
    )


def can_buy_second(s: State, player: str) -> bool:
    company = s.stock.parred
    assert company is not None
    return any(ok(check_buy, s, player, company, i) for i in s.certs[company])


def new_director_by_purchase(s: State, player: str, company: str) -> None:
    """5.7: strictly more than the director."""
    director = s.president[company]
    if player != director and held(s, player, company) > held(s, director, company):
        swap_directors_certificate(s, company, player)


def swap_directors_certificate(s: State, company: str, new: str) -> list[int]:
    """The new director gives his two lowest 10 % certificates; these."""
    old = s.president[company]
    given = indices(s, new, company)[:2]
    for index in given:
        s.certs[company][index] = old
    s.certs[company][0] = new
    s.president[company] = new
    return given


def float_if_sold(s: State, company: str) -> None:
    """5.6: at most 40 % left in the IPO."""
    if company not in s.floated and held(s, IPO, company) <= 40:
        s.floated.add(company)
        pay(s, company, 10 * price(s, company))


# selling


def sell(s: State, player: str, a: dict[str, Any]) -> None:
    """5.4, with the money and the sale noted."""
    company, named = shares_of(a)
    amount = a.get("percent", sum(percent(company, i) for i in named))
    sold_in_sr1 = s.number == 1 and s.round == "SR" and "sell_in_sr1" not in s.options
    need(not sold_in_sr1, "5.4: no sales in SR 1")
    need(company in s.floated if company in COMPANIES else parred(s, company), "5.4: not floated")
    move_sold(s, player, company, named, amount)
    pay(s, player, price(s, company) * amount // 10)
    if s.round == "SR":
        s.sold[player].add(company)


def move_sold(s: State, player: str, company: str, named: list[int], amount: int) -> None:
    """The certificates of a sale go to the pool; the director's is exchanged first."""
    need(all(s.certs[company][i] == player for i in named), "5.4: not his certificate")
    need(amount > 0 and amount % 10 == 0, "5.4: no percentage of certificates")
    own = [i for i in named if percent(company, i) == 10]
    new = successor(s, player, company, amount)
    if new is None:
        need(len(own) == len(named), "5.4: the director's certificate is never sold")
        need(10 * len(own) == amount, "5.4: certificates that make up the percentage")
    else:
        need(len(indices(s, new, company)) >= 2, "5.4: nobody can become director")
        more = amount // 10 - len(own)
        need(more in ((1, 2) if len(own) < len(named) else (0,)), "5.4: the percentage")
        own += swap_directors_certificate(s, company, new)[:more]
    for index in own:
        s.certs[company][index] = POOL


def successor(s: State, player: str, company: str, amount: int) -> str | None:
    """Who becomes director if a director sells that much: somebody with strictly more, the one
    with most, ties in card order after him; None: nobody, or he is no director."""
    if s.president.get(company) != player:
        return None
    after = held(s, player, company) - amount
    need(after >= 0, "5.4: more than he has")
    at = s.players.index(player)
    others = s.players[at + 1 :] + s.players[:at]
    most = max(others, key=lambda p: held(s, p, company))
    return most if held(s, most, company) > after else None


def sales(s: State, player: str) -> Iterator[tuple[str, list[int], int]]:
    """One way of every different sale of a player: company, certificates, percent."""
    for company in s.certs:
        own = indices(s, player, company)
        singles = [i for i in own if percent(company, i) == 10]
        for size in range(len(singles) + 1):
            if size:
                yield company, singles[:size], 10 * size
            if len(singles) < len(own):
                yield company, [*singles[:size], 0], 10 * size + 10
                yield company, [*singles[:size], 0], 10 * size + 20


def can_sell(s: State, player: str) -> bool:
    if s.number == 1 and "sell_in_sr1" not in s.options:
        return False
    return any(may_move(s, player, *one) for one in sales(s, player))


def may_move(s: State, player: str, company: str, named: list[int], amount: int) -> bool:
    """Whether a sale is legal as far as the certificates go; nothing is changed."""
    if not (company in s.floated if company in COMPANIES else parred(s, company)):
        return False
    certs, president = dict(s.certs[company]), dict(s.president)
    fine = ok(move_sold, s, player, company, named, amount)
    s.certs[company], s.president = certs, president
    return fine
