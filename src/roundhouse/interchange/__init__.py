"""Games for other programs and for people: the schema of a game file, figures as CSV, where money
went, what runs left on the table, a report to print, a play-log, and files without names."""

from __future__ import annotations

from .analysis import Analysis, Note, Variation, read_analysis
from .figures import Figure, csv_of, figures_of
from .ledger import Flow, Payment, flows_of, payments_csv, payments_of
from .names import nameless
from .playlog import playlog_of
from .report import report_of
from .runs import Left, runs_csv, runs_left
from .schema import game_file_schema
from .talk import Words, read_talk

__all__ = [
    "Analysis",
    "Figure",
    "Flow",
    "Left",
    "Note",
    "Payment",
    "Variation",
    "Words",
    "csv_of",
    "figures_of",
    "flows_of",
    "game_file_schema",
    "nameless",
    "payments_csv",
    "payments_of",
    "playlog_of",
    "read_analysis",
    "read_talk",
    "report_of",
    "runs_csv",
    "runs_left",
]
