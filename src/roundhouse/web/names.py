"""Names of people: two that look alike are one."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Any

#: Letters of a name.
LONGEST_NAME = 150
#: Letters and digits of ASCII that look alike.
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s"})
#: Pairs of letters that look like one.
_PAIRS = (("rn", "m"), ("vv", "w"))


def skeleton(name: str) -> str:
    """What a name looks like: case, width, accents' encoding, letters of other scripts that look
    like Latin ones, and ``rn`` for ``m`` make no difference."""
    plain = "".join(map(_plain, unicodedata.normalize("NFKC", name)))
    bones = unicodedata.normalize("NFKC", plain.casefold()).translate(_ALIKE)
    for pair, letter in _PAIRS:
        bones = bones.replace(pair, letter)
    return bones


@cache
def _confusables() -> Any:
    """The tables of letters, read when the first name is looked at."""
    from confusable_homoglyphs import confusables

    return confusables


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    if letter.isascii():
        return letter
    confusables = _confusables()
    found = confusables.is_confusable(letter, greedy=True) or []
    alike = [h["c"] for entry in found for h in entry["homoglyphs"]]
    return next((a for a in alike if a.isascii() and a.isalnum()), letter)


def fault_of(name: str) -> str:
    """Why a name cannot be shown to others; empty if it can."""
    if any(unicodedata.category(c)[0] in "CZ" and c != " " for c in name):
        return "A name may not hold invisible characters."
    if name != name.strip() or not name:
        return "A name may not begin or end with a space."
    if _confusables().is_mixed_script(name):
        return "A name is written in one script."
    return ""
