"""What engines and those who ask them say: one JSON object a line, its ``type`` first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from ..bots.decision import Candidate, Decision
from ..model.choices import Choice, Domain, Equal, Pick, Span

#: The version of the protocol; one that is not understood is refused.
PROTOCOL = 1
#: A line is never longer, in bytes.
LONGEST = 8_000_000


class Message(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Anything that is said."""


class Limits(Struct, frozen=True, omit_defaults=True):
    """How hard an engine may think. ``level``: one of those it named; ``ms``: when its answer is
    too late, counted by who asks; ``candidates``: how many it should name at most."""

    level: str = ""
    ms: int = 60_000
    candidates: Annotated[int, Meta(ge=0)] = 5


# to an engine


class Hello(Message, tag="hello", frozen=True):
    """The first thing said."""

    protocol: int


class NewGame(Message, tag="newgame", frozen=True):
    """The game that is spoken of from now on. ``players``: ``{"id", "name"}`` in seating order;
    ``seed`` also of an engine's own luck."""

    title: str
    players: tuple[dict[str, Any], ...]
    seed: int
    options: tuple[str, ...] = ()
    revision: int | None = None


class Position(Message, tag="position", frozen=True):
    """The game stands after these actions, as in game files; ``keep`` of the actions the engine
    knows already come before them."""

    actions: tuple[dict[str, Any], ...] = ()
    keep: int = 0


class Named(Struct, frozen=True, omit_defaults=True):
    """A choice: an action as in game files and, by field, what may be said instead of the value
    it has there (:func:`offered`)."""

    action: dict[str, Any]
    open: dict[str, dict[str, Any] | None] = {}


class Go(Message, tag="go", frozen=True):
    """Choose for a player (his id): one of some choices, where they are named."""

    player: int | str
    limits: Limits = Limits()
    choices: tuple[Named, ...] | None = None


class Deal(Message, tag="deal", frozen=True):
    """What is an action worth to a player (his id)?"""

    player: int | str
    action: dict[str, Any]


class Quit(Message, tag="quit", frozen=True):
    """The last thing said."""


# from an engine


class Introduction(Message, tag="engine", frozen=True):
    """The answer to :class:`Hello`. ``titles`` None: any."""

    name: str
    protocol: int
    version: str = ""
    titles: tuple[str, ...] | None = None
    levels: tuple[str, ...] = ()


class Ready(Message, tag="ready", frozen=True):
    """The game or position is understood. ``length``: how many actions it stands after."""

    length: int


class Info(Message, tag="info", frozen=True):
    """A thought on the way, for whoever looks on."""

    text: str = ""
    candidates: tuple[dict[str, Any], ...] = ()


class BestMove(Message, tag="bestmove", frozen=True):
    """The answer to :class:`Go`: an action as in game files, and why."""

    action: dict[str, Any]
    reasons: tuple[dict[str, Any], ...] = ()


class Worth(Message, tag="worth", frozen=True):
    """The answer to :class:`Deal`: what changes for the player, in the title's money; None: it
    cannot be carried out. He agrees to nothing that is below 0."""

    gain: float | None = None


class Fault(Message, tag="error", frozen=True):
    """What was said could not be understood or done; the engine goes on."""

    code: str
    message: str


ToEngine = Hello | NewGame | Position | Go | Deal | Quit
FromEngine = Introduction | Ready | Info | BestMove | Worth | Fault

_to = msgspec.json.Decoder(ToEngine)
_from = msgspec.json.Decoder(FromEngine)
_write = msgspec.json.Encoder()


def line_of(message: Message) -> bytes:
    """A message as a line."""
    return _write.encode(message) + b"\n"


def asked(line: bytes) -> ToEngine:
    """What is said to an engine. Raises :class:`ValueError`."""
    found: ToEngine = _read(_to, line)
    return found


def answered(line: bytes) -> FromEngine:
    """What an engine says. Raises :class:`ValueError`."""
    found: FromEngine = _read(_from, line)
    return found


def _read(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    if len(line) > LONGEST:
        raise ValueError(f"a line is longer than {LONGEST} bytes")
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


# actions and choices in lines


def written(action: Any) -> dict[str, Any]:
    """An action as in game files."""
    found: dict[str, Any] = msgspec.to_builtins(action)
    return {k: v for k, v in found.items() if v is not None and (v or k != "auto_actions")}


def offered(choice: Choice) -> Named:
    """A choice as it is named: its usual ``action``, and what is ``open``. A field whose values are
    not told (``null``), such as routes, may have any that is legal."""
    open_ = {name: _values(domain) for name, domain in choice.domains.items()}
    return Named(written(choice.action), open_)


def _values(domain: Domain) -> dict[str, Any] | None:
    match domain:
        case Span():
            return {"low": domain.low, "high": domain.high, "step": domain.step}
        case Equal():
            return {"one_of": list(domain.alternatives)}
        case Pick():
            return {"pick": domain.count, "of": list(domain.pool), "with": list(domain.fixed)}
    return None


def reasons_of(found: Decision | Candidate) -> tuple[dict[str, Any], ...]:
    """Reasons as they are sent."""
    return tuple(msgspec.to_builtins(r) for r in found.reasons)


def weighed(candidates: Iterable[Candidate]) -> tuple[dict[str, Any], ...]:
    """Candidates as they are sent."""
    return tuple(
        {"action": written(c.action), "score": c.score, "reasons": reasons_of(c)}
        for c in candidates
    )
