"""How patiently a model is asked."""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from dynabench.engines.inference.metering import Usage
from dynabench.engines.inference.protocol import Prediction

Inputs: TypeAlias = Mapping[str, object]
Answer: TypeAlias = Prediction | dict[str, object]
"""What an adapter made of an answer, or what a worker sent, which nobody has checked yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """The limits of asking.

    Attributes:
        shard_items: So many items are stored at once.
        remote_shard_items: So many of a model elsewhere, where each may take a second.
        batch_items: So many items go to a model of its own process at once.
        batch_bytes: So many bytes of files go to it at once.
        in_flight: So many batches are on their way to it.
        batch_seconds: A batch that takes longer is asked again in smaller parts.
        item_seconds: A single item that takes longer has failed.
        deaths: So often a process may end, and once more for every `items_per_death` answers.
        items_per_death: See `deaths`.
        death_seconds: Until new processes have taken so long altogether, it may end
            `quick_deaths` times: variants of one item that it cannot bear follow each other.
        quick_deaths: See `death_seconds`.
        remote_at_once: So many requests are on their way to a model elsewhere.
        remote_tries: So often an item that fails there is sent before it has failed.
        reach_tries: So often it is tried to reach a model that cannot be reached.
        remote_failures: So many items failing in a row mean that the model is gone.
        pause_seconds: Between two tries, doubled each time.
    """

    shard_items: int = 4_096
    remote_shard_items: int = 128
    batch_items: int = 64
    batch_bytes: int = 8 * 2**20
    in_flight: int = 4
    batch_seconds: float = 60.0
    item_seconds: float = 30.0
    deaths: int = 8
    items_per_death: int = 50
    death_seconds: float = 60.0
    quick_deaths: int = 200
    remote_at_once: int = 8
    remote_tries: int = 3
    reach_tries: int = 7
    remote_failures: int = 20
    pause_seconds: float = 0.5


@runtime_checkable
class Streams(Protocol):
    """A target with a process of its own, which takes batches without waiting in between."""

    @property
    def log(self) -> str:
        """The last lines that the model printed."""
        ...

    def usage(self) -> Usage:
        """Return what its process used."""
        ...

    async def warm(self) -> None:
        """Start the process and load the model."""
        ...

    def stream(
        self,
        batches: Iterable[Sequence[Inputs]],
        *,
        in_flight: int = 4,
        batch_timeout_seconds: float | None = None,
    ) -> AsyncGenerator[list[dict[str, object]], None]:
        """Give the raw results of each batch, in order."""
        ...
