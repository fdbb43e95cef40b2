"""Duplicate play: one deal or one position at several tables, a seat scored against the same seat
elsewhere."""
