"""The OpenAPI document: every response typed, every error code listed on its route."""

from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from dynabench.app.server.bodies import BodyTooIntricateError, BodyTooLargeError
from dynabench.app.server.problems import Problem, all_errors, status_of
from dynabench.kit.errors import DynabenchError
from dynabench.kit.idempotency import IdempotencyKeyReusedError
from dynabench.kit.paging import BadCursorError

# What any route may answer: who asks, with what credentials, and whether the database does.
_ALWAYS = (
    "invalid",
    "forbidden",
    "unauthenticated",
    "unavailable",
    "database.busy",
    "database.unavailable",
    "request.read_only_token",
    "request.sign_in_required",
    "request.token_invalid",
    "tasks.role_needed",
)
_METHODS = frozenset({"get", "put", "post", "delete", "patch"})

Node = dict[str, object]


def _operations(document: Node) -> Iterator[Node]:
    paths = document["paths"]
    assert isinstance(paths, dict)
    for operations in paths.values():
        for method, operation in operations.items():
            if method in _METHODS:
                yield operation


def _describe_errors(operation: Node, errors: dict[str, type[DynabenchError]]) -> None:
    codes = operation.pop("x-errors", [])
    assert isinstance(codes, list)
    codes = [*codes, *_codes_by_shape(operation)]
    responses = operation["responses"]
    assert isinstance(responses, dict)
    by_status: dict[int, list[str]] = {}
    for code in [*codes, *_ALWAYS]:
        by_status.setdefault(status_of(errors[code]), []).append(code)
    for status, found in sorted(by_status.items()):
        responses[str(status)] = {
            "description": "Codes: " + ", ".join(f"`{code}`" for code in sorted(set(found))),
            "content": {
                "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            },
            "x-codes": sorted(set(found)),
        }


def _codes_by_shape(operation: Node) -> list[str]:
    """Return the errors of every route that takes a body, a cursor, or a key to do it once."""
    codes = (
        [BodyTooLargeError.code, BodyTooIntricateError.code] if "requestBody" in operation else []
    )
    parameters = operation.get("parameters", [])
    assert isinstance(parameters, list)
    by_parameter = {"idempotency-key": IdempotencyKeyReusedError, "cursor": BadCursorError}
    codes += [
        by_parameter[parameter["name"]].code
        for parameter in parameters
        if parameter["name"] in by_parameter
    ]
    return codes


def build_openapi(application: FastAPI) -> Node:
    """Return the OpenAPI 3.1 document of an application, errors included."""
    document: Node = get_openapi(
        title="Dynabench",
        version=application.version,
        summary="Dynamic adversarial benchmarking that anyone can run.",
        routes=application.routes,
        separate_input_output_schemas=False,
    )
    components = document.setdefault("components", {})
    assert isinstance(components, dict)
    schemas = components.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    errors = all_errors()
    for operation in _operations(document):
        _describe_errors(operation, errors)
    return document
