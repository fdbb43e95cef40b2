"""Who asks: sessions and accounts as Django keeps them, read at every request by statements that
are written once. (``SESSION_ENGINE`` names this module.)"""

from __future__ import annotations

import copy
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.functional import LazyObject, SimpleLazyObject

from . import clock
from .prepared import Prepared
from .remembered import Remembered

#: How accounts sign in with us.
_BACKEND = f"{ModelBackend.__module__}.{ModelBackend.__qualname__}"


class SessionStore(db.SessionStore):
    """Sessions in the database. They end, as their cookies do, by the machine's own clock."""

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """What a session holds; that its text is signed by us is checked once."""
        signed = settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, session_data
        read = super().decode
        return copy.deepcopy(_HELD.get(signed, lambda: read(session_data)))

    def _get_session_from_db(self) -> Any:
        row = _SESSION.first(self.session_key)
        if row is None or row.expire_date.timestamp() <= clock.machine():
            self._session_key = None
            return None
        return row


class Authentication(AuthenticationMiddleware):
    """Puts who asks at the request."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _user(request))  # type: ignore[assignment]


def account_of(request: HttpRequest) -> Any:
    """Who asks, without the wrapper that found him when he was first asked for: it is in the way of
    every look at him."""
    user: Any = request.user
    if isinstance(user, LazyObject):
        user.is_authenticated  # noqa: B018  (finds him)
        return vars(user)["_wrapped"]
    return user


def _user(request: HttpRequest) -> Any:
    """Whose session it is. In the usual case what Django would find; it is asked in all others."""
    session = request.session
    if session.get(BACKEND_SESSION_KEY) == _BACKEND:
        user = _USER.first(session[SESSION_KEY])
        word = session.get(HASH_SESSION_KEY, "")
        good = user is not None and constant_time_compare(word, user.get_session_auth_hash())
        if user is not None and good and user.is_active:
            return user
    return auth.get_user(request)


#: What sessions hold that were read last.
_HELD: Remembered[dict[str, Any]] = Remembered(2048)
_SESSION = Prepared(lambda key: _sessions().filter(session_key=key), str)
_USER = Prepared(lambda pk: auth.get_user_model().objects.filter(pk=pk), int)


def _sessions() -> Any:
    return SessionStore.get_model_class().objects
