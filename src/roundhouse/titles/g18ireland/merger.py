"""The merger round (§5.3): proposals, votes, and what an accepted merger does (§6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...board import laying, network
from ...board.tiles import NODE
from ...model.actions import Action, Choose, Merge, Pass
from ...model.choices import Choice
from ...model.events import Founded, Merged, Noted
from ...model.records import MARKET, set_corporation
from ...rounds.step import Asking, Fault, RoundPlay
from ...rounds.steps.homes import put_free
from ...stock import market, shares
from ...stock.shares import clockwise, starting_with
from .constants import MAJOR, MINOR
from .rules import Rules18Ireland
from .state import Charter, MergerRound, State18Ireland, StockRound, Vote
from .trains import Discard

FOR, AGAINST = "for", "against"


# which minors may merge


def units(s: State18Ireland, minors: Sequence[str], holder: str) -> int:
    """Shares of some minors a player or the pool holds."""
    return sum(s.corporations[m].held(holder) // s.corporations[m].unit for m in minors)


def home_city(s: State18Ireland, minor: str) -> str:
    """The city of a minor's token, as ``hex/number``."""
    city = s.corporations[minor].tokens[0].city
    assert city is not None
    return city


class Propose(Asking[State18Ireland, Rules18Ireland]):
    """Name two or three minors that are to merge, or pass."""

    name = "merger proposal"
    rule = "5.3"
    takes = frozenset({Merge, Pass})

    # which minors may be added to a proposal (§5.3.3)

    def minors(self, s: State18Ireland) -> list[str]:
        """Started minors."""
        return [c.id for c in self.rules.started(s) if c.kind == MINOR]

    def connected(self, s: State18Ireland, a: str, b: str) -> bool:
        """Whether broad track joins the tokens of two minors, whatever blocks it."""
        map_ = self.rules.map_now(s.board)
        start, goal = (self._spot(s, home_city(s, m)) for m in sorted((a, b)))
        reach = network.reach(map_, self.box.tiles, s.board, "", starts=(start,), blocking=False)
        return reach.comes_to(*goal)

    def _spot(self, s: State18Ireland, city: str) -> tuple[str, int]:
        coord, _, number = city.rpartition("/")
        face = laying.face_at(self.box, s.board, coord)
        return coord, NODE + face.tile.cities[int(number)]

    def why_not(self, s: State18Ireland, merging: Sequence[str], new: str) -> Fault | None:
        """Why a minor cannot be added; None if it can."""
        if new in merging or new not in self.minors(s):
            return "no_minor", f"{new} is no other started minor."
        if not any(self.connected(s, m, new) for m in merging):
            return "unconnected", f"No broad track joins {new} with {' or '.join(merging)}."
        hexes = {home_city(s, m).partition("/")[0] for m in merging}
        if home_city(s, new).partition("/")[0] in hexes:
            return "same_hex", f"{new} has its token on the same hex as another one."
        return self._why_too_much(s, (*merging, new))

    def _why_too_much(self, s: State18Ireland, minors: Sequence[str]) -> Fault | None:
        issued = sum(5 - units(s, [m], m) for m in minors)
        if issued > 10:
            return "issued", f"They have issued {issued} shares; a major has 10."
        limits = self.rules.constants
        for player in s.order:
            most = limits.max_holding[MAJOR] // 10
            if units(s, minors, player) > most:
                return "holding_limit", f"A player would hold more than {most} shares."
        most = limits.max_pool[MAJOR] // 10
        if units(s, minors, MARKET) > most:
            return "pool_limit", f"The pool would hold more than {most} shares."
        return None

    def additions(self, s: State18Ireland, merging: Sequence[str]) -> list[str]:
        """Minors that may be added now."""
        if not merging or len(merging) >= self.rules.constants.mergers.most:
            return []
        return [m for m in self.minors(s) if self.why_not(s, merging, m) is None]

    def is_new(self, s: State18Ireland, minors: Sequence[str]) -> bool:
        """Whether a complete set has not been voted on in this round."""
        return tuple(sorted(minors)) not in MergerRound.of(s).proposed

    def leads_on(self, s: State18Ireland, minors: Sequence[str]) -> bool:
        """§5.3.4: whether some set with all these minors has not been proposed yet."""
        if len(minors) >= self.rules.constants.mergers.least and self.is_new(s, minors):
            return True
        return any(self.leads_on(s, (*minors, m)) for m in self.additions(s, minors))

    def openings(self, s: State18Ireland, who: str) -> list[str]:
        """Minors a player may begin a proposal with."""
        if not self.rules.unstarted_majors(s):
            return []
        mine = [m for m in self.minors(s) if s.corporations[m].held(who) > 0]
        return [m for m in mine if self.leads_on(s, (m,))]

    # what may be done, and what it does

    def asked(self, s: State18Ireland) -> str | None:
        m = MergerRound.of(s)
        return None if len(m.passed) == len(self.rules.alive(s)) else m.player

    def answers(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        merging = MergerRound.of(s).merging
        named = self.openings(s, who)
        if merging:
            added = self.additions(s, merging)
            named = [m for m in added if self.leads_on(s, (*merging, m))]
        for minor in named:
            yield self.choice(s, who, Merge, corporation=minor)

    def why_no_pass(self, s: State18Ireland, who: str) -> Fault | None:
        merging = MergerRound.of(s).merging
        if len(merging) == 1:
            return "one_minor", f"Name a partner for {merging[0]}."
        recorded = s.now is not None and s.now.recorded
        if merging and not recorded and not self.is_new(s, merging):
            return "proposed", "These two have been proposed in this round."
        return None

    def check_answer(self, s: State18Ireland, a: Merge) -> None:
        merging, minor = MergerRound.of(s).merging, a.corporation or ""
        if a.minor:
            raise self.refuse("field", "The minor is named in the field corporation, not minor.")
        self._check_minor(s, a.actor, merging, minor)
        if not (s.now.recorded or self.leads_on(s, (*merging, minor))):
            raise self.refuse("proposed", f"With {minor} there is nothing new to propose.")

    def _check_minor(
        self, s: State18Ireland, who: str, merging: tuple[str, ...], minor: str
    ) -> None:
        if merging:
            self.insist(self.why_not(s, merging, minor))
            return
        if not self.rules.unstarted_majors(s):
            raise self.refuse("no_major", "All majors have started.")
        if minor not in self.minors(s):
            raise self.refuse("no_minor", f"{minor} is no started minor.")
        if s.corporations[minor].held(who) <= 0:
            raise self.refuse("no_share", f"You hold no share of {minor}.")
        if not self.additions(s, (minor,)):
            raise self.refuse("no_partner", f"Nothing can merge with {minor}.")

    def answer(self, s: State18Ireland, a: Merge) -> None:
        merging = (*MergerRound.of(s).merging, a.corporation or "")
        self.change(s, merging=merging)
        complete = len(merging) >= self.rules.constants.mergers.least
        if complete and not self.additions(s, merging):
            self._complete(s)

    def decline(self, s: State18Ireland, who: str) -> None:
        """A proposal that is complete is no pass."""
        if MergerRound.of(s).merging:
            self._complete(s)
        else:
            super().decline(s, who)

    def passed(self, s: State18Ireland, who: str) -> None:
        passed = (*(p for p in MergerRound.of(s).passed if p != who), who)
        self.change(s, passed=passed, player=clockwise(self.rules.alive(s), who)[0])

    def auto_actions(self, s: State18Ireland) -> tuple[Action, ...]:
        """§15.4: files pass for a player who has nothing to propose."""
        m = MergerRound.of(s)
        if s.step != self.name or m.merging or self.openings(s, m.player):
            return ()
        return (Pass(**self.sender(s, m.player)),)

    def _complete(self, s: State18Ireland) -> None:
        """The vote starts, unless the same set was proposed before."""
        m = MergerRound.of(s)
        if not self.is_new(s, m.merging):
            self.change(s, merging=())
            return
        proposed = (*m.proposed, tuple(sorted(m.merging)))
        vote = open_vote(self.rules, s, m.player, m.merging)
        self.change(s, proposed=proposed, passed=(), vote=vote)
        for answer, votes in ((FOR, vote.in_favour), (AGAINST, vote.against)):
            if votes:
                _tell_votes(s, answer, MARKET, votes, vote)
        settle_vote(self.rules, s)


# votes (§5.3.5–7)


def merged_cell(rules: Rules18Ireland, s: State18Ireland, minors: Sequence[str]) -> str:
    """The price cell of the new major: leftmost column, topmost row."""
    cells = [rules.box.market.cells[s.corporations[m].cell or ""] for m in minors]
    row, column = min(c.row for c in cells), min(c.column for c in cells)
    return rules.box.market.grid[row, column].id


def open_vote(
    rules: Rules18Ireland, s: State18Ireland, proposer: str, minors: Sequence[str]
) -> Vote:
    """Who votes with how much; the pool has voted already."""
    price = rules.box.market.price[merged_cell(rules, s, minors)]
    in_favour = against = 0
    for minor in minors:
        pool, worth = units(s, [minor], MARKET), rules.price(s, minor)
        if price > worth:
            in_favour += pool
        elif price < worth or "pool_votes_no_on_equal" in rules.options:
            against += pool
    votes = ((p, units(s, minors, p)) for p in starting_with(s.order, proposer))
    voters = tuple((p, n) for p, n in votes if n > 0)
    available = in_favour + against + sum(n for _, n in voters)
    return Vote(voters, available, in_favour, against)


def settle_vote(rules: Rules18Ireland, s: State18Ireland) -> None:
    """Accepted, rejected, or the next voter is asked."""
    m = MergerRound.of(s)
    vote = m.vote
    assert vote is not None
    if vote.in_favour >= vote.needed:
        s.round = replace(m, vote=replace(vote, accepted=True, voters=()))
        _tell_outcome(s, "merger_accepted", m, vote)
    elif not vote.voters or vote.available - vote.against < vote.needed:
        _tell_outcome(s, "merger_rejected", m, vote)
        _next_player(rules, s)


def _tell_votes(s: State18Ireland, answer: str, who: str, votes: int, vote: Vote) -> None:
    s.now.emit(Noted(f"voted_{answer}", who, "", votes, vote.available))


def _tell_outcome(s: State18Ireland, code: str, m: MergerRound, vote: Vote) -> None:
    s.now.emit(Noted(code, m.player, "-".join(m.merging), vote.in_favour, vote.available))


def _next_player(rules: Rules18Ireland, s: State18Ireland) -> None:
    m = MergerRound.of(s)
    following = clockwise(rules.alive(s), m.player)[0]
    s.round = replace(m, player=following, merging=(), vote=None)


class CastVote(Asking[State18Ireland, Rules18Ireland]):
    """A shareholder votes with all his shares."""

    name = "merger vote"
    rule = "5.3"
    takes = frozenset({Choose})

    def asked(self, s: State18Ireland) -> str | None:
        vote = MergerRound.of(s).vote
        return vote.voters[0][0] if vote is not None and vote.voters else None

    def answers(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        for answer in (FOR, AGAINST):
            yield self.choice(s, who, Choose, choice=answer)

    def why_no_answer(self, s: State18Ireland, a: Choose) -> Fault:
        return "choice", "Vote for or against."

    def answer(self, s: State18Ireland, a: Choose) -> None:
        vote = MergerRound.of(s).vote
        assert vote is not None
        (_, votes), *rest = vote.voters
        if a.choice == FOR:
            vote = replace(vote, in_favour=vote.in_favour + votes)
        else:
            vote = replace(vote, against=vote.against + votes)
        self.change(s, vote=replace(vote, voters=tuple(rest)))
        _tell_votes(s, str(a.choice), a.actor, votes, vote)
        settle_vote(self.rules, s)


# the merger (§6.5)


class ChooseMajor(Asking[State18Ireland, Rules18Ireland]):
    """The proposer of an accepted merger chooses the new major."""

    name = "merger major"
    rule = "5.3"
    takes = frozenset({Merge})

    def asked(self, s: State18Ireland) -> str | None:
        m = MergerRound.of(s)
        return m.player if m.vote is not None and m.vote.accepted else None

    def answers(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        for major in self.rules.unstarted_majors(s):
            yield self.choice(s, who, Merge, corporation=major)

    def why_no_answer(self, s: State18Ireland, a: Merge) -> Fault:
        return "no_major", f"{a.corporation} is no major that can start."

    def answer(self, s: State18Ireland, a: Merge) -> None:
        assert a.corporation is not None
        m = MergerRound.of(s)
        merge(self.rules, s, m.player, m.merging, a.corporation)
        _next_player(self.rules, s)


def merge(
    rules: Rules18Ireland, s: State18Ireland, proposer: str, minors: Sequence[str], major: str
) -> None:
    """Minors become a major."""
    order = starting_with(s.order, proposer)
    due = [(player, units(s, minors, player)) for player in order]
    in_pool = units(s, minors, MARKET)
    market.place(s, major, merged_cell(rules, s, minors), "merger")
    for minor in minors:
        _take_over(rules, s, minor, major)
    for player, count in due:
        if count:
            _exchange(rules, s, major, player, count)
    rest = s.corporations[major].certs.get(major, ())
    shares.move(s, major, rest[:in_pool], major, MARKET)
    set_corporation(s, major, floated=True)
    president = s.corporations[major].president or proposer
    s.now.emit(Founded(major, president, s.corporations[major].shares))


def _take_over(rules: Rules18Ireland, s: State18Ireland, minor: str, major: str) -> None:
    """Token, cash, privates, trains and markers go to the major; the minor closes."""
    coord, city = laying.split_place(home_city(s, minor))
    laying.lift_token(rules.box, s, minor, coord, city)
    put_free(rules.box, s, major, coord, city)
    rules.inherit(s, major, minor)
    heir: Charter = s.corporations[major]
    markers = (*heir.markers, *s.corporations[minor].markers)
    set_corporation(s, major, markers=markers)
    s.now.emit(Merged(major, minor))
    rules.close(s, minor)


def _exchange(
    rules: Rules18Ireland, s: State18Ireland, major: str, player: str, count: int
) -> None:
    """§6.5.3: the president's certificate goes to the first who can have it."""
    own = s.corporations[major].certs.get(major, ())
    presidency = next((c for c in own if c.index == 0), None)
    plain = [c for c in own if c.index != 0]
    if presidency is not None and count >= 2 and not s.players[player].bankrupt:
        shares.move(s, major, (presidency, *plain[: count - 2]), major, player)
        shares.set_president(s, major, player)
    else:
        shares.move(s, major, plain[:count], major, player)
    shares.settle_presidency(s, major, rules.alive(s))


class Mergers(RoundPlay[State18Ireland, Rules18Ireland]):
    """§5.3."""

    name = "Merger Round"
    short = "MR"
    topic = "mergers"
    progress = MergerRound
    steps = (Discard, ChooseMajor, CastVote, Propose)

    def begin(self, s: State18Ireland, number: int = 1) -> None:
        """§4: after the last operating round of a set, unless majors are still unknown."""
        if s.phase == next(iter(self.box.phases)):
            self.proceed(s)
        else:
            s.round = MergerRound(number=number, player=self.rules.alive(s)[0])

    def proceed(self, s: State18Ireland) -> None:
        """Everybody has passed: the next stock round; the priority deal stays."""
        s.turn += 1
        self.rules.enter(s, StockRound)
