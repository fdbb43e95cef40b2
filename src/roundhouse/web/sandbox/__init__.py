"""For people at a real table: maps laid out freely with the best routes, the banker's sheet."""
