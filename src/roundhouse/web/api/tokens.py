"""Personal tokens: making, finding and revoking them."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db import transaction

from .. import clock
from ..tables.faults import Refused
from .models import Token

#: What a token may allow, and what that is in words.
SCOPES: Final = {
    "read": "see your account, your tables and what only players see",
    "play": "act at your tables: move, take back, answer",
    "tables": "make tables, take and leave seats, begin, import games",
    "chat": "talk in your name, write your notes",
    "webhooks": "set up addresses that are told about your games",
}
#: Tokens an account may have at once.
MOST = 30
_PREFIX = "rh_"
#: How exactly it is noted when a token was used last; each note is a write.
_GRAIN = timedelta(minutes=10)


def make(user: Any, name: str, scopes: Iterable[str], days: int | None = None) -> tuple[Token, str]:
    """A new token: its row, and the token itself, which is told this once and kept nowhere.

    ``days``: how long it is good; None: until it is revoked. Raises :class:`Refused`.
    """
    wanted = [s for s in SCOPES if s in set(scopes)]
    if not wanted or set(scopes) - set(SCOPES):
        raise Refused("Choose what the token is to allow.", "scopes")
    name = name.replace("\0", "").strip()[:60]
    if not name:
        raise Refused("Give the token a name.", "name")
    secret = _PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        if Token.objects.filter(user=user).count() >= MOST:
            raise Refused(f"You have {MOST} tokens already; revoke one.", "too_many_tokens")
        row = Token.objects.create(
            user=user,
            name=name,
            digest=digest_of(secret),
            hint=secret[:8],
            scopes=wanted,
            expires=clock.now() + timedelta(days=days) if days else None,
        )
    return row, secret


def digest_of(secret: str) -> str:
    """What is kept of a token. It has 256 bits of chance in it, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def find(secret: str) -> Token | None:
    """The row of a token that is good; its use is noted."""
    rows = Token.objects.select_related("user__bot_account__owner")
    row = rows.filter(digest=digest_of(secret)).first()
    if row is None or not good(row):
        return None
    now = clock.now()
    if row.used is None or now - row.used > _GRAIN:
        row.used = now
        row.save(update_fields=["used"])
    return row


def good(row: Token) -> bool:
    """Whether a token is good now: its time is not over, and neither its account nor, if that is a
    bot, who answers for it has been sent away."""
    owner = getattr(getattr(row.user, "bot_account", None), "owner", None)
    return not row.expired and row.user.is_active and (owner is None or owner.is_active)


def revoke(user: Any, number: int) -> None:
    """Take a token of a user, or of a bot of his, back at once. Raises :class:`Refused` if there is
    none of that number."""
    own = Token.objects.filter(pk=number, user=user)
    of_bot = Token.objects.filter(pk=number, user__bot_account__owner=user)
    if not (own | of_bot).delete()[0]:
        raise Refused("There is no such token.", "no_token")
