"""The interface put together: its routers, its errors, its description."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser

from ...model.errors import BrokenInvariant
from .. import bounds
from ..tables.faults import Refused
from . import auth, errors, openapi
from .endpoints import (
    account,
    analysis,
    deals,
    files,
    play,
    promises,
    seats,
    streams,
    study,
    tables,
    talk,
    titles,
    webhooks,
)
from .errors import Malformed
from .schemas.account import InfoOut

#: Bytes of a body, game files aside.
_LARGEST = 256 * 1024
#: The version of the interface: it grows within one, and breaks nothing.
VERSION = "1.0"

ABOUT = """Tables, games and streams for programs. Tokens are made on the page of one's account and
sent as `Authorization: Bearer rh_…`. Every error has the one shape `Fault`. Rates are limited: 429
says in `Retry-After` when to try again."""


class Careful(Parser):
    """Reads bodies; whatever is in one that cannot be stored is told with its place."""

    def parse_body(self, request: HttpRequest) -> Any:
        if len(request.body) > _LARGEST:
            raise TooLarge("The body is too large.", "body", "too_large")
        try:
            value = json.loads(request.body, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise Malformed(f"The body is no JSON: {str(error)[:200]}.", "body") from error
        try:
            bounds.check(value)
        except Refused as error:
            raise Malformed(error.sentence, "body") from error
        if not isinstance(value, dict):
            raise Malformed("The body is no JSON object.", "body")
        return value


class TooLarge(Malformed):
    """More than any request of its kind needs."""

    status = 413


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


class Interface(NinjaAPI):
    """The interface for programs."""

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        prefix = given.get("path_prefix")
        if prefix is None:
            prefix = self.get_root_path(given.get("path_params") or {})
        found = openapi.Description(self, prefix)
        openapi.completed(found)
        return found


api = Interface(
    title="Roundhouse",
    version=VERSION,
    description=ABOUT,
    urls_namespace="api",
    docs_url=None,
    openapi_url="/openapi.json",
    parser=Careful(),
)
_HANDLERS: dict[type[Exception], Any] = {
    Refused: errors.refused,
    ValidationError: errors.invalid,
    AuthenticationError: errors.unauthorised,
    HttpError: errors.unreadable,
    Http404: errors.missing,
    BrokenInvariant: errors.broken,
}
for kind, handler in _HANDLERS.items():
    api.add_exception_handler(kind, handler)

api.add_router("/titles", titles.router)
api.add_router("/account", account.router)
api.add_router("", files.router)
api.add_router("", streams.router)
api.add_router("/webhooks", webhooks.router)
for part in (tables, play, deals, promises, seats, analysis, study, talk):
    api.add_router("/tables", part.router)


@api.get("/", response=InfoOut, auth=auth.read, tags=["About"], summary="About the interface")
def about(request: HttpRequest) -> Any:
    """Where the interface is described, and what tokens may allow."""
    return {
        "name": "Roundhouse",
        "version": VERSION,
        "openapi": "/api/openapi.json",
        "docs": "/api/docs/",
    }


def nothing(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Addresses there are not."""
    return errors.fault(404, where="path")


__all__ = ["api", "nothing"]
