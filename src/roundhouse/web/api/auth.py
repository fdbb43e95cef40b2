"""Who sends a request: a bearer of a token, or just anybody."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.security.base import AuthBase

from .. import limits
from ..tables.faults import Forbidden
from . import tokens


class Bearer(AuthBase):
    """Needs a token whose scopes hold ``scope``. What changes something is never done on the word
    of a cookie alone, so other sites cannot have a visitor's browser do it."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    optional = False

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def __call__(self, request: HttpRequest) -> Any:
        secret = bearer_of(request)
        if secret is None:
            return self.without(request)
        found = tokens.find(secret)
        if found is None:
            limits.count("api-guess", limits.origin(request))
            raise AuthenticationError
        if self.scope not in found.scopes:
            raise Forbidden(f"The token does not allow this; it needs {self.scope!r}.", "scope")
        request.user = found.user
        limits.count("api", limits.visitor(request))
        return found

    def without(self, request: HttpRequest) -> Any:
        """A request that brings no token."""
        raise AuthenticationError


class Anybody(Bearer):
    """Takes a token, or a page's session where nothing is changed, or nobody at all."""

    optional = True

    def without(self, request: HttpRequest) -> Any:
        if not hasattr(request, "user") or not request.user.is_authenticated:
            request.user = AnonymousUser()
        limits.count("api" if request.user.is_authenticated else "api-anybody",
                     limits.visitor(request))  # fmt: skip
        return "anybody"


def bearer_of(request: HttpRequest) -> str | None:
    """The token a request brings."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


read = Anybody("read")
account = Bearer("read")
play = Bearer("play")
seats = Bearer("tables")
chat = Bearer("chat")
webhooks = Bearer("webhooks")
