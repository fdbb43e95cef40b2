"""Each table has a rules revision, not the program's version; all so far are of the first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0003_undo_own")]

    operations = [
        migrations.RemoveField(model_name="table", name="revision"),
        migrations.AddField(
            model_name="table",
            name="revision",
            field=models.PositiveSmallIntegerField(default=1),
        ),
    ]
