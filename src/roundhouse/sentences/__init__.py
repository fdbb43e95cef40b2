"""A game in plain words: log sentences from the typed events, and summaries of a state."""

from __future__ import annotations

from .summaries import name_of, summary, where
from .telling import sentences, tell
from .words import Ref, Sentence

__all__ = ["Ref", "Sentence", "name_of", "sentences", "summary", "tell", "where"]
