"""Every error as one JSON shape: ``code``, ``message``, ``where`` in the request, ``rule``."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja.errors import AuthenticationError, HttpError, ValidationError

from ...model.errors import BrokenInvariant
from ..tables.faults import Refused

log = logging.getLogger(__name__)

_CODES = {
    400: ("malformed", "The request cannot be read."),
    401: ("no_token", "This needs a valid token: Authorization: Bearer rh_…"),
    403: ("forbidden", "This is not allowed."),
    404: ("not_found", "There is nothing of that name."),
    405: ("method", "This address does not take that method."),
    406: ("not_acceptable", "This cannot be given in the form asked for."),
    408: ("slow", "This took too long."),
    413: ("too_large", "This is too large."),
    415: ("charset", "Send text as UTF-8."),
    429: ("too_many", "This is too often."),
    500: ("broken", "This is a fault of the program; it is noted."),
}


class Malformed(Refused):
    """The request cannot be read; ``where`` in it the fault is."""

    status = 400

    def __init__(self, sentence: str, where: str = "body", code: str = "malformed") -> None:
        super().__init__(sentence, code)
        self.where = where


def fault(
    status: int, *, code: str = "", message: str = "", where: str = "", rule: str = "", **more: Any
) -> JsonResponse:
    """The answer that says what is wrong."""
    usual = _CODES.get(status, ("refused", "This is refused."))
    told = {"code": code or usual[0], "message": message or usual[1], "where": where, "rule": rule}
    response = JsonResponse(told | more, status=status, json_dumps_params={"ensure_ascii": False})
    if seconds := more.get("retry_after"):
        response["Retry-After"] = str(seconds)
    if status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="roundhouse"'
    return response


def refused(request: HttpRequest, error: Refused) -> HttpResponse:
    """What somebody wanted is not possible."""
    more: dict[str, Any] = {}
    if seconds := getattr(error, "seconds", 0):
        more["retry_after"] = seconds
    if fresh := getattr(error, "fresh", None):
        more["fresh"] = fresh
    return fault(
        error.status,
        code=error.code,
        message=error.sentence,
        where=getattr(error, "where", ""),
        rule=error.rule,
        **more,
    )


def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """A field has not the type or the bounds it should."""
    found = [{"where": _place(e["loc"]), "message": _sentence(e["msg"])} for e in error.errors]
    first = found[0] if found else {"where": "", "message": "The request cannot be read."}
    return fault(422, code="invalid", **first, faults=found[:20])


def _place(loc: Any) -> str:
    """``("body", "data", "seats")`` as ``body.seats``: what our code calls an argument says
    nothing to who sends it."""
    kind, *rest = [str(part) for part in loc]
    if kind == "body" and rest:
        rest = rest[1:]
    place = ".".join([kind, *rest]).encode("utf-8", "replace").decode()
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", place)[:120]


def _sentence(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()[:300]
    return text if text.endswith(".") else f"{text}."


def unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What the framework itself refuses, or hides: a body that cannot be read."""
    if isinstance(error.__context__, Refused):
        return refused(request, error.__context__)
    return fault(error.status_code)


def unauthorised(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    """No token, or one that is not good."""
    return fault(401)


def missing(request: HttpRequest, error: Http404) -> HttpResponse:
    """There is no such thing, or it is not to be seen."""
    return fault(404, message=str(error))


def broken(request: HttpRequest, error: BrokenInvariant) -> HttpResponse:
    """A fault of ours in the middle of an action; nothing has happened then."""
    log.exception("A request broke an invariant.", exc_info=error)
    return fault(500, message=f"This is a fault of the program: {error}")


def as_json(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: below ``/api/`` every error has the one shape, whoever answers."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code < 400 or not request.path.startswith("/api/"):
            return response
        if response.headers.get("Content-Type", "").startswith("application/json"):
            return response
        told = fault(response.status_code, where=_refused_where(response.status_code))
        for name in ("Allow", "Retry-After"):
            if name in response:
                told[name] = response[name]
        return told

    return answer


def _refused_where(status: int) -> str:
    return {404: "path", 405: "method", 413: "body"}.get(status, "")
