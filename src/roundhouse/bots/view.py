"""How a position looks to a player: what everybody is worth, with what is expected of companies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from ..model.records import MARKET, Corporation, State
from ..rounds.steps.operating import beyond
from ..rounds.steps.progress import END, OperatingProgress, StockProgress
from ..stock.bundles import president_percent
from ..stock.market import price
from ..trains import depot
from . import abroad, cards, floats, needs, perils, prospects
from .firm import Firm, Plan, Turn
from .ledger import Ledger, is_full, operating
from .mind import Mind

#: Rounds a private that opens a company is thought to pay on: its first train closes it.
_BRIEF = 0.5
#: How much of what it costs to lead a company falls to who could be made to lead it.
_PASSED_ON = 0.5
#: Part of the players' money spent on the shares a company has.
_SPENT = 0.5
#: What of the income of a company without shares its owner has.
_OWN = 0.75
#: Rounds to the end at which the best rival counts half of what he does in the end.
_CLOSING = 2.0
#: Rounds a company is thought to earn at least what it earns now, and what of its treasury falls to
#: its owners, as it stands.
_SEEN, _KEPT = 6.0, 0.5
#: The work of applying an action and reckoning what players are worth, companies aside: 1 each.
_POSITION = 2
#: Parts of a round it is told in when a company's turn comes.
_PARTS = 4
#: What it costs to be bankrupt.
_BROKE = 1_000.0


class View:
    """A position as a player sees it; made for one decision. ``origin``: the position the decision
    is made in, if this is one looked on to; ``thorough``: whether the best are looked into."""

    def __init__(
        self,
        mind: Mind,
        now: State,
        me: str,
        origin: State | None = None,
        thorough: bool = False,
    ) -> None:
        self.mind, self.now, self.me, self.thorough = mind, now, me, thorough
        self.origin = origin or now
        self.rules, self.known = mind.rules, mind.known
        self.weights = mind.known.weights
        self.income = mind.income
        # the position last asked for and its ledger
        self._followed: tuple[State, Ledger] | None = None
        # the same with what its runs bring those that live on them
        self._abroad: tuple[State, Mapping[str, tuple[float, float, float]]] | None = None
        # by the identity of what they depend on, which is kept beside so that it stays its own
        self._planned: dict[tuple[object, ...], tuple[tuple[object, ...], Plan]] = {}

    def ledger_of(self, s: State) -> Ledger:
        """The ledger of a position that may follow."""
        if self._followed is None or self._followed[0] is not s:
            self._followed = s, self._follow(s)
        return self._followed[1]

    def _follow(self, s: State) -> Ledger:
        found = self.mind.past(self.ledger) if self._over(s) else self.ledger
        if s.depot == self.now.depot and self.mind.sold(s) <= self._sold:
            return found
        return self.mind.following(found, s)

    def _over(self, s: State) -> bool:
        """Whether the operating round that is running is over in a position that may follow."""
        m, then = self.now.round, s.round
        if not isinstance(m, OperatingProgress):
            return False
        same = isinstance(then, OperatingProgress) and then.number == m.number
        return not same or s.turn != self.now.turn

    # companies

    def firm(self, s: State, c: Corporation, **changes: Any) -> Firm:
        """A started company as the forecast sees it, with some things supposed otherwise."""
        judged = self._judged_in(s, c)
        basis = *self._basis(s, c), judged.board, judged.phase
        timing, sale = self._timing(s, c), self.ledger.on_sale(0.0)
        key = (*map(id, basis), *timing, self._until(s), s.phase, s.loans_left, sale)
        found = self.mind.firm(key, basis, lambda: self._firm(s, c, judged, *timing))
        return replace(found, **changes) if changes else found

    def _basis(self, s: State, c: Corporation) -> tuple[object, ...]:
        """The records from which all that is known of a company follows."""
        others = self.known.fixed or self.known.lives_on_visits(c.id)
        buyers = s.players if self.known.issues or others else None
        return c, s.board, s.depot, s.trains, s.corporations if others else None, buyers

    def _until(self, s: State) -> int:
        """Operating rounds until players buy shares of companies again that sell their own."""
        if not self.known.issues or not operating(s):
            return 0
        return self.rules.facts.left_of_set(s, 1)

    def _judged_in(self, s: State, c: Corporation) -> State:
        """The position a company's track is judged in: while others build, the one the decision is
        made in, as routes take long to search for."""
        origin = self.origin
        rests = origin.corporations.get(c.id) is c and c.id not in (*origin.acting, *s.acting)
        return origin if rests else s

    def _timing(self, s: State, c: Corporation) -> tuple[int, Turn, float]:
        """Rounds until a company operates, what is left of its turn, and when in a round it
        comes."""
        return floats.delay(self, s, c), self._turn(s, c), self._at(s, c)

    def _turn(self, s: State, c: Corporation) -> Turn:
        """What is left of a company's turn in the operating round that is running."""
        m = s.round
        if not c.floated or not isinstance(m, OperatingProgress) or c.id in m.later:
            return "run"
        if self.known.lives_on_visits(c.id):
            return "run"
        if m.stage == END or m.index < 0 or c.id != m.who:
            return "over"
        return "trains" if beyond(self.rules, s, c.id, "dividend") else "run"

    def _at(self, s: State, c: Corporation) -> float:
        """When its turn comes in the round, in rounds from the position the ledger is of; before it
        less than 0; in quarters."""
        m, now = s.round, self.now.round
        if not isinstance(m, OperatingProgress) or c.id not in m.order:
            return 0.0
        begun = 0
        if isinstance(now, OperatingProgress):
            begun = max(0, now.index) - self._over(s) * len(now.order)
        return round(_PARTS * (m.order.index(c.id) - begun) / len(m.order)) / _PARTS

    def _firm(
        self, s: State, c: Corporation, judged: State, delay: int, turn: Turn, at: float
    ) -> Firm:
        kinds = tuple([s.trains[t].kind for t in c.trains if not s.trains[t].obsolete])
        steady = self._steady(s, c, kinds) if self.known.fixed else 0
        more, further = prospects.more(self, judged, c)
        return Firm(
            id=c.id,
            shares=c.shares,
            cell=c.cell or "",
            cash=self.to_spend(s, c),
            loans=c.loans,
            kinds=kinds,
            income=prospects.earning(self, s, c),
            quality=prospects.quality(self, judged, c),
            more=more,
            further=further,
            full=is_full(s, c),
            pool=self._pool(c),
            room=self.room(s, c),
            shells=len(c.train_groups),
            own=self._own(c),
            delay=delay,
            steady=steady,
            estate=self.mind.works.estate(s, c, steady),
            coming=self._coming(s, c),
            visited=self._visited(s, c),
            supposed=() if c.trains or not self.known.compulsory else prospects.supposed(self),
            borrows=min(c.shares, c.loans + s.loans_left) if self.rules.facts.loan_value else 0,
            turn=turn,
            at=at,
        )

    def _steady(self, s: State, c: Corporation, kinds: Collection[str]) -> int:
        """What a company earns a round beside its trains, of which plans know the upkeep."""
        upkeep = self.mind.forecast.upkeep(c.id, self.ledger_of(s).begun(0.0))
        return self.rules.facts.fixed_income(s, c.id) + sum([upkeep.get(k, 0) for k in kinds])

    def _pool(self, c: Corporation) -> int:
        """Steps the price of a company falls for what lies in the pool."""
        shares = c.held(MARKET) // c.unit if self.known.sinks else 0
        return min(1, shares) if self.known.lives_on_visits(c.id) else shares

    def _coming(self, s: State, c: Corporation) -> tuple[int, float]:
        """What a company gets for its own shares, and in which round: in the next stock round
        players spend a part of their money on them."""
        unsold = c.held(c.id) // c.unit if self.known.issues and c.floated else 0
        if not unsold:
            return 0, 0.0
        cost = unsold * price(self.rules.box.market, s, c.id)
        money = min(cost, _SPENT * sum([p.cash for p in s.players.values()]))
        return self._until(s), money

    def _visited(self, s: State, c: Corporation) -> tuple[float, float, float] | None:
        """What a company that lives on the runs of others gets of these; None of one that runs
        trains."""
        if not self.known.lives_on_visits(c.id):
            return None
        if self._abroad is None or self._abroad[0] is not s:
            self._abroad = s, abroad.visited(self, s)
        return self._abroad[1][c.id]

    def plan(self, s: State, symbol: str, **changes: Any) -> Plan:
        """What is expected of a started company."""
        c = s.corporations[symbol]
        if changes or self.known.fixed:
            return self.mind.plan(self.firm(s, c, **changes), self.ledger_of(s))
        basis = (*self._basis(s, c), self.ledger_of(s))
        key = (*map(id, basis), *self._timing(s, c), s.phase, s.loans_left)
        found = self._planned.get(key)
        if found is None:
            plan = self.mind.plan(self.firm(s, c), self.ledger_of(s))
            found = self._planned[key] = basis, plan
        return found[1]

    def room(self, s: State, c: Corporation) -> int:
        """How many trains a company may own now, in all its shells."""
        return (self.rules.train_limit(s, c.id) or 2) * len(c.train_groups)

    def earned(self, s: State, symbol: str) -> int:
        """What a company earns a round as it stands, upkeep taken off."""
        if symbol not in s.corporations:
            return 0
        fixed = self.rules.facts.fixed_income(s, symbol) if self.known.fixed else 0
        return self.income.now(s, symbol) + fixed

    def to_spend(self, s: State, c: Corporation) -> int:
        """A company's money, with what it gets when it floats, less what track costs that it must
        lay first; those that live on the runs of others keep nothing."""
        if self.known.lives_on_visits(c.id):
            return 0
        track, capital = self.rules.facts.track_due(s, c.id), self.known.founding.capital
        if c.floated or not capital:
            return c.cash - track
        return capital * price(self.rules.box.market, s, c.id) - track

    def _own(self, c: Corporation) -> float:
        """Shares whose dividends a company gets itself."""
        dividends = self.mind.forecast.dividends
        return max(0.0, dividends.own_percent(c) / c.unit) if dividends is not None else 0.0

    # players

    def part(self, c: Corporation) -> float:
        """The player's part of a company, by the shares he holds of all there are."""
        return (c.held(self.me) / c.unit) / c.shares

    def parts(self, s: State, owner: str | None) -> dict[str, float]:
        """What of something falls to each player: all to its owner, or by his shares in that."""
        if owner in s.players:
            return {str(owner): _OWN}
        c = s.corporations.get(owner or "")
        if c is None or c.cell is None:
            return {}
        return {p: c.held(p) / c.unit / c.shares for p in s.players}

    def worths(self, s: State) -> dict[str, float]:
        """What each player is worth: money, shares by the plans of their companies, privates."""
        return self._worths(s, s.players)

    def worth(self, s: State, who: str) -> float:
        """What one player is worth: companies he has no part in are not thought about."""
        return self._worths(s, (who,))[who]

    def _worths(self, s: State, who: Iterable[str]) -> dict[str, float]:
        """What some players are worth."""
        self.mind.spent.add(_POSITION)
        if s.finished is not None:
            return {p: self._ended * self.rules.value(s, p) for p in who}
        found = self._planned_worths(s, who)
        if ends := needs.ending(self, s):
            for p in found:
                found[p] += ends * (self._ended * self.rules.value(s, p) - found[p])
        return found

    def _planned_worths(self, s: State, who: Iterable[str]) -> dict[str, float]:
        """The same if the game goes on as long as is expected."""
        purses = {p: s.players[p].cash for p in who}
        found = {p: cash * (2.0 if cash < 0 else 1.0) for p, cash in purses.items()}
        for c in s.corporations.values():
            if c.cell is not None:
                self.mind.spent.add(1)
                self._add_stakes(s, c, found)
            elif self.known.fixed and (owner := self.rules.president(s, c.id)) in found:
                self.mind.spent.add(1)
                found[str(owner)] += self.owned(s, c.id)
        for company in s.companies.values():
            if company.owner in found:
                likely = cards.kept(self, s, company.owner, company.id)
                found[company.owner] += likely * self.private(s, company.id)
        perils.take_dues(self, s, found)
        needs.take_sales(self, s, found)
        return found

    def owned(self, s: State, symbol: str) -> float:
        """What a company without shares is worth to the player who owns it."""
        c, rounds = s.corporations[symbol], min(self.known.private_rounds, self.ledger.rounds)
        earned, cash = self.mind.works.alone(s, c, self.ledger_of(s), rounds)
        return self.rules.facts.scores_for_owner(s, symbol) + 0.6 * earned + 0.5 * cash

    def _add_stakes(self, s: State, c: Corporation, found: dict[str, float]) -> None:
        """What each has in a company, with what leading it brings and costs."""
        holders = [h for h in c.certs if h in found and c.certs[h]]
        if not holders:
            return
        each, extra = self.share(s, c)
        for holder in holders:
            found[holder] += each * c.held(holder) / c.unit
        falls_to = self._led(s, c, extra)
        for player in found.keys() & falls_to.keys():
            found[player] += falls_to[player]

    def led(self, s: State, c: Corporation) -> Mapping[str, float]:
        """To whom it falls what leading a company brings or costs, beside its shares."""
        return self._led(s, c, self.share(s, c)[1]) if c.president in s.players else {}

    def _led(self, s: State, c: Corporation, extra: float) -> Mapping[str, float]:
        if c.president is None or c.president not in s.players:
            return {}
        if extra < 0 and (heir := self._heir(s, c)):
            later = self.weights.help * self.plan(s, c.id).later
            passed_on = -_PASSED_ON * min(-extra, later)
            return {c.president: extra - passed_on, heir: passed_on}
        return {c.president: extra}

    def _heir(self, s: State, c: Corporation) -> str | None:
        """Who would lead a company whose president sells in a stock round, in a title in which a
        president pays for trains: who leads at a cost gets rid of it if somebody holds enough."""
        if not self.known.compulsory:
            return None
        lead = president_percent(c.certs.get(c.president or "", ()))
        able = [p for p in c.certs if p in s.players and p != c.president and c.held(p) >= lead]
        return max(able, key=c.held, default=None) if lead else None

    def share(self, s: State, c: Corporation) -> tuple[float, float]:
        """What a share is worth, and what the presidency is beside."""
        assert c.cell is not None
        if self.dying(s, c):
            return self._remains(s, c)
        if (gone := cards.lost(self, s, c)) == 1.0:
            return 0.0, 0.0
        plan = self.plan(s, c.id)
        if self.known.lives_on_visits(c.id):
            return plan.worth, 0.0
        lead = (1.0 - gone) * self.lead(plan)
        worth = (1.0 - gone) * self.running(s, c, plan)
        if lost := perils.peril(self, c, plan.traded):
            left, debt = self._remains(s, c)
            worth = (1.0 - lost) * worth + lost * left
            lead = (1.0 - lost) * lead + lost * debt
        if c.floated:
            return self._as_it_stands(s, c, worth), lead
        hope = floats.hope(self, s, c)
        return hope * worth + (1.0 - hope) * floats.idle(self, s, c), hope * lead

    def _as_it_stands(self, s: State, c: Corporation, planned: float) -> float:
        """What a share is worth in a stock round: partly by its plan, partly by what it is now."""
        part, rounds = self.weights.plain, self.ledger.rounds
        trades = isinstance(self.now.round, StockProgress)
        if not part or not trades or not c.trains or rounds <= 0:
            return planned
        earns = min(_SEEN, rounds) * self.earned(s, c.id)
        plain = (earns + _KEPT * c.cash) / c.shares + price(self.rules.box.market, s, c.id)
        return planned + part * (plain - planned)

    def to_sell(self, s: State, c: Corporation, player: str) -> int:
        """The percent of a company a player can sell, as the rules of trading say."""
        if c.cell is None or c.held(player) <= 0:
            return 0
        bundles = self.rules.trading.sellable(s, player, c)
        return max([b.percent for b in bundles], default=0)

    def lead(self, plan: Plan) -> float:
        """What leading a company brings by its plan, less what it costs its president."""
        return self.weights.control * plan.income - self.weights.help * plan.help

    def running(self, s: State, c: Corporation, plan: Plan) -> float:
        """What a share is worth of a company that operates, or will: of one without a train only a
        part of what it might become counts."""
        cost = price(self.rules.box.market, s, c.id)
        fresh = cost + self.weights.fresh * (plan.worth - cost)
        known = bool(c.trains) or self.ledger.rounds <= 0
        return plan.worth if known else min(plan.worth, fresh)

    def dying(self, s: State, c: Corporation) -> bool:
        """Whether a company is being liquidated."""
        market = self.rules.box.market
        return self.known.perishing and market.left(c.cell or "") == c.cell and c.cell is not None

    def _remains(self, s: State, c: Corporation) -> tuple[float, float]:
        """What is left of a company in liquidation, and what its president must add."""
        trains = sum([self.rules.box.trains[s.trains[t].kind].price for t in c.trains])
        net = c.cash + 0.3 * trains - self.rules.facts.loan_value * c.loans
        return max(0.0, net) / c.shares, min(0.0, net)

    def waiting(self, symbol: str, s: State | None = None) -> float:
        """What it costs that a company buys no train in the turn it has, by its plan; or no further
        one in a position it comes to."""
        s = s or self.now
        c = s.corporations[symbol]
        soon, later = self.plan(s, symbol), self.plan(s, symbol, waits=1)
        lead = self.weights.control * (later.income - soon.income)
        lead -= self.weights.help * (later.help - soon.help)
        each = later.worth - soon.worth
        found = {p: each * c.held(p) / c.unit for p in s.players}
        if c.president in found:
            found[c.president] += lead
        return min(0.0, self.against(s, found, self.me))

    def score(self, s: State) -> float:
        """One's own worth against that of the rivals."""
        return self.against(s, self.worths(s), self.me)

    def against(self, s: State, found: Mapping[str, float], who: str) -> float:
        """What a player is worth by what all are, less a part of what his rivals are; the nearer
        the end the more of what the best of them is."""
        others = [w for p, w in found.items() if p != who and not s.players[p].bankrupt]
        if not others:
            return found[who]
        near = self.weights.closing / (1.0 + self.ledger.rounds / _CLOSING)
        return found[who] - self.weights.rivals * sum(others) / len(others) - near * max(others)

    def private(self, s: State, company: str) -> float:
        """What a private company is worth: a part of its face, revenue to come, its powers."""
        known = self.known
        definition = self.rules.box.companies[company]
        rounds = min(known.private_rounds, self.ledger.rounds)
        revenue = self.rules.company_revenue(s, company)
        if company in known.opening:
            return revenue * min(rounds, _BRIEF)
        extra = known.privates.get(company, 0.0)
        if known.fixed and self.rules.facts.scores_for_owner(s, company):
            return self.owned(s, company) + extra
        return known.private_face * definition.value + rounds * revenue + extra

    @cached_property
    def _sold(self) -> int:
        """Kinds of trains, from the one on sale, some of which are as good as sold."""
        return self.mind.sold(self.now)

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger of the position."""
        return self.mind.ledger(self.now)

    @cached_property
    def _ended(self) -> float:
        """What a dollar is worth that is had at the end if the game ends at once, where somebody
        who cannot pay may end it: as much as each has of all that there is then, against what he
        is thought to get if it goes on."""
        s = self.now
        if not self.known.ruinous or s.finished is not None:
            return 1.0
        now = sum([self.rules.value(s, p) for p in s.players])
        return sum(self._planned_worths(s, s.players).values()) / max(1, now)

    @cached_property
    def standing(self) -> dict[str, float]:
        """What each player is worth in the position as it is."""
        return self.worths(self.now)

    @cached_property
    def here(self) -> float:
        """The score of the position as it is."""
        return self.against(self.now, self.standing, self.me)

    @cached_property
    def first_train(self) -> int:
        """What the cheapest train costs that the bank sells; 0 if there is none."""
        return self.cheapest(self.now)[0]

    def cheapest(self, s: State) -> tuple[int, str | None]:
        """The price of the cheapest train the bank sells, and the train; 0 and None if there is
        none."""
        trains, kinds = self.rules.box.trains, [(depot.kind_of(s, n), n) for n in depot.on_sale(s)]
        offers = [(trains[kind].price, name) for kind, name in kinds if kind in trains]
        return min(offers, key=lambda offer: offer[0], default=(0, None))

    def needed(self, symbol: str, cash: int) -> float:
        """What it costs the player that a company of his has some money left, and no train yet
        though it must own one at the end of its turn: he helps, or is bankrupt; or it is lost."""
        c = self.now.corporations[symbol]
        if cards.must_buy(self, c) and cash < self.first_train:
            return c.held(self.me) / c.unit * self.plan(self.now, symbol).worth
        if not self.known.compulsory or c.trains or c.president != self.me:
            return 0.0
        missing = max(0, self.first_train - cash)
        broke = missing > max(0, self.now.players[self.me].cash)
        return self.weights.help * missing + _BROKE * broke

    def money(self, amount: float) -> str:
        """An amount as the title says it."""
        return self.rules.facts.money(round(amount))
