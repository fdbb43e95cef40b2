"""Who knows what is asked: how a worker opens a question, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from django.utils.module_loading import import_string

from ...routes.answer import BestRoutes
from ...routes.clock import Listener


class Search(Protocol):
    """A search for somebody's best routes, ready to be carried out."""

    def __call__(self, *, time_limit: float, progress: Listener | None = None) -> BestRoutes: ...


Opener = Callable[[Mapping[str, Any]], Search]
_openers: dict[str, str] = {}


def opens(kind: str, path: str) -> None:
    """Name the opener of a kind of question, by the dotted path of the function: it is loaded by
    the worker that first needs it."""
    _openers[kind] = path


def open_question(kind: str, asked: Mapping[str, Any]) -> Search:
    """The search for what is asked."""
    opener: Opener = import_string(_openers[kind])
    return opener(asked)
