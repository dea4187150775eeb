"""The client on both of its faces, over a transport that answers as the server would."""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from operator import attrgetter
from uuid import uuid4

import httpx2
import pytest

from dynabench import AsyncDynabenchClient, DynabenchClient
from dynabench.client.errors import ServerUnreachableError, UnexpectedAnswerError
from dynabench.client.links import Invitation, JoinLink, ResetLink
from dynabench.kit.errors import DynabenchError, InvalidError, LimitError, UnavailableError
from dynabench.loop.examples.errors import RoundNotOpenError
from dynabench.loop.tasks.errors import TaskNotFoundError

Handler = Callable[[httpx2.Request], httpx2.Response]

_BLOCKED = (
    "sqlalchemy",
    "fastapi",
    "numpy",
    "orjson",
    "psycopg",
    "uvicorn",
    "sklearn",
    "structlog",
)

_RETURNED = {
    "models.submit": "dynabench.loop.models.schemas.ModelRead",
    "tasks.list": "dynabench.client.lists.Table[dynabench.loop.tasks.schemas.TaskSummary]",
    "rounds.current": "dynabench.loop.validations.schemas.CurrentRoundRead | None",
}

_TASK = {
    "id": str(uuid4()),
    "slug": "nli",
    "title": "Inference",
    "description": "",
    "status": "active",
    "language": "en",
    "has_content_warning": False,
    "is_open_to_everyone": True,
    "visitors_may_try": True,
    "created_at": "2030-01-15T12:00:00Z",
}


def _client(handler: Handler, *, api_key: str = "dyb_test", retries: int = 0) -> DynabenchClient:
    return DynabenchClient(
        api_key,
        base_url="http://server",
        retries=retries,
        transport=httpx2.MockTransport(handler),
    )


def _problem(status: int, code: str, **more: object) -> httpx2.Response:
    body = {"status": status, "code": code, "detail": "A sentence.", "title": "", **more}
    return httpx2.Response(status, json=body)


def test_a_list_comes_back_as_the_servers_own_shapes() -> None:
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=[_TASK])

    with _client(answer) as client:
        (task,) = client.tasks.list()

    assert task.slug == "nli"
    assert seen[0].url.path == "/api/v1/tasks"
    assert seen[0].headers["authorization"] == "Bearer dyb_test"


async def test_the_async_face_has_the_same_methods() -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=[_TASK]))

    async with AsyncDynabenchClient(base_url="http://server", transport=transport) as client:
        (task,) = await client.tasks.list()

    assert task.slug == "nli"


def test_a_field_that_a_newer_server_adds_is_passed_over() -> None:
    with _client(lambda _: httpx2.Response(200, json=[_TASK | {"colour": "red"}])) as client:
        assert client.tasks.list()[0].slug == "nli"


def test_a_failure_is_raised_again_as_the_servers_class_with_its_facts() -> None:
    refused = _problem(
        409, "examples.round_not_open", facts={"round_number": 2, "status": "closed"}
    )
    with _client(lambda _: refused) as client, pytest.raises(RoundNotOpenError) as caught:
        client.rounds.next_context(uuid4())

    assert caught.value.message == "A sentence."
    assert caught.value.facts == {"round_number": 2, "status": "closed"}
    assert str(caught.value) == "A sentence."


def test_an_unknown_code_is_raised_as_the_kind_of_its_status() -> None:
    refused = _problem(429, "novel.too_much", fields={"text": "Shorter."})
    with _client(lambda _: refused) as client, pytest.raises(LimitError) as caught:
        client.tasks.list()

    assert caught.value.code == "novel.too_much"
    assert caught.value.fields == {"text": "Shorter."}
    assert LimitError.code == "limit"


def test_a_missing_thing_is_told_by_its_class() -> None:
    missing = _problem(404, "tasks.not_found")
    with _client(lambda _: missing) as client, pytest.raises(TaskNotFoundError):
        client.tasks.get("nope")


@pytest.mark.parametrize(
    "response",
    [
        httpx2.Response(200, text="<html>Hello</html>"),
        httpx2.Response(200, json=[{"slug": "nli"}]),
        httpx2.Response(404, text="nginx"),
    ],
)
def test_an_answer_of_something_else_is_told_as_such(response: httpx2.Response) -> None:
    with _client(lambda _: response) as client, pytest.raises(UnexpectedAnswerError):
        client.tasks.list()


def test_wrong_input_is_refused_before_it_is_sent() -> None:
    def never(request: httpx2.Request) -> httpx2.Response:
        raise AssertionError(request.url)

    with _client(never) as client, pytest.raises(InvalidError) as caught:
        client.members.set("nli", "ada", role="emperor")

    assert "role" in caught.value.fields


def test_half_a_character_is_refused_with_a_sentence() -> None:
    with (
        _client(lambda _: httpx2.Response(200)) as client,
        pytest.raises(InvalidError, match="surrogate"),
    ):
        client.examples.submit(
            uuid4(), context_id=uuid4(), inputs={"text": "a\ud800b"}, answer={"label": "x"}
        )


def test_a_dead_server_is_told_with_its_address() -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("Connection refused", request=request)

    with _client(refuse) as client, pytest.raises(ServerUnreachableError, match=r"http://server"):
        client.tasks.list()


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(InvalidError, match="must begin with"):
        DynabenchClient(base_url="localhost:8000")


def test_address_and_token_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNABENCH_URL", "http://elsewhere:9000/")
    monkeypatch.setenv("DYNABENCH_API_KEY", "dyb_environment")

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert str(request.url) == "http://elsewhere:9000/api/v1/tasks"
        assert request.headers["authorization"] == "Bearer dyb_environment"
        return httpx2.Response(200, json=[])

    with DynabenchClient(transport=httpx2.MockTransport(answer)) as client:
        assert client.tasks.list() == []


def test_names_cannot_change_the_path() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        assert request.url.raw_path == b"/api/v1/tasks/a%2F..%2Fb"
        return _problem(404, "tasks.not_found")

    with _client(answer) as client, pytest.raises(TaskNotFoundError):
        client.tasks.get("a/../b")


def test_a_creation_carries_one_key_over_all_its_attempts() -> None:
    keys: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        keys.append(request.headers["idempotency-key"])
        if len(keys) == 1:
            return _problem(503, "models.target_unavailable")
        assert json.loads(request.content) == {"slug": "nli", "config": "input: []"}
        return httpx2.Response(
            201,
            json=_TASK
            | {"config": {}, "config_version": 1, "my_role": "owner", "owners": ["admin"]},
        )

    with _client(answer, retries=2) as client:
        task = client.tasks.create("nli", "input: []")

    assert task.config_version == 1
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_what_must_not_happen_twice_is_not_repeated() -> None:
    calls = 0

    def answer(_: httpx2.Request) -> httpx2.Response:
        nonlocal calls
        calls += 1
        return _problem(503, "unavailable")

    with _client(answer, retries=3) as client, pytest.raises(UnavailableError):
        client.rounds.close(uuid4())

    assert calls == 1


def test_the_client_works_without_the_servers_packages() -> None:
    program = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {_BLOCKED!r}:
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
import dynabench
dynabench.DynabenchClient(); dynabench.AsyncDynabenchClient()
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("face", [DynabenchClient, AsyncDynabenchClient])
def test_help_says_what_a_method_returns(face: type) -> None:
    told = {name: str(inspect.signature(attrgetter(name)(face()))) for name in _RETURNED}

    for name, returned in _RETURNED.items():
        assert told[name].endswith(f"-> {returned}"), told[name]
        assert "Generator" not in told[name]


@pytest.mark.parametrize(
    "give", [lambda made: made.url, lambda made: made.path, lambda made: made.secret]
)
def test_a_join_link_is_taken_by_its_address_its_path_or_its_secret(
    give: Callable[[JoinLink], str],
) -> None:
    made = {
        "id": str(uuid4()),
        "role": "annotator",
        "created_at": "2030-01-15T12:00:00Z",
        "expires_at": "2030-01-29T12:00:00Z",
        "uses": 0,
        "path": "/join/a-secret",
    }

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/api/v1/tasks/nli/join-links":
            return httpx2.Response(201, json=made)
        assert request.url.path == "/api/v1/join-links/a-secret"
        return httpx2.Response(200, json={"task_slug": "nli", "role": "annotator"})

    with _client(answer) as client:
        link = client.join_links.create("nli")
        assert link.url == "http://server/join/a-secret"
        assert client.members.join(give(link)).task_slug == "nli"


@pytest.mark.parametrize(
    "give",
    [
        lambda made: made.url,
        lambda made: made.path,
        lambda made: made.secret,
        lambda made: f"{made.url}/",
    ],
)
def test_invitations_and_password_links_work_by_their_address_their_path_or_their_secret(
    give: Callable[[Invitation | ResetLink], str],
) -> None:
    until = {"expires_at": "2030-01-29T12:00:00Z"}
    invited = {
        "id": str(uuid4()),
        "note": "",
        "accepted_by": None,
        "accepted_at": None,
        "created_at": "2030-01-15T12:00:00Z",
        "path": "/sign-up?invitation=dbi_a-secret",
        **until,
    }
    reset = {"path": "/password-reset/dbr_a_secret", **until}
    used: list[object] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        match request.url.path:
            case "/api/v1/invitations":
                return httpx2.Response(201, json=invited)
            case "/api/v1/users/ada/password-reset":
                return httpx2.Response(201, json=reset)
            case "/api/v1/users":
                used.append(json.loads(request.content)["invitation"])
                return _problem(404, "people.invitation_invalid")
            case other:
                used.append(other)
                return httpx2.Response(204)

    with _client(answer) as client:
        invitation = client.invitations.create()
        with pytest.raises(DynabenchError):
            client.account.sign_up("ada", "a long password", invitation=give(invitation))
        link = client.users.create_reset_link("ada")
        client.account.reset_password(give(link), "a long password")
        assert invitation.url == "http://server/sign-up?invitation=dbi_a-secret"

    assert used == ["dbi_a-secret", "/api/v1/password-resets/dbr_a_secret"]


def test_settings_are_keywords() -> None:
    sent: list[object] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        return _problem(404, "tasks.not_found")

    with _client(answer) as client:
        with pytest.raises(TaskNotFoundError):
            client.rounds.create("nli", max_tries=3)
        with pytest.raises(TaskNotFoundError):
            client.rounds.update(uuid4(), max_tries=4, budget={"days": 2})
        with pytest.raises(InvalidError, match="max_tries"):
            client.rounds.create("nli", max_tries=0)
    assert sent == [{"max_tries": 3}, {"max_tries": 4, "budget": {"days": 2}}]
