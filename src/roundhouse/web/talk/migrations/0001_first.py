"""What is said at tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import roundhouse.web.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0017_questions_are_deals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Said",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "room",
                    models.CharField(
                        choices=[("players", "at the table"), ("spectators", "among spectators")],
                        default="players",
                        max_length=12,
                    ),
                ),
                ("after", models.PositiveIntegerField()),
                ("name", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField(max_length=2000)),
                ("at", models.DateTimeField(default=roundhouse.web.clock.now)),
                (
                    "place",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="said",
                        to="web.place",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="talk",
                        to="web.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="said",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "line of talk",
                "verbose_name_plural": "lines of talk",
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "number"), name="one_line_of_talk_a_number"
                    )
                ],
            },
        ),
    ]
