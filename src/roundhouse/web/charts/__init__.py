"""Charts of a game: how it went, what runs left on the table, where the money went."""
