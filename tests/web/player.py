"""A player who knows nothing but the page: he reads its forms, fills one in and sends it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from random import Random
from typing import Any

from roundhouse.selfplay import WEIGHTS


class Form:
    """A form of the page: its fields with their values, numbers as attributes, radios as lists."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.numbers: list[dict[str, str | None]] = []
        self.radios: dict[str, list[str]] = {}
        self.selects: dict[str, list[str]] = {}

    @property
    def kind(self) -> str:
        raw = self.fields.get("action") or self.radios["action"][0]
        return str(json.loads(raw)["type"])

    def filled(self, rng: Random) -> dict[str, str]:
        """What is sent: numbers are mostly the least possible."""
        sent = dict(self.fields)
        for number in self.numbers:
            low, high, step = (int(number[n] or 0) for n in ("min", "max", "step"))
            value = low if rng.random() < 0.9 else rng.randrange(low, high + 1, step)
            sent[str(number["name"])] = str(value)
        for name, values in self.radios.items():
            sent[name] = rng.choice(values)
        for name, values in self.selects.items():
            sent[name] = values[0] if rng.random() < 0.9 else rng.choice(values)
        return sent


class Page(HTMLParser):
    """The forms and the hexes to click of a part of the page, all that is disabled left out."""

    def __init__(self, html: str, part: str = "") -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.hexes: list[str] = []
        self._form: Form | None = None
        self._select: list[str] | None = None
        self.feed(_cut(html, part) if part else html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = dict(attrs)
        if tag == "form":
            self._form = Form()
            self.forms.append(self._form)
        if "data-spot" in a:
            self.hexes.append(str(a["href"]))
        if tag == "select" and self._form is not None:
            self._select = self._form.selects.setdefault(str(a["name"]), [])
        if tag == "option" and self._select is not None:
            self._select.append(a.get("value") or "")
        if tag == "input" and self._form is not None and a.get("name"):
            self._take(self._form, a)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if tag == "select":
            self._select = None

    def _take(self, form: Form, a: dict[str, str | None]) -> None:
        name = str(a["name"])
        if a.get("type") == "hidden":
            form.fields[name] = a.get("value") or ""
        elif a.get("type") == "number":
            form.numbers.append(a)
        elif a.get("type") == "radio":
            form.radios.setdefault(name, []).append(a.get("value") or "")


def _cut(html: str, part: str) -> str:
    """The panel with an id; panels are sections."""
    begin = html.index(f'id="{part}"')
    return html[begin : html.index("</section>", begin)]


class Player:
    """Plays at one table with a client of the site's; keeps count of what it did."""

    def __init__(self, client: Any, table: int, rng: Random) -> None:
        self.client = client
        self.address = f"/table/{table}/"
        self.rng = rng
        self.done: dict[str, int] = {}

    def step(self) -> bool:
        """One action; False if the page offers none."""
        html = self.client.get(self.address).content.decode()
        page = Page(html, "panel-now")
        forms = [f for f in page.forms if "action" in f.fields or "action" in f.radios]
        ways: dict[str, list[Any]] = {}
        for form in forms:
            ways.setdefault(form.kind, []).append(form)
        if page.hexes:
            ways["lay_tile"] = page.hexes
        if not ways:
            return False
        kinds = list(ways)
        kind = self.rng.choices(kinds, [self._weight(k, len(kinds)) for k in kinds])[0]
        way = self.rng.choice(ways[kind])
        self._send(self._on_hex(way) if isinstance(way, str) else way)
        self.done[kind] = self.done.get(kind, 0) + 1
        return True

    def _weight(self, kind: str, kinds: int) -> float:
        return 0.7 if kind == "pass" and kinds == 2 else WEIGHTS.get(kind, 1.0)

    def _on_hex(self, address: str) -> Form:
        """The fan of tiles on a hex."""
        forms = Page(self.client.get(address).content.decode()).forms
        return next(f for f in forms if "action" in f.radios)

    def _send(self, form: Form) -> None:
        sent = form.filled(self.rng)
        answer = self.client.post(
            f"{self.address}act/", sent, headers={"accept": "application/json"}
        )
        if answer.status_code == 202:  # others have a say in it; at one screen one more click
            answer = self.client.post(
                f"{self.address}act/",
                sent | {"agreed": "1"},
                headers={"accept": "application/json"},
            )
        assert answer.status_code == 200, (sent, answer.json())
