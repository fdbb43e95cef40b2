"""Games for other programs and for people: the schema of a game file, figures as CSV, a report to
print, a play-log, and files without names."""

from __future__ import annotations

from .figures import Figure, csv_of, figures_of
from .names import nameless
from .playlog import playlog_of
from .report import report_of
from .schema import game_file_schema

__all__ = [
    "Figure",
    "csv_of",
    "figures_of",
    "game_file_schema",
    "nameless",
    "playlog_of",
    "report_of",
]
