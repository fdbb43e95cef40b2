"""Where notices go, on this machine: a mail server, a service with webhooks, a push service."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from .browser import free_port


class Mailbox:
    """A mail server that keeps what it gets; ``refuse``: what it answers instead."""

    def __init__(self) -> None:
        self.letters: list[Any] = []
        self.refuse = ""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuse:
            return self.refuse
        letter = message_from_bytes(envelope.content, policy=policy.default)
        letter.to = list(envelope.rcpt_tos)
        self.letters.append(letter)
        return "250 taken"

    def to(self, address: str) -> list[Any]:
        return [m for m in self.letters if address in m.to]


@contextmanager
def mail_server(port: int | None = None) -> Iterator[Mailbox]:
    box = Mailbox()
    control = Controller(box, hostname="127.0.0.1", port=port or free_port())
    control.start()
    box.port = control.port
    try:
        yield box
    finally:
        control.stop()


class Service:
    """Keeps what is posted to it; ``answers``: what it says, the last of them for good."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[tuple[int, dict[str, str]]] = [(204, {})]

    def answer(self) -> tuple[int, dict[str, str]]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def bodies(self, path: str = "") -> list[Any]:
        return [json.loads(body) for at, _, body in self.got if at.startswith(path)]


@contextmanager
def web_service() -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {k.lower(): v for k, v in self.headers.items()}
            status, more = service.answer()
            if 200 <= status < 300:
                service.got.append((self.path, headers, body))
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *given: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Browser:
    """The half of a browser that a push service sees: an address and keys; it can read what was
    sent to it."""

    def __init__(self, service: Service, name: str = "one") -> None:
        self.endpoint = f"{service.address}/push/{name}"
        self._service = service
        self._path = f"/push/{name}"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    def subscription(self) -> dict[str, Any]:
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {
            "endpoint": self.endpoint,
            "keys": {"p256dh": base(point), "auth": base(self._auth)},
        }

    def read(self) -> list[dict[str, Any]]:
        """What arrived, opened; who sent it is checked as a push service does."""
        return [
            self._open(headers, body) for at, headers, body in self._service.got if at == self._path
        ]

    def _open(self, headers: dict[str, str], body: bytes) -> dict[str, Any]:
        assert Vapid02.verify(headers["authorization"])
        assert headers["content-encoding"] == "aes128gcm"
        plain = http_ece.decrypt(
            body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        return json.loads(plain)


def base(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
