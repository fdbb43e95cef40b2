"""Branches, remarks on finished games, and how far people have looked."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0016_branches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Branch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("shared", models.BooleanField(default=False)),
                ("published", models.BooleanField(default=False)),
                ("aside", models.JSONField(default=list)),
                ("why", models.TextField(blank=True)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="branch",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "branches",
            },
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("author", models.CharField(blank=True, max_length=200)),
                ("after", models.PositiveBigIntegerField()),
                ("text", models.TextField(max_length=2000)),
                ("made", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "ordering": ("after", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Looked",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("before", models.PositiveBigIntegerField(default=0)),
                ("seen", models.PositiveBigIntegerField(default=0)),
                ("at", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="looked",
                        to="web.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "looked",
                "constraints": [
                    models.UniqueConstraint(fields=("table", "user"), name="one_look_a_person")
                ],
            },
        ),
    ]
