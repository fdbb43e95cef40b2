"""Promises, and when they are looked at."""

import django.db.models.deletion
from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0012_seats"),
    ]

    operations = [
        migrations.CreateModel(
            name="Due",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="due",
                        to="web.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("body", models.TextField()),
                ("since", models.PositiveBigIntegerField(default=0)),
                ("round", models.CharField(blank=True, max_length=80)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("standing", "standing"),
                            ("kept", "kept"),
                            ("stopped", "stopped"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="standing",
                        max_length=10,
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("why", models.TextField(blank=True)),
                ("acts", models.JSONField(default=list)),
                ("seen", models.BooleanField(default=False)),
                ("made", models.DateTimeField(default=roundhouse.web.clock.now)),
                ("changed", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="promises",
                        to="web.place",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("place", "number"), name="one_promise_a_number")
                ],
            },
        ),
    ]
