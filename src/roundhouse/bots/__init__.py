"""Players a computer plays: :func:`player` gives one, its ``choose`` a decision with reasons.

:mod:`.decision` is what is decided and why; :mod:`.registry` has players by name and level;
:mod:`.foresight` looks one action ahead and knows no title. :mod:`.magnate` weighs what everybody
is worth after an action: :mod:`.ledger` tells trains to come, rust and rounds left, :mod:`.sold`
which of them must be bought, :mod:`.income` what companies earn (best routes by counted effort),
:mod:`.prospects` what they may with other trains, and where they begin, :mod:`.abroad` what those
get that live on the runs of others, :mod:`.forecast` a company's plan and what a share is worth by
it, :mod:`.firm` what it knows of a company, :mod:`.future` the rounds to come it goes through,
:mod:`.works` what it earns beside its routes, :mod:`.floats` whether it begins at all,
:mod:`.cards` what a card is worth that begins one, :mod:`.perils` what may end it or a player
suddenly, :mod:`.view` a position in money, :mod:`.sites` what places are worth, :mod:`.ways` how
many tiles away they are, :mod:`.aside` towns that add to stops over other track, :mod:`.judges` the
worth of each kind of action, :mod:`.search` looks on, :mod:`.habits` tells what people prefer of
things worth about the same, :mod:`.knowledge` what is known of a title, from the file beside it;
:mod:`.wording` has the words of reasons.
"""

from .decision import Candidate, Decision, Reason
from .foresight import Foresight, Outlook, thrifty
from .magnate import LEVELS, Magnate
from .players import Follower, Player
from .registry import POLICIES, player

__all__ = [
    "LEVELS",
    "POLICIES",
    "Candidate",
    "Decision",
    "Follower",
    "Foresight",
    "Magnate",
    "Outlook",
    "Player",
    "Reason",
    "player",
    "thrifty",
]
