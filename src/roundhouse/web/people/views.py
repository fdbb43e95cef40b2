"""The pages of people: profiles and ratings, groups, talk, dates, ready checks, house rules."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from ...titles.title import all_titles
from .. import clock
from ..clocks.views import at_home
from ..limits import count, limited, visitor
from ..models import Block, Table
from ..tables import Refused
from ..views.common import Visit, table_for
from . import gathering, months
from .forms import GroupForm, HouseRulesForm, ProfileForm, SessionForm
from .models import Coming, Follow, Group, HouseRules, Post, Profile, Rating, Session

_SHOWN = 50


def _name(title: str) -> str:
    found = all_titles().get(title)
    return found.box.game.name if found else title


# profiles


def _person(request: Visit, name: str) -> Any:
    user = get_object_or_404(get_user_model(), username=name, is_active=True)
    hidden = Profile.objects.filter(user=user, hidden=True).exists()
    if hidden and not request.user.is_authenticated:
        raise Http404("There is nobody of that name.")
    return user


@require_GET
def profile(request: Visit, name: str) -> HttpResponse:
    """Somebody's page: what he tells, how often and how well he plays what."""
    person = _person(request, name)
    played = Table.objects.filter(Q(places__user=person) | Q(places__partner=person), hotseat=False)
    counts = played.values("title", "status").annotate(n=Count("pk", distinct=True))
    ratings = {r.title: r for r in Rating.objects.filter(user=person)}
    me = request.user if request.user.is_authenticated else None
    context = {
        "person": person,
        "profile": Profile.objects.filter(user=person).first(),
        "titles": _titles(counts, ratings),
        "recent": played.filter(public=True).distinct()[:20],
        "own": me == person,
        "form": ProfileForm(instance=Profile.objects.filter(user=person).first()),
        "followed": me and Follow.objects.filter(by=me, user=person).exists(),
        "blocked": me and Block.objects.filter(by=me, user=person).exists(),
        "rhythm": getattr(person, "rhythm", None),
        "now": clock.now(),
    }
    return render(request, "people/profile.html", context)


def _titles(counts: Any, ratings: dict[str, Rating]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in counts:
        line = found.setdefault(row["title"], {"running": 0, "finished": 0})
        if row["status"] in line:
            line[row["status"]] += row["n"]
    return [
        {"title": t, "name": _name(t), "rating": ratings.get(t), **line}
        for t, line in sorted(found.items())
    ]


@login_required
@require_POST
def about(request: Visit) -> HttpResponse:
    """What I tell of myself."""
    form = ProfileForm(request.POST, instance=Profile.objects.filter(user=request.user).first())
    if not form.is_valid():
        raise Refused("That is too long.", "malformed")
    form.instance.user = request.user
    form.save()
    return redirect("profile", request.user.get_username())


@login_required
@require_POST
def relate(request: Visit, name: str) -> HttpResponse:
    """Following and blocking somebody, and no longer."""
    person, me = _person(request, name), request.user
    if person == me:
        raise Refused("That is you.", "yourself")
    does = request.POST.get("do", "")
    if does == "follow":
        Follow.objects.get_or_create(by=me, user=person)
    elif does == "unfollow":
        Follow.objects.filter(by=me, user=person).delete()
    elif does == "block":
        Block.objects.get_or_create(by=me, user=person)
        Follow.objects.filter(Q(by=me, user=person) | Q(by=person, user=me)).delete()
    elif does == "unblock":
        Block.objects.filter(by=me, user=person).delete()
    return redirect("profile", name)


@require_GET
def ratings(request: Visit, title: str) -> HttpResponse:
    """Who plays a title best."""
    if title not in all_titles():
        raise Http404("There is no such title.")
    rows = list(
        Rating.objects.filter(title=title).select_related("user__profile", "user__bot_account")
    )
    if not request.user.is_authenticated:
        rows = [r for r in rows if not (r.user and getattr(r.user, "profile", None)
                                        and r.user.profile.hidden)]  # fmt: skip
    rows.sort(key=lambda r: (-r.shown, r.who))
    context = {"title": title, "name": _name(title), "rows": rows[:200]}
    return render(request, "people/ratings.html", context)


# groups and talk


@login_required
@limited("new-table")
def groups(request: Visit) -> HttpResponse:
    """My groups, and a new one."""
    form = GroupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.instance.owner = request.user
        found = form.save()
        found.members.add(request.user)
        return redirect("group", found.pk)
    context = {"groups": request.user.play_groups.all(), "form": form}
    return render(request, "people/groups.html", context, status=422 if form.errors else 200)


def _group(request: Visit, pk: int) -> Group:
    found = get_object_or_404(Group, pk=pk)
    if not found.members.filter(pk=request.user.pk).exists():
        raise Http404("There is no such group, or it is not yours.")
    return found


@login_required
@require_GET
def group(request: Visit, pk: int) -> HttpResponse:
    """A group: its people, dates, tables and talk."""
    found = _group(request, pk)
    members = list(found.members.all())
    tables = Table.objects.filter(places__user__in=members, hotseat=False).annotate(
        seated=Count("places", filter=Q(places__user__in=members), distinct=True)
    )
    link = request.build_absolute_uri(reverse("join_group", args=(found.word,)))
    context = {
        "group": found,
        "members": members,
        "link": link,
        "tables": tables.filter(seated__gte=2)[:20],
        "sessions": gathering.sessions_for(request.user).filter(group=found),
        "posts": found.posts.select_related("user")[:_SHOWN],
    }
    with at_home(request.user):
        return render(request, "people/group.html", context)


@login_required
def join(request: Visit, word: str) -> HttpResponse:
    """The link to a group: asked first."""
    found = get_object_or_404(Group, word=word)
    blocked = Block.objects.filter(by__in=found.members.all(), user=request.user).exists()
    if request.method == "POST":
        if blocked:
            raise Refused("Somebody in this group does not want to play with you.", "not_welcome")
        found.members.add(request.user)
        return redirect("group", found.pk)
    return render(request, "people/join.html", {"group": found})


@login_required
@require_POST
def leave(request: Visit, pk: int) -> HttpResponse:
    """Going out of a group; with the last one it is gone."""
    found = _group(request, pk)
    found.members.remove(request.user)
    heir = found.members.first()
    if heir is None:
        found.delete()
    elif found.owner_id == request.user.pk:
        Group.objects.filter(pk=found.pk).update(owner=heir)
    return redirect("groups")


@login_required
@require_POST
@limited("chat")
def say(request: Visit, pk: int) -> HttpResponse:
    """A line in a group."""
    gathering.post(_group(request, pk), request.user, _line(request))
    return redirect("group", pk)


def _line(request: Visit) -> str:
    text = request.POST.get("say", "").replace("\0", "").strip()[:1000]
    if not text:
        raise Refused("Nothing to say.", "empty")
    return text


@login_required
@limited("chat")
def talk(request: Visit) -> HttpResponse:
    """The talk of the site, where the host has it."""
    if not settings.SITE_CHAT:
        raise Http404("There is no talk here.")
    if request.method == "POST":
        gathering.post(None, request.user, _line(request))
        return redirect("talk")
    blocked = Block.objects.filter(by=request.user).values("user")
    posts = Post.objects.filter(group=None).exclude(user__in=blocked).select_related("user")
    with at_home(request.user):
        return render(request, "people/talk.html", {"posts": posts[:_SHOWN]})


# dates


@login_required
@limited("invite")
def sessions(request: Visit) -> HttpResponse:
    """Dates that are proposed, and a new one."""
    with at_home(request.user):
        form = SessionForm(request.user, request.POST or None, initial={"hours": 4})
        if request.method == "POST" and form.is_valid():
            form.instance.by = request.user
            gathering.propose(form.instance)
            return redirect("sessions")
        found = list(gathering.sessions_for(request.user).select_related("group", "by"))
        mine = dict(Coming.objects.filter(user=request.user).values_list("session", "says"))
        context = {
            "rows": [_session(s, mine.get(s.pk, "")) for s in found],
            "month": _month(request, found),
            "form": form,
            "says": Coming.Says.choices,
        }
        status = 422 if form.errors else 200
        return render(request, "people/sessions.html", context, status=status)


def _month(request: Visit, found: list[Session]) -> months.Month:
    """The month somebody asks for, or that of the next date."""
    today = timezone.localdate(clock.now())
    next_ = timezone.localdate(found[0].at) if found else today
    return months.month_of(months.read(request.GET.get("month", ""), next_), today, found)


def _session(session: Session, mine: str) -> dict[str, Any]:
    coming = session.coming.select_related("user")
    return {
        "session": session,
        "mine": mine,
        "coming": [c.user.get_username() for c in coming if c.says == "yes"],
        "maybe": [c.user.get_username() for c in coming if c.says == "maybe"],
    }


@login_required
@require_POST
def come(request: Visit, pk: int) -> HttpResponse:
    """Whether I come; who proposed a date may drop it."""
    session = get_object_or_404(gathering.sessions_for(request.user), pk=pk)
    says = request.POST.get("says", "")
    if says == "drop" and session.by_id == request.user.pk:
        session.delete()
    elif says in Coming.Says.values:
        given = {"says": says}
        Coming.objects.update_or_create(session=session, user=request.user, defaults=given)
    return redirect("sessions")


# at a table


@login_required
@require_POST
def ready(request: Visit, pk: int) -> HttpResponse:
    """Asking whether everybody is here, and saying so."""
    table_for(request, pk)
    if request.POST.get("do") == "ask":
        count("invite", visitor(request))  # everybody is written to
        gathering.check(pk, request.user)
    else:
        gathering.ready(pk, request.user)
    return redirect("table", pk)


def house_rules(request: Visit, pk: int) -> HttpResponse:
    """What is agreed at a table; who made it writes it down before the game begins."""
    table = table_for(request, pk)
    found = HouseRules.objects.filter(table=table).first()
    may = table.creator_id == request.user.pk and not table.version
    form = HouseRulesForm(request.POST or None, instance=found)
    if request.method == "POST":
        if not may:
            raise Refused("Only who made the table may do that, before the game begins.", "begun")
        if form.is_valid():
            form.instance.table = table
            form.save()
            return redirect("house_rules", pk)
        HouseRules.objects.filter(table=table).delete()
        return redirect("house_rules", pk)
    context = {"table": table, "rules": found, "form": form if may else None}
    return render(request, "people/house_rules.html", context)
