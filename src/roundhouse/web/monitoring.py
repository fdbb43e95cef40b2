"""What a host sees of a running server: a line for each request, ``/health``, ``/metrics``."""

from __future__ import annotations

import logging
import os
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.utils.encoding import escape_uri_path
from django_tasks_db.models import DBTaskResult
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

from .live import hub
from .middleware import came_by_a_proxy
from .models import Table
from .revision import REVISION

log = logging.getLogger("roundhouse.requests")

REQUESTS = Counter("roundhouse_requests", "Requests answered", ("view", "method", "status"))
SECONDS = Histogram(
    "roundhouse_request_seconds",
    "Time in a thread, by view",
    ("view",),
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)
PROCESSOR = Counter(
    "roundhouse_request_processor_seconds", "Processor time of requests in their threads", ("view",)
)
STREAMS = Gauge("roundhouse_streams", "Open event streams", multiprocess_mode="livesum")
QUEUE = Gauge("roundhouse_tasks_waiting", "Tasks in the queue", multiprocess_mode="mostrecent")
TABLES = Gauge("roundhouse_tables_running", "Games that are played", multiprocess_mode="mostrecent")

Answer = Callable[[HttpRequest], HttpResponse]
_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def observed(get_response: Answer) -> Answer:
    """Counts and times every request, and logs it with an id that the answer carries as well."""

    def answer(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        number = given if _ID.fullmatch(given) else secrets.token_hex(8)
        began, worked = time.perf_counter(), time.thread_time()
        response = get_response(request)
        response["X-Request-Id"] = number
        worked = time.thread_time() - worked
        _note(request, response, number, (time.perf_counter() - began, worked))
        return response

    return answer


def _note(
    request: HttpRequest, response: HttpResponse, number: str, times: tuple[float, float]
) -> None:
    """``times``: by the clock, and of the processor."""
    took, worked = times
    view = request.resolver_match.view_name if request.resolver_match else "none"
    REQUESTS.labels(view, request.method, response.status_code).inc()
    SECONDS.labels(view).observe(took)
    PROCESSOR.labels(view).inc(worked)
    if log.isEnabledFor(logging.INFO):
        user = getattr(request, "user", None)
        log.info(
            "%s %s %s",
            request.method,
            escape_uri_path(request.path),
            response.status_code,
            extra={
                "request": number,
                "user": user.pk if user is not None and user.is_authenticated else None,
                "client": request.META.get("REMOTE_ADDR", ""),
                "status": response.status_code,
                "milliseconds": round(took * 1000, 1),
                "view": view,
            },
        )


def health(request: HttpRequest) -> HttpResponse:
    """Whether the process answers and reaches its database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception:
        return JsonResponse({"status": "no database", "program": REVISION}, status=503)
    return JsonResponse({"status": "ok", "program": REVISION})


def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus: to the machine itself, or to who knows ``ROUNDHOUSE_METRICS``."""
    word = os.environ.get("ROUNDHOUSE_METRICS", "")
    shown = request.headers.get("Authorization", "").encode("latin-1", "replace")  # as it came
    local = request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not settings.PROXIES
    local = local and not came_by_a_proxy(request)  # which the settings do not name
    if not local and not (word and secrets.compare_digest(shown, f"Bearer {word}".encode())):
        return HttpResponseForbidden("Not for everybody.")
    STREAMS.set(hub.listeners)
    QUEUE.set(DBTaskResult.objects.ready().count())
    TABLES.set(Table.objects.games().filter(status=Table.Status.RUNNING).count())
    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def _registry() -> Any:
    """Of all processes of this server, if there are several."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
