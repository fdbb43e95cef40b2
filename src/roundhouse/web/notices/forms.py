"""The forms of notices."""

from __future__ import annotations

from typing import Any

from django import forms

from .. import outward
from .models import Channel, Kind, Manners, Way


class Hook(forms.ModelForm[Channel]):
    """A webhook."""

    class Meta:
        model = Channel
        fields = ("shape", "address", "name")
        widgets = {"address": forms.URLInput(attrs={"placeholder": "https://…"})}
        labels = {"shape": "For", "name": "Called"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["shape"] = forms.ChoiceField(choices=Channel.Shape.choices, label="For")

    def clean_address(self) -> str:
        address = str(self.cleaned_data["address"]).strip()
        try:
            outward.check(address)
        except outward.Unreachable as fault:
            raise forms.ValidationError(str(fault)) from fault
        return address


class Letter(forms.Form):
    """An address of mail."""

    address = forms.EmailField(max_length=254)


class ManyManners(forms.ModelForm[Manners]):
    """When somebody wants to be told."""

    class Meta:
        model = Manners
        fields = ("quiet", "own", "quiet_from", "quiet_to", "digest", "digest_at")
        widgets = {
            name: forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
            for name in ("quiet_from", "quiet_to", "digest_at")
        }


def ways_of(form: Any) -> dict[str, list[str]]:
    """What a table of boxes says: the ways ticked for each kind."""
    ticked = set(form.getlist("wish"))
    return {k: [w for w in Way.values if f"{k}:{w}" in ticked] for k in Kind.values}
