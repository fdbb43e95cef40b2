"""What names look like anew: pairs of letters that look like one count as that."""

from typing import Any

from django.db import migrations


def look_again(apps: Any, schema_editor: Any) -> None:
    from roundhouse.web.names import skeleton

    Account = apps.get_model("web", "Account")
    for account in Account.objects.select_related("user").order_by("pk"):
        bones, mark = skeleton(account.user.username)[:150], f"#{account.user_id}"
        if bones == account.skeleton.removesuffix(mark):
            continue
        taken = Account.objects.filter(skeleton=bones).exists()
        account.skeleton = bones + mark if taken else bones
        account.save(update_fields=["skeleton"])


class Migration(migrations.Migration):
    dependencies = [("web", "0017_questions_are_deals")]

    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
