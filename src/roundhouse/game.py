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
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from . import consequences, gamefile, tolerance
from .export import effective
from .history import Again, Entry, History, Later, Promise, Stored
from .model.actions import Action, Redo, Undo, decode_action
from .model.arguments import whole
from .model.choices import Choice
from .model.errors import IllegalAction, OptionError, UnknownName
from .model.events import Event
from .model.notation import read_move
from .model.records import State
from .model.space import Space
from .position.pictures import WithPictures
from .position.routes import WithRoutes
from .refusals import Refusal, missing_tiles, refusals
from .rounds import machine
from .rounds.rules import Rules, Seat
from .rounds.step import ActionContext, Step
from .titles.title import Title

replace = msgspec.structs.replace

#: An action as it may be handed in: the record, its JSON form, or its text as
#: :mod:`.model.notation` writes it.
Sent: TypeAlias = Action | Mapping[str, Any] | str

#: The highest id an action may bring along; those that follow it fit the file format, too.
MAX_ID = 1_000_000_000


class Game(WithRoutes, WithPictures):
    """A game in progress or finished. Made by :func:`roundhouse.new`, :func:`roundhouse.load`
    and :meth:`copy`.

    What is asked of its present state alone — who acts, who has what, whether it is over, routes,
    pictures — it answers as a :class:`.position.standing.Position`.
    """

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
    def findings(self) -> tuple[tuple[int, IllegalAction], ...]:
        """Faults in a loaded file that count as they stand, such as a route's revenue, as
        (action id, fault)."""
        return tuple(self._findings)

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
        self._state = consequences.after(self.rules, self.state, a, context)
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
        remake = partial(consequences.remade, self.rules)

        def again(state: State | Promise, entry: Entry) -> Promise:
            return Later(state, Stored(entry.action, recorded=True), remake)

        for one in stored:
            match one.action:
                case Undo():
                    self._past.take_back(one.action, again, lenient=True)
                case Redo():
                    self._past.restore(one.action, again)
                case _:
                    later = Later(self._past.held, one, remake)
                    self._past.add(one.action, later, one.events, recorded=one.recorded)
        self._state = self._past.state

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
        """An action with its automatic ones, the state after them, and what happened."""
        context = ActionContext(recorded)
        a, state = consequences.follow(self.rules, state, a, context)
        if context.findings:
            self._findings += [(a.id or 0, fault) for fault in context.findings]
        return a, state, tuple(context.events)

    # undo and redo

    def undo(self, to: int | None = None) -> None:
        """Take back the last action, or everything after the action with id ``to`` (0: all).

        Raises :class:`IllegalAction` if there is nothing to take back.
        """
        self.apply(Undo(entity=self.seats[0].id, entity_type="player", action_id=to))

    def redo(self) -> None:
        """Restore what the latest undo took back. Raises :class:`IllegalAction` if nothing."""
        self.apply(Redo(entity=self.seats[0].id, entity_type="player"))

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
        self._past.let_go(partial(consequences.remade, self.rules), recent, spacing)

    # files

    def dump(self) -> dict[str, Any]:
        """The game as a game file, as plain JSON values: the whole log, undone actions included."""
        return gamefile.written(self, [e.action for e in self._past.entries])

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
        return gamefile.written(self, self.counted())

    def counted(self) -> list[Action]:
        """The actions that count, as :meth:`export` writes them."""
        return effective(self.rules, self._past)

    def save(self, path: str | Path) -> None:
        """Write :meth:`dump` to a file."""
        Path(path).write_bytes(msgspec.json.encode(self.dump()))
