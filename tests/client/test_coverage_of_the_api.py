"""The client covers the whole API: every route of the server is reached by a method."""

import inspect
import re
from collections.abc import Generator
from io import BytesIO
from pathlib import Path
from typing import get_origin, get_type_hints
from uuid import UUID

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import wire
from dynabench.client.client import EveryCall
from dynabench.client.methods import FaceMethod
from dynabench.client.steps import Request
from dynabench.client.watching import Subscription
from dynabench.kit.settings import Settings

_MARK = "00000000-0000-0000-0000-000000000001"
_VALUES: dict[str, object] = {
    "answer": {},
    "config": "title: x",
    "display_name": "Ada",
    "example_ids": [UUID(_MARK)],
    "file": Path(__file__).parents[2] / "dynabench/catalog/tasks/nli/contexts.jsonl",
    "file_digest": "0" * 64,
    "finding": "right",
    "inputs": {},
    "is_open_to_everyone": True,
    "kind": "endpoint",
    "licence": "CC0",
    "messages": [{"role": "user", "text": "Hello."}],
    "metric": "robustness",
    "model_path": Path(__file__).parent,
    "new": "a long password",
    "new_password": "a long password",
    "options": {"url": "http://x"},
    "password": "a long password",
    "revision": 1,
    "role": "owner",
    "row_format": "jsonl",
    "source": [],
    "status": "accepted",
    "to": BytesIO(),
    "url": "https://x",
    "username": "ada",
    "vote": "correct",
}
# What a browser's page is made of, and what a program asks in another way.
_NOT_FOR_PROGRAMS = {("GET", "/api/{}"), ("GET", "/api/v1/openapi.json")}
# What `download_dataset` asks for once it knows that the file is there.
_SENT_LATER = {
    ("GET", "/api/v1/dataset-versions/{}/archive"),
    # What the audit trail asks for where a task is named.
    ("GET", "/api/v1/tasks/{}/audit"),
}


def _requests_of(call: object) -> set[tuple[str, str]]:
    """Return the method and path of what a method of the client sends first."""
    assert isinstance(call, FaceMethod)
    make = call.make
    arguments = {
        name: _VALUES.get(name, _MARK)
        for name, parameter in inspect.signature(make).parameters.items()
        if name != "self"
        and parameter.kind is not parameter.VAR_KEYWORD
        and (parameter.default is parameter.empty or name in {"kind", "options"})
    }
    made = make(None, **arguments)
    if isinstance(made, Subscription):
        return {("GET", re.sub(_MARK, "{}", made.path))}
    steps = made(None) if callable(made) else made
    assert isinstance(steps, Generator)
    request = next(steps)
    assert isinstance(request, Request)
    return {(request.method, re.sub(f"{_MARK}|ada$|ada(?=/)", "{}", request.path))}


def test_every_route_has_a_method(tmp_path: Path) -> None:
    wiring = wire(Settings(database_url="postgresql://nowhere/none", home=tmp_path))
    document = create_application(wiring).openapi()
    paths = document["paths"]
    assert isinstance(paths, dict)
    routes = (
        {
            (method.upper(), re.sub(r"\{\w+\}", "{}", path))
            for path, methods in paths.items()
            for method in methods
        }
        - _NOT_FOR_PROGRAMS
        - _SENT_LATER
    )

    reached: set[tuple[str, str]] = set()
    for calls in get_type_hints(EveryCall).values():
        for name, call in inspect.getmembers(get_origin(calls)):
            if not name.startswith("_"):
                reached |= _requests_of(call)

    assert routes - reached == set()
