"""Every way a company could come to a train in its turn: what is run, paid, sold, borrowed, traded
in and helped with before it, found by trying out what the rules allow.

A way leads from the present turn of the company, or from one that is supposed to begin now, to the
purchase. Only what brings the company or its president money is done on it, beside passing on
through the turn; and nothing is raised for a train that could be had without. Where a price is open
the lowest is taken, and the highest told. Runs are the best that are found in limited work.
"""

from .search import ways_to_finance
from .ways import Way, Ways

__all__ = ["Way", "Ways", "ways_to_finance"]
