"""People beside the tables: profiles, ratings, groups, dates, tournaments."""
