"""Players a computer plays: :func:`player` gives one, its ``choose`` a decision with reasons.

* What there is to play with: :mod:`.players`, by name and level in :mod:`.registry`, several at a
  table in :mod:`.together`; :mod:`.decision` is what is decided and why, :mod:`.wording` has its
  words; :mod:`.advice` decides in somebody else's place.
* :mod:`.foresight` looks one action ahead and knows no title.
* :mod:`.magnate` weighs what everybody is worth after an action: :mod:`.view` is a position in
  money, :mod:`.judges` the worth of each kind of action, :mod:`.search` looks on, :mod:`.habits`
  tells what people prefer of things worth about the same. :mod:`.mind` keeps what was thought
  before, :mod:`.spent` counts the work, :mod:`.knowledge` is what is known of a title, from the
  file beside it.
* When things happen: :mod:`.ledger` tells trains to come, rust and rounds left, :mod:`.sold` which
  trains must be bought.
* What companies are worth: :mod:`.forecast` makes the plan of one, :mod:`.firm` is what it knows of
  it, :mod:`.future` goes through the rounds to come, with :mod:`.earnings`, :mod:`.prices` and
  :mod:`.funds`; :mod:`.works` is what it earns beside its routes.
* What they earn now: :mod:`.income` by best routes with counted effort, :mod:`.prospects` with
  other trains, and where they begin, :mod:`.abroad` what those get that live on the runs of others.
* Where track leads: :mod:`.sites` what places are worth, :mod:`.ways` how many tiles away they are,
  :mod:`.aside` towns that add to stops over other track.
* What may come between: :mod:`.floats` whether a company begins, :mod:`.cards` what a card is worth
  that begins one, :mod:`.perils` what may end a company or a player suddenly, :mod:`.needs` whether
  presidents can pay for trains.
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
