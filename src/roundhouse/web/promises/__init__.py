"""Promises on the server: kept private, looked at after every move at every table alike, and acted
on in the name of who made them. See ``docs/weeks.md``."""
