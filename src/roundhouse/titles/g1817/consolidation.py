"""When one corporation absorbs another (§5.3.4, §5.4.7, §6.8): assets, tokens, disappearance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ...board import laying
from ...model.events import CorporationClosed, SharesVanished
from ...model.frozen import put
from ...model.records import CLOSED, set_corporation
from ...rounds.steps import removal
from ...rounds.steps.homes import put_free
from ...rounds.steps.removal import Spot
from ...stock import market
from ...stock.shares import share_id
from .rules import Rules1817
from .state import State1817, TokenClash


def absorb(rules: Rules1817, s: State1817, survivor: str, other: str) -> None:
    """Cash, privates, loans and trains of ``other`` go to the survivor."""
    rules.inherit(s, survivor, other)
    loans = s.corporations[survivor].loans + s.corporations[other].loans
    set_corporation(s, survivor, loans=loans)
    set_corporation(s, other, loans=0)


def dissolve(rules: Rules1817, s: State1817, symbol: str) -> None:
    """§6.9: back to the unstarted state. Tokens still on the map stay until they are replaced."""
    for company in rules.privates(s, symbol):
        rules.give_company(s, company, CLOSED)
    corporation = s.corporations[symbol]
    for holder, certs in corporation.certs.items():
        s.now.emit(SharesVanished(symbol, tuple(share_id(symbol, c) for c in certs), holder))
    if corporation.cell is not None:
        market.remove(s, symbol)
    fresh = rules.unstarted(symbol)
    if any(t.city for t in corporation.tokens):
        fresh = replace(fresh, tokens=corporation.tokens)
    s.corporations = put(s.corporations, symbol, fresh)
    s.now.emit(CorporationClosed(symbol))


# tokens (§6.8)


def join_tokens(rules: Rules1817, s: State1817, survivor: str, other: str) -> None:
    """Steps 1–3; where tokens must be removed first, the round waits for that."""
    box = rules.box
    theirs = {t.city for t in s.corporations[other].tokens if t.city}
    for token in s.corporations[survivor].tokens:
        if token.city in theirs:
            laying.lift_token(box, s, survivor, *laying.split_place(token.city or ""))
    clash = TokenClash(survivor, other)
    if any(True for _ in removable(rules, s, clash)):
        s.round = replace(s.round, clash=clash)
    else:
        replace_tokens(rules, s, clash)


def removable(rules: Rules1817, s: State1817, clash: TokenClash) -> Iterator[Spot]:
    """Where tokens lie one of which must come off. Empty: nothing must."""
    pair = (clash.survivor, clash.other)
    placed = [t.city for who in pair for t in s.corporations[who].tokens if t.city]
    coords = [c.partition("/")[0] for c in placed]
    doubled = {c for c in coords if coords.count(c) > 1}
    if not doubled and len(placed) <= rules.constants.max_tokens:
        return
    for coord in dict.fromkeys(coords):
        if doubled and coord not in doubled:
            continue
        for city, slots in enumerate(laying.slots_at(rules.box, s.board, coord)):
            for slot, owner in enumerate(slots):
                if owner in pair:
                    yield coord, city, slot


def replace_tokens(rules: Rules1817, s: State1817, clash: TokenClash) -> None:
    """Step 3: the other's tokens on the map become the survivor's."""
    box, survivor, other = rules.box, clash.survivor, clash.other
    cities = [t.city for t in s.corporations[other].tokens if t.city]
    for where in cities:
        laying.lift_token(box, s, other, *laying.split_place(where))
    mine = s.corporations[survivor].tokens
    used = [t for t in mine if t.city]
    spare = [t for t in mine if not t.city] + list(s.corporations[other].tokens)
    set_corporation(s, survivor, tokens=(*used, *spare))
    for where in cities:
        put_free(box, s, survivor, *laying.split_place(where))
    kept = s.corporations[survivor].tokens[: rules.constants.max_tokens]
    set_corporation(s, survivor, tokens=kept)
    gone = s.corporations[other].cell is None
    left = rules.unstarted(other).tokens if gone else s.corporations[other].tokens
    set_corporation(s, other, tokens=left)
    s.round = replace(s.round, clash=None)


class RemoveTokens(removal.RemoveTokens[State1817, Rules1817]):
    """§6.8.2: the survivor chooses which token comes off."""

    name = "remove token"
    rule = "6.8"

    def company(self, s: State1817) -> str | None:
        m: Any = s.round
        return None if m.clash is None else str(m.clash.survivor)

    def spots(self, s: State1817) -> Iterator[Spot]:
        m: Any = s.round
        return removable(self.rules, s, m.clash) if m.clash is not None else iter(())

    def take_off(self, s: State1817, spot: Spot) -> None:
        m: Any = s.round
        clash, (coord, city, slot) = m.clash, spot
        owner = laying.slots_at(self.box, s.board, coord)[city][slot] or ""
        laying.lift_token(self.box, s, owner, coord, city)
        if not any(True for _ in removable(self.rules, s, clash)):
            replace_tokens(self.rules, s, clash)
