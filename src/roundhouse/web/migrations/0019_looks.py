"""Accounts keep the colours and patterns their people chose."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0018_pairs_of_letters")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="looks",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
