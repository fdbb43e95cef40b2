"""Our bots as an engine: what is asked on one stream is answered on another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from ..bots import LEVELS, Magnate, Player, player
from ..creation import new
from ..deciding import decides
from ..game import Game
from ..model.actions import decode_action, player_key
from ..model.choices import Choice
from ..model.errors import RoundhouseError
from .messages import (
    LONGEST,
    PROTOCOL,
    BestMove,
    Deal,
    Fault,
    Go,
    Hello,
    Info,
    Introduction,
    Message,
    NewGame,
    Position,
    Quit,
    Ready,
    ToEngine,
    Worth,
    asked,
    line_of,
    reasons_of,
    weighed,
    written,
)
from .naming import narrowed


class Service:
    """One conversation: the game spoken of, and who plays it. ``bot``: a player's name."""

    def __init__(self, bot: str = Magnate.name, level: str = "") -> None:
        self.bot, self.level = bot, level
        self.game: Game | None = None
        self.seed = 0
        self._players: dict[str, Player] = {}
        self.player(level)  # an unknown name or level is told at once

    def answers(self, message: ToEngine) -> Iterator[Message]:
        """What is said to a message; a fault changes nothing."""
        try:
            match message:
                case Hello():
                    yield self._introduce(message)
                case NewGame():
                    yield self._begin(message)
                case Position():
                    yield self._stand(message)
                case Go():
                    yield from self._go(message)
                case Deal():
                    yield self._deal(message)
        except RoundhouseError as fault:
            yield Fault(getattr(fault, "code", "refused"), str(fault))
        except ValueError as fault:
            yield Fault("refused", str(fault))

    def _introduce(self, hello: Hello) -> Message:
        if hello.protocol != PROTOCOL:
            return Fault("protocol", f"this is version {PROTOCOL} of the protocol")
        from .. import __version__

        levels = tuple(LEVELS) if self.bot == Magnate.name else ()
        return Introduction(f"Roundhouse {self.bot}", PROTOCOL, __version__, levels=levels)

    def player(self, level: str = "") -> Player:
        """The player of a level, as it was asked before."""
        found = self._players.get(level)
        if found is None:
            found = self._players[level] = player(self.bot, level or self.level, self.seed)
        return found

    def _begin(self, asked_for: NewGame) -> Message:
        self.game = new(
            asked_for.title,
            asked_for.players,
            seed=asked_for.seed,
            options=asked_for.options,
            revision=asked_for.revision,
        )
        self.seed = asked_for.seed
        self._players.clear()
        return Ready(0)

    def _stand(self, position: Position) -> Message:
        game = self._present()
        if not 0 <= position.keep <= len(game.log):
            raise ValueError(f"{position.keep} actions are not known; {len(game.log)} are")
        if position.keep < len(game.log):
            actions = [e.action for e in game.log[: position.keep]]
            game = game.at(0)
            for action in actions:
                game.apply(action, recorded=True)
        else:
            game = game.copy()
        for n, raw in enumerate(position.actions):
            try:
                game.apply(raw, recorded=True)
            except RoundhouseError as fault:
                number = position.keep + n + 1
                raise ValueError(f"action {number} of the position: {fault}") from None
        self.game = game
        return Ready(len(game.log))

    def _present(self) -> Game:
        if self.game is None:
            raise ValueError("there is no game yet; say newgame first")
        return self.game

    def _go(self, go: Go) -> Iterator[Message]:
        game = self._present()
        allowed = _allowed(game, go)
        decision = self.player(go.limits.level).choose(game, allowed)
        few = decision.candidates[: go.limits.candidates]
        yield Info(decision.sentence, weighed(few))
        yield BestMove(written(decision.action), reasons_of(decision))

    def _deal(self, deal: Deal) -> Message:
        game = self._present()
        who = _seat(game, deal.player)
        gain = self.player().gain(game, decode_action(deal.action), who)
        return Worth(gain if gain > float("-inf") else None)


def _seat(game: Game, player: int | str) -> str:
    key = player_key(player)
    if key not in game.state.players:
        raise ValueError(f"there is no player {player!r} in this game")
    return key


def _allowed(game: Game, go: Go) -> list[Choice]:
    """The choices of a player; where those that may be made are named, only these."""
    who = _seat(game, go.player)
    found = [c for c in game.choices() if who in decides(game, c.actor)]
    if go.choices is None:
        return found
    kept = list(narrowed(found, go.choices))
    if not kept:
        raise ValueError("none of the choices named is one now")
    return kept


def serve(source: IO[bytes], sink: IO[bytes], bot: str = Magnate.name, level: str = "") -> None:
    """Answer line by line until the source ends or somebody says quit. Raises :class:`ValueError`
    for an unknown player."""
    service = Service(bot, level)
    for line in _lines(source):
        try:
            message = asked(line)
        except ValueError as fault:
            sink.write(line_of(Fault("malformed", str(fault))))
            sink.flush()
            continue
        if isinstance(message, Quit):
            return
        for answer in service.answers(message):
            sink.write(line_of(answer))
        sink.flush()


def _lines(source: IO[bytes]) -> Iterator[bytes]:
    """The lines; of one that is too long only the beginning, so that it is told once."""
    while line := source.readline(LONGEST + 1):
        yield line
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST + 1)
