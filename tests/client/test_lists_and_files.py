"""Paging, uploads, downloads, jobs and results."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import httpx2
import pytest

from dynabench import AsyncDynabenchClient, DynabenchClient
from dynabench.client.errors import JobFailedError, SubmissionKindError, WaitedTooLongError
from dynabench.client.jobs import JobCalls
from dynabench.kit.errors import NotFoundError
from dynabench.loop.contexts.schemas import ContextRead


def _context(number: int) -> dict[str, object]:
    return {
        "id": str(UUID(int=number)),
        "content": {"premise": f"Text {number}."},
        "tag": "a",
        "metadata": {},
        "created_at": "2030-01-15T12:00:00Z",
    }


def _pages(request: httpx2.Request) -> httpx2.Response:
    """Answer with five contexts, two to a page."""
    first = int(request.url.params.get("cursor", "0"))
    following = str(first + 2) if first + 2 < 5 else None
    items = [_context(number) for number in range(first, min(first + 2, 5))]
    return httpx2.Response(200, json={"items": items, "next_cursor": following})


def _sync(handler: httpx2.MockTransport, *, retries: int = 0) -> DynabenchClient:
    return DynabenchClient(base_url="http://server", transport=handler, retries=retries)


def _number(context: ContextRead) -> int:
    return context.id.int


def test_a_list_is_gone_through_page_by_page() -> None:
    with _sync(httpx2.MockTransport(_pages)) as client:
        assert [_number(context) for context in client.contexts.list("nli")] == [0, 1, 2, 3, 4]


async def test_the_async_face_goes_through_lists_too() -> None:
    transport = httpx2.MockTransport(_pages)
    async with AsyncDynabenchClient(base_url="http://server", transport=transport) as client:
        found = [_number(context) async for context in client.contexts.list("nli")]

    assert found == [0, 1, 2, 3, 4]


def test_pages_are_turned_only_when_they_are_needed() -> None:
    turned = 0

    def count(request: httpx2.Request) -> httpx2.Response:
        nonlocal turned
        turned += 1
        return _pages(request)

    with _sync(httpx2.MockTransport(count)) as client:
        contexts = iter(client.contexts.list("nli"))
        assert turned == 0
        next(contexts)
        next(contexts)

    assert turned == 1


def test_a_filter_is_written_as_the_server_reads_it() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        assert dict(request.url.params) == {"fooled": "true", "verdict": "disputed"}
        return httpx2.Response(200, json={"items": [], "next_cursor": None})

    with _sync(httpx2.MockTransport(answer)) as client:
        assert list(client.outcomes.list(uuid4(), fooled=True, verdict="disputed")) == []


def test_rows_are_uploaded_as_lines_and_progress_is_told() -> None:
    rows = [{"context": {"premise": "Größe"}}, {"context": {"premise": "two"}}]
    told: list[tuple[int, int | None]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert [json.loads(line) for line in request.content.splitlines()] == rows
        return httpx2.Response(200, json={"added": 2, "already_there": 0})

    with _sync(httpx2.MockTransport(answer)) as client:
        done = client.contexts.upload(
            "nli", rows, on_progress=lambda sent, total: told.append((sent, total))
        )

    assert done.added == 2
    assert told[0] == (0, None)
    assert told[-1][0] > 0


async def test_a_file_is_uploaded_with_its_length(tmp_path: Path) -> None:
    file = tmp_path / "contexts.jsonl"
    file.write_bytes(b'{"context": {}}\n' * 10_000)
    told: list[tuple[int, int | None]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert request.headers["content-length"] == "160000"
        assert "transfer-encoding" not in request.headers
        assert len(request.content) == 160_000
        return httpx2.Response(200, json={"added": 1, "already_there": 9_999})

    transport = httpx2.MockTransport(answer)
    async with AsyncDynabenchClient(base_url="http://server", transport=transport) as client:
        await client.contexts.upload(
            "nli", file, on_progress=lambda sent, total: told.append((sent, total))
        )

    assert told[-1] == (160_000, 160_000)
    assert len(told) > 2


class _Broken(httpx2.SyncByteStream):
    """Ends in the middle."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"half of "
        raise httpx2.ReadError("cut")


def test_a_download_that_breaks_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    streams: list[httpx2.Response] = [
        httpx2.Response(200, stream=_Broken()),
        httpx2.Response(200, content=b"whole"),
    ]
    target = tmp_path / "export.jsonl"

    with _sync(httpx2.MockTransport(lambda _: streams.pop(0)), retries=1) as client:
        size = client.rounds.export(uuid4(), target)

    assert (size, target.read_bytes()) == (5, b"whole")
    assert list(tmp_path.iterdir()) == [target]


def test_a_refused_download_leaves_no_file(tmp_path: Path) -> None:
    refused = httpx2.Response(404, json={"status": 404, "code": "x.none", "detail": "None."})
    with (
        _sync(httpx2.MockTransport(lambda _: refused)) as client,
        pytest.raises(NotFoundError, match="None"),
    ):
        client.datasets.download_split(uuid4(), "test", tmp_path / "test.jsonl")

    assert list(tmp_path.iterdir()) == []


def _job(state: str, *, progress: float = 0.0, error: str | None = None) -> httpx2.Response:
    return httpx2.Response(
        200,
        json={
            "id": str(UUID(int=1)),
            "name": "training",
            "state": state,
            "progress": progress,
            "message": "",
            "result": {"model_id": "m"} if state == "done" else None,
            "error": error,
            "created_at": "2030-01-15T12:00:00Z",
            "started_at": None,
            "finished_at": None,
        },
    )


def test_a_job_is_waited_for_and_its_progress_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    states = [_job("queued"), _job("running", progress=0.5), _job("done", progress=1.0)]
    told: list[float] = []

    with _sync(httpx2.MockTransport(lambda _: states.pop(0))) as client:
        job = client.jobs.wait(UUID(int=1), on_progress=lambda job: told.append(job.progress))

    assert job.result == {"model_id": "m"}
    assert told == [0.0, 0.5, 1.0]


def test_a_failed_job_raises_its_reason() -> None:
    failed = _job("failed", error="The data is empty.")
    with (
        _sync(httpx2.MockTransport(lambda _: failed)) as client,
        pytest.raises(JobFailedError, match="The data is empty"),
    ):
        client.jobs.wait(UUID(int=1))


def test_waiting_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with (
        _sync(httpx2.MockTransport(lambda _: _job("running"))) as client,
        pytest.raises(WaitedTooLongError, match="goes on"),
    ):
        client.jobs.wait(UUID(int=1), timeout_seconds=5)


def _score(*, model: UUID, split: str, round_number: int | None, value: float | None) -> object:
    return {
        "model_id": str(model),
        "model_name": "m",
        "model_version": 1,
        "dataset_version_id": str(uuid4()),
        "dataset_name": f"round {round_number}",
        "round_number": round_number,
        "split": split,
        "metric": "accuracy",
        "is_principal": True,
        "value": value,
        "low": None,
        "high": None,
        "items": 10,
        "failed_items": 0,
        "evaluated_at": "2030-01-15T12:00:00Z",
    }


def test_results_are_read_by_name_as_the_design_shows() -> None:
    mine, other = uuid4(), uuid4()
    scores = [
        _score(model=mine, split="test", round_number=1, value=62.5),
        _score(model=mine, split="dev", round_number=1, value=70.0),
        _score(model=mine, split="test", round_number=2, value=None),
        _score(model=other, split="test", round_number=1, value=99.0),
        _score(model=mine, split="test", round_number=None, value=12.0),
    ]
    model = {
        "id": str(mine),
        "task_slug": "nli",
        "name": "m",
        "version": 1,
        "kind": "endpoint",
        "status": "ready",
        "rejection": None,
        "digest": "d",
        "description": "",
        "submitted_by": None,
        "created_at": "2030-01-15T12:00:00Z",
    }

    standing: dict[str, object] = {
        "task_slug": "nli",
        "model_id": str(mine),
        "row": None,
        "lacks": [],
        "dynascore": 38.83,
        "reason": None,
        "ranked": 7,
        "as_of": None,
    }

    def answer(request: httpx2.Request) -> httpx2.Response:
        last = request.url.path.rpartition("/")[2]
        return httpx2.Response(200, json={"scores": scores, "standing": standing}.get(last, model))

    with _sync(httpx2.MockTransport(answer)) as client:
        results = client.models.results(mine)
        standing |= {"dynascore": None, "reason": "It has no memory on “Round 1” yet."}
        unranked = client.models.results(mine)

    assert dict(results) == {"dynascore": 38.83, "round1_acc": 62.5, "round2_acc": None}
    assert set(results.reasons) == {"round2_acc"}
    assert unranked["dynascore"] is None
    assert unranked.reasons["dynascore"] == standing["reason"]
    with pytest.raises(KeyError, match="round1_acc"):
        results["round3_acc"]


def test_who_says_nothing_of_a_model_is_told_what_can_be_submitted() -> None:
    with (
        _sync(httpx2.MockTransport(lambda _: httpx2.Response(500))) as client,
        pytest.raises(SubmissionKindError, match="endpoint"),
    ):
        client.models.submit(task="nli", description="Mine")


def test_methods_keep_their_words_and_signatures() -> None:
    assert "Wait until a job is done" in (JobCalls.wait.__doc__ or "")
    with _sync(httpx2.MockTransport(_pages)) as client:
        assert "Go through a task's contexts" in (client.contexts.list.__doc__ or "")
