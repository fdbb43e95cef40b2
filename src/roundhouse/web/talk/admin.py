"""The admin: what is said at tables is looked at, and a line may be taken away."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from .models import Said


@admin.register(Said)
class SaidAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("table", "number", "room", "who", "text", "at")
    list_filter = ("room",)
    search_fields = ("text",)
    list_select_related = ("place", "user")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Said | None = None) -> bool:
        return False
