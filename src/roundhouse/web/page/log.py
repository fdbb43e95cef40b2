"""The log: what happened in sentences, with the chat, filtered by what is asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import count
from weakref import WeakKeyDictionary

from django.utils.safestring import SafeString
from msgspec import Struct
from msgspec.structs import replace

from ...game import Game
from ...history import Entry
from ...model.actions import Choose, Log, Merge, Message, Redo, Undo
from ...model.events import RoundStarted, TurnStarted
from ...model.records import State
from ...sentences import Ref, Sentence
from ...sentences.buttons import doing
from ...sentences.log import deeds
from .drawing import called

#: Lines shown at first, and lines shown after the moment looked at.
LINES = 30
AFTER = 12
#: Kinds of sentences by the word on their chip.
KINDS: dict[str, frozenset[str]] = {
    "chat": frozenset(("chat",)),
    "track": frozenset(("track", "token")),
    "trains": frozenset(("train", "run")),
    "shares": frozenset(("share", "market", "auction", "company")),
    "money": frozenset(("money",)),
}


class _Names(dict[str, str]):
    """What those are called who have sent something."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __missing__(self, actor: str) -> str:
        name = self[actor] = called(self._game.rules, self._game.state, actor)
        return name


class Filter(Struct, frozen=True):
    """Which lines are wanted: of some kinds (none named: of all), about an entity (``""``: any)."""

    kinds: frozenset[str] = frozenset()
    about: str = ""

    @classmethod
    def read(cls, text: str) -> Filter:
        """From its written form, ``track,trains|NYSW``; what is not understood is left out."""
        kinds, _, about = text[:200].partition("|")
        return cls(frozenset(k for k in kinds.split(",") if k in KINDS), about)

    def __str__(self) -> str:
        return f"{','.join(sorted(self.kinds))}|{self.about}" if self else ""

    def __bool__(self) -> bool:
        return bool(self.kinds or self.about)

    def toggled(self, kind: str) -> Filter:
        """With a kind more, or without it if it was in."""
        return Filter(self.kinds ^ {kind}, self.about)

    def of(self, about: str) -> Filter:
        """About something else."""
        return Filter(self.kinds, about)

    def wants(self, sentence: Sentence) -> bool:
        """Whether a sentence is to be shown."""
        if self.kinds and not any(sentence.kind in KINDS[k] for k in self.kinds):
            return False
        if not self.about or sentence.about == self.about:
            return True
        return any(isinstance(p, Ref) and p.key == self.about for p in sentence.parts)


class Chip(Struct, frozen=True):
    """A filter that may be chosen: what it is called, and what is shown then."""

    label: str
    filter: str
    on: bool


class Line(Struct, frozen=True):
    """One entry of the log: its sentences, and the moment a click leads to. ``round``: the one it
    began, if it did; ``turn``: whether it began one. ``undone``: it was taken back; ``later``: it
    came after the moment looked at. ``between``: no entry, but when something happened beside the
    game after that one."""

    id: int
    sentences: tuple[Sentence, ...]
    who: str = ""
    chat: str = ""
    round: str = ""
    turn: bool = False
    undone: bool = False
    later: bool = False
    between: datetime | None = None
    #: A number of its own if it is shown whole, which is quicker compared than sentences.
    told: int = 0


#: So many are remembered at most; then all are told anew as they are looked at.
_MOST_TOLD = 4096
_told: WeakKeyDictionary[Entry, Line] = WeakKeyDictionary()
_numbers = count(1)


class Excerpt(Struct):
    """Some lines of the log, oldest first. ``before``, ``after``: ids from which it goes on."""

    lines: list[Line]
    filter: Filter
    before: int | None = None
    chips: tuple[Chip, ...] = ()
    people: tuple[Chip, ...] = ()
    #: The lines as they were drawn.
    drawn: SafeString | None = None


def excerpt(game: Game, wanted: Filter, at: int | None = None) -> Excerpt:
    """The end of the log; ``at``: its part about an action, a few later lines included."""
    here = game.log[-1].action.id or 0 if at is None and game.log else at or 0
    found = list(_backwards(game, wanted, here + 1, LINES))[::-1]
    before = found[0].id if len(found) == LINES else None
    if at is not None:
        found += _later(game, wanted, at)
    return Excerpt(found, wanted, before, _chips(wanted), _people(game, wanted))


def earlier(game: Game, wanted: Filter, before: int, count: int = 200) -> Excerpt:
    """Lines before those about an action."""
    found = list(_backwards(game, wanted, before, count))[::-1]
    return Excerpt(found, wanted, found[0].id if len(found) == count else None)


def woven(excerpt: Excerpt, between: Iterable[Line], upto: int | None = None) -> Excerpt:
    """An excerpt with lines that are no entries, in the order they were written, where they belong
    as far as it reaches; ``upto``: it ends before an action."""
    lines, first = list(excerpt.lines), excerpt.before or 0
    for line in between:
        if line.id < first or (upto is not None and line.id >= upto):
            continue
        at = sum(other.id <= line.id for other in lines)
        if at < len(lines) or upto is not None or not any(other.later for other in lines):
            lines.insert(at, line)
    return replace(excerpt, lines=lines)


def id_of(game: Game, number: int) -> int:
    """The id of an entry of the log by its number; 0: before all."""
    return (game.log[number - 1].action.id or 0) if 0 < number <= len(game.log) else 0


def _backwards(game: Game, wanted: Filter, before: int, count: int) -> Iterator[Line]:
    counting, names = _Counting(game), _Names(game)
    for entry in reversed(game.log):
        if (entry.action.id or 0) >= before:
            continue
        line = _line(game, entry, wanted, names)
        if line is not None:
            undone = not counting.has(entry) and not _about_log(entry)
            yield replace(line, undone=True) if undone else line
            count -= 1
            if not count:
                return


class _Counting:
    """Which entries have not been taken back, asked from the last one backwards; ids only rise."""

    def __init__(self, game: Game) -> None:
        self._history = game.history
        self._at = len(self._history) - 1
        self._all = len(game) == len(game.log)

    def has(self, entry: Entry) -> bool:
        """Whether an entry, none of those asked for before it, counts."""
        if self._all:
            return True
        id = entry.action.id or 0
        while self._at >= 0 and (self._history[self._at].action.id or 0) > id:
            self._at -= 1
        return self._at >= 0 and self._history[self._at].action.id == id


def _later(game: Game, wanted: Filter, at: int) -> list[Line]:
    entries = [e for e in game.history if (e.action.id or 0) > at]
    names = _Names(game)
    found = [_line(game, e, wanted, names) for e in entries[:AFTER]]
    return [replace(line, later=True) for line in found if line is not None]


def _about_log(entry: Entry) -> bool:
    return isinstance(entry.action, Undo | Redo | Message | Log)


def _line(game: Game, entry: Entry, wanted: Filter, names: _Names) -> Line | None:
    """The line of an entry, if something of it is wanted."""
    line = _tell(game, entry, names)
    if wanted:
        some = tuple([x for x in line.sentences if wanted.wants(x)])
        line = replace(line, sentences=some, told=0)
    return line if line.sentences else None


def sentences_of(game: Game, entry: Entry) -> list[str]:
    """What an entry is told in, as plain text."""
    return [_plain(x) for x in _tell(game, entry, _Names(game)).sentences]


def _plain(sentence: Sentence) -> str:
    return "".join(p.text if isinstance(p, Ref) else p for p in sentence.parts)


def _tell(game: Game, entry: Entry, names: _Names) -> Line:
    """The whole line of an entry, without sentences if nothing is to be told of it; made once for
    a while, as entries never change."""
    found = _told.get(entry)
    if found is None:
        if len(_told) >= _MOST_TOLD:
            _told.clear()
        a, who = entry.action, names[entry.action.actor]
        begun = next((e for e in entry.events if isinstance(e, RoundStarted)), None)
        found = _told[entry] = Line(
            a.id or 0,
            tuple(_sentences(game, entry, who)),
            who,
            chat=a.message if isinstance(a, Message | Log) else "",
            round=game.rules.round_told(begun) if begun else "",
            turn=any(isinstance(e, TurnStarted) for e in entry.events),
            told=next(_numbers),
        )
    return found


def _sentences(game: Game, entry: Entry, who: str) -> Sequence[Sentence]:
    a = entry.action
    if isinstance(a, Message | Log):
        return (Sentence("chat", (), a.actor),) if a.message else ()
    if isinstance(a, Undo | Redo):
        text = "took back" if isinstance(a, Undo) else "restored what was taken back"
        return (Sentence("undo", (f"{who} {text}.",), a.actor),)
    # Named as things were called then: a machine that was scrapped since has no name any more.
    found = deeds(game.rules, entry, partial(_before, game, entry))
    if not found:
        kind = "pass" if a.type == "pass" else "other"
        return (Sentence(kind, (_deed(game, who, entry),), a.actor),)
    return found


def _before(game: Game, entry: Entry) -> State:
    """The state an entry met, as far as the line that counts now tells it."""
    line = game.history
    place = bisect_left(line, entry.action.id or 0, key=lambda e: e.action.id or 0)
    return line[place - 1].state if place else game.start


def _deed(game: Game, who: str, entry: Entry) -> str:
    """What somebody did that no event tells of, in the words of buttons."""
    a = entry.action
    other = (a.corporation or a.minor) if isinstance(a, Merge) else None
    if other:
        return f"{who} names {called(game.rules, game.state, other)} for a merger."
    if isinstance(a, Choose):
        return f"{who} {_chosen(game, entry, a)}."
    return f"{who} passes." if a.type == "pass" else f"{who}: {doing(a)}."


def _chosen(game: Game, entry: Entry, a: Choose) -> str:
    """What somebody chose: who is to merge, by name, or the answer itself."""
    merging = game.rules.facts.merging(entry.state)
    if not merging:
        return f"chooses {str(a.choice).replace('_', ' ')}"
    first = called(game.rules, game.state, merging[0])
    target = next((m.corporation for m in a.auto_actions or () if isinstance(m, Merge)), None)
    other = called(game.rules, game.state, target) if target else "another company"
    return f"proposes that {first} takes over {other}"


def _chips(wanted: Filter) -> tuple[Chip, ...]:
    every = Chip("all", str(Filter(about=wanted.about)), not wanted.kinds)
    return (every, *(Chip(k, str(wanted.toggled(k)), k in wanted.kinds) for k in KINDS))


def _people(game: Game, wanted: Filter) -> tuple[Chip, ...]:
    """Players and companies there are, as what the log may be about."""
    s = game.state
    keys = [*s.players, *(c.id for c in s.corporations.values() if c.cell or c.president)]
    named = [("anybody", ""), *((called(game.rules, s, k), k) for k in keys)]
    return tuple(Chip(label, str(wanted.of(key)), key == wanted.about) for label, key in named)
