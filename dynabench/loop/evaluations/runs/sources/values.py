"""What an evaluation takes its answers from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dynabench.engines.inference.metering import Usage
from dynabench.loop.datasets.scans.values import ItemBlock
from dynabench.loop.evaluations.runs.checking.rules import Checked
from dynabench.loop.evaluations.runs.measures.rules import Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How fast a source was one item at a time, and where that was measured.

    Attributes:
        pace: Items per second; None if it could not be timed.
        answers: The outputs while it was timed, by place in the sample; empty where it failed.
        is_measured_at_client: Whether the model answered elsewhere.
        machine: Which machine it was.
        reference_seconds: The time of a fixed piece of work there.
    """

    pace: Pace | None
    is_measured_at_client: bool
    machine: Mapping[str, object]
    reference_seconds: float
    answers: Mapping[int, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardAnswers:
    """The answers to a block, and what they took.

    Attributes:
        checked: What is kept of each item's answer, in the block's order.
        seconds: How long the block took.
        cpu_seconds: What the model's processes spent on it; None where nothing runs.
        memory_peak_bytes: The most that they held so far; None if nobody looked.
    """

    checked: Sequence[Checked]
    seconds: float
    cpu_seconds: float | None = None
    memory_peak_bytes: int | None = None


class Source(Protocol):
    """Gives an answer or an error for each item of a block."""

    @property
    def shard_items(self) -> int:
        """How many items are stored at once."""
        ...

    @property
    def at_once(self) -> int:
        """How many blocks may be asked at the same time."""
        ...

    @property
    def log(self) -> str:
        """What the model printed."""
        ...

    def covers(self, block: ItemBlock) -> bool:
        """Tell whether a split that begins with this block is answered at all."""
        ...

    async def answers(self, block: ItemBlock, *, number: int) -> ShardAnswers:
        """Have every item of a block answered."""
        ...

    def usage(self) -> Usage:
        """Return what the model's processes used."""
        ...

    async def timing(self, sample: ItemBlock | None) -> Timing | None:
        """Return how fast the model is; None where nothing runs."""
        ...

    async def close(self) -> None:
        """Let go of processes and files."""
        ...
