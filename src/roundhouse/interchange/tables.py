"""Tables as comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any


def written(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows under a line of names."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(names)
    lines.writerows(rows)
    return out.getvalue()
