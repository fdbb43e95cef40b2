"""Time at the table, in templates."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ...models import Table
from ..models import Clock, Hand

register = template.Library()


@register.simple_tag
def deadline(table: Table) -> SafeString | str:
    """Until when those have time who are waited for; nothing if no clock runs."""
    found: Clock | None = getattr(table, "clock", None)
    if found is None or table.status != Table.Status.RUNNING:
        return ""
    if found.paused:
        return format_html('<small class="deadline">clock stopped</small>')
    hands = Hand.objects.filter(place__table=table).exclude(due=None).order_by("due")
    due = hands.values_list("due", flat=True).first()
    if due is None:
        return ""
    moment = due.isoformat(timespec="minutes")
    return format_html(
        '<a class="deadline" href="{}">until <time datetime="{}" data-local>{}</time></a>',
        reverse("time", args=(table.pk,)),
        moment,
        f"{due:%a %H:%M} UTC",
    )
