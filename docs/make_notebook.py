"""Makes docs/notebook.ipynb of docs/notebook.md: its text and its examples, as cells.

    python docs/make_notebook.py

Pictures are left out, as the cells draw their own, and so are links to other pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def notebook() -> str:
    """The notebook, as the text of its file."""
    page = (HERE / "notebook.md").read_text(encoding="utf-8")
    told: dict[str, Any] = {
        "cells": [_cell(n, *part) for n, part in enumerate(_parts(page))],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _parts(page: str) -> Iterator[tuple[str, str]]:
    """The page's parts: ``markdown`` or ``code``, and the text."""
    for number, part in enumerate(re.split(r"^```(?:python)?\n", page, flags=re.M)):
        code = number % 2 == 1
        text = part if code else re.sub(r"^!\[.*\n", "", part, flags=re.M)
        text = text if code else re.sub(r"\[([^\]]+)\]\((?!http)[^)]+\)", r"*\1*", text)
        if text.strip():
            yield ("code" if code else "markdown"), text.strip()


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    """A cell as the notebook format has them."""
    lines = text.splitlines(keepends=True)
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": lines}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


if __name__ == "__main__":
    (HERE / "notebook.ipynb").write_text(notebook(), encoding="utf-8")
