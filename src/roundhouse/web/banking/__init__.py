"""The banker's sheet of a game at a real table: cash, shares, prices, dividends, certificates."""
