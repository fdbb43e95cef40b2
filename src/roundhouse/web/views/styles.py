"""Styles that are made: of all drawings, and of the companies of a title."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from ...titles.title import all_titles
from ..page import drawing


def drawing_style(request: HttpRequest) -> HttpResponse:
    """The style of all drawings."""
    return _css(drawing.style())


def colors(request: HttpRequest, title: str) -> HttpResponse:
    """The companies' colours of a title, as classes."""
    found = all_titles().get(title)
    if found is None:
        raise Http404("There is no such title.")
    rules = [
        f".co-{n}{{--co:{c.color};--on-co:{drawing.ink_on(c.color, c.text_color)}}}"
        for n, c in enumerate(found.box.corporations.values())
    ]
    return _css("\n".join(rules))


def _css(text: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/css")
    patch_cache_control(response, public=True, max_age=3600)
    return response
