"""Manners are called so, however many there are."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_first")]

    operations = [
        migrations.AlterModelOptions(name="manners", options={"verbose_name_plural": "manners"}),
    ]
