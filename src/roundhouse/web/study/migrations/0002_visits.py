"""Visits: as far as each had come when it began, and whether its recap was shown."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("study", "0001_study"),
    ]

    operations = [
        migrations.AddField(
            model_name="looked",
            name="begun",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="looked",
            name="told",
            field=models.BooleanField(default=True),
        ),
    ]
