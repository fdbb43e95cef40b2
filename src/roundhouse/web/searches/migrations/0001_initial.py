"""Searches for routes."""

import django.db.models.deletion
from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0015_pace"),
    ]

    operations = [
        migrations.CreateModel(
            name="RouteSearch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("after", models.PositiveBigIntegerField()),
                ("company", models.CharField(max_length=80)),
                ("revenue", models.BigIntegerField(default=0)),
                ("bound", models.BigIntegerField(default=0)),
                ("begun", models.BooleanField(default=False)),
                ("stopped", models.BooleanField(default=False)),
                ("answer", models.TextField(blank=True)),
                ("made", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="searches",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "after", "company"), name="one_search_a_position"
                    )
                ],
            },
        ),
    ]
