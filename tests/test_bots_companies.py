"""What bots know of companies: what they earn beside their routes, how they begin, and where."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

import roundhouse
from openings import mining_company
from roundhouse import Game, bots, selfplay
from roundhouse.bots import prospects
from roundhouse.bots.cards import begun, lost
from roundhouse.bots.decision import Candidate
from roundhouse.bots.judges.founding import ventures
from roundhouse.bots.judges.shares import _offered
from roundhouse.bots.judges.stakes import bought, followed, more
from roundhouse.bots.judges.track import at_home
from roundhouse.bots.judges.trains import dividends, purchases
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.sold import as_good_as_sold
from roundhouse.bots.view import View
from roundhouse.model.actions import Bid, BuyShares, BuyTrain, Convert, Dividend, Par, TakeLoan
from roundhouse.model.choices import Choice
from roundhouse.model.records import Cert, Pile
from roundhouse.rounds import machine
from roundhouse.rounds.steps.progress import OperatingProgress

from reference import GAMES


def _view(game: Game) -> View:
    """How a position looks to whoever is asked."""
    who = game.rules.president(game.state, game.state.acting[0]) or ""
    return View(bots.Magnate("quick").mind(game), game.state, who)


def test_a_machine_or_switcher_is_tried_on_every_mine_of_a_company() -> None:
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    player, offered = bots.player(seed=3), list[Choice]()
    while not offered:
        selfplay.play_on(game, Random(3), actions=1, policy=player)
        found = [c for c in game.choices() if isinstance(c.action, BuyTrain)]
        offered = [c for c in found if "slots" in c.domains and c.domains["slots"].size() > 1]
    tried = purchases(_view(game), offered)
    assert len({c.action.slots for c in tried if isinstance(c.action, BuyTrain)}) > 1


def test_nobody_bids_for_a_concession_he_has_no_money_to_use() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    at = next(n for n, e in enumerate(game.history) if getattr(e.action, "company", "") == "NWE")
    before = game.at(at)
    s, asked = before.state.fork(), before.state.acting[0]
    likely = []
    for cash in (1_200, 500, 250):
        s.players = {k: replace(p, cash=cash) for k, p in s.players.items()}
        view = View(bots.Magnate("quick").mind(game), s, asked)
        likely.append(begun(view, s, asked, "NWE", 120))
    assert likely[0] == 1.0 > likely[1] > likely[2] == 0.0
    bids = [c for c in machine.choices(game.rules, s) if isinstance(c.action, Bid)]
    assert bids
    assert all(c.score <= 0 for c in bots.judges.judge(view, bids))


def test_a_card_counts_as_much_as_it_is_likely_to_be_used() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    draft = next(e.state for e in game.history if e.state.step == "draft")
    mind, me = bots.Magnate("quick").mind(game), "player:1"
    brought = []
    for cash in (1_200, 250, 50):
        s = draft.fork()
        s.players = {k: replace(p, cash=cash) for k, p in s.players.items()}
        then = s.fork()
        then.companies = {**s.companies, "HBE": replace(s.companies["HBE"], owner=me)}
        brought.append(View(mind, s, me).worth(then, me) - View(mind, s, me).worth(s, me))
    assert brought[0] > brought[1] > brought[2] == 0.0


def test_a_railway_is_begun_with_the_shares_one_may_buy_at_once() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    started = (n for n, e in enumerate(game.history) if isinstance(e.action, Par))
    before = game.at(next(started))
    pars = [c for c in before.choices() if isinstance(c.action, Par)]
    spent = {c.action: -c.reasons[0].worth for c in ventures(_view(before), pars)}
    found = {int(a.share_price.partition(",")[0]): n for a, n in spent.items()}
    assert found == {120: 240, 150: 300, 190: 380, 240: 480, 300: 300}


def test_a_railway_that_cannot_pay_its_first_train_is_lost() -> None:
    """Of two railways the dearer operates first, and buys the last 4T."""
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    s, me = game.state.fork(), "player:1"
    first, second = (
        replace(
            s.corporations[k], cell=cell, cash=cash, floated=True, president=me,
            certs={me: tuple([Cert(n, 20) for n in range(5)])},
        )
        for k, cell, cash in (("NWE", "300,0,18", 1_500), ("SHE", "240,0,15", 1_200))
    )  # fmt: skip
    s.corporations = {**s.corporations, "NWE": first, "SHE": second}
    for left, none in ((1, True), (2, False)):
        s.depot = replace(s.depot, piles=(Pile("4T", 1, left), Pile("5T", 0, 99)))
        view = View(bots.Magnate("quick").mind(game), s, me)
        assert [lost(view, s, c) == 1.0 for c in (first, second)] == [False, none]
        assert (view.share(s, second)[0] == 0.0) == none
        assert view.needed("SHE", 750) == 0.0 < view.needed("SHE", 650)


def test_a_railway_is_in_danger_where_others_may_buy_the_train_it_could_pay() -> None:
    """A mining company that operates before it has the money for the last 4T as a machine."""
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    for money, left, danger in ((700, 1, 0.5), (700, 2, 0.0), (100, 1, 0.0)):
        view, symbol = mining_company(game, money, connected=True)
        s, me = view.now.fork(), view.me
        railway = replace(
            s.corporations["SHE"], cell="240,0,15", cash=1_200, floated=True, president=me,
            certs={me: tuple([Cert(n, 20) for n in range(5)])},
        )  # fmt: skip
        s.corporations = {**s.corporations, "SHE": railway}
        s.phase, s.depot = "4", replace(s.depot, piles=(Pile("4T", 1, left), Pile("5T", 0, 99)))
        then = View(view.mind, s, me)
        assert symbol in [c.id for c in s.corporations.values() if c.cell == "280,0,17"]
        assert lost(then, s, railway) == danger
        whole = then.running(s, railway, then.plan(s, "SHE"))
        assert then.share(s, railway)[0] == pytest.approx((1 - danger) * whole)


def test_a_conversion_counts_what_players_gain_by_the_new_shares() -> None:
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    scores = []
    for money in (0, 900):
        view, symbol = mining_company(game, 0, connected=True)
        s, company = view.now.fork(), view.now.corporations[symbol]
        more = {"player:1": (Cert(0, 20), Cert(1, 20)), symbol: (Cert(2, 20), Cert(3, 20))}
        public = replace(company, shares=5, certs=more)
        s.corporations = {**s.corporations, symbol: public}
        s.players = {k: replace(p, cash=money) for k, p in s.players.items()}
        sale = Candidate(Convert(entity=symbol, entity_type="corporation"), 0.0)
        scores.append(_offered(View(view.mind, s, "player:1"), sale, s).score)
        plan = view.firm(s, public)
        assert (plan.coming[1] > 0) == bool(money)
    assert scores[0] == 0.0 < scores[1]


def test_a_railway_begins_with_less_than_it_gets_by_what_its_route_costs() -> None:
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    s = game.state.fork()
    begun = {
        k: replace(s.corporations[k], cell="190,0,12", certs={"player:1": (Cert(0, 20),)})
        for k in ("HBE", "NWE")
    }
    s.corporations = {**s.corporations, **begun}
    view = View(bots.Magnate("quick").mind(game), s, "player:1")
    assert view.firm(s, begun["HBE"]).cash == 5 * 190
    assert view.firm(s, begun["NWE"]).cash == 5 * 190 - 500


def test_nobody_begins_where_the_first_tile_comes_in_a_later_phase() -> None:
    """Köln and Essen have two cities each, and no yellow tile."""
    game = roundhouse.new("1817DE", ["Ada", "Ben", "Cleo"], seed=3)
    view = View(bots.Magnate("quick").mind(game), game.state, game.state.acting[0])
    sites = view.mind.sites
    assert [c for c in sites.stops if not sites.opens(game.state, c)] == ["B14", "C13"]
    player = bots.player(seed=3)
    for seed in (10600, 10603):
        game = roundhouse.new("1817DE", ["Ada", "Ben", "Cleo", "Dan"], seed=seed)
        while game.state.turn == 1 and not isinstance(game.state.round, OperatingProgress):
            selfplay.play_on(game, Random(3), actions=1, policy=player)
        begun = [t.city for c in game.state.corporations.values() for t in c.tokens if t.city]
        assert begun
        assert not [city for city in begun if city.partition("/")[0] in ("B14", "C13")]


def test_what_is_remembered_of_a_company_follows_the_money_of_those_who_buy_its_shares() -> None:
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    view, symbol = mining_company(game, 0, connected=True)
    s = view.now.fork()
    unsold = {"player:1": (Cert(0, 20), Cert(1, 20)), symbol: (Cert(2, 20),)}
    public = replace(s.corporations[symbol], shares=5, certs=unsold)
    s.corporations = {**s.corporations, symbol: public}
    coming = []
    for cash in (20, 500):
        s.players = {k: replace(p, cash=cash) for k, p in s.players.items()}
        coming.append(View(view.mind, s, "player:1").firm(s, public).coming)
    assert coming[0][1] < coming[1][1]


def test_a_mine_that_is_opened_adds_what_runs_get_of_it() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    s = next(e.state for e in game.history if len(e.state.corporations["GHE"].trains) > 1)
    income, opened = bots.Magnate("quick").mind(game).income, s.fork()
    before = income.now(s, "GHE")
    opened.corporations = {
        k: replace(c, open=True) if hasattr(c, "open") else c for k, c in s.corporations.items()
    }
    assert income.now(opened, "GHE") > before
    assert income.now(s, "GHE") == before


def test_loans_are_taken_for_a_second_train() -> None:
    """1817: a company with money for one train borrows before it buys two."""
    game = roundhouse.load(GAMES / "1817" / "base.json").at(103)
    player, who = bots.player("magnate", "quick", seed=1), game.state.acting[0]
    before = game.state.corporations[who]
    assert before.cash >= 100 > before.cash - 100
    first = player.choose(game).action
    assert isinstance(first, TakeLoan)
    while game.state.acting[0] == who:
        game.apply(player.choose(game).action)
    now = game.state.corporations[who]
    assert (now.loans, len(now.trains)) == (before.loans + 1, len(before.trains) + 2)


def test_a_share_offered_before_a_stock_round_must_bring_more_to_who_does_not_lead() -> None:
    """1817 §5.3.5: after a conversion its president buys by what shares are worth; others may wait
    for the stock round, and ask for more."""
    game = roundhouse.load(GAMES / "1817" / "base.json")
    known = knowledge_of(game.title)
    at_once = bots.Magnate(known=replace(known, weights=replace(known.weights, early=0.0)))
    waiting, seen = bots.Magnate(known=known), set()
    for entry in game.history:
        position = game.at(entry.action.id or 0)
        if position.state.step != "investors":
            continue
        now, then = at_once.choose(position), waiting.choose(position)
        scores = {c.action: c.score for c in now.candidates}
        for c in then.candidates:
            if not isinstance(c.action, BuyShares):
                continue
            symbol = c.action.shares[0].rpartition("_")[0]
            leads = position.state.corporations[symbol].president == c.action.actor
            price = position.rules.price(position.state, symbol)
            missed = 0.0 if leads else known.weights.early * price
            assert round(scores[c.action] - c.score, 6) == round(missed, 6)
            seen.add(leads)
    assert seen == {True, False}


def _paying(seed: int = 9) -> tuple[Game, list[Choice]]:
    """A game of 1839 in which a company may pay its first dividend, and the choices."""
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=seed)
    asked = list[Choice]()
    while not asked:
        selfplay.play_on(game, Random(seed), actions=1, policy=bots.thrifty)
        asked = [c for c in game.choices() if isinstance(c.action, Dividend)]
    return game, asked


def test_what_is_kept_of_a_revenue_counts_with_the_train_it_buys() -> None:
    game, asked = _paying()
    who, buying = asked[0].actor, list[set[str]]()
    better = tuple([p for p in game.state.depot.piles if p.kind != "2+"])
    price = game.rules.box.trains[better[0].kind].price
    for cash in (0, price - 1, price):
        s = game.state.fork()
        s.depot = replace(s.depot, piles=better)
        c = s.corporations[who]
        s.corporations = {**s.corporations, who: replace(c, cash=cash, trains=c.trains[:1])}
        view = _view(game)
        found = dividends(View(view.mind, s, view.me), asked)
        kinds = {c.action.kind: c for c in found if isinstance(c.action, Dividend)}
        buying.append({k for k, c in kinds.items() if "train" in {r.code for r in c.reasons}})
    assert buying[1] == {"half", "withhold"}
    assert buying[2] == {"half", "payout", "withhold"}
    assert "payout" not in buying[0]


def test_trains_that_companies_must_buy_are_as_good_as_sold() -> None:
    """1839 in an operating round: companies without a train whose turn is still to come, and a
    country that has the money, buy two more trains than there are of the kind on sale."""
    game, asked = _paying()
    mind, s = bots.Magnate("quick").mind(game), game.state.fork()
    m, who = OperatingProgress.of(s), asked[0].actor
    pile, *later = s.depot.piles
    count = game.rules.box.trains[pile.kind].count or 0
    s.depot = replace(s.depot, piles=(replace(pile, next=count - 2, left=2), *later))
    railways = [k for k in s.corporations if not mind.known.lives_on_visits(k)]
    coming = [k for k in railways if k != who][:2]
    bare = {k: replace(s.corporations[k], trains=(), floated=True) for k in coming}
    s.corporations = {**s.corporations, **bare}
    s.round = replace(m, order=(who, *coming), index=0)
    assert as_good_as_sold(game.rules, mind.known, s) == (2,)
    before = mind.ledger(s).arrival[later[0].kind]
    dear = game.rules.box.trains[later[0].kind].price
    s.corporations = {**s.corporations, "Belgium": replace(s.corporations["Belgium"], cash=dear)}
    assert as_good_as_sold(game.rules, mind.known, s) == (2, 1)
    arrival = mind.ledger(s).arrival[later[0].kind]
    assert 0.0 < arrival <= min(before, 0.5), "in this round, but after the run of who operates"
    s.round = replace(m, order=(*coming, who), index=2)
    assert as_good_as_sold(game.rules, mind.known, s) == (2, 0)[:1]


def _with_majors(cash: int) -> tuple[View, list[Choice]]:
    """A stock round of 18Ireland in which majors may be begun and who is asked has some money."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(236)
    s = game.state.fork()
    s.phase, who = "6", s.acting[0]
    s.players = {**s.players, who: replace(s.players[who], cash=cash)}
    view = View(bots.Magnate("quick").mind(game), s, who)
    return view, list(machine.choices(game.rules, s))


def test_a_company_begins_with_the_shares_its_founder_can_buy_after_it() -> None:
    scores = {}
    for cash in (100, 200):
        view, choices = _with_majors(cash)
        pars = ventures(view, [c for c in choices if isinstance(c.action, Par)])
        # six majors alike: one at each price that can be paid
        assert len(pars) == len({getattr(c.action, "share_price", "") for c in pars})
        start = min(pars, key=lambda c: -sum(r.worth for r in c.reasons if r.code == "cash"))
        scores[cash] = start.score
        told = [r.figures["shares"] for r in start.reasons if r.code == "stake"]
        # £100 are no money for a train; with two shares more there are £200, and 4H costs £180
        assert told == ([] if cash == 100 else [4])
    assert scores[200] > scores[100]


def test_a_company_begins_where_its_train_would_earn_and_is_thought_to_earn_that() -> None:
    view, choices = _with_majors(200)
    pars = [c.action for c in choices if isinstance(c.action, Par)]
    a = pars[0]
    s = machine.apply(view.rules, view.now, a)
    homes = [c.action for c in machine.choices(view.rules, s)]
    train = view.ledger.on_sale(0.0) or ""
    earns = [
        view.income.having(machine.apply(view.rules, s, h), a.corporation, (train,)) for h in homes
    ]
    end = at_home(view, s, a.corporation)
    company = end.corporations[a.corporation]
    assert view.income.having(end, company.id, (train,)) == max(earns) > 0
    assert prospects.earning(view, end, company) == max(earns)


def test_a_share_counts_with_those_that_should_follow_where_the_company_gets_the_money() -> None:
    view, choices = _with_majors(200)
    pars = [c.action for c in choices if isinstance(c.action, Par)]
    a = next(a for a in pars if a.share_price == "50,4,2")
    s = at_home(view, machine.apply(view.rules, view.now, a), a.corporation)
    company = s.corporations[a.corporation]
    gain, count = more(view, s, company)
    firm, now = view.firm(s, company), view.plan(s, company.id)
    plan = view.plan(s, company.id, cash=firm.cash + 50 * count, own=firm.own - count)
    assert count == 2
    expected = 4 * plan.worth + view.lead(plan) - 100 - 2 * now.worth - view.lead(now)
    assert gain == pytest.approx(expected)
    once = Candidate(a, -20.0)
    assert followed(view, once, s, company.id, 2).score == pytest.approx((gain - 20.0) / 2)
    # what it costs more than it brings is not bought, and money for the pool helps no company
    assert followed(view, Candidate(a, 2 * gain), s, company.id, 2).score == 2 * gain
    pool = [c for c in choices if isinstance(c.action, BuyShares) and _in_pool(view, c.action)]
    assert all(r.code != "stake" for c in bought(view, pool) for r in c.reasons)


def test_shares_of_companies_that_run_trains_count_by_themselves() -> None:
    view, choices = _with_majors(600)
    shares = [c for c in choices if isinstance(c.action, BuyShares)]
    told = [c for c in bought(view, shares) if any(r.code == "stake" for r in c.reasons)]
    running = {k for k, c in view.now.corporations.items() if c.trains}
    assert running
    assert not running & {c.action.shares[0].rpartition("_")[0] for c in told}  # type: ignore[attr-defined]


def _in_pool(view: View, a: BuyShares) -> bool:
    symbol, _, number = a.shares[0].rpartition("_")
    return int(number) in [x.index for x in view.now.corporations[symbol].certs.get("market", ())]


def test_a_train_of_another_company_is_no_way_round_the_one_the_bank_sells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """18Ireland: where a train of the bank is not worth buying, its plan counts on it nonetheless:
    that is missed by who buys a train of another company as by who passes."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")

    def both(position: Game) -> list[Choice]:
        offered = [c for c in position.choices() if isinstance(c.action, BuyTrain)]
        kinds = {_used(position, c) for c in offered}
        return offered if len(kinds) == 2 else []

    positions = (game.at(n) for n in range(200, 400))
    position = next(p for p in positions if p.state.step == "trains" and both(p))
    offered, scores = both(position), list[list[float]]()
    for missed in (-1e6, 0.0):

        def waiting(_: View, symbol: str, s: object = None, now: float = missed) -> float:
            return now if s is None else -5.0

        monkeypatch.setattr(View, "waiting", waiting)
        monkeypatch.setattr(View, "against", lambda view, s, *_: -100.0 * (s is not view.now))
        found = purchases(_view(position), offered)
        scores.append([c.score for c in found])
        told = [any(r.code == "waits" for r in c.reasons) for c in found]
        used = [c.action.train in position.state.trains for c in found]  # type: ignore[attr-defined]
        assert told == [missed == 0.0 and of_a_company for of_a_company in used]
    less = [a - b for a, b in zip(*scores, strict=True)]
    assert less == [pytest.approx(5.0 if of_a_company else 0.0) for of_a_company in used]


def _used(position: Game, choice: Choice) -> bool:
    """Whether a train has been bought from the bank before."""
    return getattr(choice.action, "train", "") in position.state.trains
