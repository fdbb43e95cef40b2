"""Accounts: signing up, and going away for ever."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ..forms import SignUp


def sign_up(request: HttpRequest) -> HttpResponse:
    """A new account."""
    if settings.LOCAL:
        raise Http404("This server needs no accounts.")
    form = SignUp(request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.save(), "django.contrib.auth.backends.ModelBackend")
        return redirect(request.GET.get("next", "") if _inside(request) else "lobby")
    return render(request, "registration/signup.html", {"form": form})


def _inside(request: HttpRequest) -> bool:
    from django.utils.http import url_has_allowed_host_and_scheme

    target = request.GET.get("next", "")
    return url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})


@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Deleting the own account; seats stay under a neutral name."""
    if settings.LOCAL:
        raise Http404("This server needs no accounts.")
    if request.method == "POST":
        user = request.user
        logout(request)
        user.delete()
        return redirect("lobby")
    return render(request, "registration/delete.html")
