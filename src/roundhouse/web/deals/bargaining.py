"""Offers: proposing, countering, accepting, declining, withdrawing. The action is written only when
everybody it concerns has agreed, and as soon as it can be done then."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from ...game import Game
from ...model.actions import Action, BuyCompany, BuyTrain, player_key
from ...model.errors import IllegalAction
from .. import archive, clock
from ..models import Place, Table
from ..seats.changing import own, running
from ..tables import Forbidden, Refused, action_of, answer, consent, open_game, withdraw
from ..tables.bots import check_agreed, take_no
from ..tables.consent import concerned
from ..tables.happenings import wanted
from .models import Deal, next_number, read_anew

replace = msgspec.structs.replace

State = Deal.State
#: Offers of one seat that may be open at once; hours an offer is open unless it says otherwise.
MOST, HOURS = 20, 72


def propose(
    table_id: int,
    user: Any,
    action: Action | Mapping[str, Any],
    *,
    note: str = "",
    hours: int | None = HOURS,
) -> Deal:
    """Offer an action others have a say in, whether it can be done now or later. The one who would
    send it may offer it, and each of the others. Raises :class:`Refused` or :class:`Forbidden`."""
    with running(table_id) as table:
        return _offered(table, user, action_of(action), note, hours, None)


def counter(
    table_id: int,
    user: Any,
    number: int,
    price: int,
    *,
    note: str = "",
    hours: int | None = HOURS,
) -> Deal:
    """Answer an offer, or the question put to oneself, with another price."""
    with running(table_id) as table:
        mine, deal = own(table, user), _open(table, number)
        _check_party(mine, deal)
        if deal.now and mine.number not in deal.waiting:
            raise Refused("You have asked this yourself; withdraw it first.", "agreed")
        action: Any = archive.read_action(deal.action)
        if getattr(action, "price", None) is None:
            raise Refused("There is no price in this to be changed.", "no_price")
        if action.price == price:
            raise Refused("That is the price that was offered; accept it.", "same_price")
        new = _offered(table, user, replace(action, price=price), note, hours, deal)
        if deal.now:
            consent.refuse(table, deal, mine, State.COUNTERED)
            take_no(table)
        else:
            deal.refused = mine.name
            end(deal, State.COUNTERED)
    return new


def accept(table_id: int, user: Any, number: int) -> Deal:
    """Agree; with the last one's word the deal is done, or as soon as it can be."""
    with running(table_id) as table:
        mine, deal = own(table, user), _open(table, number)
        _check_party(mine, deal)
        if mine.number not in deal.waiting:
            raise Refused("You have agreed already; others have not.", "agreed")
        if deal.now:
            answer(table_id, user, True)
        else:
            agree(table, deal, [mine.number])
    deal.refresh_from_db()
    return deal


def decline(table_id: int, user: Any, number: int) -> Deal:
    """Say no. Who offered withdraws in the same way; so may anybody before an agreed deal is
    done."""
    with running(table_id) as table:
        mine = own(table, user)
        deal = Deal.objects.filter(table=table, number=number).first()
        if deal is None or not deal.living:
            raise Refused("There is no such offer any more.", "gone")
        _check_party(mine, deal)
        if deal.state == State.AGREED and deal.place_id != mine.pk:
            raise Refused("You have given your word.", "agreed")
        _decline(table, user, mine, deal)
    deal.refresh_from_db()
    return deal


def _decline(table: Table, user: Any, mine: Place, deal: Deal) -> None:
    if deal.place_id == mine.pk:
        withdraw(table.pk, user) if deal.now else end(deal, State.WITHDRAWN)
    elif deal.now:
        answer(table.pk, user, False)
    else:
        deal.refused = mine.name
        end(deal, State.DECLINED)


# making


def _offered(
    table: Table,
    user: Any,
    action: Action,
    note: str,
    hours: int | None,
    counters: Deal | None,
) -> Deal:
    mine, game = own(table, user), open_game(table).game
    action = replace(action, id=None, user=None, created_at=None, original_id=None)
    parties = _parties(table, game, action)
    if mine.number not in [p.number for p in parties]:
        raise Forbidden("You have no say in this.", "not_yours")
    if len(parties) < 2:
        raise Refused("Nobody else has a say in this; do it when it is your turn.", "alone")
    _check_sense(game, action)
    if Deal.objects.filter(table=table, place=mine, state=State.OPEN).count() >= MOST:
        raise Refused(f"No more than {MOST} offers are open at once.", "full")
    until = clock.now() + timedelta(hours=hours) if hours else None
    deal: Deal = Deal.objects.create(
        table=table, number=next_number(table), place=mine, by=user, counters=counters,
        action=archive.write_action(action), parties=[p.number for p in parties],
        note=note[:200], until=until,
    )  # fmt: skip
    read_anew(table)
    bots = [p for p in parties if p.bot]
    check_agreed(table, game, (action,), bots)
    agree(table, deal, [mine.number, *(p.number for p in bots)])
    _tell(table, deal)
    return deal


def _parties(table: Table, game: Game, action: Action) -> list[Place]:
    """The places of all who have a say."""
    keys = concerned(game, action)
    return [p for p in table.all_places if player_key(p.key) in keys]


def _check_sense(game: Game, action: Action) -> None:
    """Raise unless the things an action names are there and the price is one."""
    s = game.state
    price = getattr(action, "price", None)
    if price is not None and price < 0:
        raise Refused("A price is not below 0.", "price")
    if isinstance(action, BuyTrain) and action.train not in s.trains:
        raise Refused("There is no such train.", "no_train")
    if isinstance(action, BuyCompany) and action.company not in s.companies:
        raise Refused("There is no such company.", "no_company")
    if str(action.entity) not in s.corporations and action.entity_type != "player":
        raise Refused("There is no such company.", "no_company")


def _tell(table: Table, deal: Deal) -> None:
    waiting = table.places.select_related("user", "partner").filter(number__in=deal.waiting)
    users = [u for p in waiting for u in (p.user, p.partner) if u is not None]
    text = f"{deal.place.name} offers you a deal."
    wanted.send(Table, table=table, users=users, key=f"deal:{deal.pk}", text=text)


# agreeing


def agree(table: Table, deal: Deal, numbers: list[int]) -> None:
    """Note who agrees, and do the deal if that was the last one and it can be done."""
    deal.agreed = sorted({*deal.agreed, *numbers})
    if deal.waiting:
        deal.save()
        return
    deal.state, deal.until = State.AGREED, None
    deal.save()
    carry(table, deal)


def carry(table: Table, deal: Deal) -> bool:
    """Do an agreed deal if it can be done now; the table's row is locked. Whether it was done."""
    from ..tables.acting import carry_out
    from ..tables.consent import announced

    deal.tried = table.version
    deal.save(update_fields=["tried"])
    game = open_game(table).game
    action = archive.read_action(deal.action)
    action = replace(action, auto_actions=announced(game, action))
    if action.auto_actions != (archive.read_action(deal.action).auto_actions or ()):
        return False
    if not _possible(game, action):
        return False
    carry_out(table, game.copy(), _sender(table, game, action), action)
    return True


def _possible(game: Game, action: Action) -> bool:
    twin = game.copy()
    try:
        twin.apply(replace(action, auto_actions=()))
        for one in action.auto_actions or ():
            twin.apply(one)
    except IllegalAction:
        return False
    return True


def _sender(table: Table, game: Game, action: Action) -> Any:
    """The person in whose name an action is sent; None: a bot."""
    leader = game.rules.president(game.state, action.actor)
    for place in table.places.select_related("user"):
        if player_key(place.key) == leader and not place.bot:
            return place.user
    return None


def end(deal: Deal, state: str, why: str = "") -> None:
    """A deal is over."""
    deal.state, deal.why, deal.ended = state, why[:200], clock.now()
    deal.save()


def _open(table: Table, number: int) -> Deal:
    deal = Deal.objects.filter(table=table, number=number, state=State.OPEN).first()
    if deal is None or (deal.until is not None and deal.until <= clock.now()):
        raise Refused("There is no such offer any more.", "gone")
    return deal


def _check_party(mine: Place, deal: Deal) -> None:
    if mine.number not in deal.parties:
        raise Forbidden("This offer is not made to you.", "not_yours")
