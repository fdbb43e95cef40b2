"""What may be asked of a position: a state under the rules of its game, without its history.

``standing``: who acts, who has what, whether it is over; ``routes``: what companies could run for;
``pictures``: what lies on the table, drawn. Every :class:`roundhouse.Game` answers of its present
state.
"""
