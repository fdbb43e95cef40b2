"""Webhooks: a message in the form a service reads, signed.

The signature is that of many services: ``X-Roundhouse-Signature: t=<seconds>,v1=<hex>`` with the
HMAC-SHA256 of ``<seconds>.<body>`` under the channel's secret. ``X-Roundhouse-Delivery`` is the
same when a message is sent again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from html import escape
from typing import Any

from ... import clock, outward
from ..models import Channel
from . import Lost, Parcel, absolute

_GONE = frozenset({404, 410})
_AGAIN = frozenset({408, 425, 429})


def send(parcel: Parcel) -> None:
    """Send a message. Raises :class:`Lost`."""
    channel = parcel.channel
    body = json.dumps(_SHAPES[channel.shape](parcel), ensure_ascii=False).encode()
    deliver(channel.address, channel.secret, body, parcel.number)


def deliver(address: str, secret: str, body: bytes, number: str) -> None:
    """Send a body, signed; ``number`` is the same when it is sent again. Raises :class:`Lost`."""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Roundhouse",
        "X-Roundhouse-Delivery": number,
        "X-Roundhouse-Signature": signature(secret, body, int(clock.now().timestamp())),
    }
    post(address, body, headers)


def post(address: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Send something that is to be taken. Raises :class:`Lost`."""
    try:
        answer = outward.post(address, body, headers)
    except outward.Unreachable as fault:
        raise Lost(str(fault), lasting=fault.lasting) from fault
    _judge(answer)


def _judge(answer: outward.Answer) -> None:
    """Raise :class:`Lost` if an answer is not a yes."""
    if 200 <= answer.status < 300:
        return
    sentence = f"answered {answer.status}: {answer.text[:200]}".strip()
    if answer.status in _GONE:
        raise Lost(sentence, gone=True)
    lasting = answer.status < 500 and answer.status not in _AGAIN
    raise Lost(sentence, lasting=lasting, after=_asked_to_wait(answer))


def _asked_to_wait(answer: outward.Answer) -> int:
    text = answer.headers.get("retry-after", "").partition(".")[0]
    return min(int(text), 86400) if text.isascii() and text.isdigit() else 0


def signature(secret: str, body: bytes, at: int) -> str:
    """The signature of a body sent at a time."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def _text(parcel: Parcel) -> str:
    body = "\n".join(line for line in parcel.lines() if line)
    return f"{parcel.subject}\n{body}".strip()


def _discord(parcel: Parcel) -> dict[str, Any]:
    text = f"{_quiet(_text(parcel))}\n<{parcel.link}>"
    return {"content": text[-2000:], "allowed_mentions": {"parse": []}}


def _quiet(text: str) -> str:
    """Text whose marks mean nothing."""
    return "".join(f"\\{c}" if c in "\\*_~`|>#[]()<" else c for c in text)[:1700]


def _slack(parcel: Parcel) -> dict[str, Any]:
    text = _text(parcel).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text}\n<{parcel.link}|To the table>", "unfurl_links": False}


def _matrix(parcel: Parcel) -> dict[str, Any]:
    text = _text(parcel)
    html = escape(text).replace("\n", "<br>")
    return {
        "text": f"{text}\n{parcel.link}",
        "html": f'{html}<br><a href="{escape(parcel.link)}">To the table</a>',
        "username": "Roundhouse",
    }


def _plain(parcel: Parcel) -> dict[str, Any]:
    return {
        "id": parcel.number,
        "user": parcel.channel.user.get_username(),
        "notices": [
            {
                "id": n.pk,
                "kind": n.kind,
                "key": n.key,
                "subject": n.subject,
                "text": n.text,
                "table": n.table_id,
                "url": absolute(n.path),
                "at": n.at.isoformat(),
            }
            for n in parcel.notices
        ],
    }


_SHAPES: dict[str, Any] = {
    Channel.Shape.DISCORD: _discord,
    Channel.Shape.SLACK: _slack,
    Channel.Shape.MATRIX: _matrix,
    Channel.Shape.PLAIN: _plain,
}
