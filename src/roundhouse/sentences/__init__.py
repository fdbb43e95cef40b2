"""A game in plain words: log sentences from the typed events, and summaries of a state."""

from __future__ import annotations

from .log import sentences, tell
from .summaries import name_of, summary, where
from .words import Ref, Sentence

__all__ = ["Ref", "Sentence", "name_of", "sentences", "summary", "tell", "where"]
