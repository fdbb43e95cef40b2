"""A question of a table is one of its deals."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def take_over(apps: Any, editor: Any) -> None:
    """What is asked at the moment stays asked, as a deal."""
    deals, rows = apps.get_model("deals", "Deal"), apps.get_model("web", "Question").objects
    for row in rows.select_related("place"):
        last = deals.objects.filter(table=row.table_id).aggregate(last=models.Max("number"))
        own = [n for n in [row.place.number] if n not in row.asked]
        said_no = [row.refused] if row.refused else []
        names = dict(row.table.places.values_list("number", "name"))
        deals.objects.create(
            table_id=row.table_id,
            number=(last["last"] or 0) + 1,
            place_id=row.place_id,
            by_id=row.by_id,
            now=True,
            action=row.action,
            parties=[*own, *row.asked],
            agreed=[*own, *(n for n in row.agreed if names.get(n) not in said_no)],
            state="declined" if row.refused else "open",
            refused=row.refused,
        )
    if editor.connection.vendor == "postgresql":  # indexes are made yet, and want no open checks
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [
        ("deals", "0001_initial"),
        ("web", "0016_branches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="deal",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="deal",
            name="now",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="deal",
            name="refused",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("now", True)), fields=("table",), name="one_question_a_table"
            ),
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
