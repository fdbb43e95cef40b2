"""Games as files."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404, HttpResponse, JsonResponse
from ninja import Query, Router, Status

from ....model.errors import OptionError
from ... import limits, record, tables
from ...models import Upload
from .. import auth
from ..errors import Malformed
from ..schemas.common import Number
from ..schemas.files import UploadOut
from .common import Request, begun, printable

router = Router(tags=["Files"], auth=auth.read)

_FILE = {"application/json": {"schema": {"type": "object", "x-file": True}}}
_SENT = {"requestBody": {"required": True, "content": _FILE}}
_GIVEN = {"responses": {200: {"description": "A game file", "content": _FILE}}}


@router.get(
    "/tables/{table}/file", response=None, openapi_extra=_GIVEN, summary="The game as a file"
)
def download(request: Request, table: Number, portable: bool = False) -> HttpResponse:
    """The whole game as a game file, with what was taken back. ``portable``: the shortest file
    other programs take, with nothing but what counts."""
    found = begun(request, table)
    game = tables.open_game(found).game
    try:
        content = game.export() if portable else record.file_of(found, game)
    except OptionError as error:
        raise tables.Refused(tables.as_sentence(error), "options") from error
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="roundhouse-{table}.json"'
    return response


@router.post(
    "/import",
    response={201: UploadOut, 202: UploadOut},
    auth=auth.seats,
    openapi_extra=_SENT,
    summary="Import a game file",
)
def take_in(request: Request, description: Annotated[str, Query(max_length=200)] = "") -> Any:
    """Send a game file as the body. It is played through under full rule checking, at once (201) or
    in a while (202): then ask for it by its ``id``."""
    limits.count("import", limits.visitor(request))
    if not request.body:
        raise Malformed("The file is empty.", "body")
    upload = tables.take_in(request.user, request.body, printable(description, "query.description"))
    return Status(201 if upload.done else 202, upload_of(upload))


@router.get("/import/{upload}", response=UploadOut, auth=auth.account, summary="A file sent")
def sent(request: Request, upload: Number) -> Any:
    """What has become of a file you sent."""
    found = Upload.objects.filter(pk=upload, user=request.user).first()
    if found is None:
        raise Http404("There is no such file.")
    return upload_of(found)


def upload_of(upload: Upload) -> dict[str, Any]:
    """A file that was sent, as :class:`~..schemas.files.UploadOut`."""
    return {
        "id": upload.pk,
        "done": upload.done,
        "table": upload.table_id,
        "fault": upload.fault,
    }
