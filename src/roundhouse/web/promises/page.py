"""A seat's promises as who sits there sees them, and what he may promise now."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from ...game import Game
from ...model.actions import Bid, player_key
from ...sentences.buttons import bid_name, company_name
from ...sentences.words import unsold_words
from ..models import Table
from ..page.story import tale_of
from ..tables import Refused
from . import managing
from .models import Standing


class Line(Struct):
    """A promise: what it says, what it did or why it ended."""

    number: int
    text: str
    why: str
    state: str
    acts: list[int]

    @property
    def standing(self) -> bool:
        return self.state == Standing.State.STANDING


class Panel(Struct):
    """Promises and the forms for more. ``things``: what bids may be promised for; ``companies``:
    those with a price; ``ran``: those of the owner's that have run; ``rounds``: short names;
    ``unsold``: where the companies’ own shares are."""

    lines: list[Line]
    topic: str
    things: list[tuple[str, str]]
    companies: list[str]
    ran: list[str]
    led: list[str]
    rounds: list[str]
    currency: str
    unsold: str

    @property
    def standing(self) -> int:
        return sum(line.standing for line in self.lines)

    @property
    def news(self) -> list[Line]:
        """What has happened to promises."""
        return [line for line in self.lines if line.why]


def panel_of(table: Table, game: Game, user: Any) -> Panel | None:
    """The panel; None for who has no seat, or where nothing can be promised."""
    if not user.is_authenticated or table.status != Table.Status.RUNNING:
        return None
    try:
        place = managing.seat_of(table, user)
    except Refused:
        return None
    s, rules, owner = game.state, game.rules, player_key(place.key)
    led = [c.id for c in s.corporations.values() if c.president == owner]
    started = [c.id for c in s.corporations.values() if c.cell is not None]
    ran = tale_of(game).ran
    return Panel(
        [_line(row) for row in managing.listed(table, user)],
        rules.play(s).topic,
        _things(game),
        started,
        [c for c in led if c in ran],
        led,
        list(dict.fromkeys(play.short for play in rules.rounds.values())),
        rules.box.game.currency.replace("%s", "").strip(),
        unsold_words(rules, started),
    )


def own_programs(table: Table, user: Any) -> list[Any]:
    """A viewer's own standing promises as a file has them; none for who has no seat."""
    try:
        found = managing.programs(table, user) if user.is_authenticated else []
    except Refused:
        return []
    return [msgspec.to_builtins(program) for program in found]


def _line(row: Standing) -> Line:
    return Line(row.number, row.text, row.why, row.state, row.acts)


def _things(game: Game) -> list[tuple[str, str]]:
    """What is auctioned now or could be put up now, as a form sends it and in words."""
    play = game.rules.play(game.state)
    if not any(Bid in step.takes for step in play.sequence):
        return []
    bids = [c.action for c in game.choices() if isinstance(c.action, Bid)]
    found = {_thing(bid): _name(game, bid) for bid in bids}
    for lot in game.rules.facts.lots(game.state):
        if lot.item in game.state.companies and f"corporation:{lot.item}" not in found:
            found.setdefault(f"company:{lot.item}", company_name(game.rules, lot.item))
    return list(found.items())


def _thing(bid: Bid) -> str:
    for kind in ("company", "corporation", "minor"):
        if (name := getattr(bid, kind)) is not None:
            return f"{kind}:{name}"
    return ""


def _name(game: Game, bid: Bid) -> str:
    return bid_name(game.rules, bid) or "what is auctioned"
