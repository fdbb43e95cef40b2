"""Mechanisms of rounds: steps a title names in its plays, and says in data where it differs.

A module here holds one mechanism. Its classes read from the top: first the flags and tables in
which titles differ, each with its meaning; then the policies, small methods a title may override;
then what follows from both, which titles leave alone.

Refusals have one code for one thing, whichever mechanism finds it:

================  ===================================================================
``no_cash``       it costs more than there is to pay with
``price``         the price named is not one that is asked, or lies outside the span
``bid_too_low``   a bid is below the least one
``bid_step``      a bid lies between the steps in which bids go up
``par``           it is no cell companies start on now
``too_cheap``     it must cost more than is paid for it
``variant``       the train is none of the type named
``not_for_sale``  what is named cannot be bought by this buyer now
``not_yours``     what is named belongs to somebody else
``extra``         a field says something that has no meaning here
``unknown_city``  there is no such city on the map
``unconnected``   the network of the company does not lead there
``own_token``     there is a token of the company already
``reserved``      the place is kept for another company
``full``          there is no free slot
``limit``         a limit of trains would be passed
``holding_limit`` a player would hold too much of a company
``cert_limit``    a limit of certificates would be passed
``colour``        tiles of that colour come in another phase
``hex``           that goes to certain other hexes only
``misfit``        the tile does not go there, or not like that
``must_buy``      one cannot pass before something has been bought
``no_need``       no money need be raised
``too_much``      less of it would raise enough
``solvent``       who would be bankrupt can still raise enough
``sold``          shares of it have been sold, which bars the purchase
``presidency``    nobody could follow the president
``kind``          that kind of dividend does not exist
================  ===================================================================
"""
