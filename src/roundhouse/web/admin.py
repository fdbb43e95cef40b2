"""The admin: looking at tables, answering reports, sending people away. Nothing in it changes a
game: logs, seats and set-ups are shown only; a table may be removed as a whole."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from . import clock
from .models import Move, Place, Report, Table

User = get_user_model()


class Shown:
    """What is looked at only."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PlaceInline(Shown, admin.TabularInline):  # type: ignore[type-arg]
    model = Place
    extra = 0
    fk_name = "table"


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "title", "status", "round", "version", "creator", "since")
    list_filter = ("status", "title")
    fields = ("description", "public", "title", "status", "round", "version", "revision", "creator",
              "hotseat", "seats", "options", "undo", "assistance", "created", "since")  # fmt: skip
    readonly_fields = tuple(f for f in fields if f not in ("description", "public"))
    inlines = (PlaceInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """What belongs to a table goes with it, though no part of it can be taken out."""
        found, counts, forbidden, protected = super().get_deleted_objects(objs, request)
        parts = {str(m._meta.verbose_name) for m in (Move, Place)}
        return found, counts, forbidden - parts, protected


@admin.register(Move)
class MoveAdmin(Shown, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("table", "number", "user", "stead", "at", "action")
    list_filter = ("table",)


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "table", "by", "about", "at", "settled")
    list_filter = ("settled",)
    readonly_fields = ("table", "by", "about", "text", "at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.action(description="Ban: they are signed out at once and cannot sign in")
def ban(modeladmin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
    others = queryset.exclude(pk=request.user.pk)
    _used(others)
    others.update(is_active=False)


def _used(users: QuerySet[Any]) -> None:
    """Note of accounts that they are not new: the link of the first letter opens new ones only."""
    users.filter(last_login=None).update(last_login=clock.now())


@admin.action(description="Let them in again")
def pardon(modeladmin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
    queryset.update(is_active=True)


admin.site.unregister(User)


@admin.register(User)
class PeopleAdmin(UserAdmin):  # type: ignore[type-arg]
    list_display = ("username", "email", "date_joined", "last_login", "is_active")
    actions = (ban, pardon)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and not obj.is_active:
            _used(User.objects.filter(pk=obj.pk))
