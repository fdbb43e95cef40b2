"""One table as one viewer sees it at one moment: all panels, each made when first asked for."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from django.utils.safestring import SafeString

from ...deciding import offered
from ...facts import Fact
from ...game import Game
from ...model.actions import LayTile, Pass, PlaceToken, RemoveToken, player_key
from ...model.codec import hash_state
from ...model.records import Board
from ...render import RouteLine
from ...sentences.buttons import hex_of
from ..attached import attach
from ..models import Place, Table
from ..prepared import Prepared
from ..tables import Aid, decides, may, my_keys, open_game, opponents, round_name
from ..tables.times import times_of
from . import (
    asking,
    beside,
    boards,
    guide,
    log,
    mergers,
    now,
    panels,
    result,
    runs,
    spreadsheet,
    story,
)
from .drawing import called, changed_by, line_of, map_key, map_of, market_of
from .log import Excerpt
from .since import events_since, prices_since, since_turn
from .summary import in_short

T = TypeVar("T")

#: What is done on the map, whatever the round is about.
_ON_MAP = frozenset({LayTile, PlaceToken, RemoveToken, Pass})
#: What a round is about → the view that shows it.
_BY_TOPIC = {"map": "map", "stock": "shares", "auction": "auction", "mergers": "shares"}


class View:
    """A table, its viewer, and the moment looked at (``at``: an action's id; None: the present)."""

    def __init__(self, table: Table, user: Any, at: int | None = None, filter: str = "") -> None:
        attach(table)
        self.table = table
        self.user = user
        self.filter = log.Filter.read(filter)
        opened = open_game(table)
        self.version = opened.version
        self.live = opened.game
        self.game: Game = opened.game if at is None else opened.game.at(at)
        self.at = at
        #: The action after which everything is marked, if somebody wants another one than usual.
        self.marked: int | None = None
        #: Routes drawn on the map.
        self.routes: tuple[RouteLine, ...] = ()
        #: What has been made of this version for whoever sees it so: markets, excerpts of the log.
        self.kept: dict[object, Any] = {}

    def once(self, key: object, make: Callable[[], T]) -> T:
        """Something all who see the same share."""
        if key not in self.kept:
            self.kept[key] = make()
        found: T = self.kept[key]
        return found

    @cached_property
    def mine(self) -> frozenset[str]:
        """The players the viewer acts for."""
        return my_keys(self.table, self.user)

    @cached_property
    def programs(self) -> dict[str, str]:
        """What plays the seats no person plays: accounts of programs, and our bots by level."""
        places, accounts = self.table.all_places, _ACCOUNTS.all(self.table.pk)
        ours = {player_key(p.key): f"bot, {opponents.called(p.bot)}" for p in places if p.bot}
        return {player_key(p.key): "bot" for p in places if p.pk in accounts} | ours

    @property
    def past(self) -> bool:
        return self.at is not None

    @cached_property
    def state_hash(self) -> str:
        return hash_state(self.live.state)

    @cached_property
    def fault(self) -> str:
        """Why the imported file went no further, as long as nobody has gone on from there."""
        fault = self.table.fault
        return fault if fault and not self.table.moves.filter(recorded=False).exists() else ""

    @cached_property
    def now(self) -> now.Now:
        if not self.free:
            return self.once("now", lambda: now.now_of(self.game, frozenset()))
        return now.now_of(self.game, self.mine, assisted=self.assisted)

    @cached_property
    def free(self) -> bool:
        """Whether there is anything the viewer may do in the game now."""

        def deciding() -> frozenset[str]:
            actors = {c.actor for c in self.game.choices()}
            return frozenset().union(*(decides(self.game, a) for a in actors))

        return not self.past and not self.mine.isdisjoint(self.once("deciding", deciding))

    @cached_property
    def question(self) -> asking.Asking | None:
        """What the table is asked."""
        return asking.question_of(self.table, self.live, self.user)

    @cached_property
    def guide(self) -> guide.Guide | None:
        """What is told in a guided game."""
        return guide.guide_of(self.table, self.live) if self.mine else None

    @property
    def advised(self) -> bool:
        """Whether who asks at this table is told what a bot would do."""
        return may(self.table, Aid.ADVICE)

    @property
    def assisted(self) -> bool:
        """Whether the best routes are searched at this table."""
        return may(self.table, Aid.ROUTES)

    @property
    def suggested(self) -> str:
        """The view that shows what this round is about."""
        if self.game.finished:
            return "result"
        rules, s = self.game.rules, self.game.state
        step = self.game.waiting
        if step is not None and step.takes <= _ON_MAP:
            return "map"
        view = _BY_TOPIC.get(rules.play(s).topic, "map")
        # Once nothing is auctioned any more, prices are set on the market.
        return "shares" if view == "auction" and not rules.facts.lots(s) else view

    @cached_property
    def round(self) -> str:
        return round_name(self.game)

    @cached_property
    def tale(self) -> story.Tale:
        return story.tale_of(self.live)

    @cached_property
    def past_tale(self) -> story.Tale:
        return story.tale_of(self.game) if self.past else self.tale

    @cached_property
    def remarks(self) -> list[Any]:
        """What is said of the moment of a game that is over."""
        from ..study.analysis import remarks_of  # whose pages are made of views

        return remarks_of(self.table, self.at) if self.past else []

    @property
    def remarked(self) -> bool:
        """Whether the viewer may say something of the moment."""
        from ..study.analysis import may_write

        return self.past and self.table.parent_id is None and may_write(self.table, self.user)

    @cached_property
    def since(self) -> int:
        """The action after which everything is new to the viewer."""
        if self.marked is not None:
            return self.marked
        return since_turn(self.game, () if self.past else self.mine)

    # map

    @cached_property
    def places(self) -> dict[str, str]:
        """Hexes on which the viewer may do something, or which have changed since his turn."""
        marks = changed_by(self.game, events_since(self.game, self.since))
        if self.free:
            for choice in offered(self.game, self.mine):
                coord = hex_of(self.game.rules, self.game.state, choice.action)
                if coord is not None:
                    marks[coord] = "choice"
        return marks

    @cached_property
    def map(self) -> str:
        return map_of(self.game, self.places, self.routes or self.ran)

    @property
    def map_key(self) -> tuple[Board, Hashable]:
        """What the map follows from."""
        board, shown = map_key(self.game, self.places, self.routes or self.ran)
        return board, (shown, self.table.pk, self.advised)

    @cached_property
    def ran(self) -> tuple[RouteLine, ...]:
        """Looking back at a run: its routes."""
        found = story.ran(self.game) if self.past else ()
        return tuple(line_of(route, n % runs.STYLES) for n, route in enumerate(found))

    @cached_property
    def market(self) -> str:
        """The market; while a dividend is decided on, with where each kind of it leads; where
        something is marked, with where prices were then."""
        dividends = [i for g in self.now.groups if g.kind == "dividend" for i in g.items]
        goals = {i.label: cell for i in dividends for cell in i.moves.values()}
        if self.marked is not None:
            moved = prices_since(self.game, self.marked)
            goals |= {f"{c} was": before for c, (before, _) in moved.items()}
        key = ("market", frozenset(goals.items()))
        return self.once(key, lambda: market_of(self.game, goals))

    # cards and tables

    @cached_property
    def company_lines(self) -> tuple[list[panels.CompanyLine], list[panels.CompanyLine]]:
        return panels.company_lines(self.game)

    @cached_property
    def player_lines(self) -> list[panels.PlayerLine]:
        return panels.player_lines(self.game)

    @property
    def companies(self) -> tuple[list[panels.CompanyCard], list[panels.CompanyCard]]:
        """The companies in full, which the map's view need not know."""
        return self.once("companies", lambda: panels.companies_of(self.game, self.past_tale))

    @property
    def players(self) -> list[panels.PlayerCard]:
        """The players in full, likewise."""
        return self.once("players", lambda: panels.players_of(self.game))

    @cached_property
    def result(self) -> result.Result:
        return result.result_of(self.game, self.past_tale, self.companies[0])

    @cached_property
    def auction(self) -> boards.AuctionBoard:
        return boards.auction_of(self.game, self.now, frozenset() if self.past else self.mine)

    @cached_property
    def mergers(self) -> mergers.MergerBoard | None:
        return mergers.mergers_of(self.game, self.now, self.companies)

    @cached_property
    def shares(self) -> boards.ShareGrid:
        return boards.shares_of(self.game, self.now, self.companies)

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.game.rules.facts.game(self.game.state)

    @property
    def leader(self) -> str:
        """What who leads a company is called."""
        return self.game.rules.facts.leader

    @property
    def endings(self) -> tuple[Fact, ...]:
        """What ends the game; nothing once it is over."""
        return () if self.game.finished else self.game.rules.facts.endings(self.game.state)

    @cached_property
    def sheet(self) -> spreadsheet.Spreadsheet:
        return spreadsheet.spreadsheet_of(self.game, self.past_tale, self.companies[0])

    @cached_property
    def trains(self) -> list[panels.TrainRow]:
        return panels.trains_of(self.game)

    @property
    def told(self) -> list[tuple[str, tuple[Fact, ...]]]:
        """What the title tells of each player and company."""
        s, facts = self.game.state, self.game.rules.facts
        keys = (*s.order, *s.corporations)
        found = [(called(self.game.rules, s, key), facts.of(s, key)) for key in keys]
        return [(name, told) for name, told in found if told]

    @property
    def next_trains(self) -> list[panels.TrainRow]:
        return panels.next_trains(self.trains)

    @cached_property
    def times(self) -> dict[int, datetime]:
        """When the last actions were done that did not come with a file, by their ids."""
        return times_of(self.table)

    @cached_property
    def tiles(self) -> list[panels.TileRow]:
        return panels.tiles_of(self.game)

    @cached_property
    def log(self) -> Excerpt:
        key, others = ("log", self.filter), self.table.others
        if key not in self.kept or self.kept[key][0] != others:
            self.kept[key] = others, self._excerpt()
        found: Excerpt = self.kept[key][1]
        return found

    def _excerpt(self) -> Excerpt:
        found = log.excerpt(self.live, self.filter, self.at)
        return beside.with_all(found, self.table, self.live)

    @property
    def summary(self) -> SafeString:
        """The title's rules in short."""
        return in_short(self.live.title)

    @property
    def help(self) -> str:
        """What the present step is about, in a few sentences."""
        return self.live.rules.box.help.get(self.live.state.step, "")

    @property
    def asked(self) -> str:
        """What is to be known of what is asked."""
        return self.live.rules.facts.asked(self.live.state)

    @property
    def phases(self) -> list[Any]:
        return list(self.game.rules.box.phases.values())

    # history

    @property
    def undo(self) -> str:
        """The action that takes the last one back."""
        return self._for_me("undo")

    @property
    def redo(self) -> str:
        """The action that restores what was taken back."""
        return self._for_me("redo")

    def _for_me(self, kind: str) -> str:
        players = self.game.state.players
        mine = next((p.id for k, p in players.items() if k in self.mine), None)
        return json.dumps({"type": kind, "entity": mine, "entity_type": "player"})

    @property
    def last_id(self) -> int:
        history = self.live.history
        return history[-1].action.id or 0 if history else 0

    @cached_property
    def moments(self) -> dict[str, int | None]:
        """Action ids for the history keys: one action or one round back and on."""
        history = self.live.history

        def id_at(place: int) -> int:
            return (history[place - 1].action.id or 0) if place else 0

        end, at = len(history), len(history)
        if self.at is not None:  # ids only rise
            at = bisect_right(history, self.at, key=lambda e: e.action.id or 0)
        here = id_at(at)
        starts = [m.id for m in self.tale.rounds]  # they only rise, too
        before, after = bisect_left(starts, here), bisect_right(starts, here)
        return {
            "last": id_at(end),
            "id": here,
            "back": id_at(at - 1) if at else None,
            "on": id_at(at + 1) if at < end else None,
            "round": starts[after - 1] if after else 0,
            "round_back": starts[before - 1] if before else None,
            "round_on": starts[after] if after < len(starts) else None,
        }


_ACCOUNTS = Prepared(
    lambda table: Place.objects.filter(table=table, user__bot_account__isnull=False).values_list(
        "pk", flat=True
    ),
    int,
)
