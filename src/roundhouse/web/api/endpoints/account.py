"""The account a token belongs to."""

from __future__ import annotations

from typing import Any

from ninja import Router

from .. import auth, bots
from ..models import BotAccount, Token
from ..schemas.account import AccountOut, TokenOut
from ..schemas.common import Done
from .common import Request

router = Router(tags=["Account"], auth=auth.account)


@router.get("", response=AccountOut, summary="Whose token this is")
def account(request: Request) -> Any:
    """The account, whether a program plays with it, and what the token allows."""
    bot = BotAccount.objects.select_related("owner").filter(user=request.user).first()
    return {
        "name": request.user.get_username(),
        "bot": bot is not None,
        "owner": bot.owner.get_username() if bot and bot.owner else None,
        "scopes": request.auth.scopes,
        "joined": request.user.date_joined,
    }


@router.post("/bot", response=AccountOut, auth=auth.seats, summary="Become a bot")
def become_bot(request: Request) -> Any:
    """Mark the account as a program's, for good; only before its first game. Everybody at a table
    sees the mark."""
    bots.declare(request.user)
    return account(request)


@router.get("/tokens", response=list[TokenOut], summary="Your tokens")
def tokens(request: Request) -> Any:
    """The tokens of the account; what is kept of them."""
    return list(Token.objects.filter(user=request.user))


@router.delete("/token", response=Done, summary="Revoke this token")
def revoke(request: Request) -> Any:
    """Take back the token this request comes with; it is good for nothing from now on."""
    request.auth.delete()
    return {"ok": True}
