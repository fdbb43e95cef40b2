"""Searches on maps laid out freely."""

from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Search",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=32, unique=True)),
                ("title", models.CharField(max_length=40)),
                ("query", models.JSONField(default=dict)),
                ("who", models.CharField(max_length=40)),
                ("found", models.JSONField(null=True)),
                ("fault", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=roundhouse.web.clock.now)),
            ],
        ),
    ]
