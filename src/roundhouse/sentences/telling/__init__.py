"""How events are told: what goes through them, and the sentences of each kind of thing."""
