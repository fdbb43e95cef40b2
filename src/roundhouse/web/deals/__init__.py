"""Deals between people: offers of what others have a say in, made before the act. See
``docs/weeks.md``."""
