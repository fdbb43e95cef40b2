"""Names and amounts as they are written: what sentences are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..model.records import BANK, CLOSED, MARKET

if TYPE_CHECKING:
    from ..model.records import State
    from ..rounds.rules import Rules


class Ref(Struct, frozen=True, cache_hash=True):
    """Something a sentence names: ``kind`` is ``player``, ``corporation``, ``company``, ``hex``,
    ``train`` or ``tile``; ``key`` its key in the state; ``text`` what is written."""

    kind: str
    key: str
    text: str

    def __str__(self) -> str:
        return self.text


Part = str | Ref


def counted(number: int, noun: str) -> str:
    """“1 train”, “3 trains”."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def money(rules: Rules[Any], amount: int) -> str:
    """An amount in the title's currency, with the sign before it: “−$1,200”."""
    return rules.money(amount)


def signed(rules: Rules[Any], amount: int) -> str:
    """A change of money, a gain with its sign, too: “+$1,200”."""
    return f"{'+' if amount > 0 else ''}{money(rules, amount)}"


class Sentence(Struct, frozen=True, cache_hash=True):
    """A line of the log. ``kind`` sorts it (``money``, ``share``, ``market``, ``track``,
    ``token``, ``train``, ``run``, ``auction``, ``company``, ``round``, ``pass``, ``chat``,
    ``other``); ``about``: entity key of the one it is mainly about; ``str()`` gives the text."""

    kind: str
    parts: tuple[Part, ...]
    about: str = ""

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


_PLACES = {
    BANK: "the bank",
    MARKET: "the market",
    CLOSED: "nobody",
    "depot": "the depot",
    "gone": "the box",
    "": "nobody",
}


class Words:
    """Finds out what things of a game are called in a state; ``before``: gives the one in which
    there was still what has gone since."""

    def __init__(
        self, rules: Rules[Any], state: State, before: Callable[[], State] | None = None
    ) -> None:
        self.rules = rules
        self.state = state
        self._before = before

    def who(self, key: str | None) -> Part:
        """An owner or entity: a player by name, a corporation by symbol, a private by name."""
        key = key or ""
        if key in self.state.players:
            return Ref("player", key, self.state.players[key].name)
        if key in self.rules.box.corporations or key in self.state.corporations:
            return Ref("corporation", key, key)
        company = key.removeprefix("company:")
        if company in self.rules.box.companies:
            return Ref("company", company, self.rules.box.companies[company].name)
        return _PLACES.get(key, key)

    def lot(self, item: str) -> Part:
        """What is auctioned now: a private, a corporation, or what has no card, as a premium."""
        if item not in self.state.companies and item not in self.state.corporations:
            return f"the {item}"
        return self.private(item) if lot_is_private(self.state, item) else self.who(item)

    def private(self, company: str) -> Part:
        """A private company, whatever else has its symbol."""
        return self.who(f"company:{company}")

    def money(self, amount: int) -> str:
        """An amount in the title's currency, as buttons say it."""
        return money(self.rules, amount)

    def hex(self, coord: str) -> Ref:
        """A hex with its name."""
        definition = self.rules.box.map.hexes.get(coord)
        name = definition.location if definition else None
        return Ref("hex", coord, f"{name} ({coord})" if name else coord)

    def city(self, city: str) -> Ref:
        """The hex of ``hex/city``."""
        return self.hex(city.partition("/")[0])

    def tile(self, tile: str) -> Ref:
        """A tile by its number."""
        return Ref("tile", tile, tile.rpartition("-")[0] or tile)

    def train_kind(self, train: str) -> str:
        """The name of a train's type."""
        found = self.state.trains.get(train)
        if found is None and self._before is not None:
            found = self._before().trains.get(train)
        if found is not None:
            return found.variant or found.kind
        return train.rpartition("-")[0] or train

    def train(self, train: str) -> Ref:
        """A train by its type."""
        kind = self.train_kind(train)
        return Ref("train", train, f"{kind} {self.rules.facts.train_word(kind)}")

    def trains(self, trains: tuple[str, ...]) -> str:
        """Several trains: how many of each type."""
        counts: dict[str, int] = {}
        for train in trains:
            kind = self.train_kind(train)
            counts[kind] = counts.get(kind, 0) + 1
        return listed([self._some(kind, n) for kind, n in counts.items()])

    def _some(self, kind: str, count: int) -> str:
        called = f"{kind} {self.rules.facts.train_word(kind)}"
        return f"{count} × {called}s" if count > 1 else f"the {called}"

    def unsold(self, company: str) -> str:
        """Where a company's own shares lie: its treasury, its IPO …"""
        return self.rules.facts.unsold(company)

    @property
    def leader(self) -> str:
        """What who leads a company is called."""
        return self.rules.facts.leader

    def price(self, cell: str | None) -> str:
        """The price of a market cell."""
        known = self.rules.box.market.price
        return self.money(known[cell]) if cell and cell in known else "no price"


def lot_is_private(s: State, item: str) -> bool:
    """Whether a private is auctioned under a symbol that a corporation may have, too: it is still
    unsold."""
    private = s.companies.get(item)
    return item not in s.corporations or (private is not None and private.owner is None)


def listed(words: list[str]) -> str:
    """Words joined with commas and a final ``and``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def spoken(code: str) -> str:
    """A code as words."""
    return code.replace("_", " ")


#: Why a game ended, by the rules' code for it; titles have more of their own.
_ENDINGS = {
    "bank": "the bank is broken",
    "bankrupt": "bankruptcy",
    "stock_market": "a price has reached the top of the market",
    "final_phase": "the last round of the final phase is over",
    "stalemate": "nobody can do anything any more",
    "manually_ended": "all agreed to end it",
    "dnf": "it was given up",
}


def ending(rules: Rules[Any], reason: str) -> str:
    """Why a game ended, in words: “the bank is broken”."""
    return rules.facts.ends.get(reason) or _ENDINGS.get(reason) or spoken(reason)


def token_word(kind: str | None) -> str:
    """What a token of a kind is called; those without a kind are stations."""
    return f"{spoken(kind)} marker" if kind else "station"


def unsold_words(rules: Rules[Any], symbols: Iterable[str]) -> str:
    """Where the shares are that companies have themselves: “treasury”, “IPO / charter”."""
    words = dict.fromkeys(rules.facts.unsold(symbol) for symbol in symbols)
    return " / ".join(words) or "treasury"


def article(text: str) -> str:
    """Words after “a” or “an”."""
    return f"{'an' if text[:1] in 'aeiouAEIOU' else 'a'} {text}"


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]
