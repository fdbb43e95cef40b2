"""Steps and rounds: the shape of everything that waits for a player.

A round's play is an ordered list of steps. The first step that waits for somebody owns the moment;
steps before it may let guests act without being waited for. Steps remember nothing: all of it is in
the state, most in the record ``state.round``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..model.actions import Action, Pass
from ..model.choices import Choice, Domain
from ..model.errors import IllegalAction
from ..model.events import Event, Passed
from ..model.records import Round, State
from .rules import Part, R, S

#: Why something may not be done: a code, a sentence, and the section if it is not the step's own.
Fault = tuple[str, str] | tuple[str, str, str]

#: What is open in an action, by its fields.
Domains: TypeAlias = dict[str, Domain]


class ActionContext:
    """Where the verbs report while one action is applied.

    ``recorded``: the action comes from a finished file whose route revenues count as they stand;
    what differs from our own reading is noted in ``findings``. ``checked``: what a step's check has
    worked out and its apply can use.
    """

    __slots__ = ("checked", "emit", "events", "findings", "recorded")

    def __init__(self, recorded: bool = False) -> None:
        self.events: list[Event] = []
        self.emit = self.events.append
        self.recorded = recorded
        self.findings: list[IllegalAction] = []
        self.checked: Any = None


class Step(Part[S, R]):
    """One kind of decision.

    ``name`` identifies it on the page and in help texts, ``rule`` is its section of the rules text,
    ``takes`` the action types it can handle. ``stage``: where the round has stages, the only one in
    which it can wait. ``occasion``: a field of the round's record without which, while it is empty,
    it neither waits nor offers anything. ``quiet``: nobody is ever waited for; it takes actions
    while another step waits.
    """

    name: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    takes: ClassVar[frozenset[type[Action]]] = frozenset()
    stage: ClassVar[str] = ""
    occasion: ClassVar[str] = ""
    quiet: ClassVar[bool] = False

    def actors(self, s: S) -> tuple[str, ...]:
        """Who is waited for, the one on turn first; empty: the step does not wait."""
        if self.quiet:
            return ()
        raise NotImplementedError

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        """Whether ``who`` may send actions of this kind now (legal or not in detail)."""
        return kind in self.takes and who in self.open_to(s)

    def open_to(self, s: S) -> tuple[str, ...]:
        """Who may act in it now: its actors, which the state tells of the step it waits in."""
        return s.acting if s.step == self.name else self.actors(s)

    def choices(self, s: S) -> Iterator[Choice]:
        """Everything that may be done in this step now."""
        raise NotImplementedError

    def check(self, s: S, a: Any) -> None:
        """Raise :class:`IllegalAction` unless the action is legal. Changes nothing."""
        raise NotImplementedError

    def apply(self, s: S, a: Any) -> None:
        """Carry out a checked action on a fork."""
        raise NotImplementedError

    def forgone(self, s: S, a: Action) -> str:
        """What a legal action gives up that its sender needs, as a sentence; empty: nothing."""
        return ""

    def follow_ups(self, s: S, a: Action) -> tuple[Action, ...]:
        """What an action of this step must be followed by; see :meth:`.Rules.follow_ups`."""
        return ()

    def auto_actions(self, s: S) -> tuple[Action, ...]:
        """Actions of this step that a game file expects to be added now."""
        return ()

    def sender(self, s: S, who: str) -> dict[str, Any]:
        """How an action names its sender."""
        if (player := s.players.get(who)) is not None:
            return {"entity": player.id, "entity_type": "player"}
        if (corporation := s.corporations.get(who)) is not None:
            return {"entity": who, "entity_type": corporation.sender_type}
        return {"entity": who.removeprefix("company:"), "entity_type": "company"}

    def choice(
        self, s: S, who: str, kind: type[Action], domains: Domains | None = None, /, **fields: Any
    ) -> Choice:
        """An action ``who`` may send, with what is open in it."""
        return Choice(kind(**self.sender(s, who), **fields), domains or {})

    def refuse(self, code: str, message: str, rule: str = "") -> IllegalAction:
        """An error to raise, with the step's rules section if none is named."""
        return IllegalAction(code, message, rule or self.rule)

    def insist(self, fault: Fault | None, rule: str = "") -> None:
        """Raise :class:`IllegalAction` if there is a fault; with the section it names, else
        ``rule``, else the step's."""
        if fault is not None:
            raise self.refuse(fault[0], fault[1], fault[2] if len(fault) == 3 else rule)


class Asking(Step[S, R]):
    """A step that asks one after the other: who is asked takes one of its choices, or passes if
    ``takes`` says that there is a pass."""

    # policies

    def asked(self, s: S) -> str | None:
        """Who is asked now; None: nobody."""
        raise NotImplementedError

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        """All he may do but pass."""
        raise NotImplementedError

    def why_no_pass(self, s: S, who: str) -> Fault | None:
        """Why he cannot pass now."""
        return None

    def why_no_answer(self, s: S, a: Any) -> Fault:
        """Why an action that is no pass is none of the answers."""
        return "answer", "Nothing like that can be answered now."

    def about(self, s: S) -> str:
        """The one company or lot he is asked about; empty: he is not asked about one."""
        return ""

    def check_answer(self, s: S, a: Any) -> None:
        """Raise :class:`IllegalAction` unless an action that is no pass is legal: where there are
        few answers, unless it is one of them."""
        if not any(choice.covers(a) for choice in self.answers(s, a.actor)):
            self.insist(self.why_no_answer(s, a))

    def answer(self, s: S, a: Any) -> None:
        """Carry it out."""
        raise NotImplementedError

    def passed(self, s: S, who: str) -> None:
        """What a pass means, beside being told."""
        raise NotImplementedError

    # what follows from them

    def actors(self, s: S) -> tuple[str, ...]:
        who = self.asked(s)
        return () if who is None else (who,)

    def choices(self, s: S) -> Iterator[Choice]:
        for who in self.open_to(s)[:1]:
            yield from self.answers(s, who)
            if Pass in self.takes and self.why_no_pass(s, who) is None:
                yield Choice(Pass(**self.sender(s, who)))

    def check(self, s: S, a: Any) -> None:
        if isinstance(a, Pass):
            self.insist(self.why_no_pass(s, a.actor))
        else:
            self.check_answer(s, a)

    def apply(self, s: S, a: Any) -> None:
        if isinstance(a, Pass):
            self.decline(s, a.actor)
        else:
            self.answer(s, a)

    def decline(self, s: S, who: str) -> None:
        """Carry a pass out."""
        s.now.emit(Passed(who, self.name, self.about(s)))
        self.passed(s, who)


#: The kinds of decisions of a round, by precedence.
Steps: TypeAlias = tuple[type[Step[Any, Any]], ...]
T = TypeVar("T")
K = TypeVar("K", bound=Struct)


def replaced(kinds: tuple[T, ...], changes: Mapping[T, tuple[T, ...]]) -> tuple[T, ...]:
    """Steps, or rounds, with each key of ``changes`` replaced by what it stands for: how a title
    made from another one says what it plays otherwise."""
    return tuple(new for kind in kinds for new in changes.get(kind, (kind,)))


class Kept(Generic[K]):
    """What a round's record keeps in one of its fields while it goes on, such as an auction."""

    def __init__(self, round: type[Round], field: str, kind: type[K]) -> None:
        self.round, self.field = round, field

    def get(self, s: State) -> K | None:
        """It; None if nothing of the kind is going on."""
        found: K | None = getattr(s.round, self.field) if isinstance(s.round, self.round) else None
        return found

    def of(self, s: State) -> K:
        """It, where there is one."""
        found = self.get(s)
        assert found is not None
        return found

    def change(self, s: State, **fields: Any) -> None:
        """Change fields of it."""
        s.round = replace(s.round, **{self.field: replace(self.of(s), **fields)})


class RoundPlay(Part[S, R]):
    """How one kind of round is played. ``name`` and ``short`` as in game files; ``topic``: what it
    is about, ``map``, ``stock``, ``auction`` or ``mergers``; who shows the game gives that room.

    ``progress``: the record of how far it has come. ``steps``: its kinds of decisions by
    precedence, interruptions first; ``sequence`` are the steps themselves, ``adding`` those of them
    that may add actions by themselves.
    """

    name: ClassVar[str] = ""
    short: ClassVar[str] = ""
    topic: ClassVar[str] = "map"
    progress: ClassVar[type[Round]] = Round
    steps: ClassVar[Steps] = ()
    #: Whether there is one of its kind a turn: it needs no number beside the turn's.
    single: ClassVar[bool] = False

    def __init__(self, rules: R) -> None:
        super().__init__(rules)
        self.sequence: tuple[Step[Any, Any], ...] = tuple(step(rules) for step in self.steps)
        own = [step for step in self.sequence if type(step).auto_actions is not Step.auto_actions]
        self.adding = tuple(own)
        self.taking, self.offering = cache(self._taking), cache(self._offering)

    def numbered(self, turn: int, number: int, *, short: bool = False) -> str:
        """A round of this kind as it is called: “Operating Round 4.2”, ``short`` “OR 4.2”; “SR 4”
        where there is one a turn, the bare name of one without a number."""
        name = self.short if short else self.name
        if not number:
            return name
        return f"{name} {turn}" if self.single else f"{name} {turn}.{number}"

    def begin(self, s: S, number: int = 1) -> None:
        """Enter this round, the ``number``-th of a set."""
        raise NotImplementedError

    def asked(self, s: S) -> tuple[Step[Any, Any], tuple[str, ...]] | None:
        """The first step that waits for somebody, and for whom."""
        m = s.round
        for step in self.may_wait(s):
            if step.occasion and not getattr(m, step.occasion):
                continue
            if actors := step.actors(s):
                return step, actors
        return None

    def may_wait(self, s: S) -> Sequence[Step[Any, Any]]:
        """The steps that can wait at this point of the round, by precedence."""
        return self.sequence

    def _taking(self, kind: type[Action], waiting: str) -> tuple[Step[Any, Any], ...]:
        """The steps that can handle a kind of action while one of them waits."""
        return tuple(step for step in self._up_to(waiting) if kind in step.takes)

    def _offering(self, waiting: str) -> tuple[Step[Any, Any], ...]:
        """The steps that may have choices while one waits: those before it ask nobody anything."""
        asking = {x for x in self.sequence if type(x).choices is Asking.choices and not x.quiet}
        return tuple(x for x in self._up_to(waiting) if x.name == waiting or x not in asking)

    def _up_to(self, waiting: str) -> tuple[Step[Any, Any], ...]:
        """A step and those before it."""
        names = [step.name for step in self.sequence]
        return self.sequence[: names.index(waiting) + 1 if waiting in names else len(names)]

    def waiting(self, s: S) -> Step[Any, Any] | None:
        """The first step that waits for somebody."""
        found = self.asked(s)
        return None if found is None else found[0]

    def acted(self, s: S, step: Step[Any, Any]) -> None:
        """Somebody acts in a step of this round: what that means before anything else."""

    def proceed(self, s: S) -> None:
        """Nothing waits: go one step further, to the next stage or entity; where the game cannot
        be over with a round, to the next round too."""
        raise NotImplementedError

    def over(self, s: S) -> bool:
        """Whether nothing is left to do in this round, when nothing waits. A round that says so is
        left by :meth:`leave`, unless the game is over with it."""
        return False

    def leave(self, s: S) -> None:
        """What comes between this round and the next, and the next."""
        raise NotImplementedError
