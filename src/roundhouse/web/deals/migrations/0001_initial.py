"""Deals."""

import django.db.models.deletion
from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0014_bots_ask"),
    ]

    operations = [
        migrations.CreateModel(
            name="Deal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("action", models.TextField()),
                ("parties", models.JSONField(default=list)),
                ("agreed", models.JSONField(default=list)),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("agreed", "agreed, done as soon as it can be"),
                            ("done", "done"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                            ("countered", "answered with another offer"),
                            ("expired", "expired"),
                            ("void", "not possible any more"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=200)),
                ("until", models.DateTimeField(null=True)),
                ("tried", models.PositiveIntegerField(null=True)),
                ("made", models.DateTimeField(default=roundhouse.web.clock.now)),
                ("ended", models.DateTimeField(null=True)),
                (
                    "counters",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to="deals.deal"
                    ),
                ),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="offers",
                        to="web.place",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deals",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="one_deal_a_number")
                ],
            },
        ),
    ]
