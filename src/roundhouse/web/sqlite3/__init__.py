"""SQLite as Django has it, for a server of several threads; named in the settings as ``ENGINE``."""
