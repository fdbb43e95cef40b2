"""Requests to addresses people have given us: to the open network only, once, and not for long.

A name is looked up once and the connection goes to the very address that was checked, so it cannot
lead inside afterwards. Redirects are not followed. Hosts may allow networks of their own
(``ROUNDHOUSE_OUTWARD``).
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Ports of the open network that are spoken to.
PORTS = frozenset({443, 8443, 8448})
#: Seconds for one step, and for the whole.
PATIENCE, LONGEST = 8, 20
#: Bytes of an answer that are read.
_READ = 2048


class Unreachable(Exception):
    """An address that is not written to, or that did not answer; ``lasting``: nor ever will."""

    def __init__(self, sentence: str, *, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.lasting = lasting


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str


def check(url: str) -> None:
    """Raise :class:`Unreachable` if an address is not one we would write to as it stands; whether
    its name leads inside is known when it is looked up."""
    _parts(url)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send something. Raises :class:`Unreachable`."""
    parts = _parts(url)
    line = _Line(parts, _address(parts))
    watch = threading.Timer(LONGEST, line.cut)
    watch.daemon = True
    watch.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        line.request("POST", path, body, dict(headers))
        got = line.getresponse()
        text = got.read(_READ).decode("utf-8", "replace")
        return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, text)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(f"{parts.hostname} does not answer: {error}"[:300]) from error
    finally:
        watch.cancel()
        line.close()


class _Line(http.client.HTTPConnection):
    """A connection to an address that was checked, under the name it was asked for."""

    def __init__(self, parts: SplitResult, address: Address) -> None:
        super().__init__(parts.hostname or "", _port(parts), timeout=PATIENCE)
        self._to = str(address)
        self._secure = parts.scheme == "https"

    def connect(self) -> None:
        self.sock = socket.create_connection((self._to, self.port), PATIENCE)
        if self._secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

    def cut(self) -> None:
        """End it, whatever it waits for."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = _port(parts)
        name = (parts.hostname or "").encode("idna" if parts.hostname else "ascii").decode()
    except ValueError as error:
        raise Unreachable(f"This is no address: {error}.", lasting=True) from error
    if parts.scheme not in ("https", "http") or not name:
        raise Unreachable("An address begins with https://.", lasting=True)
    if parts.username or parts.password or any(ord(c) < 33 for c in url):
        raise Unreachable("An address holds no name, password or space.", lasting=True)
    if not settings.OUTWARD and (parts.scheme != "https" or port not in PORTS):
        raise Unreachable("An address begins with https://, at its usual port.", lasting=True)
    return parts


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _address(parts: SplitResult) -> Address:
    """An address of a name that may be written to. Raises :class:`Unreachable`."""
    name = parts.hostname or ""
    try:
        found = socket.getaddrinfo(name, _port(parts), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{name} is not known: {error}") from error
    for entry in found:
        address = ipaddress.ip_address(str(entry[4][0]).partition("%")[0])
        if permitted(address, parts):
            return address
    raise Unreachable(f"{name} is not in the open network.", lasting=True)


def permitted(address: Address, parts: SplitResult) -> bool:
    """Whether an address may be written to: it is public, or the host allows its network."""
    inner = _inner(address)
    if any(inner in net for net in settings.OUTWARD if net.version == inner.version):
        return True
    secure = parts.scheme == "https" and _port(parts) in PORTS
    return secure and inner.is_global and not inner.is_multicast


def _inner(address: Address) -> Address:
    """What an address of the new kind that stands for one of the old kind stands for."""
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo[1] if address.teredo else None
        translated = ipaddress.ip_network("64:ff9b::/96")
        if address in translated:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return address.ipv4_mapped or address.sixtofour or teredo or address
    return address
