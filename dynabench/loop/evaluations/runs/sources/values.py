"""What an evaluation takes its answers from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dynabench.engines.inference.metering import Usage
from dynabench.loop.datasets.scans.values import ItemBlock
from dynabench.loop.evaluations.runs.checking.rules import Checked
from dynabench.loop.evaluations.runs.measures.rules import Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How fast a source was one item at a time, and where that was measured."""

    pace: Pace | None
    is_measured_at_client: bool


class Source(Protocol):
    """Gives an answer or an error for each item of a block."""

    @property
    def shard_items(self) -> int:
        """How many items are stored at once."""
        ...

    @property
    def log(self) -> str:
        """What the model printed."""
        ...

    def covers(self, block: ItemBlock) -> bool:
        """Tell whether a split that begins with this block is answered at all."""
        ...

    async def answers(self, block: ItemBlock, *, number: int) -> Sequence[Checked]:
        """Return what is kept of each item's answer, in the block's order."""
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
