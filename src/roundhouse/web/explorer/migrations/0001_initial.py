"""The index of positions."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = [("web", "0015_pace")]

    operations = [
        migrations.CreateModel(
            name="Indexed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("telling", models.PositiveSmallIntegerField()),
                ("start", models.CharField(blank=True, max_length=16)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="indexed",
                        to="web.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Moment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.CharField(db_index=True, max_length=16)),
                ("after", models.CharField(max_length=16)),
                ("action", models.PositiveIntegerField()),
                ("move", models.CharField(max_length=16)),
                ("words", models.CharField(max_length=200)),
                ("rank", models.PositiveSmallIntegerField()),
                ("seats", models.PositiveSmallIntegerField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moments",
                        to="web.table",
                    ),
                ),
            ],
        ),
    ]
