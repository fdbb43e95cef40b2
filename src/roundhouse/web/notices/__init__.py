"""Telling people what concerns them: what is to be told, in which ways, and the outbox."""
