"""What runs left on the table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = [("web", "0015_pace")]

    operations = [
        migrations.CreateModel(
            name="RunReview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("far", models.FloatField(default=0.0)),
                ("fault", models.TextField(blank=True)),
                ("runs", models.JSONField(default=list)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="run_review",
                        to="web.table",
                    ),
                ),
            ],
        ),
    ]
