"""An engine as a process of its own: asking it, and what to think of its answers.

An engine is somebody else's program. It may be silent, talk nonsense, or die; then
:class:`EngineFault` is raised and the process is ended, and whoever asked has lost nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TypeVar

from ..game import Game
from ..model.actions import Action, decode_action
from ..model.choices import Choice
from ..model.errors import RoundhouseError
from .messages import (
    PROTOCOL,
    BestMove,
    Deal,
    Fault,
    FromEngine,
    Go,
    Hello,
    Info,
    Introduction,
    Limits,
    Message,
    NewGame,
    Position,
    Quit,
    Ready,
    Worth,
    answered,
    line_of,
    offered,
    written,
)
from .program import Program

M = TypeVar("M", bound=Message)

#: Seconds for anything but a decision.
_PATIENCE = 30.0
#: Seconds an engine has to end by itself.
_GOODBYE = 2.0


def plain(text: str) -> str:
    """What programs say, without what would move the cursor of a terminal or begin a line."""
    return "".join(c if c.isprintable() else " " for c in text)


class EngineFault(RoundhouseError):
    """An engine did not do what it should; ``code``: ``silent``, ``gone``, ``malformed``,
    ``illegal``, ``refused`` or ``protocol``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(plain(message))
        self.code = code


class Engine:
    """A conversation with an engine. ``command``: the program and its arguments; ``listen`` is
    told every :class:`Info`. Use it as a context manager, or :meth:`close` it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        listen: Callable[[Info], None] | None = None,
        patience: float = _PATIENCE,
    ) -> None:
        self.command = tuple(command)
        self.patience = patience
        self._listen = listen
        self._set_up: object = None
        self._sent: list[Action] = []
        try:
            self._program = Program(self.command)
        except OSError as error:
            raise EngineFault("gone", f"{self.command[0]} cannot be started: {error}") from error
        try:
            self.introduction = self._ask(Hello(PROTOCOL), Introduction)
        except BaseException:  # nobody has the engine yet, so nobody else can end it
            self._program.end()
            raise
        if self.introduction.protocol != PROTOCOL:
            raise self._fault("protocol", f"it speaks version {self.introduction.protocol}")

    @property
    def name(self) -> str:
        return self.introduction.name

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # asking

    def choose(
        self, game: Game, player: int | str, choices: Sequence[Choice], limits: Limits | None = None
    ) -> BestMove:
        """What the engine does for a player, one of some choices; the action is legal.

        Raises :class:`EngineFault`.
        """
        self.show(game)
        limits = limits or Limits()
        go = Go(player, limits, tuple(offered(c) for c in choices))
        found = self._ask(go, BestMove, limits.ms / 1000)
        self._check(game, choices, found)
        return found

    def gain(self, game: Game, action: Action, player: int | str) -> float:
        """What the engine says an action is worth to a player. Raises :class:`EngineFault`."""
        self.show(game)
        found = self._ask(Deal(player, written(action)), Worth).gain
        return float("-inf") if found is None else found

    def show(self, game: Game) -> None:
        """Tell the engine where a game stands, as far as it does not know. Raises
        :class:`EngineFault`."""
        set_up = (game.title.id, game.seats, game.seed, game.options, game.revision)
        if set_up != self._set_up:
            seats = tuple({"id": s.id, "name": s.name} for s in game.seats)
            options = tuple(sorted(game.options))
            self._ask(NewGame(game.title.id, seats, game.seed, options, game.revision), Ready)
            self._set_up, self._sent = set_up, []
        actions = [e.action for e in game.log]
        same = _common(self._sent, actions)
        if same == len(actions) == len(self._sent):
            return
        ready = self._ask(Position(tuple(written(a) for a in actions[same:]), same), Ready)
        if ready.length != len(actions):
            raise self._fault("malformed", f"it stands after {ready.length} actions")
        self._sent = actions

    def _check(self, game: Game, choices: Sequence[Choice], found: BestMove) -> None:
        try:
            action = decode_action(dict(found.action))
        except (ValueError, TypeError, RecursionError) as error:
            raise self._fault("malformed", f"its move is no action: {error}") from error
        if not any(c.covers(action) for c in choices):
            raise self._fault("illegal", f"{action.type} by {action.actor} is not on offer")
        if (why := game.why_not(action)) is not None:
            raise self._fault("illegal", f"its {action.type} is illegal: {why}")

    # speaking

    def _ask(self, message: Message, wanted: type[M], seconds: float | None = None) -> M:
        """Say something and wait for the answer of a kind."""
        self._program.say(line_of(message))
        until = time.monotonic() + (self.patience if seconds is None else seconds)
        while True:
            answer = self._hear(until)
            if isinstance(answer, wanted):
                return answer
            if isinstance(answer, Fault):
                said = answer.message.rstrip(".")
                raise EngineFault("refused", f"The engine {self._called()} says: {said}.")
            if not isinstance(answer, Info):
                raise self._fault("malformed", "it answers what was not asked")
            if self._listen is not None:
                self._listen(answer)

    def _hear(self, until: float) -> FromEngine:
        line = self._program.hear(until)
        if line is None and not self._program.ended:
            raise self._fault("silent", "it does not answer in time")
        if not line:
            raise self._fault("gone", "it has ended")
        try:
            return answered(line)
        except ValueError as error:
            raise self._fault("malformed", f"it talks nonsense: {error}") from error

    # ending

    def _fault(self, code: str, what: str) -> EngineFault:
        self.close(at_once=True)
        return EngineFault(code, f"The engine {self._called()} is given up: {what}.")

    def _called(self) -> str:
        return self.introduction.name if hasattr(self, "introduction") else self.command[0]

    def close(self, *, at_once: bool = False) -> None:
        """End the process; if need be by force."""
        if at_once:
            self._program.end()
        else:
            self._program.end(line_of(Quit()), _GOODBYE)


def _common(old: Sequence[Action], new: Sequence[Action]) -> int:
    """How many actions are the same at the beginning."""
    for n, (a, b) in enumerate(zip(old, new, strict=False)):
        if a is not b and a != b:
            return n
    return min(len(old), len(new))
