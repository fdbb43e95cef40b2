"""Tables that go on from a point of another one's game."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0015_pace"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="parent",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="branches",
                to="web.table",
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="point",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
