"""What a player is told in each step of 1839, by the step's name. Privates have their own ``text``
in ``companies.json``."""

from __future__ import annotations

STEPS: dict[str, str] = {
    "auction": (
        "Buy one private for its face value less the money lying on it, or let the bank lay ƒ10 on"
        " any one, or pass. When the money on a private reaches its face, the next player takes it"
        " for nothing, and that is his turn. A pass does not shut you out; when everybody passes in"
        " a row the auction is over and what is left leaves the game. Whoever has least cash then"
        " gets card 1."
    ),
    "stock": (
        "Sell as much as you like, make one purchase, sell again. Selling does not move the price;"
        " at the end of the round every 10 % of a public company in the pool moves it down once, a"
        " foreigner with any share there moves down once, and a company wholly in players' hands"
        " moves up. IPO shares cost the market price of the moment. A director may buy up to 30 %"
        " of his company in one go; whoever starts one may add 10 % at once. A company floats at"
        " 60 % sold and then gets ten times its price. The first to pass gets card 1."
    ),
    "home": (
        "Your company begins. With two homes, choose both or one of them: markers are scarce, and"
        " each hex with one makes the next dearer. On a double city that has a tile, choose the"
        " city."
    ),
    "track": (
        "Lay up to two tiles, at most one of them an upgrade; the second tile costs ƒ20. A bare"
        " river hex costs ƒ80, each upgrade of Haarlem, Amsterdam, Utrecht, Rotterdam or Breda"
        " ƒ40. Track must lead from one of your markers to the new tile, over no edge twice."
    ),
    "outpost": "The dike's tile lies; now its station goes into the city.",
    "marker": (
        "Place one marker: a station in a free slot you can reach, or your exchange marker under a"
        " station of yours. It costs the value of the city times the number of hexes with your"
        " stations afterwards. At the exchange marker the city pays each of your trains, and"
        " nobody is blocked there."
    ),
    "routes": (
        "Run your trains. A + train visits as many cities as its number says and is paid for"
        " everything; a D train likewise, but towns pay it nothing and all else double; FLOOD"
        " counts all you can reach. Each place pays once over all your trains, except at your"
        " exchange marker. A route needs one of your markers and two places that are no off-boards."
        " A fifth of the revenue goes to each foreign area you touch."
    ),
    "dividend": (
        "Pay everything, half (rounded up to tens) or nothing. The price goes right only if what is"
        " paid reaches it, otherwise left. Pool shares pay into the company's treasury."
    ),
    "trains": (
        "Buy trains from the supply, or from other companies for ƒ1 or more, while below the"
        " limit. A company must own a train when it ends this step. Without one, and too poor for"
        " the next, it may sell markers for the value of their cities, and its director sells"
        " shares and privates (for half their face) until both together can pay. If even that is"
        " not enough, the game ends in bankruptcy."
    ),
    "early trains": "With Werkspoor's factory your company buys trains at any moment of its turn.",
    "discard": "Your company has more trains than the new limit allows: choose what leaves.",
    "privates": (
        "From the Green phase on a company may buy privates from players, for ƒ1 up to the face."
    ),
    "powers": "Some privates work at any moment of their company's turn; their cards tell how.",
}
