"""Pages: the programs of an account, and what the interface can do."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_POST

from .. import bounds
from ..limits import limited
from ..tables.faults import Refused
from ..views.common import Visit
from . import bots, tokens
from .interface import api
from .models import BotAccount, Token, Webhook

#: How long a token may be good: days, and in words.
_TERMS = (("", "until I revoke it"), ("30", "30 days"), ("365", "a year"))


@login_required
@require_GET
def programs(request: Visit) -> HttpResponse:
    """Tokens, bots and webhooks of the account."""
    return _page(request)


def _page(request: Visit, status: int = 200, **more: Any) -> HttpResponse:
    owned = BotAccount.objects.filter(owner=request.user).select_related("user")
    context = {
        "tokens": Token.objects.filter(user=request.user),
        "bots": [(b.user, Token.objects.filter(user=b.user)) for b in owned],
        "hooks": Webhook.objects.filter(user=request.user),
        "scopes": tokens.SCOPES,
        "terms": _TERMS,
        **more,
    }
    return render(request, "roundhouse/api/programs.html", context, status=status)


@login_required
@require_POST
@limited("token")
def make_token(request: Visit) -> HttpResponse:
    """A new token, for the account or one of its bots; it is shown this once."""
    sent = request.POST
    try:
        bot = bounds.number(sent.get("bot", ""))
        whose = bots.own_bot(request.user, bot) if bot else request.user
        scopes = sent.getlist("scope") or (list(tokens.SCOPES) if bot else [])
        days = bounds.number(sent.get("days", ""), 3650)
        row, secret = tokens.make(whose, sent.get("name", ""), scopes, days)
    except Refused as fault:
        return _page(request, fault.status, fault=fault)
    return _page(request, made=row, secret=secret)


@login_required
@require_POST
def revoke_token(request: Visit) -> HttpResponse:
    """A token is good for nothing any more."""
    tokens.revoke(request.user, bounds.number(request.POST.get("token", "")) or 0)
    return redirect("programs")


@login_required
@require_POST
@limited("token")
def make_bot(request: Visit) -> HttpResponse:
    """A new account for a program."""
    name = request.POST.get("name", "").replace("\0", "")[:200]
    try:
        bots.make(request.user, name)
    except Refused as fault:
        return _page(request, fault.status, fault=fault)
    return redirect("programs")


@login_required
@require_POST
def remove_hook(request: Visit) -> HttpResponse:
    """An address is told nothing more."""
    number = bounds.number(request.POST.get("hook", "")) or 0
    Webhook.objects.filter(user=request.user, pk=number).delete()
    return redirect("programs")


# what the interface can do


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """The description of the interface, for people."""
    return render(request, "roundhouse/api/docs.html", _described())


@cache
def _described() -> dict[str, Any]:
    schema = api.get_openapi_schema(path_prefix="api/")
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            groups[operation["tags"][0]].append(_operation(path, method, operation))
    schemas = schema["components"]["schemas"]
    own = sorted(schemas)
    return {
        "about": _marked(schema["info"]["description"]),
        "version": schema["info"]["version"],
        "groups": dict(groups),
        "schemas": [_schema(name, schemas[name]) for name in own],
    }


def _operation(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    security = operation.get("security") or [{}]
    body = operation.get("requestBody", {}).get("content", {})
    answers = [
        (code, _type(content.get("schema", {})))
        for code, answer in operation["responses"].items()
        for content in answer.get("content", {}).values()
        if str(code).startswith("2")
    ]
    return {
        "method": method.upper(),
        "path": path,
        "anchor": operation["operationId"],
        "summary": operation["summary"],
        "text": _marked(operation.get("description", "")),
        "scope": next((s["Bearer"][0] for s in security if "Bearer" in s), ""),
        "open": {} in security,
        "parameters": [
            (p["name"], p["in"], _type(p["schema"]), _marked(p.get("description", "")))
            for p in operation.get("parameters", ())
        ],
        "body": next((_type(c["schema"]) for c in body.values()), ""),
        "answers": answers,
    }


def _schema(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    needed = schema.get("required", ())
    fields = [
        (field, _type(kind), field in needed)
        for field, kind in schema.get("properties", {}).items()
    ]
    several = schema.get("anyOf", ())
    return {
        "name": name,
        "text": _marked(schema.get("description", "")),
        "fields": fields,
        "several": _either(several) if several else "",
    }


def _type(schema: dict[str, Any]) -> SafeString:
    """A type in words, with links to those that have a name."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return mark_safe(f'<a href="#schema-{escape(name)}">{escape(name)}</a>')
    if "anyOf" in schema:
        return _either(schema["anyOf"])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return mark_safe(" | ".join(f"<code>{escape(repr(v))}</code>" for v in values))
    if schema.get("type") == "array":
        return mark_safe(f"list of {_type(schema.get('items', {}))}")
    word = {"integer": "number", "string": "text", "boolean": "yes or no", "null": "nothing"}
    kind = str(schema.get("type", "anything"))
    return SafeString(escape(word.get(kind, kind)))


def _either(kinds: Any) -> SafeString:
    return mark_safe(" or ".join(_type(k) for k in kinds))


def _marked(text: str) -> SafeString:
    """A docstring, its names set as code."""
    plain = escape(" ".join(text.split()))
    return mark_safe(re.sub(r"``?(.+?)``?", r"<code>\1</code>", plain))
