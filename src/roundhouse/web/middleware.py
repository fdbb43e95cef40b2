"""What happens around every request: who is asking, what the page may load, compression."""

from __future__ import annotations

import gzip
import ipaddress
import re
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import brotli
from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from whitenoise.middleware import WhiteNoiseMiddleware

from . import clock
from .revision import REVISION
from .tables.faults import Refused

Answer = Callable[[HttpRequest], HttpResponse]

#: The name of the one player of local mode.
LOCAL_NAME = "you"

#: What only a proxy adds to a request: then it comes from somewhere else.
_PROXIED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
            "Via")  # fmt: skip

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def content_policy(get_response: Answer) -> Answer:
    """Pages load nothing but our own files and run no script written into them."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return answer


def local_player(get_response: Answer) -> Answer:
    """In local mode everybody who comes over the loopback is the one local player, and nobody
    else gets in."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.LOCAL:
            if came_by_a_proxy(request) or not _is_loopback(request.META.get("REMOTE_ADDR", "")):
                return HttpResponseForbidden("This server is open to its own machine only.")
            if not request.user.is_authenticated:
                request.user = SimpleLazyObject(local_account)  # type: ignore[assignment]
        return get_response(request)

    return answer


def came_by_a_proxy(request: HttpRequest) -> bool:
    """Whether a request was handed on to us."""
    return any(name in request.headers for name in _PROXIED)


def refusals(get_response: Answer) -> Answer:
    """What is refused is told in a sentence, wherever it comes up; so is text that is not UTF-8."""

    def answer(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            return HttpResponse("Send text as UTF-8.", status=415, content_type="text/plain")
        return get_response(request)

    def process_exception(request: HttpRequest, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, Refused):
            return None
        from .views.common import refused  # it needs the models, which come after the settings

        return refused(request, fault)

    answer.process_exception = process_exception  # type: ignore[attr-defined]
    return answer


def local_account() -> Any:
    """The one player of local mode."""
    users = get_user_model().objects
    user, made = users.get_or_create(username=LOCAL_NAME)
    if made:
        user.set_unusable_password()
        user.save()
    return user


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class Compress(GZipMiddleware):
    """Compresses everything but event streams, which must not wait for a full block: by Brotli
    where it is taken, else as Django does. Either way the length is blurred by up to a hundred
    bytes, so that it does not tell what a page says beside a secret."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        if response.headers.get("Content-Type", "").startswith("text/event-stream"):
            return response
        accepted = request.headers.get("Accept-Encoding", "")
        coded = response.streaming or response.has_header("Content-Encoding")
        if coded or len(response.content) < _LEAST or not _BROTLI.search(accepted):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        response.content = brotli.compress(response.content, quality=_QUICK)
        response["Content-Length"] = len(response.content)
        response["Content-Encoding"] = "br"
        response["X-Blur"] = "x" * secrets.randbelow(self.max_random_bytes)
        return response


#: Bytes of an answer that is worth compressing, and the quality that takes no longer than gzip.
_LEAST, _QUICK = 200, 5


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Our few small files whole, so that an asynchronous server need not stream them, packed, and
    without what only pages need to be told."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        answer = WhiteNoiseMiddleware.serve(static_file, request)
        body = b"".join(answer.streaming_content)
        answer.close()
        headers = {n: answer[n] for n in _TOLD if n in answer}
        packed = HttpResponse(body, status=answer.status_code, headers=headers)
        packed["X-Content-Type-Options"] = "nosniff"
        if packed.status_code == 200 and answer["Content-Type"].startswith(_TEXTS):
            patch_vary_headers(packed, ("Accept-Encoding",))
            bare = answer["Content-Type"].startswith("text/javascript") and not settings.DEBUG
            _pack(packed, _bare(body) if bare else body, request)
        if body:
            packed["Content-Length"] = len(packed.content)
        return packed


#: What a browser is told of a file, and the kinds of files that are text.
_TOLD = ("Content-Type", "Cache-Control", "ETag", "Content-Range", "Accept-Ranges")
_TEXTS = ("text/", "image/svg", "application/json", "application/manifest")
#: Comments that begin and end their lines.
_COMMENTS = re.compile(rb"^[ \t]*(?://.*|/\*\*(?s:.*?)\*/[ \t]*)\n", re.MULTILINE)
#: That a browser takes Brotli, in its list of codings.
_BROTLI = re.compile(r"\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")


def _pack(answer: HttpResponse, text: bytes, request: HttpRequest) -> None:
    """Text in the smallest coding that who asks takes."""
    accepted = request.headers.get("Accept-Encoding", "")
    if _BROTLI.search(accepted):
        text, answer["Content-Encoding"] = _brotli(text), "br"
    elif "gzip" in accepted:
        text, answer["Content-Encoding"] = _gzip(text), "gzip"
    answer.content = text


@lru_cache(maxsize=512)
def _bare(script: bytes) -> bytes:
    """A script without the comments that have lines of their own."""
    return _COMMENTS.sub(b"", script)


@lru_cache(maxsize=512)
def _gzip(text: bytes) -> bytes:
    return gzip.compress(text, 9, mtime=0)


@lru_cache(maxsize=512)
def _brotli(text: bytes) -> bytes:
    return bytes(brotli.compress(text, mode=brotli.MODE_TEXT))


def surroundings(request: HttpRequest) -> dict[str, Any]:
    """What every template may use."""
    return {
        "local": settings.LOCAL,
        "revision": REVISION,
        "talk": settings.SITE_CHAT,
        "now": clock.now(),
        "documents": documents_built,
    }


def documents_built() -> bool:
    """Whether the site of the documents is there."""
    return (settings.DOCUMENTS / "index.html").exists()
