"""The titles: each a folder here with a ``TITLE``; other packages may register more under the entry
point ``roundhouse.titles``."""
