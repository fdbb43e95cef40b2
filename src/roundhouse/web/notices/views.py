"""The pages of notices: how one is reached, of what, and signing off."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.mail import send_mail
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from .. import bounds, outward
from ..deals.models import Deal
from ..limits import few, limited
from ..models import Place, Table
from ..tables import Refused, my_places
from ..views.common import Visit, table_for
from . import outbox, recipients
from .forms import Hook, Letter, ManyManners, ways_of
from .models import Channel, Delivery, Kind, Manners, Way, Wish, secret
from .ways import absolute, letters, push

_SALT = "roundhouse.notices.mail"
_LINK_LIVES = 3 * 86400
#: Ways to reach somebody at most.
_MOST = 12
#: Names of the columns of the table of wishes.
_COLUMNS = ((Way.MAIL, "Mail"), (Way.HOOK, "Webhook"), (Way.PUSH, "Browser"))


@login_required
@require_GET
def notices(request: Visit) -> HttpResponse:
    """How I am reached, and of what."""
    return _page(request)


def _page(request: Visit, hook: Hook | None = None, letter: Letter | None = None) -> HttpResponse:
    user = request.user
    manners, _ = Manners.objects.get_or_create(user=user)
    own = Wish.objects.filter(user=user).exclude(table=None).values("table")
    context = {
        "channels": Channel.objects.filter(user=user),
        "hook": hook or Hook(),
        "letter": letter or Letter(initial={"address": user.email}, auto_id="letter_%s"),
        "rows": _rows(user, None),
        "columns": _COLUMNS,
        "manners": ManyManners(instance=manners),
        "feed": absolute(f"/feed/{manners.word}/games.atom"),
        "calendar": absolute(f"/feed/{manners.word}/dates.ics"),
        "tables": Table.objects.filter(pk__in=own),
        "sent": _sent(user),
        "push_key": push.public_key(),
    }
    faulty = any(f is not None and f.errors for f in (hook, letter))
    return render(request, "notices/notices.html", context, status=422 if faulty else 200)


def _sent(user: Any) -> Any:
    found = Delivery.objects.filter(notice__user=user).exclude(state=Delivery.State.IDLE)
    return found.select_related("notice", "channel").order_by("-pk")[:20]


def _rows(user: Any, table: Table | None) -> list[dict[str, Any]]:
    """The table of wishes: a line for each kind, a box for each way."""
    rows = []
    for kind in Kind:
        ways = recipients.ways_for(user, kind, table)
        boxes = [(f"{kind}:{w}", f"{label}: {kind.label}", w in ways) for w, label in _COLUMNS]
        rows.append({"kind": kind, "boxes": boxes})
    return rows


@login_required
@require_POST
def wishes(request: Visit) -> HttpResponse:
    """What I want to hear of, in all games."""
    _wish(request.user, None, ways_of(request.POST))
    return redirect("notices")


@login_required
def of_table(request: Visit, pk: int) -> HttpResponse:
    """What I want to hear of one game."""
    table = table_for(request, pk)
    if not my_places(table, request.user):
        raise Http404("You have no seat at this table.")
    if request.method == "POST":
        if request.POST.get("usual"):
            Wish.objects.filter(user=request.user, table=table).delete()
        else:
            _wish(request.user, table, ways_of(request.POST))
        return redirect("table_notices", pk)
    own = Wish.objects.filter(user=request.user, table=table).exists()
    context = {
        "table": table,
        "rows": _rows(request.user, table),
        "columns": _COLUMNS,
        "own": own,
        "channels": Channel.objects.filter(user=request.user, good=True).exists(),
    }
    return render(request, "notices/table.html", context)


def _wish(user: Any, table: Table | None, ways: dict[str, list[str]]) -> None:
    for kind, chosen in ways.items():
        Wish.objects.update_or_create(user=user, table=table, kind=kind, defaults={"ways": chosen})


@login_required
@require_POST
def manners(request: Visit) -> HttpResponse:
    """When I want to hear."""
    found, _ = Manners.objects.get_or_create(user=request.user)
    form = ManyManners(request.POST, instance=found)
    if not form.is_valid():
        raise Refused("Write times of day with hours and minutes, as 22:00.", "malformed")
    form.save()
    return redirect("notices")


@login_required
@require_POST
def new_word(request: Visit) -> HttpResponse:
    """Another address for my feeds; the old one leads nowhere any more."""
    Manners.objects.update_or_create(user=request.user, defaults={"word": secret()})
    return redirect("notices")


# channels


def _room(user: Any) -> None:
    if Channel.objects.filter(user=user).count() >= _MOST:
        raise Refused(f"You have {_MOST} ways to be reached already; remove one first.", "full")


@login_required
@require_POST
@limited("channel")
def add_hook(request: Visit) -> HttpResponse:
    """A webhook; it counts once a test has arrived."""
    _room(request.user)
    form = Hook(request.POST)
    if not form.is_valid():
        return _page(request, hook=form)
    data = form.cleaned_data
    Channel.objects.update_or_create(
        user=request.user, way=Way.HOOK, address=data["address"],
        defaults={"shape": data["shape"], "name": data["name"], "fault": "", "good": False},
    )  # fmt: skip
    return redirect("notices")


@login_required
@require_POST
@limited("channel")
def add_letters(request: Visit) -> HttpResponse:
    """An address for letters; it counts once its link was followed, or if it is the account's
    confirmed one."""
    _room(request.user)
    form = Letter(request.POST, auto_id="letter_%s")
    if not form.is_valid():
        return _page(request, letter=form)
    address, user = form.cleaned_data["address"], request.user
    known = user.account.confirmed and address == user.email
    channel, _ = Channel.objects.get_or_create(user=user, way=Way.MAIL, address=address)
    if known:
        Channel.objects.filter(pk=channel.pk).update(good=True)
    elif not channel.good:
        _ask_for_link(channel)
    return redirect("notices")


def _ask_for_link(channel: Channel) -> None:
    link = absolute(f"/notices/confirm/{signing.dumps(channel.pk, salt=_SALT)}/")
    text = render_to_string("notices/confirm.txt", {"channel": channel, "link": link})
    send_mail("Confirm this address", text, None, [channel.address])


def confirm(request: HttpRequest, word: str) -> HttpResponse:
    """The link of the letter: notices go to this address."""
    try:
        pk = signing.loads(word, salt=_SALT, max_age=_LINK_LIVES)
    except signing.BadSignature as error:
        raise Http404("The link is not good any more.") from error
    channel = get_object_or_404(Channel, pk=pk)
    Channel.objects.filter(pk=channel.pk).update(good=True)
    return redirect("notices")


@login_required
@require_POST
@limited("channel")
def add_browser(request: Visit) -> HttpResponse:
    """A browser that has agreed to show notices: its push service's address and its keys."""
    try:
        told = json.loads(request.body)
        bounds.check(told)
        address, keys = str(told["endpoint"]), dict(told["keys"])
        push.check_keys(keys)
        outward.check(address)
    except outward.Unreachable as fault:
        raise Refused(str(fault), "malformed") from fault
    except (ValueError, KeyError, TypeError) as error:
        raise Refused("This is no subscription of a browser.", "malformed") from error
    if len(address) > 1000:
        raise Refused("The address is too long.", "malformed")
    _room(request.user)
    channel, _ = Channel.objects.update_or_create(
        user=request.user, way=Way.PUSH, address=address,
        defaults={"keys": {k: keys[k] for k in ("p256dh", "auth")}, "good": True, "fault": "",
                  "name": str(told.get("name", ""))[:80]},
    )  # fmt: skip
    return JsonResponse({"channel": channel.pk}, status=201)


@login_required
@require_POST
@limited("try")
def try_out(request: Visit, pk: int) -> HttpResponse:
    """The test button."""
    channel = get_object_or_404(Channel, pk=pk, user=request.user)
    if channel.way == Way.MAIL and not channel.good:
        raise Refused("Follow the link in the letter first.", "unconfirmed")
    with few("outward"):
        outbox.try_out(channel)
    return redirect("notices")


@login_required
@require_POST
def remove(request: Visit, pk: int) -> HttpResponse:
    """Not to be reached in a way any more."""
    get_object_or_404(Channel, pk=pk, user=request.user).delete()
    return redirect("notices")


# signing off


@csrf_exempt
def off(request: HttpRequest, word: str) -> HttpResponse:
    """The sign-off of a letter: asked first when somebody comes with a browser, done at once when
    a mail program sends it (RFC 8058)."""
    channel = letters.signed_off(word)
    if channel is None and request.method != "POST":
        raise Http404("There is nothing to sign off from any more.")
    if request.method == "POST":
        if channel is not None:
            channel.delete()
        return render(request, "notices/off.html", {"done": True})
    return render(request, "notices/off.html", {"channel": channel})


# what the pages of a site ask for


@require_GET
def waiting(request: HttpRequest) -> JsonResponse:
    """The games that wait for the visitor."""
    user: Any = request.user
    if not user.is_authenticated:
        return JsonResponse({"count": 0, "tables": []})
    response = JsonResponse({"tables": (found := waiting_tables(user)), "count": len(found)})
    response["Cache-Control"] = "no-store"
    return response


def waiting_tables(user: Any) -> list[int]:
    """The numbers of the tables that wait for somebody: for his move, or for his answer."""
    mine = Place.objects.filter(Q(user=user) | Q(partner=user), bot="", table__hotseat=False)
    running = mine.filter(table__status=Table.Status.RUNNING)
    rows = list(running.select_related("table"))
    asked = Deal.objects.filter(now=True, state=Deal.State.OPEN, table__in=[p.table for p in rows])
    waiting = {(deal.table_id, number) for deal in asked for number in deal.waiting}
    return sorted(
        {p.table_id for p in rows if p.key in p.table.acting or (p.table_id, p.number) in waiting}
    )


def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root so that it may speak for all pages."""
    from django.contrib.staticfiles import finders

    path = finders.find("roundhouse/worker.js")
    assert isinstance(path, str)
    with open(path, encoding="utf-8") as file:
        response = HttpResponse(file.read(), content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


def manifest(request: HttpRequest) -> JsonResponse:
    """What the site is called where it is kept on a screen; phones want it before they push."""
    icon = f"/{settings.STATIC_URL.strip('/')}/roundhouse/icon.svg"
    told = {
        "name": "Roundhouse",
        "short_name": "Roundhouse",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f6f1e4",
        "theme_color": "#f6f1e4",
        "icons": [{"src": icon, "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(told, content_type="application/manifest+json")
