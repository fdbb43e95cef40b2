"""Web push (RFC 8030): a message encrypted for one browser (RFC 8291), sent to that browser's push
service under our own key (VAPID, RFC 8292). It arrives with no page open."""

from __future__ import annotations

import base64
import json
import os
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from ... import clock
from . import Lost, Parcel
from .hooks import post

if TYPE_CHECKING:  # the libraries of ciphers are loaded by who pushes
    from py_vapid import Vapid02

#: Seconds a push service keeps a message for a browser that is off.
KEPT = 2 * 86400
#: Seconds a signature is good; a day at most.
_GOOD = 12 * 3600
_MOST = 2500


def send(parcel: Parcel) -> None:
    """Send a message. Raises :class:`Lost`."""
    from http_ece import ECEException

    address = parcel.channel.address
    try:
        body = _sealed(parcel)
    except (ValueError, KeyError, ECEException) as error:
        raise Lost(f"the browser's keys are not good: {error}", gone=True) from error
    headers = _signed(address) | {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "high",
        "Topic": _topic(parcel),
    }
    post(address, body, headers)


def _topic(parcel: Parcel) -> str:
    """Of messages with one topic a browser that was off gets the last only: that of the table."""
    first = parcel.notices[0]
    many = len({n.table_id for n in parcel.notices}) > 1 or first.table_id is None
    return f"p{parcel.number[:20]}" if many else f"{first.kind}-{first.table_id}"


def _sealed(parcel: Parcel) -> bytes:
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    keys = parcel.channel.keys
    told = {
        "title": parcel.subject,
        "body": "\n".join(parcel.lines())[:_MOST],
        "url": parcel.link,
        "tag": _topic(parcel),
    }
    sealed: bytes = http_ece.encrypt(
        json.dumps(told, ensure_ascii=False).encode()[:3800],
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=unbase(keys["p256dh"]),
        auth_secret=unbase(keys["auth"]),
        version="aes128gcm",
    )
    return sealed


def _signed(address: str) -> dict[str, str]:
    parts = urlsplit(address)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": str(int(clock.machine()) + _GOOD),
        "sub": settings.SITE if settings.SITE.startswith("https") else "mailto:host@localhost",
    }
    signed: dict[str, str] = _key().sign(claims)
    return signed


@cache
def _key() -> Vapid02:
    from py_vapid import Vapid02

    return Vapid02.from_raw(settings.VAPID_KEY.encode())


def public_key() -> str:
    """Our key, as browsers want it."""
    from cryptography.hazmat.primitives import serialization

    raw = _key().public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unbase(text: str) -> bytes:
    """Bytes of base 64, with or without its end. Raises :class:`ValueError`."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_keys(keys: dict[str, str]) -> None:
    """Raise :class:`ValueError` for what are no keys of a browser."""
    from cryptography.hazmat.primitives.asymmetric import ec

    point = unbase(keys["p256dh"])
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    if len(unbase(keys["auth"])) != 16:
        raise ValueError("the secret has another length")
