"""The boards of a round: what is auctioned with its bids, who holds what, and founding."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

import roundhouse
from roundhouse.bots.advice import said
from roundhouse.cli.report import position
from roundhouse.lessons import lesson_of
from roundhouse.model.actions import PlaceToken
from roundhouse.model.events import (
    Bankruptcy,
    CorporationClosed,
    DividendDeclared,
    GameEnded,
    Liquidated,
)
from roundhouse.rounds.step import ActionContext
from roundhouse.sentences.log import sentences
from roundhouse.titles.title import all_titles, find_title
from roundhouse.trains import depot
from roundhouse.web import tables
from roundhouse.web.page import boards
from roundhouse.web.page.asking import wish
from roundhouse.web.page.mergers import mergers_of
from roundhouse.web.page.now import now_of
from roundhouse.web.page.outcomes import outcome
from roundhouse.web.page.panels import companies_of, trains_of
from roundhouse.web.page.runs import Draft, plan_of
from roundhouse.web.page.spreadsheet import spreadsheet_of
from roundhouse.web.page.story import tale_of
from roundhouse.web.study.offturn import worded

from .conftest import game_files

GAMES = Path(__file__).parents[1] / "games"
NAMES = ["Ada", "Ben", "Cleo"]


def board_of(game):
    everybody = frozenset(game.state.players)
    return boards.auction_of(game, now_of(game, everybody), everybody)


@pytest.mark.parametrize("title", all_titles())
def test_what_one_may_bid_on_is_on_the_auction_board(title):
    game = roundhouse.new(title, players=NAMES, seed=3)
    board = board_of(game)
    bids = {c.action.company for c in game.choices() if c.type == "bid"}
    offered = {lot.symbol for lot in board.lots if any(i.kind == "bid" for i in lot.items)}
    assert offered == bids or (bids == {None} and len(offered) == 1)
    assert [p.free for p in board.purses] == [game.rules.starting_cash] * 3


def test_a_bid_stands_on_the_board_and_binds_money():
    game = roundhouse.new("1828", players=NAMES, seed=3)
    choice = next(c for c in game.choices() if c.type == "bid" and c.action.company == "CPR")
    game.apply(choice.action)
    board = board_of(game)
    lot = next(lot for lot in board.lots if lot.symbol == "CPR")
    assert [(b.who, b.price) for b in lot.bids] == [("Ada", choice.action.price)]
    assert lot.price > choice.action.price
    purse = next(p for p in board.purses if p.name == "Ada")
    assert purse.bound == choice.action.price == purse.cash - purse.free


@pytest.mark.parametrize("title", ["1817", "1873"])
def test_the_highest_bid_of_what_is_fought_for_binds_its_players_own_money(title):
    """What a company pays (1817), or nobody pays at once (1873's premium), binds nothing."""
    game, told = roundhouse.new(title, players=NAMES, seed=3), 0
    stream = random.Random(5)
    for _ in range(12):
        game.apply(stream.choice(game.choices()).sample(stream))
        purses = {p.name: p for p in board_of(game).purses}
        for lot in board_of(game).lots:
            if lot.open and lot.bids and lot.symbol != "premium":
                highest = max(lot.bids, key=lambda b: b.price)
                assert purses[highest.who].bound >= highest.price
                told += 1
            elif lot.symbol == "premium":
                assert not any(p.bound for p in purses.values())
                told += 1
    assert told


def test_what_the_premium_of_1873_is_bid_for_is_on_the_board():
    game = roundhouse.new("1873", players=NAMES)
    premium, *cards = board_of(game).lots
    assert premium.symbol == "premium"
    assert premium.items
    assert len(cards) > 15
    assert all(card.text and card.price == card.value and not card.items for card in cards)
    while game.state.step == "premium":
        game.apply(next(c for c in game.choices() if c.type == "pass").action)
    assert {card.symbol for card in cards} == {lot.symbol for lot in board_of(game).lots}


def test_an_offered_company_tells_what_comes_with_it_and_who_could_pay_how_much():
    path = next(p for p in game_files() if p.parent.name == "1817")
    game = roundhouse.load(json.loads(path.read_text()))
    offers = [e.state for e in game.history if e.state.step == "acquisition auction"]
    lots = [lot for s in offers for lot in game.rules.facts.lots(s)]
    assert lots
    assert all("at most: " in lot.note or len(lot.bidders) < 2 for lot in lots)
    assert all(not lot.own for lot in lots)


def test_the_port_token_of_1839_is_told_with_what_it_adds():
    game = roundhouse.new("1839", players=NAMES, seed=3)
    s = game.state
    marked = replace(s, board=replace(s.board, markers={"J7": ("VES:UT",)}))
    (fact,) = game.rules.facts.game(marked)
    assert "Rotterdam" in fact.text
    assert "UT" in fact.text
    assert "§8.3" in fact.text


def moments(title, kind):
    """A real game where something of a kind may be done."""
    for path in game_files():
        if path.parent.name.casefold() != title.casefold():
            continue
        game = roundhouse.load(json.loads(path.read_text()))
        for entry in game.history[::7]:
            now = game.at(entry.action.id)
            if any(c.type == kind for c in now.choices()):
                return now
    pytest.skip(f"no game of {title} where that may be done")


@pytest.mark.parametrize("title", ["1817", "1828", "1839"])
def test_every_trade_is_in_a_cell_of_the_grid(title):
    game = moments(title, "sell_shares")
    now = now_of(game, frozenset(game.state.players))
    grid = boards.shares_of(game, now, companies_of(game, tale_of(game)))
    in_grid = [way.item for row in grid.rows for cell in row.cells for way in cell.ways]
    asked = [i for g in now.groups if g.kind in ("sell_shares", "short") for i in g.items]
    assert asked
    assert all(item in in_grid for item in asked)
    for row in grid.rows:
        assert sum(cell.percent for cell in row.cells) >= 0
        assert len(row.cells) == len(grid.holders)


def grid_of(game):
    now = now_of(game, frozenset(game.state.players))
    return boards.shares_of(game, now, companies_of(game, tale_of(game)))


@pytest.mark.parametrize("title", all_titles())
def test_no_two_buttons_of_one_cell_of_the_grid_read_alike(title):
    path = GAMES / find_title(title).id / "base.json"
    if not path.exists():
        pytest.skip("no game of it here")
    game = roundhouse.load(json.loads(path.read_text()))
    several = 0
    for entry in [e for e in game.history if "stock" in e.state.step][::4]:
        for row in grid_of(game.at(entry.action.id)).rows:
            for cell in row.cells:
                words = [way.word for way in cell.ways]
                assert len(words) == len(set(words)), words
                several += len(words) > 1
    if title == "1817WO":
        assert several


def test_buttons_of_one_cell_name_how_much_it_is_and_what_is_paid():
    game = roundhouse.load(json.loads((GAMES / "1817WO" / "base.json").read_text())).at(232)
    cells = [cell for row in grid_of(game).rows for cell in row.cells if len(cell.ways) > 1]
    ways = [(way.word, way.beside) for way in cells[0].ways]
    assert ways[:3] == [("Buy 10 %", "−$45"), ("Buy 20 %", "−$90"), ("Buy 30 %", "−$135")]


def test_a_presidents_certificate_is_crowned_where_it_is_short():
    game = roundhouse.load(json.loads((GAMES / "1828" / "base.json").read_text()))
    stock = (game.at(e.action.id) for e in game.history if "stock" in e.state.step)
    nows = (now_of(here, frozenset(here.state.players)) for here in stock)
    found = ([i for g in n.groups if g.kind == "buy_shares" for i in g.items] for n in nows)
    buys = next(items for items in found if any("president" in i.label for i in items))
    crowned = {i.short for i in buys if "president" in i.label}
    assert crowned == {"20 % ♛"}
    assert all("♛" not in i.short for i in buys if "president" not in i.label)


def test_sales_of_one_company_are_one_control():
    game = moments("1817", "sell_shares")
    now = now_of(game, frozenset(game.state.players))
    sales = next(g for g in now.groups if g.kind == "sell_shares")
    symbols = [i.symbol for i in sales.items]
    assert len(symbols) == len(set(symbols))
    offered = [o.action for i in sales.items for o in i.options] + [
        i.action for i in sales.items if not i.options
    ]
    assert len(offered) == len({*offered}) >= len(sales.items)


def game_of_1839(number=None):
    game = roundhouse.load(GAMES / "1839" / "train_marker.json")
    return game if number is None else game.at(number)


def test_an_exchange_marker_is_offered_under_a_heading_of_its_own():
    """§9.4 of 1839: it lies under a station, and is none."""
    game, found = game_of_1839(), 0
    for entry in game.history[:150]:
        if entry.state.step == "marker":
            now = now_of(game.at(entry.action.id), frozenset(game.state.players))
            for group in now.groups:
                items = [i for i in group.items if i.kind == "place_token"]
                kinds = {"exchange" in item.action for item in items}
                titles = ["Exchange marker" if kind else "Stations" for kind in kinds]
                assert titles in ([], [group.title])
                found += kinds == {True}
    assert found


def test_columns_of_shares_nobody_has_bought_are_called_what_they_are():
    """§5.5 of 1839: the IPO, and the charters of foreigners."""
    for game, head in (
        (game_of_1839(), "IPO / charter"),
        (roundhouse.load(GAMES / "1828" / "base.json"), "IPO"),
        (moments("1817", "buy_shares"), "Treasury"),
    ):
        cards, tale = companies_of(game, tale_of(game)), tale_of(game)
        grid = boards.shares_of(game, now_of(game, frozenset()), cards)
        assert grid.holders[-2] == spreadsheet_of(game, tale, cards[0]).unsold == head


def test_the_card_of_a_country_says_what_it_is(user, client):
    """§6.4 of 1839: it is no company, has no trains, and nobody leads it."""
    table = tables.create(user, tables.Plan("1839", NAMES, seed=1, hotseat=True))
    told = client.get(f"/table/{table.pk}/card/Germany/").content.decode()
    assert "<h3>Germany</h3>" in told
    assert "A country: the treasury of AK, BREM, HANN, ROER (§6.4)." in told
    assert not any(word in told for word in ("no train", "no president", "no director"))
    assert "no director" in client.get(f"/table/{table.pk}/card/AMS/").content.decode()


def test_what_a_label_says_is_not_said_beside_it():
    path = next(p for p in game_files() if p.parent.name == "1817")
    game, told = roundhouse.load(json.loads(path.read_text())), 0
    for entry in game.history[::5]:
        now = now_of(game.at(entry.action.id), frozenset(game.state.players))
        sales = [i for g in now.groups if g.kind == "sell_shares" for i in g.items]
        for button in (one for item in sales for one in (item.options or [item])):
            led = "becomes president"
            assert f"{button.label} {button.beside}".count(led) <= 1
            told += led in button.after
    assert told


def test_a_company_is_started_at_one_of_the_prices_on_its_button():
    game = moments("1828", "par")
    now = now_of(game, frozenset(game.state.players))
    for item in next(g for g in now.groups if g.kind == "par").items:
        cells = [o.cell for o in item.options] or [item.cell]
        assert all(cell in game.rules.box.market.cells for cell in cells)


def test_the_view_follows_what_is_to_be_done(user):
    """Auction, then prices on the market, then shares, and the map while a home is chosen."""
    from roundhouse.web import tables
    from roundhouse.web.page.view import View

    path = next((p for p in game_files() if p.parent.name == "1817"), None)
    if path is None:
        pytest.skip("no game of 1817")
    table = tables.import_file(user, path.read_bytes(), "")
    game = tables.open_game(table).game
    seen = {}
    for entry in game.history[:200]:
        view = View(table, user, entry.action.id)
        seen.setdefault(view.game.state.step, view.suggested)
    assert seen["auction"] == "auction"
    assert seen["stock turn"] == "shares"
    assert seen["home token"] == "map"
    assert seen["track"] == "map"


@pytest.mark.parametrize("title", all_titles())
def test_every_hex_tells_what_may_come_on_it(title):
    from roundhouse.web.page.places import following

    game = roundhouse.new(title, players=NAMES, seed=3)
    found = {c: following(game, c) for c in game.rules.box.map.hexes}
    assert any(len(tiles) > 2 for tiles in found.values())
    for coord, tiles in found.items():
        names = {t.name for t in tiles}
        faces = game.rules.upgrades.upgrades(game.state.board, coord)
        assert names == {f.tile.name for f in faces if f.tile.name in game.rules.box.tiles.counts}


@pytest.mark.parametrize("title", all_titles())
def test_the_least_bid_on_the_board_is_the_least_bid_there_is(title):
    """Through whole games: what the board says is what may be bid."""
    looked = 0
    for path in game_files():
        if path.parent.name.casefold() != title.casefold():
            continue
        game = roundhouse.load(json.loads(path.read_text()))
        for entry in game.history[:1500:5]:
            now = game.at(entry.action.id)
            lots = {lot.item: lot.price for lot in now.rules.facts.lots(now.state) if lot.open}
            least: dict[str, int] = {}
            for choice in now.choices():
                a = choice.action
                item = choice.type == "bid" and (a.company or a.corporation or a.minor or "premium")
                if item in lots:
                    span = choice.domains.get("price")
                    low = span.low if span else a.price
                    least[item] = min(low, least.get(item, low))
            # What cannot be paid exactly may leave out the least amounts.
            assert all(lots[item] <= low <= lots[item] + 60 for item, low in least.items())
            looked += sum(lots[item] == low for item, low in least.items())
    if not looked:
        pytest.skip("no auction in the games there are")


def test_bids_in_several_ranges_are_one_control():
    """Every amount that may be bid is in it, and no other."""
    from roundhouse.model.choices import Span

    path = next((p for p in game_files() if p.name == "15528.json"), None)
    if path is None:
        pytest.skip("the game is not there")
    game = roundhouse.load(json.loads(path.read_text())).at(101)
    spans = [c.domains["price"] for c in game.choices() if c.type == "bid"]
    assert len(spans) > 1
    group = next(g for g in now_of(game, frozenset(game.state.players)).groups if g.kind == "bid")
    (item,) = group.items
    assert all(isinstance(s, Span) for s in spans)
    assert item.amounts[0].only == sorted({v for s in spans for v in s.values()})


OWN = Path(__file__).parents[1] / "games"


@pytest.mark.parametrize(("title", "at"), [("1817", 320), ("1828", 63), ("18Ireland", 231)])
def test_a_merger_shows_every_company_it_may_be_with(title, at):
    data = json.loads((OWN / title / "base.json").read_text())
    game = roundhouse.load(data | {"actions": data["actions"][:at]})
    merges = {c.action.corporation for c in game.choices() if c.type == "merge"}
    cards = companies_of(game, tale_of(game))
    board = mergers_of(game, now_of(game, frozenset(game.state.players)), cards)
    assert {p.card.symbol for p in board.partners} == merges
    assert all(p.items for p in board.partners)
    for partner in board.partners:
        if partner.together is None:
            continue
        both = [game.state.corporations[x.symbol] for x in (board.subject, partner.card)]
        assert partner.together.cash == sum(c.cash for c in both)
        assert len(partner.together.trains) == sum(len(c.trains) for c in both)
    onlooker = mergers_of(game, now_of(game, frozenset()), cards)
    assert {p.card.symbol for p in onlooker.partners} == merges
    assert not any(p.items for p in onlooker.partners)


@pytest.mark.parametrize("title", [p.name for p in sorted(OWN.iterdir()) if p.is_dir()])
def test_there_is_a_merger_to_look_at_only_where_one_may_be(title):
    """Whatever the round remembers: 1873's stock round of a company that takes mines over."""
    game, seen = roundhouse.replay(sorted((OWN / title).glob("*.json"))[0])[0], set()
    for entry in game.history[::3]:
        here = game.at(entry.action.id)
        if here.state.step in seen or here.finished:
            continue
        seen.add(here.state.step)
        board = mergers_of(here, now_of(here, frozenset()), companies_of(here, tale_of(here)))
        assert board is None or board.named or any(c.type == "merge" for c in here.choices())
    assert len(seen) > 4


def test_a_merger_that_is_voted_on_shows_who_would_merge():
    """18Ireland: the minors are named before shareholders are asked."""
    data = json.loads((OWN / "18Ireland" / "base.json").read_text())
    game = roundhouse.load(data | {"actions": data["actions"][:233]})
    assert game.state.step == "merger vote"
    cards = companies_of(game, tale_of(game))
    board = mergers_of(game, now_of(game, frozenset()), cards)
    assert [board.subject.symbol, *(p.card.symbol for p in board.partners)] == list(
        game.state.round.merging
    )
    assert all(p.together for p in board.partners)


@pytest.mark.parametrize("title", ["1817", "1828", "18Ireland"])
def test_a_purchase_tells_of_the_limit_and_of_the_presidency_beforehand(title):
    game = moments(title, "buy_shares")
    limit = game.rules.cert_limit(game.state)
    purchases = [c.action for c in game.choices() if c.type == "buy_shares"]
    mine = [a for a in purchases if a.actor in game.state.players]
    for action in mine:
        twin = game.copy()
        twin.apply(action)
        told = outcome(game, action).text
        if limit < 99:
            assert f"{twin.rules.certificates(twin.state, action.actor)}/{limit}" in told
        symbol = action.shares[0].rpartition("_")[0]
        leads = twin.state.corporations[symbol].president
        changed = game.state.corporations[symbol].president not in (None, leads)
        assert ("becomes president" in told) == changed


def at_step(title, name):
    """A lesson's game where it first comes to a step."""
    lesson = lesson_of(find_title(title))
    game = roundhouse.new(title, players=NAMES, seed=lesson.file.seed)
    while game.state.step != name:
        game.apply(lesson.actions[len(game)])
    return game


def test_giving_up_a_train_is_asked_once_more():
    game = at_step("1817WO", "trains")
    company = game.state.corporations[game.acting[0]]
    assert not company.trains
    passing = next(c.action for c in game.choices() if c.type == "pass")
    assert f"{company.id} has no train and buys none." in outcome(game, passing).grave


@pytest.mark.parametrize("title", ["1817WO", "1839", "18Ireland"])
def test_giving_up_a_run_is_asked_once_more(title):
    game = at_step(title, "routes")
    idle = plan_of(game, Draft(routes="[]"), None)
    assert idle.grave == f"{idle.who} runs no train."
    assert not plan_of(game, Draft(), game.best_routes(game.acting[0], effort=2000)).grave


def test_a_mine_may_do_without_a_machine():
    lesson = lesson_of(find_title("1873"))
    game, seen = at_step("1873", "equipment"), 0
    for action in lesson.actions[len(game) :]:
        if game.state.step == "equipment" and game.acting[0] in game.rules.mines:
            passing = next(c.action for c in game.choices() if c.type == "pass")
            seen += not outcome(game, passing).grave
        game.apply(action)
    assert seen


def test_what_cannot_be_mended_is_asked_once_more():
    """The warnings stand on the buttons: closings, liquidations, bankruptcies, the end."""
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    grave = (Liquidated, CorporationClosed, Bankruptcy, GameEnded)
    entries = [e for e in game.history if any(isinstance(x, grave) for x in e.events)]
    assert entries
    for entry in entries:
        before = game.at((entry.action.id or 1) - 1)
        assert outcome(before, entry.action).grave, entry.action


def test_the_last_pass_tells_that_all_bids_are_taken_back():
    """§3 of 18Ireland: nothing is sold and everybody passes; on the button, and in the log."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=1)
    first, *_, last = game.rules.facts.lots(game.state)
    bid = {"type": "bid", "company": last.item, "price": last.price, "entity": 1}
    game.apply(bid | {"entity_type": "player"})
    told = "all bids are taken back, and Dalkey Atmospheric Railway costs £15 now"
    for player in (2, 3, 1):
        passing = next(c.action for c in game.choices() if c.type == "pass")
        assert (told in outcome(game, passing).text) == (player == 1)
        game.apply({"type": "pass", "entity": player, "entity_type": "player"})
    assert told in str(sentences(game.rules, game.state, game.history[-1])[-1])
    assert first.item == "DAR"


def test_where_one_can_only_pass_the_page_says_so(user, client):
    """As with Ireland's Dublin & Kingstown, whose track ends in Kingstown at first."""
    from roundhouse.web import tables

    path = next(p for p in game_files() if p.parent.name.casefold() == "18ireland")
    game = roundhouse.load(path)
    at = (e.action.id for e in game.history if e.state.step == "track")
    positions = (game.at(number).copy() for number in at)
    stuck = next(g for g in positions if [c.type for c in g.choices()] == ["pass"])
    table = tables.import_file(user, json.dumps(stuck.dump()).encode())
    assert "Nothing else can be done now." in client.get(f"/table/{table.pk}/").content.decode()
    other = next(g for e in game.history[200:] if len((g := game.at(e.action.id)).choices()) > 1)
    table = tables.import_file(user, json.dumps(other.dump()).encode())
    assert "Nothing else" not in client.get(f"/table/{table.pk}/").content.decode()


@pytest.mark.parametrize(("options", "stays"), [((), False), (("red_permanent",), True)])
def test_the_page_strikes_only_what_the_rules_will_rust(options, stays):
    """By the option 1839's 5D is there for good (§14): neither its card nor the supply dooms it."""
    game = roundhouse.new("1839", players=NAMES, seed=3, options=options)
    s = game.state.fork()
    s.now, s.phase = ActionContext(), "Gray"
    depot.give(s, "5D-0", "AMS")
    s.now = None
    game._state = s.seal()
    (tag,) = next(c for c in companies_of(game, tale_of(game))[1] if c.symbol == "AMS").trains
    rows = {row.name: row for row in trains_of(game)}
    assert (tag.name, tag.doomed) == ("5D", not stays)
    assert rows["5D"].rusts == ("" if stays else "FLOOD")
    assert rows["FLOOD"].kills == ([] if stays else ["5D"])
    assert rows["5+"].rusts == "5D"


def test_trains_of_which_there_are_any_number_are_not_counted(capsys):
    """1873 has 99 cards of 5T, as many as anybody wants; the D of 1828 have no number at all."""
    for title, endless in (("1873", "5T"), ("1828", "D")):
        game = roundhouse.new(title, players=NAMES, seed=3)
        rows = {row.name: row.left for row in trains_of(game)}
        assert [name for name, left in rows.items() if left == "∞"] == [endless]
        Console().print(*position(game))
        assert f"∞ × {endless}" in capsys.readouterr().out
        s = game.state.fork()
        s.now = ActionContext()
        depot.draw(s, endless)
        s.now = None
        game._state = s.seal()
        assert {row.name: row.left for row in trains_of(game)} == rows


def test_what_is_drafted_says_what_is_paid_for_it():
    """§3.2.3 of 1873: every purchase costs the premium more, on buttons, in advice and in plans."""
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=1)
    game.apply({"type": "bid", "entity": 1, "entity_type": "player", "price": 50})
    for player in (2, 3):
        game.apply({"type": "pass", "entity": player, "entity_type": "player"})
    assert game.state.premium == 50
    (group,) = (g for g in now_of(game, frozenset({"player:1"})).groups if g.kind == "bid")
    told = {i.about: i.label for i in group.items}
    value = game.rules.box.companies["1"].value
    paid = game.rules.money(value + 50)
    assert told["1"].endswith(f" for {paid}")
    a = next(c.action for c in game.choices() if getattr(c.action, "company", "") == "1")
    assert said(game, a).endswith(f" for {paid}")
    assert worded(game.rules, game.state, a).endswith(f" for {paid}")
    assert wish(game, a).endswith(f" for {paid} (Ada)")
    bid = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=1)
    (premium, _) = now_of(bid, frozenset({"player:1"})).groups
    assert premium.items[0].amounts[0].low == 0


@pytest.mark.parametrize("title", ["1828", "1873"])
def test_a_station_tells_its_cost_where_the_price_falls_right_after_it(title):
    """A company without a train earns nothing once it has its station: that is told beside."""
    game = roundhouse.load((GAMES / title / "base.json").read_bytes())
    seen, before = 0, 0
    for entry in game.history:
        at, before = before, entry.action.id or 0
        follows = any(isinstance(e, DividendDeclared) for e in entry.events)
        if not isinstance(entry.action, PlaceToken) or not follows or not at:
            continue
        company, then = entry.action.actor, game.at(at)
        cost = then.state.corporations[company].cash - entry.state.corporations[company].cash
        told = outcome(then, entry.action).text
        if cost:
            assert f"−{then.rules.facts.money(cost)}" in told.split(" · ")
            seen += 1
    assert seen
