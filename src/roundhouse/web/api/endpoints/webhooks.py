"""Webhooks: addresses that are told about the account's games."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Router, Status

from ... import limits
from .. import auth, webhooks
from ..models import Webhook
from ..schemas.common import Done, Number
from ..schemas.webhooks import WebhookIn, WebhookMade, WebhookOut
from .common import Request, printable

router = Router(tags=["Webhooks"], auth=auth.webhooks)


@router.get("", response=list[WebhookOut], summary="Your webhooks")
def hooks(request: Request) -> Any:
    """The addresses that are told about your games, and why one could not be told last."""
    return list(Webhook.objects.filter(user=request.user))


@router.post("", response={201: WebhookMade}, summary="Set a webhook up")
def create(request: Request, data: WebhookIn) -> Any:
    """Have an address told: it gets a POST of each event as JSON. The ``secret`` is told this once;
    ``X-Roundhouse-Signature: t=<seconds>,v1=<hex>`` is the HMAC-SHA256 of ``<seconds>.<body>``
    under it. Whoever does not answer 2xx is told again, five times within seven hours."""
    limits.count("new-hook", limits.visitor(request))
    return Status(201, webhooks.make(request.user, printable(data.url, "body.url"), data.events))


@router.post("/{webhook}/ping", response=Done, summary="Try a webhook out")
def ping(request: Request, webhook: Number) -> Any:
    """Send an event ``ping`` now; refused with what went wrong. It turns a hook on again."""
    limits.count("new-hook", limits.visitor(request))
    with limits.few("outward"):
        webhooks.ping(_own(request, webhook))
    return {"ok": True}


@router.delete("/{webhook}", response=Done, summary="Remove a webhook")
def remove(request: Request, webhook: Number) -> Any:
    """Tell an address nothing more."""
    _own(request, webhook).delete()
    return {"ok": True}


def _own(request: Request, pk: int) -> Webhook:
    found = Webhook.objects.filter(user=request.user, pk=pk).first()
    if found is None:
        raise Http404("There is no such webhook.")
    return found
