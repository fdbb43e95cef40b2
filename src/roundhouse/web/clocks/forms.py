"""The forms of clocks and days."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms

from .models import Clock, Rhythm, Vacation

_UNITS = (("minutes", timedelta(minutes=1)), ("hours", timedelta(hours=1)), ("days", timedelta(1)))
_LONGEST = timedelta(days=365)


class Length(forms.MultiWidget):
    """A number and a unit."""

    def __init__(self) -> None:
        units = [(name, name) for name, _ in _UNITS]
        number = forms.NumberInput(attrs={"min": 0, "step": "any"})
        super().__init__([number, forms.Select(choices=units)])

    def decompress(self, value: Any) -> list[Any]:
        if not value:
            return [0, "hours"]
        name, unit = next((n, u) for n, u in reversed(_UNITS) if not value % u or u == _UNITS[0][1])
        return [value // unit, name]


class LengthField(forms.MultiValueField):
    """A length of time, not negative and not more than a year."""

    def __init__(self, **more: Any) -> None:
        fields = (
            forms.FloatField(min_value=0, max_value=600_000),
            forms.ChoiceField(choices=[(n, n) for n, _ in _UNITS]),
        )
        super().__init__(fields, widget=Length(), require_all_fields=False, required=False, **more)
        number, unit = self.widget.widgets
        number.attrs["aria-label"] = str(self.label)
        unit.attrs["aria-label"] = f"{self.label}: unit"

    def compress(self, data_list: list[Any]) -> timedelta:
        if not data_list or data_list[0] in (None, ""):
            return timedelta(0)
        amount = data_list[0] * dict(_UNITS)[data_list[1] or "hours"]
        if amount > _LONGEST:
            raise forms.ValidationError("That is more than a year.")
        return timedelta(seconds=round(amount.total_seconds()))


class ClockForm(forms.ModelForm[Clock]):
    """The terms of a clock."""

    turn = LengthField(label="For each turn")
    budget = LengthField(label="For the game")
    increment = LengthField(label="More after each turn")
    daily = LengthField(label="More every day")
    most = LengthField(label="At most (0: no limit)")

    class Meta:
        model = Clock
        fields = (
            "kind", "turn", "budget", "increment", "daily", "most", "nights", "weekends",
            "vacation", "at_zero",
        )  # fmt: skip
        labels = {
            "kind": "Clock",
            "nights": "hours of sleep do not count",
            "weekends": "Saturdays and Sundays do not count",
            "vacation": "Days of vacation that do not count",
            "at_zero": "At zero",
        }

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        given = data.get("turn" if data.get("kind") == "turn" else "budget")
        if not given:
            raise forms.ValidationError("A clock needs a time.")
        if data.get("most") and data["most"] < data.get("budget", timedelta(0)):
            raise forms.ValidationError("The most is at least what is given at the start.")
        return data

    def fields_given(self) -> dict[str, Any]:
        """The terms, as rows of the database have them."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class RhythmForm(forms.ModelForm[Rhythm]):
    """Where somebody lives and when he sleeps."""

    zone = forms.ChoiceField(
        choices=lambda: [(z, z.replace("_", " ")) for z in sorted(available_timezones())],
        label="Time zone",
    )

    class Meta:
        model = Rhythm
        fields = ("zone", "asleep", "awake")
        labels = {"asleep": "I sleep from", "awake": "to"}
        widgets = {
            name: forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
            for name in ("asleep", "awake")
        }


class VacationForm(forms.ModelForm[Vacation]):
    """Days away."""

    class Meta:
        model = Vacation
        fields = ("first", "last")
        labels = {"first": "From", "last": "to"}
        widgets = {n: forms.DateInput(attrs={"type": "date"}) for n in ("first", "last")}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("first") and data.get("last"):
            if data["last"] < data["first"]:
                raise forms.ValidationError("A vacation ends after it has begun.")
            if (data["last"] - data["first"]).days > 120:
                raise forms.ValidationError("A vacation lasts 120 days at most.")
        return data
