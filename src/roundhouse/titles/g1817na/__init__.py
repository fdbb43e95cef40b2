"""1817NA: 1817 in North America, all of it data. F1–F3 of the family's rules text."""

from __future__ import annotations

from ..g1817 import TITLE as BASE
from ..title import Title

TITLE = Title("1817NA", "1817NA", __name__, base=BASE)
