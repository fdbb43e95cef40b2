"""The setup (2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from .data import COMPANIES, FOREIGNERS, PRIVATES, TRAINS, D
from .state import CLOSED, IPO, TREASURIES, State

T = TypeVar("T")


class Draws:
    """The shared generator of game files: 31 bits, linear congruential."""

    def __init__(self, seed: int) -> None:
        self.state = seed % 2**31

    def draw(self) -> int:
        self.state = (1103515245 * self.state + 12345) % 2**31
        return self.state

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """One number per element in list order, then a stable sort."""
        numbers = [self.draw() for _ in things]
        return [things[i] for i in sorted(range(len(things)), key=lambda i: numbers[i])]


def draw_privates(draws: Draws) -> list[str]:
    """Drawn until their faces pass 400."""
    drawn: list[str] = []
    for private in draws.shuffle([p for p in PRIVATES if PRIVATES[p]["drawn"]]):
        if sum(PRIVATES[p]["value"] for p in drawn) > 400:
            break
        drawn.append(private)
    return drawn


def certificates_of(company: str) -> dict[int, str]:
    return dict.fromkeys(range(9 if company in COMPANIES else 10), IPO)


def begin(
    players: Sequence[int | str],
    seed: int,
    options: Sequence[str] = (),
    roster: Mapping[str, tuple[int | None, int]] | None = None,
) -> State:
    """The state before the first action. ``roster``: number and price of the trains of each rank,
    where they are not the title's own."""
    keys = [f"player:{p}" for p in players]
    draws = Draws(seed)
    on_offer = [p for p in PRIVATES if not PRIVATES[p]["drawn"]] + draw_privates(draws)
    to_rws, to_swo, *_ = draws.shuffle(list(COMPANIES))
    trains = {rank: (t["count"], t["price"]) for rank, t in TRAINS.items()} | dict(roster or {})
    counts = {rank: count for rank, (count, _) in trains.items()}
    each = D["cash"][str(len(keys))]
    return State(
        options=set(options),
        players=keys,
        cash=dict.fromkeys(keys, each) | dict.fromkeys(TREASURIES, 0),
        certs={c: certificates_of(c) for c in [*COMPANIES, *FOREIGNERS]},
        privates=dict.fromkeys(on_offer) | {p: CLOSED for p in PRIVATES if p not in on_offer},
        linked={"RWS": to_rws, "SWO": to_swo},
        prices={rank: price for rank, (_, price) in trains.items()},
        left=counts,
        next=dict.fromkeys(counts, 0),
        trains={c: [] for c in COMPANIES},
        slots=dict.fromkeys(FOREIGNERS, 0),
        laid=dict.fromkeys(on_offer, 0),
    )
