"""Events as a client reads them: put together, resumed, given up."""

import pytest

from dynabench.client.errors import ServerUnreachableError
from dynabench.client.steps import Answer, NoAnswer
from dynabench.client.watching import EventReader, Subscription
from dynabench.kit.errors import LimitError, NotFoundError


def _lines(subscription: Subscription[int], text: str) -> list[int]:
    return [state for line in text.split("\n") for state in subscription.take(line)]


def test_events_are_put_together_from_lines() -> None:
    reader = EventReader()
    text = ": ping\nevent: thing\ndata: 1\ndata:2\nid: a\nretry: 500\n\n"
    events = [event for line in text.split("\n") if (event := reader.take(line)) is not None]
    assert [(one.name, one.data, one.id) for one in events] == [("thing", "1\n2", "a")]
    assert reader.retry_seconds == 0.5
    assert reader.take("") is None


def test_a_watch_goes_on_behind_what_it_has_seen_and_ends_when_told() -> None:
    subscription = Subscription("/api/v1/rounds/1/live", int)
    assert "last-event-id" not in subscription.headers
    subscription.begin()
    assert _lines(subscription, "event: round\ndata: 7\nid: x\n\n") == [7]
    assert _lines(subscription, "event: tick\ndata: {}\n\nevent: round\ndata: 9") == []
    # The line broke in the middle of an event: what comes next begins anew.
    subscription.begin()
    assert subscription.headers["last-event-id"] == "x"
    assert _lines(subscription, "event: round\ndata: 8\nid: y\n\n") == [8]
    assert not subscription.is_over
    assert _lines(subscription, "event: end\ndata: {}\n\n") == []
    assert subscription.is_over


def test_pauses_grow_and_something_that_comes_starts_them_over() -> None:
    subscription = Subscription("/", int)
    pauses = [subscription.pause() for _ in range(7)]
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    _lines(subscription, "retry: 3000\ndata: 1\nid: a\n\n")
    assert subscription.pause() == 3


def test_a_refusal_is_raised_unless_it_may_pass() -> None:
    def refusal(status: int, code: str) -> Answer:
        body = f'{{"status": {status}, "code": "{code}", "detail": "No.", "facts": {{}}}}'
        headers = {"content-type": "application/problem+json"}
        return Answer(status=status, url="/", headers=headers, body=body.encode())

    subscription = Subscription("/", int)
    with pytest.raises(NotFoundError):
        subscription.refuse(refusal(404, "not_found"))
    lost = NoAnswer(url="/", reason="refused", was_sent=False)
    for _ in range(3):
        subscription.refuse(refusal(429, "limit"))
        subscription.lose(lost)
        subscription.pause()
    # Nothing has ever come: it is in vain.
    with pytest.raises(LimitError):
        subscription.refuse(refusal(429, "limit"))
    with pytest.raises(ServerUnreachableError):
        subscription.lose(lost)
