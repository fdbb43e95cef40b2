"""Questions have become deals."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0016_branches"),
        ("deals", "0002_questions"),
    ]

    operations = [
        migrations.DeleteModel(name="Question"),
    ]
