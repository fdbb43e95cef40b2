"""The description of the interface: what the framework writes, with the types of actions and of the
game file, and the one shape of errors."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from ...gamefile import GameFile
from ...model.actions import AnyAction
from .auth import Bearer
from .schemas.common import Fault

_REF = "#/components/schemas/{name}"


@cache
def _shared() -> tuple[dict[str, Any], dict[str, Any]]:
    """The schemas of any action and of a game file, and of all they are made of."""
    (_, file), components = msgspec.json.schema_components((AnyAction, GameFile), ref_template=_REF)
    kinds = msgspec.json.schema(AnyAction, ref_template=_REF)
    kinds.pop("$defs", None)
    return {"Action": kinds}, {**components, "_file": file}


class Description(OpenAPISchema):
    """The description of the interface, with the scope each operation needs."""

    def operation_security(self, operation: Operation) -> list[dict[str, Any]] | None:
        needs = [one for one in operation.auth_callbacks if isinstance(one, Bearer)]
        told: list[dict[str, Any]] = [{}] if any(one.optional for one in needs) else []
        return told + [{"Bearer": [one.scope]} for one in needs]


def completed(schema: dict[str, Any]) -> dict[str, Any]:
    """The framework's description with what it does not know."""
    actions, components = _shared()
    file = components["_file"]
    known = {k: v for k, v in components.items() if k != "_file"}
    schemas = schema["components"]["schemas"]
    schemas.update({**known, **actions, "Fault": Fault.model_json_schema()})
    _put_in(schema, {"x-action": {"$ref": _REF.format(name="Action")}, "x-file": file})
    error = {"schema": {"$ref": _REF.format(name="Fault")}}
    refusal = {"description": "What is wrong", "content": {"application/json": error}}
    for methods in schema["paths"].values():
        for operation in methods.values():
            operation["responses"] |= {"4XX": refusal, "503": refusal}
    schema["components"]["securitySchemes"] = {"Bearer": {"type": "http", "scheme": "bearer"}}
    return schema


def _put_in(node: Any, marks: dict[str, Any]) -> None:
    """Where the framework wrote a mark, what it stands for."""
    values = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(values):
        if isinstance(value, dict | list):
            mark = next((m for m in marks if m in value), None) if isinstance(value, dict) else None
            if mark is not None:
                node[key] = marks[mark]
            else:
                _put_in(value, marks)
