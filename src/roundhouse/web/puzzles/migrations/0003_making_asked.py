from django.db import migrations, models

from roundhouse.web import clock


class Migration(migrations.Migration):
    dependencies = [("puzzles", "0002_daily")]

    operations = [
        migrations.AddField("making", "asked", models.FloatField(default=clock.machine)),
        migrations.AddField("making", "tries", models.PositiveIntegerField(default=1)),
    ]
