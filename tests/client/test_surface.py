"""What a program sees of the client: types, examples, one verb for an act."""

import ast
import inspect
import re
from collections.abc import AsyncIterator, Callable, Iterator
from operator import attrgetter
from typing import assert_type, get_origin, get_type_hints

import pytest

from dynabench import AsyncDynabenchClient, DynabenchClient
from dynabench.client.boards import Board
from dynabench.client.client import EveryCall
from dynabench.client.lists import AsyncPages, Pages, Table
from dynabench.client.methods import FaceMethod
from dynabench.client.results import Results
from dynabench.client.rounds import RoundOptions
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.contexts.schemas import ContextRead
from dynabench.loop.leaderboards.live.schemas import RoundNumbersRead
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.rounds.schemas import RoundCreate, RoundPatch, RoundRead
from dynabench.loop.tasks.schemas import TaskRead

NAMESPACES = get_type_hints(EveryCall)
# Another verb for what one of the six says.
OTHER_WORDS = re.compile(r"^(read|show|fetch_all|change|edit|remove|revoke|drop|make|add_)(_|$)")


def program(client: DynabenchClient, model: ModelRead) -> None:
    """A program that is typed and never run: `make check` reads it with `mypy --strict`."""
    assert_type(client.tasks["nli"], TaskRead)
    assert_type(client.rounds.list("nli"), Table[RoundRead])
    assert_type(client.rounds.open("nli/2"), RoundRead)
    assert_type(client.rounds.create("nli", target_model_ids=[model], max_tries=3), RoundRead)
    assert_type(client.contexts.list("nli"), Pages[ContextRead])
    assert_type(client.models.submit("folder", task="nli"), ModelRead)
    assert_type(client.models.results(model)["round1_acc"], float | None)
    assert_type(client.boards["nli"], Board)
    assert_type(client.trainings.create("nli", name="b", sources={"nli/Round 1": 2}), JobRead)
    assert_type(client.rounds.watch("nli"), Iterator[RoundNumbersRead])


async def async_program(client: AsyncDynabenchClient, model: ModelRead) -> None:
    """The same for asyncio."""
    assert_type(await client.tasks["nli"], TaskRead)
    assert_type(client.contexts.list("nli"), AsyncPages[ContextRead])
    assert_type(await client.models.results(model), Results)
    assert_type(client.rounds.watch("nli"), AsyncIterator[RoundNumbersRead])


def _methods() -> Iterator[tuple[str, FaceMethod[..., object, object]]]:
    for noun, calls in NAMESPACES.items():
        for verb, method in inspect.getmembers(get_origin(calls)):
            if isinstance(method, FaceMethod) and not verb.startswith("_"):
                yield f"{noun}.{verb}", method


METHODS = dict(_methods())


def test_completion_offers_nouns_and_then_their_verbs() -> None:
    client = DynabenchClient()

    assert set(NAMESPACES) <= set(dir(client))
    assert {"list", "get", "create", "update", "open", "close"} <= set(dir(client.rounds))
    assert "face" not in dir(client.rounds)


def test_one_verb_says_an_act() -> None:
    assert [name for name in METHODS if OTHER_WORDS.match(name.partition(".")[2])] == [
        # It sets one without showing the other.
        "account.change_password",
        # What is made is a file of what is there.
        "datasets.make_archive",
    ]


def test_progress_is_told_under_one_name() -> None:
    named = {
        parameter
        for method in METHODS.values()
        for parameter in inspect.signature(method.make).parameters
        if "progress" in parameter
    }
    assert named == {"on_progress"}


@pytest.mark.parametrize("face", [DynabenchClient, AsyncDynabenchClient])
def test_every_method_has_its_text_and_signature(face: type) -> None:
    client = face()
    for name in METHODS:
        method: Callable[..., object] = attrgetter(name)(client)

        assert method.__doc__, name
        assert "Generator" not in str(inspect.signature(method).return_annotation), name


def test_every_noun_has_an_example_that_calls_what_is_there() -> None:
    client = DynabenchClient()
    for noun, calls in NAMESPACES.items():
        text = inspect.getdoc(get_origin(calls)) or ""
        example = inspect.cleandoc(text.partition("Example::\n")[2])
        assert f"client.{noun}" in example
        for name in _called_in(example):
            assert callable(attrgetter(name)(client)), name


def _called_in(example: str) -> list[str]:
    nodes = ast.walk(ast.parse(example))
    called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    return [name.removeprefix("client.") for name in called if name.startswith("client.")]


def test_keywords_of_rounds_are_the_servers_settings() -> None:
    keywords = set(RoundOptions.__annotations__)

    assert keywords == set(RoundCreate.model_fields)
    assert set(RoundPatch.model_fields) <= keywords
