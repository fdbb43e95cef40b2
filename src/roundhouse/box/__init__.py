"""What is in a title's box: its data files, their schema, and the checks on them."""
