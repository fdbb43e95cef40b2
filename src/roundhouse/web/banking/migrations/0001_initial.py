"""Bankers' sheets."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import roundhouse.web.clock
import roundhouse.web.models


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Sheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=roundhouse.web.models.invitation, max_length=32, unique=True
                    ),
                ),
                ("terms", models.JSONField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("made", models.DateTimeField(default=roundhouse.web.clock.now)),
            ],
            options={"ordering": ("-made",)},
        ),
        migrations.CreateModel(
            name="Line",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("entry", models.TextField()),
                ("at", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="banking.sheet",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("sheet", "number"), name="one_line_a_number")
                ],
            },
        ),
    ]
