"""Accounts: signing up, confirming an address, the terms of the house, going away for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model, login, logout
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST

from ..forms import Forgotten, SignUp
from ..limits import limited
from ..looks import keep_looks
from ..tables.faults import Forbidden, Refused

#: Seconds for which the link of a letter is good.
_LINK_LIVES = 3 * 86400
_SALT = "confirm"

sign_in = limited("login")(auth_views.LoginView.as_view())
sign_in_as_host = limited("login")(admin.site.login)
change_password = limited("password")(auth_views.PasswordChangeView.as_view())
forgotten = limited("reset")(auth_views.PasswordResetView.as_view(form_class=Forgotten))


@limited("signup")
def sign_up(request: HttpRequest) -> HttpResponse:
    """A new account, where the host takes any."""
    if settings.LOCAL:
        raise Http404("This server needs no accounts.")
    if settings.REGISTRATION == "closed":
        raise Refused("This house takes no new accounts; ask its host.", "closed")
    form = SignUp(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _confirm_first(request, form) if settings.CONFIRM_EMAIL else _enter(request, form)
    context = {"form": form, "terms": bool(settings.TERMS)}
    return render(request, "registration/signup.html", context)


def _enter(request: HttpRequest, form: SignUp) -> HttpResponse:
    login(request, form.save(), "django.contrib.auth.backends.ModelBackend")
    return redirect(request.GET.get("next", "") if _inside(request) else "lobby")


def _confirm_first(request: HttpRequest, form: SignUp) -> HttpResponse:
    user: Any = form.save(commit=False)
    user.is_active = False
    user.save()
    token = signing.dumps(user.pk, salt=_SALT)
    link = f"{settings.SITE}/account/confirm/{token}/"
    text = render_to_string("registration/confirm.txt", {"user": user, "link": link})
    send_mail("Confirm your address", text, None, [user.email])
    return render(request, "registration/confirm_sent.html", {"email": user.email})


def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The link of the letter: the address is confirmed, and the account open."""
    try:
        pk = signing.loads(token, salt=_SALT, max_age=_LINK_LIVES)
    except signing.BadSignature as error:
        raise Http404("The link is not good any more.") from error
    user = get_object_or_404(get_user_model(), pk=pk)
    if not user.account.confirmed and user.last_login is None:  # nor was he banned meanwhile
        user.account.confirmed = user.is_active = True
        user.account.save()
        user.save()
    return redirect("login")


def terms(request: HttpRequest) -> HttpResponse:
    """The terms of the house."""
    try:
        text = Path(settings.TERMS).read_text(encoding="utf-8") if settings.TERMS else ""
    except OSError:
        text = ""
    if not text:
        raise Http404("This house has no terms.")
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": False}).render(text)
    return render(request, "registration/terms.html", {"text": mark_safe(html)})


def _inside(request: HttpRequest) -> bool:
    target = request.GET.get("next", "")
    return url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})


@require_POST
@limited("looks")
def looks(request: HttpRequest) -> HttpResponse:
    """Keep the colours and patterns of who is signed in."""
    if not request.user.is_authenticated:
        raise Forbidden("Sign in to keep colours.", "signed_out")
    keep_looks(request.user, request.POST.dict())
    return HttpResponse(status=204)


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
