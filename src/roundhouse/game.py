"""A game: a title, its players, a log of actions, and the state after each of them.

>>> import roundhouse
>>> title, *_ = roundhouse.all_titles()
>>> game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=7)
>>> game.acting
('player:1',)
>>> choice = game.choices()[0]
>>> game.apply(choice.action)
>>> game.undo()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from . import tolerance
from .export import effective
from .history import Again, Entry, History, Later, Promise, Stored
from .model.actions import (
    Action,
    Log,
    Message,
    Program,
    ProgramDisable,
    Redo,
    Run,
    Undo,
    decode_action,
)
from .model.arguments import several, whole
from .model.choices import Choice
from .model.errors import IllegalAction, OptionError, UnknownName
from .model.events import Event
from .model.frozen import put
from .model.notation import read_move
from .model.records import State
from .model.space import Space
from .refusals import Refusal, missing_tiles, refusals
from .rounds import machine
from .rounds.rules import Rules, Seat
from .rounds.step import ActionContext, Step
from .titles.title import Title

if TYPE_CHECKING:
    from .render.svg import Svg
    from .routes.best import BestRoutes
    from .routes.clock import Listener
    from .routes.model import Route, RouteModel
    from .routes.whatif import Lay

replace = msgspec.structs.replace

#: An action as it may be handed in: the record, its JSON form, or its text as
#: :mod:`.model.notation` writes it.
Sent: TypeAlias = Action | Mapping[str, Any] | str

#: The highest id an action may bring along; those that follow it fit the file format, too.
MAX_ID = 1_000_000_000


@cache
def _is_beside(kind: type[Action]) -> bool:
    """Whether actions of a kind are no moves: the machine knows nothing of them."""
    return issubclass(kind, (Message, Log, Undo, Redo, Program))


class Game:
    """A game in progress or finished. Made by :func:`roundhouse.new`, :func:`roundhouse.load`
    and :meth:`copy`."""

    def __init__(
        self,
        title: Title,
        seats: Sequence[Seat],
        *,
        seed: int,
        options: frozenset[str] = frozenset(),
        id: int | str | None = None,
        description: str = "",
        revision: int | None = None,
    ) -> None:
        self.title = title
        self.seats = tuple(seats)
        self.seed = seed
        self.options = options
        self.id = id
        self.description = description
        self.rules: Rules[State] = title.rules(options, len(seats), revision)
        self._findings: list[tuple[int, IllegalAction]] = []
        self._state: State = machine.begin(self.rules, list(seats), seed)
        self._past = History(self._state)
        self._shared = False
        #: The choices found last, and the state they are of.
        self._offered: tuple[State | None, tuple[Choice, ...]] = (None, ())
        #: The step that waits, and the state it waits in.
        self._waits: tuple[State | None, Step[Any, Any] | None] = (None, None)

    def __repr__(self) -> str:
        names = ", ".join(p.name for p in self.seats)
        where = self.end_reason or f"{self.rules.play(self.state).name} {self.state.turn}"
        waits = f", {', '.join(self.acting)} to act" if self.acting else ""
        return f"<Game {self.title.id}: {names}; {where}, {len(self)} actions{waits}>"

    def __eq__(self, other: object) -> bool:
        """Whether two games are on the same terms, with the same log: so their states are, too."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._terms == other._terms and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._terms)

    @property
    def _terms(self) -> tuple[Any, ...]:
        seats = tuple((p.id, p.name) for p in self.seats)
        about = (self.id, self.description)
        return (self.title.id, seats, self.seed, self.options, self.revision, *about)

    @property
    def _said(self) -> list[Action]:
        return [e.action for e in self._past.entries]

    def __reduce__(self) -> tuple[Any, ...]:
        """Its log, packed, and its present state; all others are made when somebody looks at them.
        A title that is only registered has to be so where the pickle is read."""
        from .pickles import pack, unpack

        return unpack, (pack(self),)

    # where the game stands

    @property
    def state(self) -> State:
        """The state as it is now. It never changes: an action leads to another one."""
        return self._state

    @property
    def start(self) -> State:
        """The state before the first action."""
        return self._past.start

    @property
    def acting(self) -> tuple[str, ...]:
        """Keys of the entities waited for, the one on turn first."""
        return self.state.acting

    @property
    def players_to_act(self) -> tuple[int | str, ...]:
        """Ids of the players who decide for the acting entities."""
        found: dict[int | str, None] = {}
        for key in self.state.acting:
            player = self.rules.president(self.state, key)
            if player is not None:
                found[self.state.players[player].id] = None
        return tuple(found)

    @property
    def findings(self) -> tuple[tuple[int, IllegalAction], ...]:
        """Faults in a loaded file that count as they stand, such as a route's revenue, as
        (action id, fault)."""
        return tuple(self._findings)

    @property
    def finished(self) -> bool:
        return self.state.finished is not None

    @property
    def terminated(self) -> bool:
        """Whether the game ended by the rules of its title: its result counts."""
        return self.finished and not self.truncated

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off: by agreement, or because it went on for too long."""
        return self.end_reason in (machine.BY_AGREEMENT, machine.GIVEN_UP)

    @property
    def end_reason(self) -> str | None:
        """Why the game ended, as game files say it."""
        return self.state.finished

    @property
    def revision(self) -> int:
        """The rules revision the game is played under."""
        return self.rules.revision

    def result(self) -> dict[int | str, int]:
        """Score of each player if the game ended now, highest first."""
        scores = {p.id: self.rules.value(self.state, k) for k, p in self.state.players.items()}
        return dict(sorted(scores.items(), key=lambda item: -item[1]))

    @property
    def log(self) -> tuple[Entry, ...]:
        """Everything that was sent, undone actions included."""
        return self._past.log

    @property
    def history(self) -> tuple[Entry, ...]:
        """The entries that count now, messages included."""
        return self._past.effective

    def __len__(self) -> int:
        """Number of entries that count now."""
        return len(self._past)

    # moving

    def choices(self) -> list[Choice]:
        """Everything anybody may do now. They are found once for each state."""
        state, found = self._offered
        if state is not self.state:
            found = tuple(machine.choices(self.rules, self.state))
            self._offered = (self.state, found)
        return list(found)

    @property
    def waiting(self) -> Step[Any, Any] | None:
        """The step that waits for somebody; None: nobody is waited for. It is found once for each
        state."""
        state, found = self._waits
        if state is not self.state:
            found = self.rules.play(self.state).waiting(self.state)
            self._waits = (self.state, found)
        return found

    def space(self, amounts: int | None = None) -> Space:
        """The same, as a numbered list programs draw from; ``amounts``: of a range of amounts so
        many at most (None: all)."""
        return Space(self.choices(), amounts)

    def is_legal(self, action: Sent) -> bool:
        """Whether the rules allow an action now."""
        return self.why_not(action) is None

    def why_not(self, action: Sent) -> IllegalAction | None:
        """Why an action is illegal now; None if it is legal."""
        try:
            self.copy().apply(action)
        except IllegalAction as fault:
            return fault
        return None

    def tried(self, action: Sent) -> tuple[State, tuple[Event, ...]]:
        """The state a move would lead to, and what would happen, without writing it into a log:
        for asking of many moves. Raises :class:`IllegalAction`, also for what takes back."""
        twin = self.copy()
        twin._findings = []
        _, state, events = twin._follow(self.state, twin._typed(action), recorded=False)
        if self.rules.failure(state) is not None:  # it is taken back at once
            twin.apply(action)
            return twin.state, events
        return state, events

    def refusals(self) -> list[Refusal]:
        """What players in the place of those who are waited for often look for and may not do
        now, with the reasons."""
        return list(refusals(self.rules, self.state, self.choices()))

    def missing_tiles(self, coord: str) -> list[Refusal]:
        """Tiles that could be laid on a hex now were they not sold out or of a later phase."""
        return list(missing_tiles(self.rules, self.state, coord))

    def apply(
        self,
        action: Sent,
        *,
        recorded: bool = False,
        undone: bool = False,
    ) -> None:
        """Carry out an action (or its JSON form, or its text) with all that follows from it.

        Raises :class:`IllegalAction`; the game is unchanged then. ``recorded``: the action comes
        from a finished file, whose route revenues count even where they differ from ours.
        ``undone``: the file takes it back later; if it is illegal it does nothing.
        """
        a = self._typed(action)
        self._own()
        match a:
            case Undo():
                self._past.take_back(a, self._again(recorded), lenient=recorded)
                self._state = self._past.state
            case Redo():
                self._past.restore(a, self._again(recorded))
                self._state = self._past.state
            case _:
                a, self._state, events = self._play(a, recorded, undone)
                self._past.add(a, self._state, events, recorded=recorded)
                if not recorded:
                    self._go_back()

    def _go_back(self) -> None:
        """Where something cannot be completed it is taken back, and what says so is added."""
        sent = self.rules.failure(self.state)
        if sent is None:
            return
        before = (e for e in reversed(self._past.effective) if not self.rules.underway(e.state))
        target = next((e.action.id for e in before), 0)
        undo = Undo(entity=sent.entity, entity_type=sent.entity_type, action_id=target)
        self.apply(undo)
        a = replace(sent, id=self._past.last_id + 1)
        context = ActionContext()
        self._state = self._one(self.state, a, context)
        self._past.add(a, self._state, tuple(context.events))

    def _play(
        self, a: Action, recorded: bool, undone: bool
    ) -> tuple[Action, State, tuple[Event, ...]]:
        try:
            return self._follow(self.state, a, recorded)
        except IllegalAction as fault:
            if undone:
                return a, self.state, ()
            if not recorded:
                raise
            return self._tolerated(a, fault)

    def _tolerated(
        self, a: Action, fault: IllegalAction
    ) -> tuple[Action, State, tuple[Event, ...]]:
        """A recorded action that is refused because of an empty answer too many or too few, which
        is noted. Raises ``fault`` if it is anything else."""
        number = a.id or 0
        if tolerance.superfluous(self.rules, self._past.before, self.state, a, fault):
            self._findings.append((number, tolerance.note(a, missed=False)))
            return a, self.state, ()
        found = tolerance.missing(self.rules, self.state, a) if self._past.effective else None
        if found is None:
            raise fault
        given, state, events = found
        self._findings += [(number, tolerance.note(one, missed=True)) for one in given]
        played = self._follow(state, a, recorded=True)
        self._past.amend(given, state, events)
        return played

    def _again(self, recorded: bool) -> Again:
        def again(state: State | Promise, entry: Entry) -> State:
            before = state if isinstance(state, State) else state()
            return self._follow(before, entry.action, recorded)[1]

        return again

    def resume(self, stored: Iterable[Stored]) -> None:
        """Append actions that were played before and kept somewhere. They are not checked again,
        and states that were not kept are made only when somebody looks at them.

        Raises :class:`IllegalAction` for an undo or redo the log has nothing for.
        """
        self._own()

        def again(state: State | Promise, entry: Entry) -> Promise:
            return Later(state, Stored(entry.action, recorded=True), self._remake)

        for one in stored:
            match one.action:
                case Undo():
                    self._past.take_back(one.action, again, lenient=True)
                case Redo():
                    self._past.restore(one.action, again)
                case _:
                    later = Later(self._past.held, one, self._remake)
                    self._past.add(one.action, later, one.events, recorded=one.recorded)
        self._state = self._past.state

    def _remake(self, state: State, stored: Stored) -> State:
        """The state after an action played before; one that its file took back did nothing."""
        try:
            return self._with_automatic(state, stored.action, ActionContext(stored.recorded))
        except IllegalAction:
            if not stored.recorded:
                raise
            return state

    def _typed(self, action: Sent) -> Action:
        if isinstance(action, str):
            action = read_move(action)
        if not isinstance(action, Action):
            try:
                action = decode_action(dict(action))
            except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
                raise IllegalAction("malformed", f"This is no action: {error}") from error
        if action.id is None:
            return replace(action, id=self._past.last_id + 1)
        if action.id > MAX_ID:
            raise IllegalAction("id", f"The id {action.id} is higher than {MAX_ID}, the highest.")
        if action.id <= self._past.last_id:
            raise IllegalAction(
                "id", f"The id {action.id} is not higher than {self._past.last_id}, the last one."
            )
        return action

    def _follow(
        self, state: State, a: Action, recorded: bool
    ) -> tuple[Action, State, tuple[Event, ...]]:
        """An action with its automatic ones, the state after them, and what happened. Those a file
        expects are added unless the action comes from one."""
        context = ActionContext(recorded)
        if not recorded:
            self._check_sent(a)
        state = self._with_automatic(state, a, context)
        while not recorded and (due := self.rules.auto_actions(state)):
            for extra in due:
                state = self._one(state, extra, context)
            a = replace(a, auto_actions=(*(a.auto_actions or ()), *due))
        if context.findings:
            self._findings += [(a.id or 0, fault) for fault in context.findings]
        return a, state, tuple(context.events)

    def _with_automatic(self, state: State, a: Action, context: ActionContext) -> State:
        """The state after an action and the automatic ones it brings along."""
        state = self._one(state, a, context)
        for extra in a.auto_actions or ():
            state = self._one(state, extra, context)
        return state

    def _one(self, state: State, a: Action, context: ActionContext) -> State:
        if _is_beside(type(a)):
            return self._beside(state, a, context)
        after: State = machine.apply(self.rules, state, a, context)
        return after

    def _beside(self, state: State, a: Action, context: ActionContext) -> State:
        """The state after an action that is no move: words, or a standing order."""
        if isinstance(a, Message):
            self._check_speaker(a)
            return state
        if state.finished is not None and not context.recorded:
            raise IllegalAction("finished", "The game is over.")
        if isinstance(a, Log):
            self._check_speaker(a)
            return state
        if isinstance(a, Undo | Redo):
            raise IllegalAction("auto", f"{a.type} cannot be an automatic action.")
        self._check_speaker(a)
        new = state.fork()
        kept = () if isinstance(a, ProgramDisable) else (a.type,)
        new.programs = put(state.programs, a.actor, kept)
        return new.seal()

    def _check_sent(self, a: Action) -> None:
        for one in (a, *(a.auto_actions or ())):
            if type(one) in self.rules.appended:
                text = f"{one.type} is never sent; where it is due the game adds it by itself."
                raise IllegalAction("appended", text)

    def _check_speaker(self, a: Action) -> None:
        player = self.state.players.get(a.actor)
        if a.entity_type != "player" or player is None or player.id != a.entity:
            raise IllegalAction("unknown_player", f"{a.entity!r} is no player of this game.")

    # undo and redo

    def undo(self, to: int | None = None) -> None:
        """Take back the last action, or everything after the action with id ``to`` (0: all).

        Raises :class:`IllegalAction` if there is nothing to take back.
        """
        self.apply(Undo(entity=self.seats[0].id, entity_type="player", action_id=to))

    def redo(self) -> None:
        """Restore what the latest undo took back. Raises :class:`IllegalAction` if nothing."""
        self.apply(Redo(entity=self.seats[0].id, entity_type="player"))

    # pictures, which show themselves in a notebook

    def _repr_svg_(self) -> str:
        """The map, for notebooks."""
        return self.draw_map().standalone()

    def draw_map(self, **how: Any) -> Svg:
        """The map as it lies; ``how`` as for :func:`roundhouse.render.draw_map`."""
        from .render import draw_map

        return draw_map(self.rules, self.state, **how)

    def draw_market(self) -> Svg:
        """The market with all markers."""
        from .render import draw_market

        return draw_market(self.rules, self.state)

    def draw_charter(self, corporation: str) -> Svg:
        """A company's charter. Raises :class:`UnknownName`."""
        from .render import draw_charter

        return draw_charter(self.rules, self.state, self._company(corporation))

    def draw_tile(self, tile: str, rotation: int = 0) -> Svg:
        """A tile of the supply by its name. Raises :class:`UnknownName`."""
        from .render import draw_tile

        box = self.rules.box
        if tile not in box.tiles.tiles:
            raise UnknownName(f"there is no tile {tile}")
        return draw_tile(box.tiles, tile, whole(rotation, "rotation") % 6, layout=box.map.layout)

    # routes

    def route_model(
        self,
        entity: str | None = None,
        *,
        trains: Sequence[str] | None = None,
        tile: Lay | None = None,
    ) -> RouteModel:
        """What routes are for a company (None: the one operating) now, in its turn or not.

        ``trains``: as if it had these, by id or type; ``tile``: as if this were laid (hex, tile,
        rotation). Raises :class:`UnknownName` if there is no such company, train or tile.
        """
        who = self._company(entity)
        return self.rules.route_model(self._supposing(who, trains, tile), who)

    def _supposing(self, who: str, trains: Sequence[str] | None, tile: Lay | None) -> State:
        """The state with other trains or one more tile."""
        from .routes.whatif import with_lay, with_trains

        s = self.state
        if tile is not None:
            s = with_lay(self.rules.box, s, tile)
        if trains is not None:
            s = with_trains(self.rules.box, s, who, several(trains, "trains"))
        return s

    def _company(self, entity: str | None) -> str:
        who = entity or self.rules.operator(self.state)
        if who is None or who not in self.state.corporations:
            raise UnknownName(f"there is no company {entity}" if entity else "no company operates")
        return who

    def best_routes(
        self,
        entity: str | None = None,
        *,
        time_limit: float = 10.0,
        effort: int | None = None,
        trains: Sequence[str] | None = None,
        tile: Lay | None = None,
        progress: Listener | None = None,
    ) -> BestRoutes:
        """The routes of a company that earn most, with proof or an upper bound.

        ``entity``, ``trains`` and ``tile`` as for :meth:`route_model`; ``time_limit`` in seconds;
        ``effort`` limits counted work instead, so that the answer is the same on every machine;
        ``progress`` is told how far the search is and cancels it by answering False.
        """
        who = self._company(entity)
        s = self._supposing(who, trains, tile)
        effort = None if effort is None else whole(effort, "effort")
        model = self.rules.route_model(s, who)
        return model.best(time_limit=time_limit, effort=effort, progress=progress)

    def check_routes(
        self, routes: Sequence[Run | Mapping[str, Any]], entity: str | None = None
    ) -> int:
        """What routes of a company earn now. Raises :class:`IllegalAction` naming train, hex and
        rule if they may not be run."""
        return sum([route.revenue for route in self.read_routes(routes, entity)])

    def read_routes(
        self, routes: Sequence[Run | Mapping[str, Any]], entity: str | None = None
    ) -> list[Route]:
        """Routes of a company with their stops, their track and what each adds to the total.
        Raises as :meth:`check_routes`."""
        try:
            runs = msgspec.convert(routes, list[Run])
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed", f"These are no routes: {error}") from error
        return self.rules.read_routes(self.state, self._company(entity), runs)

    def complete_route(
        self,
        train: str,
        partial: Sequence[Sequence[str]],
        entity: str | None = None,
        *,
        time_limit: float = 2.0,
    ) -> Run | None:
        """The best route of one train that contains what a player drew: lists of hexes from stop to
        stop, or one hex. None: there is no such route."""
        from .routes.complete import complete_route

        model = self.route_model(entity)
        if train not in model.trains():
            raise UnknownName(f"{model.who} has no train {train} that can run now")
        return complete_route(model, train, partial, time_limit=time_limit)

    def complete_routes(
        self,
        drawn: Mapping[str, Sequence[Sequence[str]]],
        entity: str | None = None,
        *,
        time_limit: float = 10.0,
    ) -> BestRoutes | None:
        """The routes of all trains that earn most together, those of some trains containing what a
        player drew for them, as in :meth:`complete_route`. None: there are no such routes."""
        from .routes.complete import complete_routes

        model = self.route_model(entity)
        for train in drawn:
            if train not in model.trains():
                raise UnknownName(f"{model.who} has no train {train} that can run now")
        return complete_routes(model, drawn, time_limit=time_limit)

    # other points of the history

    def copy(self) -> Game:
        """An independent copy; costs microseconds."""
        twin: Game = Game.__new__(Game)
        self._shared = True
        twin.__dict__.update(self.__dict__)
        return twin

    def _own(self) -> None:
        """Before the lists are written to: copies of a game share them until then."""
        if self._shared:
            self._past = self._past.copy()
            self._findings = self._findings.copy()
            self._shared = False

    def at(self, action_id: int) -> Game:
        """The game as it stood right after the action with this id (0: at the start), along the
        line that counts now. Raises :class:`UnknownName` if there was no such moment."""
        last = self._past.last_id
        if not 0 <= whole(action_id, "action_id") <= last:
            raise UnknownName(f"there is no action {action_id}; the last one is {last}")
        twin = self.copy()
        twin._own()
        twin._past = self._past.until(action_id)
        twin._state = twin._past.state
        return twin

    def logged(self, count: int) -> Game:
        """The game as it stood when its log had so many entries: what counted then, without what
        was said or had been taken back."""
        twin = self.copy()
        twin._past = self._past.when(count)
        twin._state = twin._past.state
        twin._shared = False
        return twin

    def let_go(self, recent: int = 64, spacing: int = 25) -> None:
        """Keep of the states long past only one in ``spacing``, for who holds many games in memory:
        of a long game that saves two thirds. The others, all but those of the last ``recent``
        actions, are made again, in some milliseconds, when somebody asks for them."""
        self._past.let_go(self.at(0)._remake, recent, spacing)

    # files

    def dump(self) -> dict[str, Any]:
        """The game as a game file, as plain JSON values: the whole log, undone actions included."""
        return self._file([e.action for e in self._past.entries])

    def export(self) -> dict[str, Any]:
        """The shortest file other programs accept: only what counts, ids from 1, automatic
        actions written out, of equal certificates the first, no chat, no programs.

        What the game itself adds after going back follows what was taken back and the undo, without
        which other programs stop. Raises :class:`OptionError` for options the common format does
        not know.
        """
        own = [o for o in sorted(self.options) if not self.title.options[o].portable]
        if own:
            raise OptionError(f"not in the common file format: {', '.join(own)}")
        return self._file(self.counted())

    def counted(self) -> list[Action]:
        """The actions that count, as :meth:`export` writes them."""
        return effective(self.rules, self._past)

    def _file(self, actions: Iterable[Action]) -> dict[str, Any]:
        play = self.rules.play(self.state)
        return {
            "id": self.id if self.id is not None else 1,
            "title": self.title.file_title,
            "description": self.description,
            "players": [{"id": p.id, "name": p.name} for p in self.seats],
            "rules_revision": self.revision,
            "settings": {"seed": self.seed, "optional_rules": sorted(self.options)},
            "status": "finished" if self.finished else "active",
            "turn": self.state.turn,
            "round": play.name,
            "acting": list(self.players_to_act),
            "result": {str(k): v for k, v in self.result().items()} if self.finished else {},
            "actions": [msgspec.to_builtins(a) for a in actions],
        } | ({"game_end_reason": self.end_reason} if self.finished else {})

    def save(self, path: str | Path) -> None:
        """Write :meth:`dump` to a file."""
        Path(path).write_bytes(msgspec.json.encode(self.dump()))
