"""The forms of the lobby."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import BaseUserCreationForm, PasswordResetForm

from ..titles.title import Title
from .clocks.agreeing import PRESETS
from .clocks.forms import ClockForm
from .models import Account, Table
from .names import fault_of, skeleton
from .tables import Plan
from .tables.opponents import kinds

_MAX_NAME = 40


class NewTable(forms.Form):
    """A new game of one title: its options, seats and policies."""

    description = forms.CharField(max_length=200, required=False)
    names = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 5}), help_text="one name a line"
    )
    seats = forms.IntegerField(required=False)
    least = forms.IntegerField(required=False)
    pace = forms.ChoiceField(choices=Table.Pace.choices, initial=Table.Pace.SLOW, required=False)
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="empty: drawn by lot"
    )
    public = forms.BooleanField(required=False, initial=True, label="anybody may look on and join")
    bots = forms.IntegerField(
        required=False, min_value=0, initial=0, label="Bots", help_text="seats the server plays"
    )
    kind = forms.ChoiceField(choices=lambda: kinds().items(), required=False)
    undo = forms.ChoiceField(choices=Table.Undo.choices, initial=Table.Undo.OWN, required=False)
    assistance = forms.ChoiceField(choices=Table.Assistance.choices, required=False)
    hotseat = forms.BooleanField(required=False, label="all at this screen")
    clock = forms.ChoiceField(
        choices=[*((key, name) for key, (name, _) in PRESETS.items()), ("own", "as said below")],
        required=False,
    )

    def __init__(self, title: Title, local: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = title
        self.local = local
        limits = title.box.game.players
        for name in ("least", "seats"):
            self.fields[name].min_value = limits.min  # type: ignore[attr-defined]
            self.fields[name].widget.attrs |= {"min": limits.min, "max": limits.max}
        if not title.box.game.chance:
            del self.fields["seed"]
        self.fields["bots"].widget.attrs |= {"min": 0, "max": limits.max - 1}
        self.terms = ClockForm(self.data if self.is_bound else None, prefix="clock")

    def clean_names(self) -> list[str]:
        lines = [n.strip()[:_MAX_NAME] for n in self.cleaned_data["names"].splitlines()]
        return [n for n in lines if n]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        own = data.get("clock") == "own" and not (self.local or data.get("hotseat"))
        if own and not self.terms.is_valid():
            faults = [str(e) for errors in self.terms.errors.values() for e in errors]
            self.add_error("clock", " ".join(faults))
        return data

    def _clock(self) -> dict[str, Any] | None:
        chosen = str(self.cleaned_data["clock"])
        return self.terms.fields_given() if chosen == "own" else PRESETS[chosen][1] or None

    def plan(self, chosen: list[str], user: Any) -> Plan:
        """What the filled-in form asks for."""
        data = self.cleaned_data
        hotseat = self.local or data["hotseat"]
        limits = self.title.box.game.players
        return Plan(
            title=self.title.id,
            names=data["names"] if hotseat else [user.get_username()],
            options=chosen,
            seats=data["seats"] or limits.min,
            least=data["least"] or 0,
            pace=data["pace"],
            seed=data.get("seed"),
            description=data["description"],
            hotseat=hotseat,
            public=data["public"] and not self.local,
            undo=data["undo"] or Table.Undo.OWN,
            bots=data["bots"] or 0,
            kinds=[data["kind"]],
            assistance=data["assistance"],
            clock=None if hotseat else self._clock(),
        )


class ImportFile(forms.Form):
    """A game file, chosen or pasted."""

    file = forms.FileField(required=False)
    text = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 8}))
    description = forms.CharField(max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("file") and not data.get("text"):
            raise forms.ValidationError("Choose a file or paste its text.")
        return data

    def raw(self) -> bytes:
        """The bytes of the file."""
        file = self.cleaned_data.get("file")
        return bytes(file.read()) if file else str(self.cleaned_data["text"]).encode()


class SignUp(BaseUserCreationForm):  # type: ignore[type-arg]
    """A new account; the address is for a forgotten password, and confirmed where the host wants
    it. ``word``: the invitation, where one is needed; ``agreed``: to the terms, where there are."""

    email = forms.EmailField(required=False)
    word = forms.CharField(required=False, label="Invitation", max_length=200)
    agreed = forms.BooleanField(required=False, label="I agree to the terms of this house")

    class Meta:
        model = get_user_model()
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = settings.CONFIRM_EMAIL
        for name, wanted in (
            ("word", settings.REGISTRATION == "invitation"),
            ("agreed", bool(settings.TERMS)),
        ):
            if wanted:
                self.fields[name].required = True
            else:
                del self.fields[name]

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        if fault := fault_of(name):
            raise forms.ValidationError(fault)
        if Account.objects.filter(skeleton=skeleton(name)).exists():
            raise forms.ValidationError("Somebody is called that, or what looks like it.")
        return name

    def clean_word(self) -> str:
        word = str(self.cleaned_data["word"])
        wanted = settings.INVITATION.encode()
        if not wanted or not compare_digest(word.encode(), wanted):
            raise forms.ValidationError("This is not the word of the invitation.")
        return word


class Forgotten(PasswordResetForm):
    """A new password. The letter's link leads to the site, whatever name the request came by."""

    def save(self, *given: Any, **named: Any) -> None:
        site = urlsplit(settings.SITE)
        named |= {"domain_override": site.netloc, "use_https": site.scheme == "https"}
        super().save(*given, **named)
