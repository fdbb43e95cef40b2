"""The admin: what is said at tables is looked at, and a line may be taken away."""

from __future__ import annotations

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from ..live import announce
from ..models import Table
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

    def delete_model(self, request: HttpRequest, obj: Said) -> None:
        self.delete_queryset(request, Said.objects.filter(pk=obj.pk))

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Said]) -> None:
        """Pages that show the lines are told that they are gone."""
        tables = list(Table.objects.filter(talk__in=queryset).distinct())
        super().delete_queryset(request, queryset)
        for table in tables:
            announce(table, nudge=True)
