"""Choices in words: what each kind of action is called, and how one reads on a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..board.laying import face_at, parse_city
from ..model.actions import Action, PlaceToken
from ..model.choices import Choice, Span
from ..model.errors import IllegalAction
from ..model.records import MARKET, State
from ..render.describe import stop_names
from ..rounds import machine
from ..rounds.rules import Rules
from ..rounds.step import Step
from ..rounds.steps.auctions import BidStep
from ..trains.depot import DEPOT, kind_of
from . import words
from .summaries import name_of
from .words import lot_is_private

#: Action type → what one does (“… may …”), and the heading of its buttons.
KINDS: dict[str, tuple[str, str]] = {
    "lay_tile": ("lay or upgrade track", "Lay track"),
    "place_token": ("place a station", "Stations"),
    "remove_token": ("take a station off the map", "Take off a station"),
    "run_routes": ("run its trains", "Run trains"),
    "dividend": ("decide on the dividend", "Dividend"),
    "buy_train": ("buy a train", "Buy a train"),
    "discard_train": ("discard a train", "Discard a train"),
    "swap_train": ("move trains between its halves", "Move a train"),
    "scrap_train": ("scrap equipment", "Scrap"),
    "switch_trains": ("exchange equipment", "Exchange equipment"),
    "bid": ("bid", "Bid"),
    "par": ("start a company", "Start a company"),
    "buy_shares": ("buy shares", "Buy shares"),
    "sell_shares": ("sell shares", "Sell shares"),
    "short": ("sell short", "Sell short"),
    "buy_company": ("buy a private company", "Buy a private company"),
    "sell_company": ("sell a private company", "Sell a private company"),
    "buy_corporation": ("buy a minor", "Buy a minor"),
    "take_loan": ("take a loan", "Loans"),
    "payoff_loan": ("repay a loan", "Repay"),
    "convert": ("convert", "Convert"),
    "merge": ("merge", "Merge"),
    "failed_merge": ("give up a merger", "Give up the merger"),
    "assign": ("use a private company", "Use a private company"),
    "assign_company": ("hand over a private company", "Hand over"),
    "assign_corporation": ("offer a corporation for sale", "Offer for sale"),
    "assign_hex": ("place a marker", "Place a marker"),
    "assign_train": ("mark a train", "Mark a train"),
    "choose": ("choose", "Choose"),
    "choose_ability": ("use a power", "Use a power"),
    "special_buy": ("buy an extra", "Buy"),
    "destination_connection": ("report a connection", "Report a connection"),
    "bankrupt": ("declare bankruptcy", "Bankruptcy"),
    "pass": ("pass", "Pass"),
    "program_share_pass": ("pass until something changes", "Pass from now on"),
    "program_buy_shares": ("go on buying shares", "Go on buying"),
    "program_merger_pass": ("pass on mergers", "Pass on mergers"),
    "program_harzbahn_draft_pass": ("pass in the draft", "Pass in the draft"),
    "program_independent_mines": ("pass for mines", "Pass for mines"),
    "program_auction_bid": ("go on bidding", "Go on bidding"),
    "program_close_pass": ("pass on closing", "Pass on closing"),
    "program_disable": ("end a standing order", "End a standing order"),
}

#: Action type → what is said on the button beside the price one names.
VERBS = {"bid": "Bid", "buy_train": "Buy", "buy_company": "Buy", "buy_corporation": "Buy"}

#: What a dividend of a kind is called.
DIVIDENDS = {"payout": "Pay out", "half": "Pay half", "withhold": "Withhold"}


def _special(of: str | Action) -> str:
    """What a token is called that is no station; empty for all else."""
    kind = of.token_type if isinstance(of, PlaceToken) else None
    return words.token_word(kind) if kind else ""


def _kind(of: str | Action) -> str:
    """A type of action; of one that does different things, what an action of it does."""
    if isinstance(of, str):
        return of
    finer = f"{of.type}_{getattr(of, 'target_type', None)}"
    return finer if finer in KINDS else of.type


def doing(of: str | Action) -> str:
    """“lay or upgrade track”: what an action, or any of a type, is called."""
    if special := _special(of):
        return f"place {words.article(special)}"
    kind = _kind(of)
    return KINDS[kind][0] if kind in KINDS else kind.replace("_", " ")


def heading(of: str | Action) -> str:
    """“Lay track”."""
    if special := _special(of):
        return words.capital(special)
    kind = _kind(of)
    return KINDS[kind][1] if kind in KINDS else kind.replace("_", " ").capitalize()


money = words.money


def place_name(rules: Rules[Any], coord: str) -> str:
    """A hex by coordinate and the name printed on it."""
    location = rules.box.map.hexes[coord].location if coord in rules.box.map.hexes else None
    return f"{coord} {location}" if location else coord


def company_name(rules: Rules[Any], symbol: str) -> str:
    """A private, corporation or minor by its full name; the private where two share a symbol."""
    found = rules.box.companies.get(symbol)
    return found.name if found else corporation_name(rules, symbol)


def corporation_name(rules: Rules[Any], symbol: str) -> str:
    """A corporation or minor by its full name."""
    found = rules.box.corporations.get(symbol)
    return f"{symbol} · {found.name}" if found else symbol


def lot_name(rules: Rules[Any], s: State, item: str) -> str:
    """What is auctioned, by its full name."""
    name = company_name if lot_is_private(s, item) else corporation_name
    return name(rules, item)


def bid_name(rules: Rules[Any], bid: Any) -> str:
    """What a bid is for, by its full name; empty if it names nothing."""
    if bid.company:
        return company_name(rules, bid.company)
    return corporation_name(rules, bid.corporation or bid.minor or "")


def sells_at_prices(s: State, step: Step[Any, Any] | None) -> bool:
    """Whether a step sells things at their prices to whoever is asked: none is bid for."""
    if not isinstance(step, BidStep) or not s.acting:
        return False
    return all(step.price(s, item) is not None for item in step.items(s, s.acting[0]))


class Wording:
    """The labels of the actions of one moment. ``after``: the state an action leads to, for whoever
    tries actions anyway; raises :class:`IllegalAction`."""

    def __init__(
        self, rules: Rules[Any], state: State, after: Callable[[Action], State] | None = None
    ) -> None:
        self.rules = rules
        self.s = state
        self._after = after or partial(machine.apply, rules, state)
        self._labels: dict[Action, str] = {}

    def of(self, choice: Choice) -> str:
        """What the button of a choice says; a number that leaves no choice is part of it."""
        a = choice.action
        paid = self.paid(a)
        if a.type in VERBS and paid and not open_numbers(choice):
            return f"{self.label(a)} for {money(self.rules, paid)}"
        return self.label(a)

    def paid(self, a: Action) -> int | None:
        """What an action costs that names a price; None: it names none."""
        return self.rules.facts.paid(self.s, a)

    def label(self, a: Action) -> str:
        """What the button of an action says, numbers to be named aside."""
        known = self._labels.get(a)
        if known is None:
            special = getattr(self, f"_{a.type}", None)
            known = self._labels[a] = str(special(a)) if special else self._plain(a)
        return known

    def _plain(self, a: Action) -> str:
        target = getattr(a, "corporation", None) or getattr(a, "minor", None)
        return corporation_name(self.rules, target) if target else heading(a)

    def _named(self, key: str) -> str:
        return name_of(self.rules, self.s, key)

    def _bid(self, a: Any) -> str:
        return bid_name(self.rules, a)

    def _par(self, a: Any) -> str:
        cell = self.rules.box.market.cells.get(a.share_price)
        price = f" at {money(self.rules, cell.price)}" if cell else ""
        return f"{corporation_name(self.rules, a.corporation)}{price}"

    def _buy_shares(self, a: Any) -> str:
        symbol, index = split_share(a.shares[0])
        by_source: dict[str, list[str]] = {}
        for name in a.shares:
            by_source.setdefault(self._holder(*split_share(name)), []).append(name)
        first, *others = (
            (self._percent(tuple(names)), self._source(symbol, holder))
            for holder, names in by_source.items()
        )
        crown = f" {self.rules.facts.leader}’s" if self._leads(symbol, index) else ""
        text = f"{first[0]} % of {symbol}{crown} from {first[1]}"
        return text + "".join(f" and {percent} % from {source}" for percent, source in others)

    def portion(self, a: Any) -> str:
        """How much of a company is bought, with a crown if its president’s certificate is."""
        crown = any(self._leads(*split_share(name)) for name in a.shares)
        return f"{self._percent(a.shares)} %{' ♛' if crown else ''}"

    def _source(self, symbol: str, holder: str) -> str:
        own = f"its {self.rules.facts.unsold(symbol)}"
        return {MARKET: "the market", symbol: own}.get(holder) or self._named(holder)

    def _leads(self, symbol: str, index: int) -> bool:
        """Whether a certificate is the one of who leads the company; not all have such a one."""
        return index == 0 and self.rules.facts.led(symbol)

    def _sell_shares(self, a: Any) -> str:
        symbol, _ = split_share(a.shares[0])
        percent = a.percent or self._percent(a.shares)
        return f"{percent} % of {symbol}{self._once_sold(a, symbol)}"

    def _once_sold(self, a: Any, symbol: str) -> str:
        """What the seller keeps of a corporation, and who leads it then if that changes."""
        before = self.s.corporations[symbol]
        try:
            after = self._after(a).corporations.get(symbol)
        except IllegalAction:
            return ""
        if after is None:
            return ", which closes"
        kept = after.held(a.actor)
        text = f", keeping {kept} %" if kept else ", keeping nothing"
        if after.president == before.president:
            return text
        return f"{text}; {self._named(after.president or '')} becomes {self.rules.facts.leader}"

    def _percent(self, shares: tuple[str, ...]) -> int:
        return sum(self._cert_percent(*split_share(name)) for name in shares)

    def _cert_percent(self, symbol: str, index: int) -> int:
        for certs in self.s.corporations[symbol].certs.values():
            for cert in certs:
                if cert.index == index:
                    return cert.percent
        return 0

    def _holder(self, symbol: str, index: int) -> str:
        for holder, certs in self.s.corporations[symbol].certs.items():
            if any(c.index == index for c in certs):
                return holder
        return MARKET

    def _lay_tile(self, a: Any) -> str:
        turned = f", turned {60 * a.rotation}°" if a.rotation else ""
        return f"tile {a.tile.rpartition('-')[0]} on {place_name(self.rules, a.hex)}{turned}"

    def _city(self, city: str) -> str:
        found = parse_city(self.rules.box, self.s.board, city)
        if found is None:
            return city
        coord, number = found
        name, face = place_name(self.rules, coord), face_at(self.rules.box, self.s.board, coord)
        cities = face.tile.cities
        if len(cities) < 2:
            return name
        return f"{name}, {stop_names(face, self.rules.box.map.layout)[cities[number]]}"

    def _place_token(self, a: Any) -> str:
        return self._city(a.city)

    def _remove_token(self, a: Any) -> str:
        return self._city(a.city)

    def _dividend(self, a: Any) -> str:
        return DIVIDENDS.get(a.kind, str(a.kind))

    def train(self, train: str, variant: str | None = None) -> str:
        record = self.s.trains.get(train)
        return variant or (record.variant if record else None) or kind_of(self.s, train)

    def _buy_train(self, a: Any) -> str:
        record = self.s.trains.get(a.train)
        owner = record.owner if record else DEPOT
        source = {DEPOT: "the bank", MARKET: "the open market"}.get(owner) or self._named(owner)
        text = f"{self._one_train(a.train, a.variant)} from {source}"
        text += f" into {a.shell}" if a.shell else ""
        text += ", the seller paying its maintenance" if a.extra_due else ""
        return f"{text} in exchange for {self._one_train(a.exchange)}" if a.exchange else text

    def _one_train(self, train: str, variant: str | None = None) -> str:
        """A train by its kind and what sets it apart."""
        kind, facts = self.train(train, variant), self.rules.facts
        return f"{kind} {facts.train_word(kind)} {facts.train_note(self.s, train)}".rstrip()

    def _discard_train(self, a: Any) -> str:
        record, text = self.s.trains.get(a.train), self._one_train(a.train)
        if record is None or record.owner in (a.actor, MARKET):
            return text
        return f"{text} of {self._named(record.owner)}"

    def _switch_trains(self, a: Any) -> str:
        return f"between slots {' and '.join(str(slot + 1) for slot in a.slots)}"

    _swap_train = _scrap_train = _discard_train

    def _buy_company(self, a: Any) -> str:
        owner = self.s.companies[a.company].owner if a.company in self.s.companies else None
        source = f" from {self._named(owner)}" if owner else ""
        return f"{company_name(self.rules, a.company)}{source}"

    def _sell_company(self, a: Any) -> str:
        price = f" for {money(self.rules, a.price)}" if a.price else ""
        return f"{company_name(self.rules, a.company)}{price}"

    def _merge(self, a: Any) -> str:
        return f"with {corporation_name(self.rules, a.corporation or a.minor or '')}"

    def _assign(self, a: Any) -> str:
        if a.target_type == "hex":
            return place_name(self.rules, a.target)
        name = company_name if a.target_type == "company" else corporation_name
        return name(self.rules, a.target)

    def _choose(self, a: Any) -> str:
        if a.auto_actions:
            return f"{a.choice} takes over {a.auto_actions[0].corporation}"
        word = str(a.choice)
        private = self.rules.box.companies.get(word)
        if private is not None and lot_is_private(self.s, word):
            return private.name
        if word in self.rules.box.map.hexes:
            return place_name(self.rules, word)
        return self.rules.facts.answer(self.s, word)

    def _choose_ability(self, a: Any) -> str:
        return a.choice.replace("_", " ")  # type: ignore[no-any-return]

    def _special_buy(self, a: Any) -> str:
        return f"{a.description} for {money(self.rules, a.cost)}"

    def _take_loan(self, a: Any) -> str:
        return "Take a loan"

    def _payoff_loan(self, a: Any) -> str:
        return "Repay a loan"

    def _pass(self, a: Any) -> str:
        return "Pass"

    def _destination_connection(self, a: Any) -> str:
        return ", ".join(a.minors)


def open_numbers(choice: Choice) -> dict[str, Span]:
    """The numbers of a choice that are still to be named."""
    spans = {name: d for name, d in choice.domains.items() if isinstance(d, Span)}
    return {name: d for name, d in spans.items() if d.low + d.step <= d.high}


def split_share(name: str) -> tuple[str, int]:
    """Symbol and index of a share id."""
    symbol, _, index = name.rpartition("_")
    return symbol, int(index) if index.isdigit() else -1


def hex_of(rules: Rules[Any], s: State, a: Action) -> str | None:
    """The hex an action concerns, if it concerns one."""
    coord = getattr(a, "hex", None)
    if coord is None and (city := getattr(a, "city", None)) is not None:
        found = parse_city(rules.box, s.board, city)
        coord = found[0] if found else None
    if coord is None and getattr(a, "target_type", None) == "hex":
        coord = a.target  # type: ignore[attr-defined]
    return coord if coord in rules.box.map.hexes else None
