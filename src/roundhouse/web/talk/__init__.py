"""What is said at tables, beside their games."""
