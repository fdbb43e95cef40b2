"""Positions of finished games: what was done there, how often, and what became of it."""
