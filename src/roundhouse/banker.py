"""What a title's rules tell a banker who plays with paper and cards: how prices move after
dividends, what loans cost.

>>> import roundhouse
>>> title, *_ = roundhouse.all_titles()
>>> game = roundhouse.new(title, ["Ada", "Ben", "Cleo"])
>>> company, cells = next(iter(game.state.corporations)), game.rules.box.market.cells
>>> price_after(game.rules, game.state, company, next(iter(cells)), 0) in cells
True
"""

from __future__ import annotations

from typing import Any

from .model.records import State, set_corporation
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .rounds.steps.dividend import dividends_of


def price_after(rules: Rules[Any], s: State, who: str, cell: str, paid: int) -> str:
    """The price cell of a company that has paid so much in all for its shares (0: nothing), which
    was in a ``cell``; the same one where dividends move no price."""
    found = dividends_of(rules)
    if found is None:
        return cell
    fork = s.fork()
    fork.now = ActionContext()
    set_corporation(fork, who, cell=cell, operated=True)
    fork.market = {cell: (who,)}
    if not paid or found.step_price(fork, who):  # whose price is 0 is closed
        found.move_price(fork, who, paid)
    return fork.corporations[who].cell or cell


def interest_rate(rules: Rules[Any], s: State, loans: int) -> int:
    """What each loan costs when so many are out."""
    fork = s.fork()
    fork.loans_left = s.loans_left - loans
    return rules.facts.interest_rate(fork)
