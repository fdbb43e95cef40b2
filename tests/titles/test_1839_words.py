"""1839 in words: what the log, buttons, strip and advice call things."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from test_1839_table import Table, past_auction

import roundhouse
from roundhouse import bots
from roundhouse.bots.advice import said
from roundhouse.bots.judges.track import tokens
from roundhouse.bots.view import View
from roundhouse.model import events as ev
from roundhouse.model.actions import BuyShares
from roundhouse.sentences import sentences, tell
from roundhouse.sentences.buttons import Wording, heading
from roundhouse.sentences.steps import words_of

GAMES = Path(__file__).parents[1] / "games" / "1839"


@pytest.mark.parametrize("name", ["train_marker", "stock_market", "bankrupt"])
def test_a_treasury_of_a_country_can_be_added_up_from_the_log(name: str) -> None:
    game = roundhouse.load(GAMES / f"{name}.json")
    countries, before = list(game.rules.constants.countries), game.start
    found, spent = Counter[str](), 0
    for entry in game.history:
        for line in map(str, sentences(game.rules, before, entry)):
            for land in countries:
                for sign, pattern in (
                    (1, rf" pays ƒ([\d,]+) to {land}\b"),
                    (1, rf" pays out: (?:.*, )?{land} ƒ([\d,]+)"),
                    (1, rf" for ƒ([\d,]+), paid to {land}\b"),
                    (-1, rf"^{land} buys .* for ƒ([\d,]+)"),
                ):
                    for amount in re.findall(pattern, line):
                        found[land] += sign * int(amount.replace(",", ""))
                        spent += sign < 0
        before = entry.state
        for land in countries:
            assert found[land] == entry.state.corporations[land].cash, (entry.action.id, land)
    assert spent


def test_an_own_share_bought_back_is_told_with_its_price() -> None:
    table = past_auction()
    events = (
        ev.TurnStarted("HANN"),
        ev.Paid("Germany", "bank", 112, "shares"),
        ev.SharesMoved("HANN", ("HANN_0",), 10, "market", "HANN"),
        ev.Paid("Germany", "bank", 112, "shares"),
        ev.SharesMoved("HANN", ("HANN_1",), 10, "market", "HANN"),
    )
    assert [str(x) for x in tell(table.rules, table.s, events)] == [
        "HANN operates.",
        "Germany buys 20 % of HANN from the market for ƒ224.",
    ]


def test_foreign_shares_have_no_director_and_lie_on_a_charter() -> None:
    """§5.5, §6.4."""
    table = past_auction()
    table.start("OVER", "94,5,3")
    table.start("AMS", "94,5,3", p1=(0, 1))
    words = Wording(table.rules, table.s)

    def label(share: str) -> str:
        return words.label(BuyShares(entity=2, entity_type="player", shares=(share,), percent=10))

    assert label("OVER_0") == "10 % of OVER from its charter"
    assert label("AMS_2") == "10 % of AMS from its IPO"
    started = ev.PresidentChanged("AMS", None, "player:1")
    assert [str(x) for x in tell(table.rules, table.s, (started,))] == [
        "Ada becomes director of AMS."
    ]


def test_the_strip_shows_what_a_foreigners_country_has() -> None:
    table = past_auction()
    table.start("HANN", "94,5,3")
    table.cash("Germany", 1106)
    table.cash("HANN", 48)
    (fact,) = table.rules.facts.of(table.s, "HANN")
    assert fact.short == "Germany ƒ1,106"
    assert "treasury holds ƒ1,106; ƒ48 in its income slot" in fact.text
    (country,) = table.rules.facts.of(table.s, "Germany")
    assert country.text == "A country: the treasury of AK, BREM, HANN, ROER (§6.4)."


def exchange_offered() -> Table:
    table = past_auction()
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.track("N15", "6-0", 1, 3)
    table.station("AMS", "N15")
    table.cash("AMS", 500)
    table.operate("AMS", "token")
    return table


def test_an_exchange_marker_is_called_so() -> None:
    """§9.4."""
    table = exchange_offered()
    (choice,) = table.offered("place_token", token_type="exchange")
    assert heading(choice.action) == "Exchange marker"
    assert said(table.game, choice.action).startswith("place an exchange marker: N15 Maastricht")
    view = View(bots.Magnate("quick").mind(table.game), table.s, "player:1")
    reasons = [r.text for c in tokens(view, [choice]) for r in c.reasons]
    assert any(text.startswith("an exchange marker in N15 Maastricht") for text in reasons)
    before = table.s
    table.game.apply(choice.action)
    told = [str(x) for x in sentences(table.rules, before, table.game.history[-1])]
    assert told[0] == "AMS puts an exchange marker on Maastricht (N15) for ƒ20."


def test_nothing_is_said_to_be_sold_in_the_first_stock_round() -> None:
    """§5.4, and the option that lifts it."""
    for turn, options, text in (
        (1, (), "buy or pass"),
        (2, (), "sell, buy or pass"),
        (1, ("sell_in_sr1",), "sell, buy or pass"),
    ):
        table = past_auction(options=options)
        table.stock(turn)
        found = words_of(table.s, table.rules.play(table.s).waiting(table.s))
        assert found is not None
        assert found[0] == text
