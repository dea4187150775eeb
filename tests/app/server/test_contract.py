"""Every operation of the OpenAPI document, asked with what it allows and with what it forbids.

Whatever is sent, the answer is one that the document describes: its status, its content type
and its shape, and no failure of ours. What the paths name is there.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import CheckContext, not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.factories.contract_scenes import ContractScene, make_contract_scene
from tests.factories.databases import Databases
from tests.factories.live_servers import live_server
from tools.generate import openapi_text

_EXAMPLES = 8
_DOCUMENT = json.loads(openapi_text())
_SCHEMA = schemathesis.openapi.from_dict(_DOCUMENT)
# The generator writes no JSON lines; tests of uploads do.
_NOT_GENERATED = {
    ("post", "/api/v1/tasks/{slug}/contexts"),
    ("put", "/api/v1/models/{model_id}/predictions/{dataset_version_id}"),
}
# They go on for as long as they are read; tests of streams read them.
_STREAMS = "text/event-stream"
_OPERATIONS = [
    (method, path, operation)
    for path, operations in _DOCUMENT["paths"].items()
    for method, operation in operations.items()
    if (method, path) not in _NOT_GENERATED
    and _STREAMS not in operation["responses"].get("200", {}).get("content", {})
]


def _can_be_wrong(operation: dict[str, Any]) -> bool:
    """Tell whether anything that can be sent breaks the operation's schema.

    Everything in a path or a header is a text, so a plain text cannot be wrong; nor can bytes.
    """
    body = operation.get("requestBody", {}).get("content", {})
    schemas = [parameter["schema"] for parameter in operation.get("parameters", ())]
    return bool(body.keys() - {"application/octet-stream"}) or any(
        "format" in schema or schema.get("type") == "integer" for schema in schemas
    )


_WELL = [(GenerationMode.POSITIVE, method, path) for method, path, _ in _OPERATIONS]
_BADLY = [
    (GenerationMode.NEGATIVE, method, path)
    for method, path, operation in _OPERATIONS
    if _can_be_wrong(operation)
]


def code_conformance(ctx: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """Check that the document lists the code of a failure on its route."""
    del ctx
    documented = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    if response.status_code >= 400 and documented:
        code = response.json()["code"]
        assert code in documented["x-codes"], f"{code} is not among {documented['x-codes']}"
    return None


_CHECKS = [
    code_conformance,
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def scene(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ContractScene]:
    """One installation for all operations: none of them counts on what another one left."""
    home = tmp_path_factory.mktemp("contract")
    with databases.lend() as database_url, live_server(database_url=database_url, home=home) as url:
        yield make_contract_scene(url, database_url=database_url, home=home)


@pytest.mark.parametrize(("mode", "method", "path"), _WELL + _BADLY)
def test_an_answer_is_as_the_document_says(
    scene: ContractScene, mode: GenerationMode, method: str, path: str
) -> None:
    operation = _SCHEMA[path][method.upper()]

    @settings(
        max_examples=_EXAMPLES,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        if mode is GenerationMode.POSITIVE:
            _come_home(case, scene)
        case.call_and_validate(
            base_url=scene.url, headers={"authorization": f"Bearer {scene.token}"}, checks=_CHECKS
        )

    ask()


def _come_home(case: Case[Any], scene: ContractScene) -> None:
    """Name what is there, in the path and in the body."""
    for name in case.path_parameters:
        case.path_parameters[name] = scene.known.get(name, case.path_parameters[name])
    if isinstance(case.body, dict):
        case.body.update({name: scene.known[name] for name in case.body if name in scene.known})
