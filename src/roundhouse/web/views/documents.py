"""The documents: the site that is built of them, beside the package."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.static import serve

from ..middleware import documents_built

#: How long a browser keeps a file of the site without asking, in seconds.
MAX_AGE = 3600


@require_safe
def document(request: HttpRequest, path: str) -> HttpResponse:
    """A page or file of the site, whole."""
    site: Path = settings.DOCUMENTS
    if not documents_built():
        why = "The documents are not built here. python3 run.py docs builds them."
        return render(request, "404.html", {"why": why}, status=404)
    answer = serve(request, path or "index.html", document_root=str(site))
    whole = HttpResponse(
        b"".join(answer) if answer.status_code == 200 else b"",
        status=answer.status_code,
        headers=dict(answer.items()),
    )
    answer.close()
    whole.headers["Cache-Control"] = f"max-age={MAX_AGE}"
    return whole


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The address without its slash."""
    return redirect("documents", path="")
