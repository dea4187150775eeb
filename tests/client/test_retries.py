"""The laws of repeating requests, without a network or a clock."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.client.calls import create, delete, get, path
from dynabench.client.errors import ServerUnreachableError
from dynabench.client.retries import RetryPolicy, carry_out
from dynabench.client.steps import Answer, NoAnswer, Pause, Reply, Request, Steps, T
from dynabench.kit.errors import DynabenchError, LimitError, UnavailableError

_GOOD = Answer(status=200, url="http://server", body=b'["line"]')
_SENT = NoAnswer(url="http://server", reason="reset", was_sent=True)
_UNSENT = NoAnswer(url="http://server", reason="refused", was_sent=False)


def _refusal(status: int, *, wait: str | None = None) -> Answer:
    headers = {} if wait is None else {"retry-after": wait}
    return Answer(status=status, url="http://server", headers=headers)


class Played:
    """Carries steps out against replies that are known beforehand."""

    def __init__(self, steps: Steps[T], replies: Iterable[Reply], *, retries: int = 4) -> None:
        self.requests: list[Request] = []
        self.pauses: list[float] = []
        self.result: object = None
        left = iter(replies)
        going = carry_out(steps, policy=RetryPolicy(retries=retries))
        reply: Reply = None
        while True:
            try:
                effect = going.send(reply)
            except StopIteration as done:
                self.result = done.value
                return
            if isinstance(effect, Pause):
                self.pauses.append(effect.seconds)
                reply = None
            else:
                self.requests.append(effect)
                reply = next(left)


def _reading() -> Steps[list[str]]:
    return get(path("jobs"), list[str])


@pytest.mark.parametrize("trouble", [_SENT, _UNSENT, *map(_refusal, (429, 502, 503, 504))])
def test_reading_goes_on_after_trouble_that_passes(trouble: Reply) -> None:
    played = Played(_reading(), [trouble, trouble, _GOOD])

    assert played.result == ["line"]
    assert len(played.pauses) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 500])
def test_a_refusal_that_stays_is_not_asked_again(status: int) -> None:
    with pytest.raises(DynabenchError):
        Played(_reading(), [_refusal(status)])


def test_a_line_that_never_stood_is_tried_again_for_every_request() -> None:
    gone = Answer(status=204, url="http://server")

    assert len(Played(delete(path("tasks", "x")), [_UNSENT, gone]).requests) == 2


def test_what_may_have_happened_is_not_done_again() -> None:
    with pytest.raises(ServerUnreachableError):
        Played(delete(path("tasks", "x")), [_SENT])


def test_a_creation_is_repeated_under_the_key_that_was_given() -> None:
    played = Played(create(path("tasks"), list[str], key="mine"), [_SENT, _GOOD])

    assert [request.headers["idempotency-key"] for request in played.requests] == ["mine", "mine"]


def test_the_server_decides_how_long_to_wait() -> None:
    assert Played(_reading(), [_refusal(429, wait="3"), _GOOD]).pauses[0] >= 3


def test_more_patience_than_agreed_is_not_had() -> None:
    with pytest.raises(LimitError):
        Played(_reading(), [_refusal(429, wait="900")])


@given(retries=st.integers(0, 12))
def test_no_more_is_sent_than_the_retries_allow(retries: int) -> None:
    steps = _reading()
    with pytest.raises(UnavailableError):
        # One reply more would be asked for and be missing.
        Played(steps, [_refusal(503)] * (retries + 1), retries=retries)


@given(
    retries=st.integers(0, 20),
    first=st.floats(0.01, 5, allow_nan=False),
    longest=st.floats(5, 60, allow_nan=False),
)
def test_pauses_grow_up_to_the_longest(retries: int, first: float, longest: float) -> None:
    policy = RetryPolicy(retries=retries, first_pause_seconds=first, longest_pause_seconds=longest)
    pauses = list(policy.pauses())

    assert len(pauses) == retries
    for number, pause in enumerate(pauses):
        bound = min(first * 2**number, longest)
        assert bound / 2 <= pause <= bound
