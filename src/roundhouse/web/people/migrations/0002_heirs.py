from django.conf import settings
from django.db import migrations, models

import roundhouse.web.heirs


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0001_first"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="group",
            name="owner",
            field=models.ForeignKey(
                on_delete=roundhouse.web.heirs.hand_on,
                related_name="own_groups",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="session",
            name="by",
            field=models.ForeignKey(
                on_delete=roundhouse.web.heirs.hand_on,
                related_name="sessions",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="by",
            field=models.ForeignKey(
                on_delete=roundhouse.web.heirs.hand_on,
                related_name="tournaments",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
