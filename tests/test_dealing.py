"""Deals: nobody takes what somebody else has a say in, and whoever agrees is not worse off."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import roundhouse
from roundhouse import bots, dealing, selfplay
from roundhouse.dealing import BOOK, Dealers, concerned
from roundhouse.model.actions import Action, BuyTrain, Merge
from roundhouse.offers import Offers
from roundhouse.titles.title import all_titles

from reference import GAMES


def played(title: str, seed: int, policy: selfplay.Policy, actions: int) -> roundhouse.Game:
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=seed)
    selfplay.play_on(game, Random(seed), actions=actions, policy=policy)
    return game


@pytest.mark.parametrize("title", list(all_titles()))
def test_no_deal_leaves_anybody_worse_off(title: str) -> None:
    for before, deal in dealing.deals(played(title, 2, selfplay.lively, 700)):
        own = dealing.proposer(before, deal)
        for who in (own, *dealing.parties(before, deal)):
            assert who is not None
            assert BOOK.gain(before, deal, who) > -1e-3, (deal, who)


@pytest.mark.parametrize("policy", ["lively", "thrifty"])
def test_no_train_goes_for_a_song(policy: str) -> None:
    """In 1839 companies have little cash and trains are tempting."""
    prices: Counter[int] = Counter()
    sold = played("1839", 1, bots.POLICIES[policy], 1_000 if policy == "lively" else 350)
    for before, deal in dealing.deals(sold):
        if isinstance(deal, BuyTrain):
            prices[deal.price] += 1
            ratio = dealing.price_to_face(before, deal)
            assert ratio is not None
            assert ratio >= 0.25
    assert prices[1] == 0
    if policy == "lively":
        assert prices.total() > 5


@pytest.fixture(scope="module")
def tempting() -> roundhouse.Game:
    """A company may buy a train of another president's."""
    game = roundhouse.new("1839", players=["Ada", "Ben", "Cleo"], seed=1)
    rng = Random(1)
    for _ in range(900):
        selfplay.play_on(game, rng, actions=1, policy=selfplay.lively)
        if any(dealing.parties(game, c.action) for c in game.choices()):
            return game
    raise AssertionError("no such moment")


def test_a_person_is_never_dealt_with_unasked(tempting: roundhouse.Game) -> None:
    offered = [c for c in tempting.choices() if dealing.parties(tempting, c.action)]
    keys = {p for c in offered for p in dealing.parties(tempting, c.action)}
    some = {p: BOOK for p in tempting.state.players if p not in keys}
    alone = Dealers(some).fair(tempting, tempting.choices())
    assert not any(dealing.parties(tempting, c.action) for c in alone)
    asking = Dealers(some, proposing=True)
    for choice in asking.fair(tempting, offered):
        assert set(asking.asked(tempting, choice.action)) <= keys
        assert "price" not in choice.domains


class Miser:
    """Agrees to nothing that does not bring him so much."""

    def __init__(self, least: float) -> None:
        self.least = least

    def gain(self, game: roundhouse.Game, action: roundhouse.Action, who: str) -> float:
        return BOOK.gain(game, action, who) - self.least


def test_who_wants_more_is_paid_more_or_keeps_his_train(tempting: roundhouse.Game) -> None:
    own = {tempting.rules.president(tempting.state, a) for a in tempting.acting}

    def agreed(least: float, generous: float) -> dict[str, int]:
        seats = {p: Miser(-generous if p in own else least) for p in tempting.state.players}
        found = Dealers(seats).fair(tempting, tempting.choices())
        bought = [c.action for c in found if dealing.parties(tempting, c.action)]
        return {a.train: a.price for a in bought if isinstance(a, BuyTrain)}

    cheap, dear = agreed(0, 5_000), agreed(20, 5_000)
    assert cheap
    assert all(dear.get(train, price + 1) > price for train, price in cheap.items())
    assert agreed(50_000, 5_000) == {}


def test_the_answer_is_the_reckoning(tempting: roundhouse.Game) -> None:
    choice = next(c for c in tempting.choices() if dealing.parties(tempting, c.action))
    (other,) = dealing.parties(tempting, choice.action)
    answer = Dealers.alike(tempting, selfplay.lively).answer(tempting, choice.action, other)
    assert answer.gain == BOOK.gain(tempting, choice.action, other)
    assert answer.yes == (answer.gain >= 0)


def test_nobody_can_hold_up_a_game(tempting: roundhouse.Game) -> None:
    only = [c for c in tempting.choices() if dealing.parties(tempting, c.action)]
    misers = Dealers(dict.fromkeys(tempting.state.players, Miser(1e6)))
    assert misers.fair(tempting, only) == []
    assert len(misers.open(tempting, only)) == 1


def test_whoever_looks_at_some_choices_sees_what_all_are(tempting: roundhouse.Game) -> None:
    dealers = Dealers.alike(tempting, selfplay.lively)
    choices = tempting.choices()
    fair = dealers.open(tempting, choices)
    offers = Offers(dealers, tempting, choices)
    assert list(offers) == fair
    assert [c for kind in offers.kinds for c in offers.of(kind)] == sorted(
        fair, key=lambda c: offers.kinds.index(c.type)
    )
    assert len(fair) < len(choices)  # some are not agreed to
    rng, drawn = Random(5), 100 * len(fair)
    counts = Counter(fair.index(Offers(dealers, tempting, choices).one(rng)) for _ in range(drawn))
    assert len(counts) == len(fair)
    assert all(50 < count < 150 for count in counts.values())  # as likely: five deviations


def test_whoever_draws_asks_about_what_he_draws(tempting: roundhouse.Game) -> None:
    asked: list[Action] = []

    class Listening(Miser):
        def gain(self, game: roundhouse.Game, action: roundhouse.Action, who: str) -> float:
            asked.append(action)
            return BOOK.gain(game, action, who)

    dealers = Dealers(dict.fromkeys(tempting.state.players, Listening(0)))
    choices = tempting.choices()
    fair = dealers.open(tempting, choices)

    def asked_by(draw: Random | None) -> set[Action]:
        asked.clear()
        offers = Offers(dealers, tempting, choices)
        assert ([offers.one(draw)] if draw else list(offers))[0] in fair
        return set(asked)

    everything = asked_by(None)
    drawn = [asked_by(Random(seed)) for seed in range(20)]
    assert all(some <= everything for some in drawn)
    # of some draws nobody else has a say in what is drawn first
    assert {bool(some) for some in drawn} == {True, False}


def test_nobody_can_hold_up_a_random_game(tempting: roundhouse.Game) -> None:
    only = [c for c in tempting.choices() if dealing.parties(tempting, c.action)]
    misers = Dealers(dict.fromkeys(tempting.state.players, Miser(1e6)))
    offers = Offers(misers, tempting, only)
    assert offers.one(Random(1)) == misers.open(tempting, only)[0]
    assert selfplay.uniform(tempting, offers, Random(1)).type == "buy_train"
    assert selfplay.lively(tempting, offers, Random(1)).type == "buy_train"
    assert selfplay.pushing(tempting, offers, Random(1)).type == "buy_train"


def test_who_names_the_survivor_still_needs_its_president() -> None:
    """1828 §5.6.1: while a merger is under way its proposer speaks for the survivor, but does not
    consent for it."""
    game = roundhouse.load(GAMES / "1828/base.json")
    foreign = 0
    for number in range(0, 400, 5):
        before = game.at(number)
        for choice in before.choices():
            for merge in before.rules.follow_ups(before.state, choice.action):
                led = [before.state.corporations[c].president for c in _sides(merge)]
                twin = before.copy()
                twin.apply(choice.action)
                assert set(concerned(twin.rules, twin.state, merge)) == set(led)
                foreign += choice.actor != led[0]
    assert foreign


def _sides(merge: Action) -> tuple[str, str]:
    assert isinstance(merge, Merge)
    assert merge.corporation is not None
    return merge.actor, merge.corporation
