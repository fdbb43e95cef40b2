"""Going through the events of one action, each thing told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ...model import events as ev
from ...model.events import Event
from ..words import Part, Sentence, Words, capital

#: Kind, about whom, and parts of each sentence of an event.
Told: TypeAlias = Iterator[tuple[str, str, tuple[Part, ...]]]
#: Tells an event, or says that others have told it.
Tells: TypeAlias = Callable[["Teller", Any], Told]


class Teller:
    """Goes through the events of one action, remembering what is told already."""

    def __init__(
        self, words: Words, events: Sequence[Event], telling: Mapping[type[Event], Tells]
    ) -> None:
        self.words, self.telling = words, telling
        self.events = list(events)
        self.at = 0
        self.told: list[Sentence] = []
        self.kinds = {type(e) for e in events}
        self.exchanges = _exchanges(events)
        #: The dividends that are told with what was declared.
        self.declared = Counter(
            paid for e in events if isinstance(e, ev.DividendDeclared) for paid in e.paid
        )
        #: The company whose turn it is, as far as that is told.
        self.on_turn = ""
        #: Companies that mergers have made: what lies between is told as what it comes to.
        self.made = {e.survivor for e in events if isinstance(e, ev.Merged)}
        self.made &= {e.corporation for e in events if isinstance(e, ev.Founded)}
        self.told_moves: set[tuple[str, str, str]] = set()

    def all(self) -> list[Sentence]:
        while self.at < len(self.events):
            event = self.events[self.at]
            self.at += 1
            how = self.telling.get(type(event), _plainly)
            for kind, about, parts in how(self, event):
                self.told.append(Sentence(kind, _ended(_begun(parts)), about))
        return self.told

    def run_of(self, first: Event, key: Callable[[Event], object]) -> list[Any]:
        """The event and those right after it of the same class and key; they are used up."""
        found = [first]
        while self.at < len(self.events):
            following = self.events[self.at]
            if type(following) is not type(first) or key(following) != key(first):
                break
            found.append(following)
            self.at += 1
        return found

    def payment(self, why: str, *, payer: str = "", payee: str = "") -> ev.Paid | None:
        """The payment of this action with a reason between some two, if there was one; of several
        the last before what is being told."""
        found = [
            (n < self.at, n if n < self.at else -n)
            for n, e in enumerate(self.events)
            if isinstance(e, ev.Paid) and e.why == why
            if payer in ("", e.payer) and payee in ("", e.payee)
        ]
        return self.events[abs(max(found)[1])] if found else None  # type: ignore[return-value]

    def paid(self, why: str, *, payer: str = "", payee: str = "") -> int | None:
        """Its amount."""
        found = self.payment(why, payer=payer, payee=payee)
        return None if found is None else found.amount

    def paid_before(self, event: ev.SharesMoved) -> ev.Paid | None:
        """The payment to the bank right before shares go to a company, by somebody else for it."""
        at = next(n for n, e in enumerate(self.events) if e is event)
        match self.events[at - 1 : at]:
            case [ev.Paid(payee="bank", why="shares") as paid] if event.target == event.corporation:
                return paid
        return None

    def moves(self, corporation: str, source: str, target: str) -> list[ev.SharesMoved]:
        """All shares of a company that go the same way, whatever comes between."""
        moves = (e for e in self.events if isinstance(e, ev.SharesMoved))
        way = corporation, source, target
        return [e for e in moves if (e.corporation, e.source, e.target) == way]

    def add_to_last(self, about: str, *parts: Part) -> bool:
        """Append to the last sentence if it is about the same; whether it was."""
        if not self.told or self.told[-1].about != about:
            return False
        last = self.told[-1]
        before = (*last.parts[:-1], str(last.parts[-1]).removesuffix("."))
        self.told[-1] = Sentence(last.kind, _ended((*before, *parts)), about)
        return True

    def lot(self, item: str) -> Part:
        """What was auctioned: a private company that somebody has got by now is one still."""
        given = any(isinstance(x, ev.CompanyMoved) and x.company == item for x in self.events)
        return self.words.private(item) if given else self.words.lot(item)


def _exchanges(events: Sequence[Event]) -> dict[tuple[str, str], list[str]]:
    """A company, and who gives it shares of others, or has them used up, and gets some of its own
    for them → of which companies those are, in order."""
    bought = {e.payer for e in events if isinstance(e, ev.Paid) and e.why in ("shares", "founding")}
    moves = [e for e in events if isinstance(e, ev.SharesMoved)]
    got = dict.fromkeys((e.corporation, e.target) for e in moves if e.source == e.corporation)
    found: dict[tuple[str, str], list[str]] = {}
    for company, holder in got:
        given = [e.corporation for e in moves if (e.source, e.target) == (holder, company)]
        vanished = [e for e in events if isinstance(e, ev.SharesVanished) and e.holder == holder]
        given = [
            c for c in (*given, *(e.corporation for e in vanished)) if c not in (company, holder)
        ]
        if given and holder not in bought:
            found[company, holder] = list(dict.fromkeys(given))
    return found


def itemized(
    said: Sequence[Part], items: Iterable[Sequence[Part]], between: str
) -> tuple[Part, ...]:
    """What is said, with its items after a colon, if it has any."""
    parts = [*said]
    for n, item in enumerate(items):
        parts += [between if n else ": ", *item]
    return tuple(parts)


def _begun(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    first = parts[0] if parts else ""
    return (capital(first), *parts[1:]) if isinstance(first, str) and first else parts


def _ended(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    last = str(parts[-1]) if parts else ""
    return parts if last.endswith((".", "!", "?", ":")) else (*parts, ".")


def _plainly(t: Teller, e: Event) -> Told:
    """An event without a sentence of its own: its name and whom it concerns."""
    name = "".join(f" {c.lower()}" if c.isupper() else c for c in type(e).__name__).strip()
    who = getattr(e, "who", "") or getattr(e, "corporation", "")
    parts: tuple[Part, ...] = (t.words.who(who), f": {name}") if who else (capital(name),)
    yield "other", who, parts
