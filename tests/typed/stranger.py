"""A script as somebody writes it who has installed the library; type checkers read it strictly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import assert_type

import roundhouse
import roundhouse.titles.g1817 as title_package
from roundhouse import Choice, Domain, Game, IllegalAction, Rules, State
from roundhouse.model.actions import Action, Bid
from roundhouse.model.choices import Span

game = roundhouse.new("1817", players=["Ada", (7, "Ben"), {"name": "Cleo"}], seed=1)
assert_type(game, Game)
assert_type(game.rules, Rules[State])
assert_type(game.state, State)
assert_type(game.state.players["player:1"].cash, int)
assert_type(game.result(), dict[int | str, int])

choices = game.choices()
assert_type(choices, list[Choice])
choice = choices[0]
assert_type(choice.action, Action)
assert_type(choice.domains, Mapping[str, Domain])
for domain in choice.domains.values():
    if isinstance(domain, Span):
        assert_type(domain.low, int)

drawn = choice.sample(Random(1))
assert_type(drawn, Action)
if isinstance(drawn, Bid):
    assert_type(drawn.price, int)

fault = game.why_not(drawn)
assert_type(fault, IllegalAction | None)
game.apply(drawn)
game.save(Path("game.json"))
print(game, title_package.TITLE.id, roundhouse.__version__)
