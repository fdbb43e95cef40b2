"""Shares: the verbs that create, move and destroy certificates, and the presidency.

A share id is ``<symbol>_<index>``; index 0 is the president's certificate. Every holder's list of
a corporation is in order of arrival, and rules that take "the first" mean that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from ..model.errors import BrokenInvariant
from ..model.events import PresidentChanged, SharesCreated, SharesMoved, SharesVanished
from ..model.frozen import FrozenDict, put
from ..model.records import MARKET, Cert, Corporation, State


def share_id(corporation: str, cert: Cert) -> str:
    """The id of a certificate as in game files."""
    return f"{corporation}_{cert.index}"


def company_of(name: str) -> str:
    """The corporation a share id names."""
    return name.rpartition("_")[0]


def locate(s: State, name: str) -> tuple[str, str, Cert] | None:
    """Corporation, holder and certificate of a share id; None if there is no such certificate."""
    symbol, _, index = name.rpartition("_")
    corporation = s.corporations.get(symbol)
    if corporation is None or not index.isascii() or not index.isdigit() or len(index) > 6:
        return None
    number = int(index)
    for holder, certs in corporation.certs.items():
        for cert in certs:
            if cert.index == number:
                return symbol, holder, cert
    return None


def named(s: State, names: Sequence[str]) -> tuple[str, list[tuple[str, Cert]]] | None:
    """The company of some shares, and of each its holder and certificate; None unless there are
    all of them, of one company, each named once."""
    found = [x for x in map(partial(locate, s), names) if x is not None]
    symbols = {symbol for symbol, _, _ in found}
    if len(symbols) != 1 or len(found) < len(names) or len(set(names)) < len(names):
        return None
    return symbols.pop(), [(holder, cert) for _, holder, cert in found]


def _set(corporation: Corporation, **lists: tuple[Cert, ...]) -> Corporation:
    certs = {**corporation.certs, **lists}
    return replace(corporation, certs=FrozenDict({h: c for h, c in certs.items() if c}))


def move(s: State, symbol: str, certs: Sequence[Cert], source: str, target: str) -> None:
    """Move certificates, in the order given, to the end of the target's list."""
    if not certs:
        return
    corporation = s.corporations[symbol]
    held = corporation.certs.get(source, ())
    moving = set(certs)
    if not moving.issubset(held):
        raise BrokenInvariant(f"{source} does not hold {certs} of {symbol}")
    rest = tuple(c for c in held if c not in moving)
    arrived = (*(rest if source == target else corporation.certs.get(target, ())), *certs)
    s.corporations = put(
        s.corporations, symbol, _set(corporation, **{source: rest} | {target: arrived})
    )
    names = tuple(share_id(symbol, c) for c in certs)
    s.now.emit(SharesMoved(symbol, names, sum(c.percent for c in certs), source, target))


def create(s: State, symbol: str, holder: str, index: int, percent: int) -> Cert:
    """A new certificate at the end of a holder's list."""
    corporation = s.corporations[symbol]
    born = 1 + max((c.born for cs in corporation.certs.values() for c in cs), default=-1)
    cert = Cert(index, percent, born)
    mine = (*corporation.certs.get(holder, ()), cert)
    s.corporations = put(s.corporations, symbol, _set(corporation, **{holder: mine}))
    s.now.emit(SharesCreated(symbol, (share_id(symbol, cert),), holder))
    return cert


def vanish(s: State, symbol: str, holder: str, cert: Cert) -> None:
    """Take a certificate out of the game."""
    corporation = s.corporations[symbol]
    held = corporation.certs.get(holder, ())
    if cert not in held:
        raise BrokenInvariant(f"{holder} does not hold {share_id(symbol, cert)}")
    rest = tuple(c for c in held if c != cert)
    s.corporations = put(s.corporations, symbol, _set(corporation, **{holder: rest}))
    s.now.emit(SharesVanished(symbol, (share_id(symbol, cert),), holder))


def highest_index(corporation: Corporation) -> int:
    """The highest index among existing certificates."""
    return max(c.index for cs in corporation.certs.values() for c in cs)


def certificate_count(s: State, player: str) -> int:
    """Positive certificates a player holds in all corporations."""
    held = [c.certs[player] for c in s.corporations.values() if player in c.certs]
    return sum([cert.percent > 0 for certs in held for cert in certs])


def most_of_others(c: Corporation, player: str, players: Sequence[str]) -> int:
    """The most any other one of some players holds of a company."""
    return max([c.held(p) for p in players if p != player], default=0)


def set_president(s: State, symbol: str, player: str | None) -> None:
    """Put a player (or nobody) in charge; certificates are not touched."""
    corporation = s.corporations[symbol]
    if corporation.president != player:
        s.corporations = put(s.corporations, symbol, replace(corporation, president=player))
        s.now.emit(PresidentChanged(symbol, corporation.president, player))


def take_presidency(s: State, symbol: str, player: str) -> None:
    """Give a player the president's certificate out of a corporation's own hand, and put him in
    charge."""
    own = s.corporations[symbol].certs[symbol]
    move(s, symbol, [c for c in own if c.index == 0], symbol, player)
    set_president(s, symbol, player)


def starting_with(order: Sequence[str], first: str) -> tuple[str, ...]:
    """``order`` turned so that ``first``, who is in it, comes first."""
    at = order.index(first)
    return (*order[at:], *order[:at])


def clockwise(order: Sequence[str], after: str) -> tuple[str, ...]:
    """``order`` starting with the one after ``after``, who comes last (if in it)."""
    if after not in order:
        return tuple(order)
    at = order.index(after) + 1
    return (*order[at:], *order[:at])


def settle_presidency(
    s: State, symbol: str, order: Sequence[str], *, owed: tuple[str, int] | None = None
) -> None:
    """Give the presidency to whoever holds most now; ties favour the president, then the nearest
    clockwise in ``order``.

    A new president needs at least the percent of the president's certificate. He hands over as
    many of his first certificates as that is worth, to the old president if he still holds
    enough, else to the market. ``owed``: a seller and the percent that he still gets back.
    """
    corporation = s.corporations[symbol]
    old = corporation.president
    if old is None:
        return
    held = {p: corporation.held(p) for p in order}
    if owed is not None:
        held[owed[0]] = held.get(owed[0], 0) + owed[1]
    most = max(held.values(), default=0)
    if held.get(old, 0) == most:
        return
    found = locate(s, f"{symbol}_0")
    if found is None:
        raise BrokenInvariant(f"{symbol} has no president's certificate")
    _, keeper, certificate = found
    candidates = [p for p in clockwise(order, old) if held[p] == most >= certificate.percent]
    if not candidates:
        return
    new = candidates[0]
    target = old if corporation.held(old) >= certificate.percent else MARKET
    swapped = corporation.certs[new][: certificate.percent // corporation.unit]
    move(s, symbol, swapped, new, target)
    move(s, symbol, (certificate,), keeper, new)
    set_president(s, symbol, new)
