"""Has a baseline learn from the inputs alone, in a process of its own."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from collections.abc import Sequence

import structlog

from dynabench.kit.wire import Values
from dynabench.loop.datasets.cards.artifacts.rules import (
    FAILED,
    describe_artifacts,
    majority_of,
    no_artifacts,
    why_none,
)
from dynabench.loop.datasets.cards.artifacts.values import Answers, Sampled

_MODULE = "dynabench.loop.datasets.cards.artifacts"
_PATIENCE_SECONDS = 300.0
# Of the parent's environment the child gets what Python itself needs, and no settings.
_KEPT_VARIABLES = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
_log = structlog.get_logger(__name__)


async def find_artifacts(
    sampled: Sequence[Sampled], *, has_context: bool, has_labels: bool
) -> Values:
    """Return what a card says about artifacts; a baseline that fails is said there too.

    Args:
        sampled: Items of train to learn from, and those of dev and test.
        has_context: Whether the task shows anything besides the input.
        has_labels: Whether its gold answer is a single label.
    """
    reason = why_none(sampled, has_context=has_context, has_labels=has_labels)
    if reason is not None:
        return no_artifacts(reason)
    train = [one for one in sampled if one.is_train]
    order = {
        "texts": [one.text for one in train],
        "labels": [one.label for one in train],
        "asked": [one.text for one in sampled if not one.is_train],
    }
    answer = await _ask(json.dumps(order).encode())
    if answer is None:
        return no_artifacts(FAILED)
    majority = majority_of(Counter(one.label for one in train))
    return describe_artifacts(sampled, Answers(json.loads(answer), majority))


async def _ask(order: bytes) -> bytes | None:
    """Return what the process answers; None if it fails or takes too long."""
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        _MODULE,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=environment | {"PYTHONHASHSEED": "0"},
    )
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            answer, _ = await process.communicate(order)
    except TimeoutError:
        _log.warning("a baseline of the inputs alone took too long", seconds=_PATIENCE_SECONDS)
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        _log.warning("a baseline of the inputs alone failed", status=process.returncode)
        return None
    return answer
