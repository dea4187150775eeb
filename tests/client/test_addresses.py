"""A thing is named by its id, by itself, or by its address."""

import re
import traceback
from uuid import UUID, uuid4

import httpx2
import pytest

import dynabench
from dynabench import AsyncDynabenchClient, DynabenchClient
from dynabench.app.cli import finding
from dynabench.client.aliases import RENAMED
from dynabench.kit.errors import DynabenchError, InvalidError, NotFoundError
from dynabench.loop.rounds.values import RoundStatus

ROUND: dict[str, object] = {
    "id": str(uuid4()),
    "task_slug": "nli",
    "number": 2,
    "status": "draft",
    "config_version": 1,
    "targets": [],
    "created_at": "2030-01-15T12:00:00Z",
    "opened_at": None,
    "closed_at": None,
    "released_at": None,
    "close_reason": None,
    "provenance": None,
}
ROUNDS = [ROUND, ROUND | {"id": str(uuid4()), "number": 1, "status": "closed"}]
IMPORTED = {
    "format": "anli",
    "title": "ANLI",
    "source": "https://example.org",
    "licence": "CC BY-NC 4.0",
    "replayed_at": "2030-01-15T12:00:00Z",
}
MODEL: dict[str, object] = {
    "id": str(uuid4()),
    "task_slug": "nli",
    "name": "starter",
    "version": 2,
    "kind": "handler",
    "status": "ready",
    "rejection": None,
    "digest": "",
    "description": "",
    "submitted_by": None,
    "created_at": "2030-01-15T12:00:00Z",
}
MODELS = [MODEL, MODEL | {"id": str(uuid4()), "version": 1}]


class Server:
    """Answers with two rounds and two models, and notes what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        where = request.url.path.removeprefix("/api/v1")
        self.asked.append(f"{request.method} {where}")
        if where == "/tasks/nli/rounds":
            return httpx2.Response(200, json=ROUNDS)
        if where == "/tasks/nli/models":
            return httpx2.Response(200, json=MODELS)
        if where.startswith("/rounds/"):
            return httpx2.Response(200, json=ROUND)
        missing = {"status": 404, "code": "tasks.not_found", "detail": "No.", "title": ""}
        return httpx2.Response(404, json=missing)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def client(server: Server) -> DynabenchClient:
    return DynabenchClient(base_url="http://server", transport=httpx2.MockTransport(server))


def test_a_round_is_opened_by_its_address(client: DynabenchClient, server: Server) -> None:
    client.rounds.open("nli/2")

    assert server.asked == ["GET /tasks/nli/rounds", f"POST /rounds/{ROUND['id']}/open"]


def test_a_task_alone_is_its_latest_round(client: DynabenchClient, server: Server) -> None:
    client.rounds.open("nli")

    assert server.asked[-1] == f"POST /rounds/{ROUND['id']}/open"


def test_an_id_and_what_came_back_need_no_request(client: DynabenchClient, server: Server) -> None:
    round_ = client.rounds.get(str(ROUND["id"]))
    client.rounds.close(round_)
    client.rounds.close(round_.id)

    assert server.asked[1:] == [f"POST /rounds/{ROUND['id']}/close"] * 2


def test_an_imported_round_is_not_the_latest() -> None:
    imported = ROUND | {"id": str(uuid4()), "number": 3, "provenance": IMPORTED}
    answers = [imported, *ROUNDS]

    def answer(request: httpx2.Request) -> httpx2.Response:
        _, _, asked = request.url.path.rpartition("/rounds/")
        found = [one for one in answers if one["id"] == asked]
        return httpx2.Response(200, json=found[0] if found else answers)

    transport = httpx2.MockTransport(answer)
    with DynabenchClient(base_url="http://server", transport=transport) as client:
        assert client.rounds.get("nli").number == 2
        assert client.rounds.get("nli/3").number == 3
        assert finding.find_round(client, "nli", status=RoundStatus.DRAFT).number == 2
        del answers[1:]
        for status in (None, RoundStatus.DRAFT):
            with pytest.raises(NotFoundError, match=r"3 \(draft, imported\). .+ number: nli/3$"):
                finding.find_round(client, "nli", status=status)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", "round is an empty text. Write TASK, TASK/NUMBER, a round's id or the round."),
        (" ", "round is an empty text."),
        (None, "round is None. Write TASK, TASK/NUMBER"),
        ("/2", "names no round"),
        ("nli/", "names no round"),
    ],
)
def test_an_empty_name_is_told_before_anything_is_sent(
    client: DynabenchClient, server: Server, given: str, sentence: str
) -> None:
    with pytest.raises(InvalidError, match=re.escape(sentence)):
        client.rounds.open(given)
    with pytest.raises(InvalidError, match=r"task is an empty text\. Write a task's short name"):
        client.tasks.get("")

    assert server.asked == []


def test_uploading_still_tells_of_its_job_and_says_what_to_write_now(
    client: DynabenchClient, server: Server
) -> None:
    rows = [{"text": "fine"}]
    with (
        pytest.warns(DeprecationWarning, match="on_job=… is now jobs.wait") as told,
        pytest.raises(NotFoundError),
    ):
        # Old arguments are for old programs; nobody is offered them.
        client.datasets.upload("nli", rows, name="a", licence="b", on_job=print)  # type: ignore[call-arg]

    assert [warning.filename for warning in told] == [__file__]
    assert server.asked == ["POST /tasks/nli/dataset-files"]


@pytest.mark.parametrize(
    ("address", "place"), [("nli/starter", 0), ("nli/starter@1", 1), ("nli/starter:1", 1)]
)
def test_a_model_is_named_by_task_name_and_version(
    client: DynabenchClient, server: Server, address: str, place: int
) -> None:
    with pytest.raises(NotFoundError):
        client.models.log(address)

    assert server.asked[-1] == f"GET /models/{MODELS[place]['id']}/log"


def test_addresses_stand_in_settings_too(client: DynabenchClient, server: Server) -> None:
    with pytest.raises(NotFoundError):
        client.comparisons.get("nli/starter", right=str(MODEL["id"]))

    assert server.asked == ["GET /tasks/nli/models", "GET /comparisons"]


@pytest.mark.parametrize(
    ("address", "kind", "sentence"),
    [
        ("nli/first", InvalidError, "names no round. Write TASK, TASK/NUMBER or a round's id."),
        ("nli/7", NotFoundError, r"no round 7. Its rounds: 2 \(draft\), 1 \(closed\)"),
    ],
)
def test_a_wrong_address_is_told(
    client: DynabenchClient, address: str, kind: type[DynabenchError], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        client.rounds.open(address)


async def test_the_async_face_takes_addresses_too(server: Server) -> None:
    transport = httpx2.MockTransport(server)
    async with AsyncDynabenchClient(base_url="http://server", transport=transport) as client:
        opened = await client.rounds.open("nli/2")
        listed = await client.rounds["nli/2"]

    assert opened.id == listed.id == UUID(str(ROUND["id"]))


def test_what_comes_back_is_written_in_a_line(client: DynabenchClient) -> None:
    rounds = client.rounds.list("nli")

    assert repr(rounds[0]).startswith("RoundRead(target_policy=")
    for shown in (repr(rounds[0]), repr(rounds), repr(client.rounds)):
        assert len(shown) < 260
        assert "\n" not in shown


def test_lists_become_tables(client: DynabenchClient) -> None:
    frame = client.rounds.list("nli").to_frame()

    assert list(frame["number"]) == [2, 1]
    assert "budget.days" in frame.columns


def test_a_failure_shows_few_lines_of_ours(client: DynabenchClient) -> None:
    with pytest.raises(NotFoundError) as caught:
        client.models.log(uuid4())

    ours = [
        frame
        for frame in traceback.extract_tb(caught.value.__traceback__)
        if "/dynabench/" in frame.filename
    ]
    assert len(ours) == 2


def test_wrong_arguments_are_told_as_of_any_function(client: DynabenchClient) -> None:
    with pytest.raises(TypeError, match="missing a required argument: 'round_'"):
        # What is wrong is the point.
        client.rounds.open()  # type: ignore[call-arg]


@pytest.mark.parametrize("face", [DynabenchClient, AsyncDynabenchClient])
def test_an_old_name_stands_for_a_method_and_says_its_new_name(face: type) -> None:
    client = face()
    for name, new in RENAMED.items():
        with pytest.warns(DeprecationWarning, match=rf"client\.{name}.+ is now client\.{new}"):
            assert callable(getattr(client, name))


def test_an_old_call_does_what_it_did(client: DynabenchClient, server: Server) -> None:
    with pytest.warns(DeprecationWarning, match="models.submit"), pytest.raises(NotFoundError):
        # Old names are for old programs; nobody is offered them.
        client.submit_model(task="nli", kind="predictions", progress=print)  # type: ignore[attr-defined]

    assert server.asked == ["POST /tasks/nli/submissions"]


def test_no_other_name_is_made_up(client: DynabenchClient) -> None:
    with pytest.raises(AttributeError, match="it has account, tokens"):
        # The same.
        client.open_rounds  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_tells_what_it_has() -> None:
    assert dir(dynabench) == ["AsyncDynabenchClient", "DynabenchClient", "__version__", "errors"]
    assert dynabench.__version__
    assert issubclass(dynabench.errors.NearDuplicateExampleError, dynabench.errors.ConflictError)
    assert all(
        issubclass(getattr(dynabench.errors, name), Exception) for name in dir(dynabench.errors)
    )
    assert {"rounds", "models", "boards"} <= set(dir(DynabenchClient()))
