"""The titles. Each lives in a folder of its own and is found through the entry-point group
``roundhouse.titles``; other packages may add more."""
