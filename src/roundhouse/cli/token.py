"""``roundhouse token``: leave for a program to act for an account."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .site import data_option, prepare


@click.command()
@data_option
@click.argument("user", default="")
@click.option("--name", default="program", show_default=True, help="What the token is for.")
@click.option("--scope", "scopes", multiple=True, help="What it allows; may be repeated [all].")
@click.option("--days", type=click.IntRange(1, 3650), help="How long it is good [until revoked].")
@click.option("--bot", is_flag=True, help="Make the account, as a program's, if there is none.")
def token(
    data: Path | None, user: str, name: str, scopes: tuple[str, ...], days: int | None, bot: bool
) -> None:
    """Make a personal token for an account and print it; it is kept nowhere.

    USER: the account's name; none: the one player of this machine.
    """
    prepare(data, migrate=True)
    from ..web.api import tokens
    from ..web.tables import Refused

    try:
        account = _account(user, bot)
        click.echo(tokens.make(account, name, scopes or tokens.SCOPES, days)[1])
    except Refused as error:
        raise click.ClickException(error.sentence) from error


def _account(name: str, bot: bool) -> Any:
    from django.contrib.auth import get_user_model

    from ..web.api import bots
    from ..web.middleware import local_account

    if not name:
        return local_account()
    found = get_user_model().objects.filter(username=name).first()
    if found is None and bot:
        return bots.make(None, name)
    if found is None:
        raise click.ClickException(f"there is no account {name!r}")
    return found
