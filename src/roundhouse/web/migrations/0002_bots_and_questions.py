"""Seats played by bots; one kind of question for taking back and for what others have a say in."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="place", name="bot", field=models.CharField(blank=True, max_length=20)
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("action", models.TextField()),
                ("asked", models.JSONField(default=list)),
                ("agreed", models.JSONField(default=list)),
                ("refused", models.CharField(blank=True, max_length=200)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "place",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="web.place"),
                ),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="question",
                        to="web.table",
                    ),
                ),
            ],
        ),
        migrations.DeleteModel(name="UndoRequest"),
    ]
