"""Titles: what may be played here, what is in the box, and the rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Router

from ....model.errors import OptionError
from ....titles.title import Title, all_titles, find_title
from .. import auth, shapes
from ..schemas.titles import RulesOut, TitleFacts, TitleOut
from .common import Request

router = Router(tags=["Titles"], auth=auth.read)


@router.get("", response=list[TitleOut], summary="All titles")
def titles(request: Request) -> Any:
    """The games one may play here, with their numbers of players, options and presets."""
    return [shapes.title_of(t) for t in all_titles().values()]


@router.get("/{title}", response=TitleFacts, summary="A title and its box")
def facts(request: Request, title: str) -> Any:
    """Everything that is in the box of a title, as its data files hold it."""
    return shapes.facts_of(_title(title))


@router.get("/{title}/rules", response=RulesOut, summary="The rules of a title")
def rules(request: Request, title: str) -> Any:
    """The rules, section by section, in Markdown; refusals name sections of them."""
    found = _title(title)
    return {"title": found.id, "rules": found.rulebook, "page": found.page}


def _title(name: str) -> Title:
    try:
        return find_title(name[:60])
    except OptionError as error:
        raise Http404("There is no such title.") from error
