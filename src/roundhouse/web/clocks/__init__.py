"""Time at the table: deadlines and budgets, people's days and nights, pauses by agreement."""
