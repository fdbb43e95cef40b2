"""Sentences made from events."""

from __future__ import annotations

from pathlib import Path

import pytest

import roundhouse
from roundhouse.board.laying import face_at
from roundhouse.model import events as ev
from roundhouse.model.actions import Assign, BuyShares, PlaceToken, Program
from roundhouse.model.records import MARKET
from roundhouse.render.describe import stop_names
from roundhouse.sentences import Ref, buttons, name_of, sentences, summary, tell, where
from roundhouse.sentences.words import ending, spoken

#: Games of the project's own.
GAMES = Path(__file__).parent / "games"
OWN = sorted(GAMES.glob("*/*.json"))


@pytest.fixture
def game() -> roundhouse.Game:
    return roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=3)


def told(game: roundhouse.Game, *events: ev.Event) -> list[str]:
    return [str(s) for s in tell(game.rules, game.state, events)]


def test_money_is_part_of_what_it_was_paid_for(game: roundhouse.Game) -> None:
    assert told(game, ev.Paid("H", "bank", 15, "tile"), ev.TileLaid("H", "F13", "57-0", 2, 15)) == [
        "H lays tile 57 on Pittsburgh (F13) for $15."
    ]
    assert told(
        game,
        ev.Paid("player:1", "H", 90, "shares"),
        ev.SharesMoved("H", ("H_1",), 20, "H", "player:1"),
    ) == ["Ada buys 20 % of H from the treasury for $90."]


def test_thousands_are_written_alike_everywhere(game: roundhouse.Game) -> None:
    assert "$1,200" in told(game, ev.Paid("player:1", "H", 1200, "shares"))[0]
    assert buttons.money(game.rules, 1200) == game.rules.money(1200) == "$1,200"
    assert buttons.money(game.rules, -1200) == "−$1,200"


def test_standing_orders_are_called_in_words() -> None:
    orders = [k for k in buttons.KINDS if k.startswith("program_")]
    tags = {str(k.__struct_config__.tag) for k in Program.__subclasses__()}
    assert set(orders) == tags
    assert not [k for k in orders if "program" in buttons.doing(k)]


def test_a_price_move_follows_its_corporation(game: roundhouse.Game) -> None:
    cells = list(game.rules.box.market.cells)
    assert told(
        game,
        ev.LoanTaken("H", 1),
        ev.PriceMoved("H", cells[8], cells[7], "loan"),
    ) == ["H takes a loan and has 1; price $60 → $55."]
    assert told(game, ev.PriceMoved("H", cells[7], cells[8], "sold out")) == [
        "H moves $55 → $60 (sold out)."
    ]


def test_several_moves_are_told_as_one(game: roundhouse.Game) -> None:
    cells = list(game.rules.box.market.cells)
    steps = [ev.PriceMoved("H", cells[n], cells[n - 1], "market") for n in (9, 8, 7)]
    assert told(game, *steps) == ["H moves $65 → $50 (market)."]
    gone = [ev.TrainMoved(f"2-{n}", "depot", "gone", 0) for n in range(3)]
    assert told(game, *gone) == ["3 × 2 trains leave the game."]


def test_references_name_what_a_page_links(game: roundhouse.Game) -> None:
    (line,) = tell(game.rules, game.state, [ev.TokenPlaced("H", "F13/0", 0)])
    refs = [p for p in line.parts if isinstance(p, Ref)]
    assert [(r.kind, r.key) for r in refs] == [("corporation", "H"), ("hex", "F13")]
    assert line.kind == "token"
    assert line.about == "H"


def test_every_event_has_a_sentence_or_a_reason(game: roundhouse.Game) -> None:
    """Each kind of event is told, also one nobody has words for yet."""

    class SomethingNew(ev.Event, frozen=True):
        who: str

    assert told(game, SomethingNew("player:2")) == ["Ben: something new."]
    assert told(game, ev.Noted("odd_thing", "player:2", "H", 5)) == ["Ben: odd thing H ($5)."]
    assert told(game, ev.Noted("offered", "player:2", "H", 5)) == [
        "Ben puts H up for auction from $5."
    ]


def test_a_private_is_bid_for_by_its_name_though_a_corporation_has_its_symbol() -> None:
    game = roundhouse.new("1817NA", ["Ada", "Ben", "Cleo"], seed=1)
    told = []
    me = {"type": "bid", "entity": 1, "entity_type": "player", "company": "ME", "price": 40}
    for action in (me, *({"type": "pass", "entity": n, "entity_type": "player"} for n in (2, 3))):
        before = game.state
        game.apply(action)
        told += [str(line) for line in sentences(game.rules, before, game.history[-1])]
    name = game.rules.box.companies["ME"].name
    assert told[0] == f"Ada bids $40 for {name}."
    assert f"Ada wins {name} for $40." in told


def test_each_sale_of_a_bankrupt_player_is_told_with_its_own_money(reference: Path) -> None:
    raw = (reference / "games" / "1817na" / "25351.json").read_bytes()
    game = roundhouse.load(raw)
    last, before = game.history[-1], game.history[-2]
    told = [str(line) for line in sentences(game.rules, before.state, last)]
    assert [line.partition(" sells ")[2] for line in told if " sells " in line] == [
        "20 % of NYOW for $270.",
        "10 % of ME for $100.",
    ]
    assert "A short of R passes to the market." in told


def test_a_scrapped_machine_is_still_called_one(reference: Path) -> None:
    raw = (reference / "games" / "1873" / "1873_game_end_stock_market.json").read_bytes()
    game = roundhouse.load(raw)
    states = [game.start, *(e.state for e in game.history)]
    told = [
        str(line)
        for before, entry in zip(states, game.history, strict=False)
        for line in sentences(game.rules, before, entry)
    ]
    assert "15 loses a 2M machine." in told
    assert not [line for line in told if "loses a 2T train" in line and line[0].isdigit()]


def test_a_merger_of_ireland_has_one_president_and_shares_are_told_once(reference: Path) -> None:
    """§6.5.3: the presidency may go through several hands; what it comes to is told."""
    game = roundhouse.load((reference / "games" / "18ireland" / "161830.json").read_bytes())
    (merged,) = (e for e in game.history if e.action.id == 341)
    told = [str(line) for line in sentences(game.rules, game.at(340).state, merged)]
    assert [line for line in told if "%" in line] == [
        "Player 2 gets 30 % of DSER.",
        "Player 4 gets 40 % of DSER.",
        "Player 6 gets 10 % of DSER.",
    ]
    assert told[-1] == "DSER is founded with 10 shares, led by Player 4."
    assert not any("president" in line for line in told)


def test_a_pass_about_one_company_names_it() -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json")
    told: dict[str, list[str]] = {}
    before = game.start
    for entry in game.history:
        lines = [str(line) for line in sentences(game.rules, before, entry)]
        told.setdefault(before.step, []).extend(line for line in lines if " passes" in line)
        before = entry.state
    assert "Player 7 passes on B&A." in told["offer"]
    assert "Player 7 passes on ME." in told["acquisition auction"]
    assert "Player 2 passes on GT." in told["investors"]
    assert "Player 5 passes on PW." in told["founding auction"]
    assert f"Player 7 passes on {game.rules.box.companies['ME'].name}." in told["auction"]
    bare = [line for step in ("offer", "investors") for line in told[step] if " on " not in line]
    assert not bare


def test_rounds_have_a_second_number_where_there_are_several_a_turn() -> None:
    game = roundhouse.load(GAMES / "1839" / "train_marker.json")
    told, before = list[str](), game.start
    for entry in game.history:
        lines = [str(line) for line in sentences(game.rules, before, entry)]
        told += [line for line in lines if line.endswith(" begins.") and "Round" in line]
        before = entry.state
    assert "Stock Round 2 begins." in told
    assert any(line.startswith("Operating") and line.endswith(".2 begins.") for line in told)
    assert not [line for line in told if line.startswith("Stock") and "." in line[:-1]]
    assert where(game.rules, game.start) == "Auction Round 1, phase Yellow"
    assert game.rules.round_of(game.start, short=True) == "AR 1"


def test_who_ends_a_turn_in_which_he_acted_does_not_pass() -> None:
    """§5.2–5.3 of 1839: who passed decides the order; the same in all titles."""
    for name in ("1839/train_marker", "1828/base", "1873/base"):
        game = roundhouse.load(GAMES / f"{name}.json")
        before, ended = game.start, 0
        for entry in game.history:
            a = entry.action
            if a.type == "pass" and before.step.startswith("stock"):
                told = [str(line) for line in sentences(game.rules, before, entry)]
                who = before.players[a.actor].name
                idle = before.round.idle  # type: ignore[attr-defined]
                assert told[0] == (f"{who} passes." if idle else f"{who} ends the turn.")
                ended += not idle
            before = entry.state
        assert ended


def test_an_auction_in_the_log(game: roundhouse.Game) -> None:
    item = next(iter(game.rules.box.companies))
    before = game.state
    game.apply({"type": "bid", "entity": 1, "entity_type": "player", "company": item, "price": 10})
    (line,) = sentences(game.rules, before, game.history[-1])
    assert str(line) == f"Ada bids $10 for {game.rules.box.companies[item].name}."
    game.apply({"type": "message", "entity": 2, "entity_type": "player", "message": "<hi>"})
    (chat,) = sentences(game.rules, game.state, game.history[-1])
    assert (chat.kind, str(chat)) == ("chat", "Ben: <hi>")


def test_a_sentence_begins_with_a_capital(game: roundhouse.Game) -> None:
    moved = ev.SharesMoved("H", ("H_1",), 10, "player:1", MARKET)
    assert told(game, moved) == ["The market gets 10 % of H from Ada."]


def test_names_places_and_summary(game: roundhouse.Game) -> None:
    assert name_of(game.rules, game.state, "player:3") == "Cleo"
    assert name_of(game.rules, game.state, "bank") == "the bank"
    assert where(game.rules, game.state).startswith("Auction Round 1, phase 2")
    text = summary(game.rules, game.state)
    assert "Waiting for Ada" in text
    assert all(name in text for name in ("Ada", "Ben", "Cleo"))


def test_equipment_is_called_what_it_is() -> None:
    draft = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    called = {"2T": "train", "2M": "machine", "3S": "switcher", "D": "train"}
    for kind, word in called.items():
        moved = ev.TrainMoved(f"{kind}-0", "depot", "GHE", 90)
        assert f"buys a {kind} {word} from" in told(draft, moved)[0]
    rusted = ev.TrainsRusted(("3S-0", "3S-1", "2T-0"))
    assert told(draft, rusted) == ["2 × 3S switchers and the 2T train rust."]


def test_what_is_drafted_is_bought_and_the_premium_has_a_name() -> None:
    draft = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    assert told(draft, ev.BidMade("player:1", "premium", 10)) == [
        "Ada bids 10\N{NO-BREAK SPACE}ℳ for the premium."
    ]
    assert told(
        draft,
        ev.Paid("player:1", "bank", 300, "draft"),
        ev.CompanyMoved("14", "", "closed"),
        ev.AuctionWon("player:1", "14", 280),
    ) == ["Ada buys 14 Zorge for 300\N{NO-BREAK SPACE}ℳ."]


def test_shares_bought_one_by_one_are_told_together(game: roundhouse.Game) -> None:
    each = (
        ev.Paid("player:1", "H", 90, "shares"),
        ev.SharesMoved("H", ("H_1",), 20, "H", "player:1"),
    )
    other = ev.SharesMoved("H", ("H_2",), 20, "market", "player:1")
    assert told(game, *each, *each, each[0], other) == [
        "Ada buys 40 % of H from the treasury for $180.",
        "Ada buys 20 % of H from the market for $90.",
    ]


def test_a_price_is_told_once(game: roundhouse.Game) -> None:
    placed = ev.TokenPlaced("H", "F13/0", 40)
    assert told(game, ev.Paid("H", "bank", 40, "token"), placed) == [
        "H places a token in Pittsburgh (F13) for $40."
    ]


def test_cities_of_one_hex_are_told_apart_by_the_compass(game: roundhouse.Game) -> None:
    board, box = game.state.board, game.rules.box
    names = stop_names(face_at(box, board, "E22"), box.map.layout)
    assert names == ("south-west city", "north-east city")
    wording = buttons.Wording(game.rules, game.state)
    places = [
        PlaceToken(entity="H", entity_type="corporation", city=f"E22-0-{n}", slot=0) for n in (0, 1)
    ]
    assert [wording.label(a) for a in places] == [
        "E22 New York, south-west city",
        "E22 New York, north-east city",
    ]
    assert stop_names(face_at(box, board, "F13"), box.map.layout) == ("city",)


def test_handing_over_and_placing_are_not_called_the_same() -> None:
    given = Assign(entity=1, entity_type="player", target="UBC", target_type="company")
    placed = Assign(entity="UBC", entity_type="company", target="H9", target_type="hex")
    assert [buttons.heading(a) for a in (given, placed)] == ["Hand over", "Place a marker"]


def test_a_game_ends_for_a_reason_in_words(game: roundhouse.Game) -> None:
    assert told(game, ev.GameEnded("bank")) == ["The game ends: the bank is broken."]
    assert told(game, ev.GameEnded("of_its_own")) == ["The game ends: of its own."]


def test_a_title_has_words_for_ends_of_its_own() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben"], seed=1)
    assert "smallest train" in told(game, ev.GameEnded("train_marker"))[0]


@pytest.mark.parametrize("path", OWN, ids=lambda p: f"{p.parent.name} {p.stem}")
def test_every_end_that_is_met_has_words(path: Path) -> None:
    game = roundhouse.load(path)
    reason = game.state.finished
    assert reason is not None
    assert ending(game.rules, reason) != spoken(reason)


def test_shares_exchanged_in_pieces_are_told_once_for_each_holder(game: roundhouse.Game) -> None:
    pieces = [
        ev.SharesMoved("H", ("H_1",), 10, "player:1", "NYSW"),
        ev.SharesVanished("UR", ("UR_1",), "player:1"),
        ev.SharesMoved("NYSW", ("NYSW_1",), 10, "NYSW", "player:1"),
    ]
    other = ev.SharesMoved("H", ("H_4",), 10, "player:2", "NYSW")
    paid = ev.Paid("player:2", "bank", 20, "merger")
    got = ev.SharesMoved("NYSW", ("NYSW_4",), 10, "NYSW", "player:2")
    assert told(game, *pieces, *pieces, other, paid, got) == [
        "Ada exchanges shares of H and UR for 20 % of NYSW.",
        "Ben pays $20 (merger).",
        "Ben exchanges shares of H for 10 % of NYSW.",
    ]
    more = ev.SharesMoved("H", ("H_5",), 10, "NYSW", "market")
    assert told(game, *pieces, more, paid, more)[1:] == [
        "The market gets 20 % of H from NYSW.",
        "Ben pays $20 (merger).",
    ]


def test_shares_that_are_bought_are_no_exchange(game: roundhouse.Game) -> None:
    """A short is covered with a share that is bought."""
    assert told(
        game,
        ev.Paid("player:1", "H", 90, "shares"),
        ev.SharesMoved("H", ("H_1",), 20, "H", "player:1"),
        ev.SharesVanished("UR", ("UR_9",), "player:1"),
    ) == ["Ada buys 20 % of H from the treasury for $90.", "Ada covers a short of UR."]


def test_no_certificate_of_the_external_railway_of_1873_is_a_presidents() -> None:
    """§2.4 of 1873: nobody leads it."""
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    words = buttons.Wording(game.rules, game.state)

    def label(share: str) -> str:
        return words.label(BuyShares(entity=1, entity_type="player", shares=(share,), percent=10))

    assert label("MHE_0") == "10 % of MHE from the market"
    assert label("HBE_0") == "20 % of HBE president’s from its treasury"
