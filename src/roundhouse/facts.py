"""What a title's players look at beside what all titles have; pages and commands tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct

from .model.actions import Action
from .model.frozen import EMPTY, put
from .model.records import Company, Corporation
from .rounds.bidding import Bidding, committed
from .rounds.rules import Part, R, S
from .rounds.steps.auctions import BidStep, NominatingAuction, RisingAuction, StandingBids
from .rounds.steps.progress import OperatingProgress, StandingProgress, StockProgress


class Fact(Struct, frozen=True):
    """One thing worth knowing of a game, a company or a player. ``short``: a few letters for a line
    of a table; ``text``: in full, as one would say it."""

    short: str
    text: str


class Lot(Struct, frozen=True):
    """Something that is auctioned or sold. ``price``: what it costs, or the least bid, now;
    ``bids``: (player, price), the highest last; ``bidders``: who may still bid, where not all may;
    ``passed``: who is out; ``open``: it is the one being fought for; ``own``: bidders pay with
    money of their own, not with a company's or later."""

    item: str
    price: int
    bids: tuple[tuple[str, int], ...] = ()
    bidders: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    open: bool = False
    note: str = ""
    own: bool = True

    @classmethod
    def of(cls, bidding: Bidding, least: int, players: tuple[str, ...]) -> Lot:
        """The one thing being auctioned among some players, for which ``least`` may be bid now."""
        out = tuple(p for p in players if p not in bidding.bidders)
        return cls(bidding.item, least, bidding.bids, bidding.bidders, out, open=True)

    @classmethod
    def standing(cls, m: StandingProgress, item: str, least: int, note: str = "") -> Lot:
        """One of many things on which bids stand."""
        bids, open = tuple(sorted(m.bids.get(item, ()), key=lambda b: b[1])), m.contested == item
        return cls(item, least, bids, tuple(p for p, _ in bids) if open else (), (), open, note)


class Closing(Struct, frozen=True):
    """How worth can still change once nothing but operating rounds is left to be played, and what
    belongs to them.

    Everybody's shares are what they are, but for those presidents sell to help with trains, where
    they have to (``helped``), each a step downwards; those of players who may have to sell without
    that (``selling``); and those of companies whose shares may still be bought, sold or become
    those of another one of as many (``trading``). ``rounds``: how many, the running one included;
    0: only what follows the last is left. ``fragile``: companies whose shares may be worth nothing
    in the end, whatever their price. ``due``: what the player for whom it is asked may have to pay;
    ``more``: what players may still get, dividends aside. ``sales``: what may still be paid to all
    who have shares of a company, by company, beyond the highest price they may have.
    ``markers``: what markers yet to come may add to the run of a train.
    """

    rounds: int
    helped: bool = True
    selling: frozenset[str] = frozenset()
    trading: frozenset[str] = frozenset()
    fragile: frozenset[str] = frozenset()
    due: int = 0
    more: Mapping[str, int] = EMPTY
    sales: Mapping[str, int] = EMPTY
    markers: int = 0


class Deadline(NamedTuple):
    """The game ends ``rounds`` operating rounds from now, the running one included, if a company
    then still owns a train of a ``kind``."""

    rounds: int
    kind: str


class Unled(NamedTuple):
    """What a company nobody leads does while it has one train: what it pays out each round, and
    whether it keeps the train, and its price, for good."""

    pays: int
    stands: bool


class Facts(Part[S, R]):
    """What is worth knowing of a title's games; a title derives one and names it in its rules."""

    #: Steps a price moves at most in a turn, up and down, if :meth:`closing` can tell.
    moves: ClassVar[tuple[int, int] | None] = None
    #: Why its games end that others do not, in words, by the code the rules end them with.
    ends: ClassVar[Mapping[str, str]] = {}
    #: What who leads a company is called.
    leader: ClassVar[str] = "president"

    def game(self, s: S) -> tuple[Fact, ...]:
        """Of the whole game."""
        return ()

    def of(self, s: S, key: str) -> tuple[Fact, ...]:
        """Of a company or a player."""
        return ()

    def order_of_play(self, s: S) -> tuple[str, ...]:
        """The order list of the round, where it has one."""
        order: tuple[str, ...] = getattr(s.round, "order", ())
        return order

    def merging(self, s: S) -> tuple[str, ...]:
        """The companies that are to merge, as far as they are named, while that is not decided."""
        named = getattr(s.round, "merging", ())
        return named if isinstance(named, tuple) else ()

    def most_shorts(self, shares: int) -> int:
        """How many shares of a company divided into so many may be sold short at once."""
        return 0

    def unsold(self, symbol: str) -> str:
        """What it is called where a company's own shares lie: its treasury, or where they are sold
        from without being its own."""
        return "treasury"

    def led(self, symbol: str) -> bool:
        """Whether somebody leads a company, with a certificate for that, once it has started."""
        return True

    def train_word(self, kind: str) -> str:
        """What trains of a kind are called: not all that is bought with them are trains."""
        return "train"

    def train_note(self, s: S, train: str) -> str:
        """What sets a train apart from others of its kind and owner, in words behind its name;
        empty if nothing does."""
        record = s.trains.get(train)
        return "(has run)" if record is not None and record.ran else ""

    def fixed_income(self, s: S, who: str) -> int:
        """What a company earns a round beside its routes; negative: what keeping it costs."""
        return 0

    def track_due(self, s: S, who: str) -> int:
        """What track still costs a company that it must lay before it may do anything else."""
        return 0

    def upkeep(self, who: str, begun: str | None) -> Mapping[str, int]:
        """What trains cost a company a round, by their kind, once the first of a kind has been
        bought and none of the next."""
        return {}

    def unled(self, who: str, kind: str) -> Unled | None:
        """What a company nobody leads does while it has a train of a kind; None of all others."""
        return None

    def scores_for_owner(self, s: S, who: str) -> int:
        """What a company without shares adds to the score of the player who owns it."""
        return 0

    @property
    def loan_value(self) -> int:
        """What a company gets for a loan; 0: there are none."""
        return 0

    def interest_rate(self, s: S) -> int:
        """What a loan costs a company in its turn."""
        return 0

    # what may be supposed of a position

    def bonus_markers(self, coord: str) -> Mapping[str, str]:
        """The markers that add to what routes earn when they lie on a hex, with words for each."""
        return {}

    def route_rights(self, s: S, who: str) -> Mapping[str, str]:
        """What a company may have that changes its routes, with words for each: a private by its
        name, or something of the title."""
        return {}

    def later_companies(self, s: S) -> Collection[Corporation]:
        """The companies that may come into being in the course of a game, as they then begin."""
        return ()

    def grant_right(self, s: S, who: str, right: str) -> None:
        """Let a company have one of its :meth:`route_rights`, whoever had it before."""
        s.companies = put(s.companies, right, Company(right, who, 1))

    # what is auctioned

    def lots(self, s: S) -> tuple[Lot, ...]:
        """What is auctioned or offered for bids now: as the round's step for bids says."""
        steps = self.rules.play(s).sequence
        step = next((step for step in steps if isinstance(step, BidStep)), None)
        match step:
            case None:
                return ()
            case StandingBids():
                return tuple(self._standing(s, step))
            case RisingAuction():
                return tuple(self._rising(s, step))
        return tuple(Lot(item, step.price(s, item) or 0) for item in step.items(s, ""))

    def later_lots(self, s: S) -> tuple[Lot, ...]:
        """What is for sale right after what is auctioned now, and makes that worth bids."""
        return ()

    def _standing(self, s: S, step: StandingBids[Any, Any]) -> Iterator[Lot]:
        """Many things on which bids stand, and what is sold at its price among them."""
        m = StandingProgress.of(s)
        for item in step.on_offer(s):
            if (price := step.price(s, item)) is not None:
                yield Lot.standing(m, item, price, "for sale at this price")
            else:
                yield Lot.standing(m, item, step.least(s, item))

    def _rising(self, s: S, step: RisingAuction[Any, Any]) -> Iterator[Lot]:
        """What is fought for, and what else could be put up."""
        fought = step.bidding(s)
        if fought is not None:
            yield Lot.of(fought, step.least(s, fought.item), self.rules.alive(s))
        if isinstance(step, NominatingAuction):
            for item in step.on_offer(s):
                if fought is None or item != fought.item:
                    yield Lot(item, step.first_bid(s, item))

    def paid(self, s: S, a: Action) -> int | None:
        """What an action costs that names a price; None: it names none."""
        price: int | None = getattr(a, "price", None)
        return price

    def bound(self, s: S, player: str) -> int:
        """Money of a player that his bids bind: all that stand on many things at once, or the
        highest where one thing is fought for."""
        if isinstance(s.round, StandingProgress):
            return committed(s.round.bids, player, "")
        fought = (lot.bids[-1] for lot in self.lots(s) if lot.open and lot.own and lot.bids)
        return sum(price for leader, price in fought if leader == player)

    def answer(self, s: S, said: str) -> str:
        """What an answer that is chosen by a word does, in full."""
        return said.replace("_", " ")

    def asked(self, s: S) -> str:
        """What is to be known of what is asked now, as how a vote stands, in a sentence; empty
        where choices say it all."""
        return ""

    def endings(self, s: S) -> tuple[Fact, ...]:
        """What may end the game; ``short`` is empty until it is certain, then it tells when."""
        return ()

    def rounds_left(self, s: S) -> int | None:
        """Operating rounds still to be played, the running one included, once that is certain: by
        default where the state says which turn is the last."""
        return self.left_until(s, getattr(s, "last_turn", None))

    def deadlines(self, s: S) -> tuple[Deadline, ...]:
        """Trains that end the game unless they are gone by then."""
        return ()

    def train_money(self, s: S, brought: Mapping[str, float] = EMPTY) -> tuple[int, ...]:
        """Money that is spent on trains on sale in the operating round that is running, by each who
        does, before others, without a choice. ``brought``: what companies that live on the runs of
        others are still to get before, by company."""
        return ()

    def left_until(self, s: S, last: int | None) -> int | None:
        """Operating rounds still to be played if the game ends with the set of a turn; None if
        that is not known."""
        if last is None:
            return None
        size = self.box.phases[s.phase].operating_rounds
        return self.left_of_set(s, size) + max(0, last - s.turn) * size

    def closing(self, s: S, steady: str = "") -> Closing | None:
        """How worth can still change, where nothing but operating rounds is left and a title can
        tell; None: it cannot, or more is to come: a private company could be turned into money.
        ``steady``: a player, by key, who does nothing he need not with what is his, nor agrees to
        it. He may still choose what a dividend is, and how trains run."""
        rounds = self.last_set(s)
        if self.moves is None or rounds is None or any(not c.closed for c in s.companies.values()):
            return None
        return Closing(rounds)

    def aftermath(
        self, s: S, closing: Closing, income: Mapping[str, int], steady: str = ""
    ) -> Closing:
        """The same, once it is known what companies can still earn at most."""
        return closing

    def price_moves(self, s: S, who: str, turns: int, steady: str = "") -> tuple[int, int]:
        """Steps a company's price moves at most, up and down, if it may still pay so many
        dividends."""
        up, down = self.moves or (0, 0)
        return turns * up, turns * down

    def most_earned(self, s: S, who: str) -> int | None:
        """What a company earns at most in a turn to come; None: as much as routes may bring."""
        return None

    def last_set(self, s: S) -> int | None:
        """Operating rounds left, if one is running and nothing else comes before the end."""
        left = self.rounds_left(s)
        if left is None or not isinstance(s.round, OperatingProgress):
            return None
        return left if left <= self.left_of_set(s, s.set_size) else None

    def left_of_set(self, s: S, size: int) -> int:
        """Operating rounds still to be played before the next stock round, the running one
        included; ``size``: how many a set has that has not begun."""
        if isinstance(s.round, OperatingProgress):
            return max(s.set_size - s.round.number, 0) + 1
        return size if isinstance(s.round, StockProgress) else max(s.set_size - s.round.number, 0)
