"""An account for every user there is; of two whose names look alike the later keeps it marked."""

from typing import Any

from django.db import migrations


def open_accounts(apps: Any, schema_editor: Any) -> None:
    from roundhouse.web.names import skeleton

    Account = apps.get_model("web", "Account")
    User = apps.get_model("auth", "User")
    for user in User.objects.filter(account=None).order_by("pk"):
        bones = skeleton(user.username)[:150]
        if Account.objects.filter(skeleton=bones).exists():
            bones = f"{bones}#{user.pk}"
        Account.objects.create(user=user, skeleton=bones)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("web", "0008_people"),
    ]

    operations = [migrations.RunPython(open_accounts, migrations.RunPython.noop)]
