"""The audit trail through the client: what is asked for, and what is told before asking."""

from datetime import UTC, datetime

import httpx2
import pytest

from dynabench import DynabenchClient
from dynabench.kit.errors import InvalidError


@pytest.fixture
def urls() -> list[httpx2.URL]:
    return []


@pytest.fixture
def client(urls: list[httpx2.URL]) -> DynabenchClient:
    def answer(request: httpx2.Request) -> httpx2.Response:
        urls.append(request.url)
        return httpx2.Response(200, json={"items": [], "next_cursor": None})

    return DynabenchClient(base_url="http://server", transport=httpx2.MockTransport(answer))


def test_what_is_wanted_is_asked_for_everywhere_and_in_one_task(
    client: DynabenchClient, urls: list[httpx2.URL]
) -> None:
    since = datetime(2030, 1, 1, tzinfo=UTC)
    with client:
        assert list(client.audit.list("nli", who="ada", since=since)) == []
        client.audit.list("nli", act="round").page()
        client.audit.list().page("c1")

    assert [url.path for url in urls] == [
        *("/api/v1/tasks/nli/audit", "/api/v1/tasks/nli/audit", "/api/v1/audit")
    ]
    assert [dict(url.params) for url in urls] == [
        {"who": "ada", "since": "2030-01-01T00:00:00Z"},
        {"act": "round"},
        {"cursor": "c1"},
    ]


def test_a_misspelt_wish_is_told_before_anything_is_asked(
    client: DynabenchClient, urls: list[httpx2.URL]
) -> None:
    misspelt: dict[str, str] = {"whom": "ada"}
    with client, pytest.raises(InvalidError, match="whom"):
        # A type checker would tell it, too.
        client.audit.list(**misspelt).all()  # type: ignore[arg-type]

    assert urls == []
