"""The forms of people, groups, dates and tournaments."""

from __future__ import annotations

from typing import Any

from django import forms

from ...titles.title import all_titles
from ..clocks.agreeing import PRESETS
from .models import Group, HouseRules, Profile, Session, Tournament


class ProfileForm(forms.ModelForm[Profile]):
    """What somebody tells of himself."""

    class Meta:
        model = Profile
        fields = ("about", "hidden")
        widgets = {"about": forms.Textarea(attrs={"rows": 4})}
        labels = {"about": "About me", "hidden": "only who is signed in may see my page"}


class GroupForm(forms.ModelForm[Group]):
    """A group."""

    class Meta:
        model = Group
        fields = ("name", "about")
        widgets = {"about": forms.Textarea(attrs={"rows": 3})}


class SessionForm(forms.ModelForm[Session]):
    """A date."""

    hours = forms.IntegerField(min_value=1, max_value=48)

    class Meta:
        model = Session
        fields = ("name", "at", "hours", "group")
        labels = {"name": "What", "at": "When", "group": "With"}
        widgets = {"at": forms.DateTimeInput(attrs={"type": "datetime-local"})}

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        group: Any = self.fields["group"]
        group.queryset, group.empty_label = user.play_groups.all(), "everybody here"
        group.required = False


class HouseRulesForm(forms.ModelForm[HouseRules]):
    """What is agreed beside the rules."""

    class Meta:
        model = HouseRules
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 5})}


class TournamentForm(forms.ModelForm[Tournament]):
    """A tournament."""

    title = forms.ChoiceField(
        choices=lambda: [(t.id, t.box.game.name) for t in all_titles().values()]
    )
    pace = forms.ChoiceField(
        choices=lambda: [(k, label) for k, (label, _) in PRESETS.items()],
        required=False,
        label="Clock",
    )
    seats = forms.IntegerField(min_value=2, max_value=8, label="People at a table")
    rounds = forms.IntegerField(min_value=1, max_value=12)

    class Meta:
        model = Tournament
        fields = ("name", "title", "seats", "rounds", "pace", "about")
        widgets = {"about": forms.Textarea(attrs={"rows": 4})}
