"""Letters: text and page, with a sign-off that needs no signing in (RFC 8058)."""

from __future__ import annotations

from email.utils import formatdate
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string

from ... import clock
from ..models import Channel
from . import Lost, Parcel, absolute

_SALT = "roundhouse.notices.off"


def send(parcel: Parcel) -> None:
    """Send a letter. Raises :class:`Lost`."""
    letter = _letter(parcel)
    try:
        get_connection(settings.MAIL_DELIVERY).send_messages([letter])
    except SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise Lost(f"refused: {error}", lasting=all(c >= 500 for c in codes)) from error
    except SMTPResponseException as error:
        raise Lost(f"refused: {error}", lasting=error.smtp_code >= 500) from error
    except (OSError, SMTPException) as error:
        raise Lost(f"the mail server does not answer: {error}") from error


def _letter(parcel: Parcel) -> EmailMultiAlternatives:
    off = absolute(f"/notices/off/{sign_off(parcel.channel)}/")
    context = {
        "parcel": parcel,
        "notices": [(n, absolute(n.path)) for n in parcel.notices],
        "off": off,
        "site": settings.SITE,
    }
    host = urlsplit(settings.SITE).hostname or "localhost"
    letter = EmailMultiAlternatives(
        subject=" ".join(parcel.subject.split()),
        body=render_to_string("notices/letter.txt", context),
        to=[parcel.channel.address],
        headers={
            "Message-ID": f"<{parcel.number}@{host}>",
            "Date": formatdate(clock.now().timestamp()),
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"Roundhouse <notices.{host}>",
            "Auto-Submitted": "auto-generated",
            **_thread(parcel, host),
        },
    )
    letter.attach_alternative(render_to_string("notices/letter.html", context), "text/html")
    return letter


def _thread(parcel: Parcel, host: str) -> dict[str, str]:
    """Letters about one table hang together in a reader."""
    tables = {n.table_id for n in parcel.notices}
    table = tables.pop() if len(tables) == 1 else None
    return {"References": f"<table-{table}@{host}>"} if table else {}


def sign_off(channel: Channel) -> str:
    """The word of a link that ends letters through a channel; good as long as the channel."""
    return signing.dumps([channel.pk, channel.address], salt=_SALT)


def signed_off(word: str) -> Channel | None:
    """The channel of such a link; None: it is forged, or the channel is no more."""
    try:
        pk, address = signing.loads(word, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return Channel.objects.filter(pk=pk, address=address).first()
