"""Puzzles."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=40, unique=True)),
                ("title", models.CharField(max_length=40)),
                ("kind", models.CharField(max_length=20)),
                ("question", models.TextField()),
                ("options", models.JSONField(default=list)),
                ("answer", models.CharField(max_length=60)),
                ("proof", models.JSONField(default=list)),
                ("facts", models.JSONField(default=dict)),
                ("picture", models.BinaryField()),
                ("solution", models.BinaryField()),
                ("day", models.DateField(null=True, unique=True)),
            ],
            options={"ordering": ("-day",)},
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("right", models.BooleanField(default=False)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("at", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "puzzle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to="puzzles.puzzle",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("puzzle", "user"), name="one_attempt_a_person")
                ],
            },
        ),
    ]
