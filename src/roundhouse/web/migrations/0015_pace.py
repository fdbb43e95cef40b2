"""From how many players on a game may begin, and whether it is played in one sitting."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0014_bots_ask")]

    operations = [
        migrations.AddField("table", "least", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField(
            "table",
            "pace",
            models.CharField(
                choices=[
                    ("live", "live: in one sitting"),
                    ("slow", "slow: over days or weeks"),
                ],
                default="slow",
                max_length=8,
            ),
        ),
    ]
