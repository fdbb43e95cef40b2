from django.conf import settings
from django.db import migrations, models

import roundhouse.web.heirs


class Migration(migrations.Migration):
    dependencies = [
        ("duplicate", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="by",
            field=models.ForeignKey(
                on_delete=roundhouse.web.heirs.hand_on,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
