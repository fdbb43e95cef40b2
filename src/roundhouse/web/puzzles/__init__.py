"""Puzzles from positions of finished games, one a day, with proven answers."""
