"""Passing until something happens, passing for companies, buying until something is reached."""

from __future__ import annotations

from ..model.actions import Bid, BuyShares
from ..model.events import Converted, Merged
from ..model.records import MARKET
from ..rounds.steps.progress import StockProgress
from ..stock.shares import company_of
from .disturbance import disturbance
from .kinds import Act, BuyUntil, Held, PassFor, PassUntil, Stopped, Verdict, Wait
from .situation import Situation, kind_of_round, round_key

# passing


def keep_passing(held: Held, p: PassUntil, at: Situation) -> Verdict:
    """What a promise to pass does now."""
    here = round_key(at.game)
    if held.round and here != held.round:
        if p.until != "all":
            return Stopped("The round is over.")
        if kind_of_round(at.game) != held.round.partition(" ")[0]:
            return Wait()
    if not p.heedless and (why := disturbance(at, held.since)) is not None:
        return Stopped(why)
    if p.surcharge is not None and (cheap := _cheap(at, p.surcharge)) is not None:
        return Stopped(cheap)
    if not at.on_turn or _inside_an_auction(at):
        return Wait()
    pass_ = at.passing()
    if pass_ is None:
        return Stopped("You have to decide something else than to pass.")
    return Act(pass_, "You pass, as you said.", None if p.until == "once" else p)


def _inside_an_auction(at: Situation) -> bool:
    """Whether bids are asked for in a round that is about something else."""
    play = at.game.rules.play(at.s)
    asked = any(isinstance(c.action, Bid) for c in at.choices)
    lot = at.lot(None)
    return asked and lot is not None and play.topic != "auction"


def _cheap(at: Situation, surcharge: int) -> str | None:
    """What can be had for so little above its face value, told."""
    values = at.game.rules.box.companies
    for lot in at.game.rules.facts.lots(at.s):
        if lot.item in values and lot.price - values[lot.item].value <= surcharge:
            return f"{lot.item} costs {at.money(lot.price)} now."
    return None


def keep_passing_for(held: Held, p: PassFor, at: Situation) -> Verdict:
    """What a promise to pass for companies does now."""
    play = at.game.rules.play(at.s)
    later = bool(held.round) and round_key(at.game) != held.round
    if later and not p.lasting and play.short not in p.where:
        return Stopped("The round is over.")
    if p.until_another and (why := _another(held, at)) is not None:
        return Stopped(why)
    if play.short not in p.where or not at.on_turn:
        return Wait()
    for choice in at.choices:
        pass_ = at.passing(choice.actor)
        if pass_ is not None and _meant(p, at, play.short, choice.actor):
            return Act(pass_, f"You pass for {choice.actor}, as you said.", p)
    return Wait()


def _meant(p: PassFor, at: Situation, round: str, actor: str) -> bool:
    named = p.where[round]
    about = _about(at, actor)
    if named and not (about & set(named)):
        return False
    c = at.s.corporations.get(actor)
    if p.minors and (c is None or c.entity_type != "minor"):
        return False
    types = {c.type for c in at.choices if c.actor == actor} - {"pass"}
    return not p.doing or types <= set(p.doing)


def _about(at: Situation, actor: str) -> set[str]:
    """The companies a decision is about: the one that acts, or those its choices name."""
    found = {actor}
    for choice in at.choices:
        if choice.actor == actor:
            names = (getattr(choice.action, n, None) for n in ("corporation", "target"))
            found.update(n for n in names if isinstance(n, str))
    return found


def _another(held: Held, at: Situation) -> str | None:
    for entry in at.since(held.since):
        if entry.action.actor == at.owner:
            continue
        for event in entry.events:
            if isinstance(event, Converted):
                return f"{event.corporation} converted."
            if isinstance(event, Merged):
                return f"{event.survivor} merged with {event.other}."
    return None


# buying


def keep_buying(held: Held, p: BuyUntil, at: Situation) -> Verdict:
    """What a promise to buy shares does now."""
    reached = _reached(p, at)
    if reached is not None and not _turn_begun(at):
        return _then(p, at, reached)
    if held.round and round_key(at.game) != held.round:
        return Stopped("The round is over.")
    why = None if p.heedless else disturbance(at, held.since, buying=p.corporation)
    if why is not None:
        return Stopped(why)
    if not at.on_turn or _inside_an_auction(at):
        return Wait()
    if _turn_begun(at):
        return _ended(p, at)
    return _bought(p, at)


def _reached(p: BuyUntil, at: Situation) -> str | None:
    c = at.s.corporations.get(p.corporation)
    if c is None:
        return f"{p.corporation} is no more."
    if p.until == "float":
        return f"{c.id} has floated." if c.floated else None
    if p.until == "gone":
        left = any(c.certs.get(source) for source in (c.id, MARKET))
        return None if left or c.cell is None else f"None of {c.id} is left."
    held = c.held(at.owner)
    return f"You hold {held} % of {c.id}." if held >= p.until else None


def _then(p: BuyUntil, at: Situation, reached: str) -> Verdict:
    """What was promised is reached: pass from now on, or let the player decide."""
    following = PassUntil(heedless=p.heedless)
    pass_ = at.passing() if p.then_pass and at.on_turn and not _inside_an_auction(at) else None
    if not p.then_pass:
        return Stopped(reached)
    return Wait() if pass_ is None else Act(pass_, f"{reached} You pass from now on.", following)


def _turn_begun(at: Situation) -> bool:
    """Whether the player has done something in this turn of a stock round."""
    memory = at.s.round
    mine = isinstance(memory, StockProgress) and memory.player == at.owner
    return at.on_turn and mine and not memory.idle  # type: ignore[attr-defined]


def _ended(p: BuyUntil, at: Situation) -> Verdict:
    """The turn goes on after a purchase: pass what is left of it."""
    pass_ = at.passing()
    if pass_ is None:
        return Stopped("You have to decide something else first.")
    return Act(pass_, "Your turn is done.", p)


def _bought(p: BuyUntil, at: Situation) -> Verdict:
    found = [a for a in _purchases(at, p.corporation) if _from(p, at, a)]
    sizes = {_percent(at, a) for a in found}
    if not found:
        return Stopped(f"You cannot buy {p.corporation} now.")
    if len(sizes) > 1:
        return Stopped(f"Certificates of {p.corporation} of different size are on offer.")
    cheapest = min(found, key=at.cost)
    cost = at.cost(cheapest)
    if p.at_most is not None and cost > p.at_most:
        return Stopped(f"{p.corporation} costs {at.money(cost)} now.")
    return Act(cheapest, f"You buy {p.corporation} for {at.money(cost)}.", p)


def _purchases(at: Situation, corporation: str) -> list[BuyShares]:
    """Purchases by the player himself of one certificate."""
    found = [c.action for c in at.choices if isinstance(c.action, BuyShares)]
    return [
        a
        for a in found
        if a.actor == at.owner and len(a.shares) == 1 and share_of(a) == corporation
    ]


def share_of(a: BuyShares) -> str:
    """The corporation of what is bought."""
    return company_of(a.shares[0])


def _from(p: BuyUntil, at: Situation, a: BuyShares) -> bool:
    wanted = {"market": (MARKET,), "treasury": (p.corporation,)}.get(p.source)
    return wanted is None or holder_of(at, a.shares[0]) in wanted


def holder_of(at: Situation, share: str) -> str:
    """Who holds a certificate."""
    symbol, _, index = share.rpartition("_")
    holders = at.s.corporations[symbol].certs.items()
    return next((h for h, certs in holders if any(str(c.index) == index for c in certs)), "")


def _percent(at: Situation, a: BuyShares) -> int:
    symbol, _, index = a.shares[0].rpartition("_")
    certs = (c for held in at.s.corporations[symbol].certs.values() for c in held)
    return next((c.percent for c in certs if str(c.index) == index), 0)
