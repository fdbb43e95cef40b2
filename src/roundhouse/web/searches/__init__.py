"""Searches for routes that take longer than an answer may: carried out by workers, watched and
stopped from any page."""
