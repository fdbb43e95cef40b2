"""What the rest of the server hears of tables: signals, sent inside the transaction that made it
so, with the table's row locked. What a receiver writes is there exactly if what it was told has
happened.
"""

from __future__ import annotations

from django.dispatch import Signal

#: The game has begun or an action was carried out. ``table``; ``game`` (after it); ``user`` (None:
#: a bot); ``action`` (None: it has begun); ``before``: keys of the players waited for before it.
moved = Signal()
#: Something was said at the table or beside it. ``table``; ``line`` (``talk.models.Said``).
said = Signal()
#: A question was put to others, or answered without ending it. ``table``, ``question``.
asked = Signal()
#: A seat of a running game has other people, nobody, or a bot instead. ``table``, ``place``.
reseated = Signal()
#: Somebody's word is wanted. ``table``; ``users``; ``key``: what tells it from other such things;
#: ``text``: what it is about, in a sentence.
wanted = Signal()
