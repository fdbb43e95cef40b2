"""The complete state of a game, as plain lists and dictionaries, and the questions about it that
every part of the rules asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .data import COMPANIES, COUNTRIES, FOREIGNERS, MARKET, PHASES, PRIVATES

IPO, POOL, CLOSED = "ipo", "pool", "closed"


class Refused(Exception):
    """The rules do not allow an action; the text says which sentence."""


def need(condition: object, sentence: str) -> None:
    """Refuse an action unless a condition holds."""
    if not condition:
        raise Refused(sentence)


@dataclass
class Turn:
    """A company's operating turn."""

    company: str
    step: str = "home"
    tiles: int = 0
    upgraded: bool = False
    #: The city in which SHZ has to place its marker now.
    shz: tuple[str, int] | None = None
    marker_done: bool = False
    revenue: int = 0
    #: An emergency action was made in this turn (10.6).
    emergency: bool = False


@dataclass
class StockTurn:
    """A player's turn in a stock round."""

    acted: bool = False
    bought: bool = False
    #: The company started in this turn by the very last action.
    parred: str | None = None


@dataclass
class State:
    """Players are ``player:ID`` throughout; companies, countries and privates go by symbol."""

    options: set[str]
    players: list[str]  # in card order: the first has card 1
    cash: dict[str, int]
    certs: dict[str, dict[int, str]]  # company -> index -> holder
    cells: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    floated: set[str] = field(default_factory=set)
    president: dict[str, str] = field(default_factory=dict)
    privates: dict[str, str | None] = field(default_factory=dict)
    linked: dict[str, str] = field(default_factory=dict)
    phase: str = "Yellow"
    prices: dict[str, int] = field(default_factory=dict)
    left: dict[str, int | None] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    trains: dict[str, list[str]] = field(default_factory=dict)
    obsolete: set[str] = field(default_factory=set)
    marked: set[str] = field(default_factory=set)
    tiles: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: How often each tile was laid: an unlimited one gets a copy more each time.
    times_laid: dict[str, int] = field(default_factory=dict)
    stations: dict[str, list[list[str | None]]] = field(default_factory=dict)
    exchange: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: The marker of a company that lies on a bare hex with two cities.
    on_hex: dict[str, str] = field(default_factory=dict)
    operated: set[str] = field(default_factory=set)
    homes_placed: set[str] = field(default_factory=set)
    ports: dict[str, str] = field(default_factory=dict)
    mes_used: set[Any] = field(default_factory=set)
    slots: dict[str, int] = field(default_factory=dict)
    train_markers: dict[int, str] = field(default_factory=dict)
    # rounds
    round: str = "AR"
    number: int = 1
    num: int = 1
    ors: int = 1
    on_turn: int = 0
    finished: str | None = None
    # auction
    laid: dict[str, int] = field(default_factory=dict)
    passes: int = 0
    # stock round
    stock: StockTurn = field(default_factory=StockTurn)
    sold: dict[str, set[str]] = field(default_factory=dict)
    passed: list[str] = field(default_factory=list)
    # operating round
    order: list[str] = field(default_factory=list)
    queue: list[str] = field(default_factory=list)
    turn: Turn | None = None
    foreign: list[tuple[str, str]] | None = None  # (foreigner or country, stage) still to come


def percent(company: str, index: int) -> int:
    return 20 if company in COMPANIES and index == 0 else 10


def held(s: State, holder: str, company: str) -> int:
    """Percent of a company a holder has."""
    return sum(percent(company, i) for i, h in s.certs[company].items() if h == holder)


def indices(s: State, holder: str, company: str) -> list[int]:
    return sorted(i for i, h in s.certs[company].items() if h == holder)


def cell_of(s: State, company: str) -> tuple[int, int] | None:
    for cell, stack in s.cells.items():
        if company in stack:
            return cell
    return None


def parred(s: State, company: str) -> bool:
    return cell_of(s, company) is not None


def price(s: State, company: str) -> int:
    """The current price of a parred company."""
    cell = cell_of(s, company)
    assert cell is not None
    value = MARKET[cell[0]][cell[1]]
    assert value is not None
    return value


def operating_order(s: State, companies: list[str]) -> list[str]:
    """10.1: price, then column, then upper row, then place in the stack."""

    def rank(company: str) -> tuple[int, int, int, int]:
        cell = cell_of(s, company)
        assert cell is not None
        return -price(s, company), -cell[1], cell[0], s.cells[cell].index(company)

    return sorted(companies, key=rank)


def limit(s: State) -> int:
    """Trains a company may own."""
    return int(PHASES[s.phase]["limit"])


def owner(s: State, private: str) -> str | None:
    return s.privates.get(private, CLOSED)


def pay(s: State, who: str, amount: int) -> None:
    """From the bank to somebody; negative: to the bank."""
    s.cash[who] += amount
    assert s.cash[who] >= 0, (who, s.cash[who])


def country_of(foreigner: str) -> str:
    return str(FOREIGNERS[foreigner]["country"])


def certificates(s: State, player: str) -> int:
    """5.8: public certificates and privates."""
    return sum(1 for c in COMPANIES for h in s.certs[c].values() if h == player) + sum(
        1 for o in s.privates.values() if o == player
    )


def worth(s: State, player: str) -> int:
    """13.4."""
    shares = sum(
        held(s, player, c) // 10 * price(s, c) for c in s.certs if cell_of(s, c) is not None
    )
    faces = sum(PRIVATES[p]["value"] for p, o in s.privates.items() if o == player)
    return s.cash[player] + shares + int(faces)


TREASURIES = [*COMPANIES, *COUNTRIES]
