"""Companies (§6): verbs for mines, shares, presidents, conversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.events import Converted, CorporationClosed, Merged
from ...model.frozen import FrozenDict
from ...model.records import BANK, MARKET, Cert, Token, set_corporation
from ...stock import shares
from . import fleet
from .state import PUBLIC_MINE, RAILWAY, Charter, Mine, State1873, charter_of, mine_of

if TYPE_CHECKING:
    from .rules import Rules1873


# mines


def close_mine(s: State1873, name: str) -> None:
    """§6.1.6: equipment is scrapped, cash goes to the owner, nobody owns it."""
    mine = mine_of(s, name)
    for train in mine.trains:
        fleet.scrap(s, train)
    if mine.owner is not None:
        pay(s, name, mine.owner, mine.cash, "closed")
    set_corporation(s, name, owner=None, open=False)
    s.now.emit(CorporationClosed(name))


def take_mine(s: State1873, company: str, name: str) -> None:
    """§6.2.4: a mine joins a public mining company with all it has."""
    pay(s, name, company, cash(s, name), "merged")
    set_corporation(s, name, owner=company, open=True)
    set_corporation(s, company, mines=(*charter_of(s, company).mines, name))
    s.now.emit(Merged(company, name))


# shares and presidents


def in_players_hands(s: State1873, charter: Charter) -> bool:
    """Whether players hold all shares."""
    return sum(charter.held(p) for p in s.order) == 100


def settle(s: State1873, who: str) -> None:
    """§6.5.2, unless the company is pending (§6.5.4)."""
    charter = charter_of(s, who)
    if not charter.pending:
        shares.settle_presidency(s, who, s.order)


def end_pending(s: State1873, who: str) -> None:
    """§6.5.4: the compulsory train is bought; now the largest holder leads."""
    set_corporation(s, who, pending=False)
    settle(s, who)


# conversion (§6.9)


def can_convert(s: State1873, who: str) -> bool:
    """§5.2: step V of a railway or public mining company."""
    charter = charter_of(s, who)
    if charter.receivership or charter.shares >= 10 or not in_players_hands(s, charter):
        return False
    held = charter.held(charter.president or "") // charter.unit
    return charter.shares == 2 or held >= 2


def convert(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.9: to the next size; the new shares lie in the treasury."""
    charter = charter_of(s, who)
    count = 5 if charter.shares == 2 else 10
    unit = 100 // count
    certs = FrozenDict(
        {
            holder: tuple(Cert(c.index, unit, c.born) for c in held)
            for holder, held in charter.certs.items()
        }
    )
    tokens, slots = charter.tokens, charter.slots
    if charter.kind == RAILWAY:
        extra = rules.railways[who].extra_tokens
        tokens = (*tokens, *(Token(rules.constants.token_price) for _ in range(extra)))
    elif charter.kind == PUBLIC_MINE:
        slots = rules.constants.slots[count]
    set_corporation(s, who, certs=certs, shares=count, tokens=tokens, slots=slots)
    for index in range(charter.shares, count):
        shares.create(s, who, who, index, unit)
    s.now.emit(Converted(who, count))


def to_pool(rules: Rules1873, s: State1873, who: str, *, paid: bool) -> None:
    """All treasury shares go to the pool; if ``paid`` the bank buys them at the present price."""
    treasury = s.corporations[who].certs.get(who, ())
    if paid:
        pay(s, BANK, who, rules.price(s, who) * len(treasury), "shares")
    shares.move(s, who, treasury, who, MARKET)


def mines_of(s: State1873) -> list[Mine]:
    """All mines by number."""
    return [c for c in s.corporations.values() if isinstance(c, Mine)]
