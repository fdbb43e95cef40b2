"""Searches for routes."""

from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = []

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
                ("key", models.CharField(max_length=64, unique=True)),
                ("kind", models.CharField(max_length=20)),
                ("asked", models.JSONField()),
                ("revenue", models.BigIntegerField(default=0)),
                ("bound", models.BigIntegerField(default=0)),
                ("begun", models.BooleanField(default=False)),
                ("stopped", models.BooleanField(default=False)),
                ("answer", models.TextField(blank=True)),
                ("fault", models.TextField(blank=True)),
                ("made", models.DateTimeField(default=roundhouse.web.clock.now)),
            ],
        ),
    ]
