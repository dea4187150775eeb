"""When a request is sent again, and after how long."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from dynabench.client.steps import Answer, NoAnswer, Pause, Reply, Request, Steps, T

_TOO_MUCH = 429
_UNAVAILABLE = 503
_MAY_PASS = frozenset({_TOO_MUCH, 502, _UNAVAILABLE, 504})
_random = secrets.SystemRandom()


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How patient a client is.

    Attributes:
        retries: How often a request is sent again at most.
        first_pause_seconds: The longest pause before the first retry; it doubles each time.
        longest_pause_seconds: No pause is longer; where the server asks for more patience
            than this, its refusal is raised instead.
    """

    retries: int = 4
    first_pause_seconds: float = 0.25
    longest_pause_seconds: float = 8.0

    def pauses(self) -> Iterator[float]:
        """Yield the pause before each retry, spread so that many clients do not march in step."""
        longest = self.first_pause_seconds
        for _ in range(self.retries):
            yield _random.uniform(longest / 2, longest)
            longest = min(longest * 2, self.longest_pause_seconds)


def carry_out(steps: Steps[T], *, policy: RetryPolicy) -> Steps[T]:
    """Return the same steps, with requests that may be repeated sent again where that helps.

    A request is repeated after 429, 502, 503, 504 or a broken line if it is repeatable, and
    after a line that never stood in any case.
    """
    reply: Reply = None
    while True:
        try:
            effect = steps.send(reply)
        except StopIteration as done:
            result: T = done.value
            return result
        if isinstance(effect, Pause):
            reply = yield effect
        else:
            reply = yield from _attempt(effect, policy=policy)


def _attempt(request: Request, *, policy: RetryPolicy) -> Steps[Reply]:
    reply = yield request
    for pause in policy.pauses():
        asked = _seconds_asked_for(reply)
        if not _is_worth_repeating(request, reply) or asked > policy.longest_pause_seconds:
            break
        yield Pause(seconds=max(pause, asked))
        reply = yield request
    return reply


def _is_worth_repeating(request: Request, reply: Reply) -> bool:
    if isinstance(reply, NoAnswer):
        return request.is_repeatable or not reply.was_sent
    return isinstance(reply, Answer) and request.is_repeatable and reply.status in _MAY_PASS


def _seconds_asked_for(reply: Reply) -> float:
    """Return how long the server asks to wait; a date instead of a number is passed over."""
    asked = reply.headers.get("retry-after", "") if isinstance(reply, Answer) else ""
    return float(asked) if asked.isascii() and asked.isdigit() else 0.0
