"""The admin: looking at tables; logs are shown, never changed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from .models import Move, Place, Table


class PlaceInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Place
    extra = 0


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "title", "status", "round", "version", "creator", "since")
    list_filter = ("status", "title")
    inlines = (PlaceInline,)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """A log goes with its table, though no line of it can be taken out."""
        found, counts, forbidden, protected = super().get_deleted_objects(objs, request)
        return found, counts, forbidden - {str(Move._meta.verbose_name)}, protected


@admin.register(Move)
class MoveAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("table", "number", "user", "at", "action")
    list_filter = ("table",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
