"""A second, independent implementation of 1839, written from its rules text alone.

It shares no code with the engine (a test proves that it imports nothing of it) and is as plain as
possible: one mutable state, functions that read like the rules' sections, no search for speed. It
exists to be compared with the engine after every action of whole games.
"""

from .model import Model
from .state import Refused

__all__ = ["Model", "Refused"]
