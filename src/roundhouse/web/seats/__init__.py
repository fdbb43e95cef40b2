"""Seats of running games: leaving and taking them, substitutes and their return, votes, and the
record of who sat when. See ``docs/weeks.md``."""
