"""What programs may do with branches, and with the analysis of games that are over; and that both
clients know every request there is."""

from __future__ import annotations

import inspect
import re

import pytest

pytest.importorskip("httpx", reason="the client's package is not installed")

from roundhouse.client import ApiError, AsyncClient, Client, NotFound, StaleVersion
from roundhouse.client import calls as requests
from roundhouse.client.calls import Call
from roundhouse.web import tables
from roundhouse.web.api.interface import api

from .test_api_client import client_of
from .test_branches import bid, finished, played  # noqa: F401 - fixtures


def test_a_branch_is_played_compared_shared_and_deleted(hotseat, user, other):
    with client_of(user) as anna, client_of(other) as ben:
        made = anna.begin_branch(hotseat.pk, name="dear")
        assert (made.game, made.after, made.mine, made.shared) == (hotseat.pk, 0, True, False)
        told = anna.choices(made.id)
        assert anna.act(made.id, told.mine[0].action, told.version).version == 1
        assert anna.table(hotseat.pk).version == 0
        beside = anna.compare(made.id)
        assert len(beside.players) == 3
        assert all(len(p.pairs) == 3 for p in beside.players)
        (listed,) = anna.branches(hotseat.pk).own
        assert (listed.id, listed.version) == (made.id, 1)
        with pytest.raises(NotFound):
            ben.branch(made.id)
        shared = anna.change_branch(made.id, name="dearer", shared=True)
        assert shared.name == "dearer"
        assert ben.table(made.id, shared.invite or "").id == made.id
        assert anna.change_branch(made.id, shared=False).invite is None
        own = anna.clone(made.id, name="mine")
        assert (own.version, own.hotseat, own.description) == (1, True, "mine")
        with_bots = anna.clone(made.id, seat=2, others="magnate:club")
        assert [(s.mine, s.bot) for s in with_bots.seats] == [
            (False, "server"), (True, None), (False, "server")]  # fmt: skip
        with_people = anna.clone(made.id, seat=3)
        assert [s.mine for s in with_people.seats] == [False, False, True]
        assert with_people.invite
        for wrong in ({"seat": 4}, {"others": "magnate:club"}, {"seat": 1, "others": "nobody"}):
            with pytest.raises(ApiError) as refused:
                anna.clone(made.id, **wrong)
            assert refused.value.status == 422
        assert anna.delete_branch(made.id).ok
        assert anna.branches(hotseat.pk).own == ()
        with pytest.raises(NotFound, match="no branch"):
            anna.branch(hotseat.pk)


def test_a_branch_is_handed_over_while_the_game_stands(played, user, other):  # noqa: F811
    with client_of(user) as anna, client_of(other) as ben:
        with pytest.raises(NotFound):
            ben.fits(anna.begin_branch(played.pk).id)
        made = ben.begin_branch(played.pk)
        told = ben.choices(made.id)
        while not told.choices[0].actor.endswith("1"):
            told = ben.choices(ben.act(made.id, told.mine[0].action, told.version).table)
        assert ben.fits(made.id).steps[0].state == "waits"
        own = anna.begin_branch(played.pk, name="mine")
        told = anna.choices(own.id)
        anna.act(own.id, told.mine[0].action, told.version)
        fitting = anna.fits(own.id)
        bid(played, next(p.user for p in played.places.all() if p.key in played.acting))
        with pytest.raises(StaleVersion) as late:
            anna.hand_over(own.id, fitting.version)
        assert late.value.fresh.version == fitting.version + 1


def test_what_is_one_s_own_is_handed_over(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    tables.add_bot(table.pk, user)
    with client_of(user) as anna:
        made = anna.begin_branch(table.pk)
        told = anna.choices(made.id)
        anna.act(made.id, told.mine[0].action, told.version)
        fitting = anna.fits(made.id)
        assert (fitting.ready, [s.state for s in fitting.steps]) == (1, ["ready"])
        after = anna.hand_over(made.id, fitting.version)
        assert (after.done, after.ready, [s.state for s in after.steps]) == (1, 0, ["done"])
        assert anna.table(table.pk).version == 1


def test_a_game_that_is_over_is_analysed(finished, user, other):  # noqa: F811
    finished.public = True
    finished.save()
    with client_of(user) as anna, client_of(other) as ben:
        said = anna.remark(finished.pk, 40, "Too dear.")
        assert (said.after, said.by) == (40, "anna")
        assert [r.text for r in ben.remarks(finished.pk)] == ["Too dear."]
        with pytest.raises(ApiError) as refused:
            ben.remark(finished.pk, 40, "Not at all.")
        assert refused.value.status == 403
        made = anna.begin_branch(finished.pk, 40, "pass")
        assert anna.change_branch(made.id, published=True).published
        (seen,) = ben.branches(finished.pk).published
        assert (seen.id, seen.after, seen.mine, seen.by) == (made.id, 40, False, "anna")
        assert anna.unsay(finished.pk, said.id).ok
        assert anna.remarks(finished.pk) == ()


# the clients


def makers():
    """The functions that make requests, by name."""
    functions = {n: f for n, f in vars(requests).items() if inspect.isfunction(f)}
    return [n for n, f in functions.items() if "Call[" in f.__annotations__.get("return", "")]


def told_by(name):
    """A request as the client makes it, for a value of every kind."""
    make = getattr(requests, name)
    kinds = {"number": 1, "more": {}, "tile": None, "events": (), "actions": (), "routes": ()}
    given = [
        kinds.get(p, "accept" if p == "what" else 1) for p in inspect.signature(make).parameters
    ]
    if name in ("title", "rules"):
        given = ["1"]
    return make(*given)


def test_the_client_knows_every_request_there_is():
    described = api.get_openapi_schema(path_prefix="api/")["paths"]
    there = {
        (method.upper(), re.sub(r"\{\w+\}", "1", path))
        for path, methods in described.items()
        for method in methods
    }
    known = set()
    for name in makers():
        call = told_by(name)
        assert isinstance(call, Call)
        known.add((call.method, f"/api/{call.path}"))
    known.add(("POST", "/api/tables/1/deals/1/decline"))
    assert known == there


def test_both_clients_do_the_same():
    def methods(kind):
        return {
            n: str(inspect.signature(f)).replace("Async", "")
            for n, f in vars(kind).items()
            if inspect.isfunction(f) and n[0] != "_" and n not in ("send", "close", "aclose")
        }

    assert methods(Client) == methods(AsyncClient)
    made = "\n".join(inspect.getsource(kind) for kind in (Client, AsyncClient))
    for name in makers():
        assert made.count(f"calls.{name}(") in (2, 4), name
