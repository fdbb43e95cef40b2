"""The ways to people. Each sends a :class:`Parcel` through a channel, or says why it could not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings

from ..models import Channel, Notice


class Lost(Exception):
    """A message did not arrive. ``lasting``: nor would it if tried again; ``gone``: the channel is
    no more; ``after``: seconds the other side asks us to wait."""

    def __init__(
        self, sentence: str, *, lasting: bool = False, gone: bool = False, after: int = 0
    ) -> None:
        super().__init__(sentence[:300])
        self.lasting = lasting or gone
        self.gone = gone
        self.after = after


class Parcel(NamedTuple):
    """Notices that go through a channel together; ``number`` stays the same however often they are
    sent, so that who gets them twice can tell."""

    channel: Channel
    notices: Sequence[Notice]
    number: str

    @property
    def subject(self) -> str:
        """One line for all."""
        if len(self.notices) == 1:
            return self.notices[0].subject
        turns = len({n.table_id for n in self.notices if n.kind == "turn"})
        games = f", {turns} games wait for you" if turns > 1 else ""
        return f"{len(self.notices)} notices{games}"

    @property
    def link(self) -> str:
        """Where it leads."""
        paths = {n.path for n in self.notices}
        return absolute(paths.pop() if len(paths) == 1 else "/")

    def lines(self) -> list[str]:
        """Each notice in a line."""
        if len(self.notices) == 1:
            return [self.notices[0].text]
        return [f"{n.subject}. {n.text}".strip() for n in self.notices]


def absolute(path: str) -> str:
    """A path of this server as a whole address."""
    return f"{settings.SITE}{path}"
