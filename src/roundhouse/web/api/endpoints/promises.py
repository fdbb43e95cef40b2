"""What one promises: for nobody's eyes but one's own."""

from __future__ import annotations

import json
from typing import Any

from ninja import Router, Status

from ... import limits
from ...promises import managing
from ...promises.models import Standing
from .. import auth
from ..schemas.common import Done, Number
from ..schemas.promises import PromiseIn, PromiseOut, PromisesOut
from .common import Request, begun

router = Router(tags=["Promises"], auth=auth.play)


@router.get("/{table}/promises", response=PromisesOut, auth=auth.account, summary="Your promises")
def promises(request: Request, table: Number) -> Any:
    """Those that stand, and those that acted or ended since you last looked them away."""
    return {"promises": [_told(r) for r in managing.listed(begun(request, table), request.user)]}


@router.post("/{table}/promises", response={201: PromiseOut}, summary="Promise")
def promise(request: Request, table: Number, data: PromiseIn) -> Any:
    """Say what is to be done for you when the game waits for you. Nobody else hears of it, and the
    game's version stays as it is."""
    begun(request, table)
    limits.count("promise", limits.visitor(request))
    made = managing.make_from_json(table, request.user, json.dumps(data.promise))
    return Status(201, _told(made))


@router.delete("/{table}/promises/{number}", response=Done, summary="Withdraw a promise")
def withdraw(request: Request, table: Number, number: Number) -> Any:
    """Take a promise back, or dismiss one that is over."""
    begun(request, table)
    managing.withdraw(table, request.user, number)
    return {"ok": True}


def _told(row: Standing) -> dict[str, Any]:
    return {
        "number": row.number,
        "promise": json.loads(row.body),
        "text": row.text,
        "state": row.state,
        "why": row.why,
        "acts": row.acts,
    }
