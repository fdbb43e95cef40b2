"""What help a table gives; those there are go on giving what they gave."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0010_clock")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="assistance",
            field=models.CharField(
                choices=[
                    ("none", "none: everybody finds his own routes"),
                    ("routes", "routes: the best routes are found for everybody"),
                    ("advice", "routes and advice: who asks is told what a bot would do"),
                ],
                default="routes",
                max_length=8,
            ),
        ),
    ]
