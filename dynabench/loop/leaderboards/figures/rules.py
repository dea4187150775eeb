"""From what was measured to the arrays that boards are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.columns.values import MEMORY, THROUGHPUT
from dynabench.loop.leaderboards.figures.values import (
    DoneEvaluation,
    Figures,
    ItemScores,
    Measured,
)

_BYTES_PER_GIB = 2**30
_POINTS = 100.0
_KEY_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What the database holds of the evaluations of one task's board.

    `deltas` may hold several perturbed sets of a kind; `runs` are by `throughput` and `memory`.
    """

    done: Sequence[DoneEvaluation]
    scores: Mapping[tuple[UUID, str], Measured]
    runs: Mapping[tuple[UUID, str], Measured]
    deltas: Mapping[tuple[UUID, str], Sequence[Measured]]
    at_client: frozenset[UUID]
    item_scores: Mapping[UUID, ItemScores]


def arrange(
    gathered: Gathered, *, stamp: str, metrics: Sequence[str], versions: Sequence[UUID]
) -> Figures:
    """Return figures with scores in points, memory in GiB and throughput per second."""
    models = list(dict.fromkeys(one.model_id for one in gathered.done))
    rows = {model: place for place, model in enumerate(models)}
    columns = {version: place for place, version in enumerate(versions)}
    shape = (len(models), len(versions))
    numbers = {name: np.full((len(metrics), *shape), np.nan) for name in ("value", "low", "high")}
    items = np.zeros((len(metrics), *shape), dtype=np.int64)
    failed = np.zeros(shape, dtype=np.int64)
    evaluated_at = np.full(shape, np.nan)
    for one in gathered.done:
        row, column = rows[one.model_id], columns[one.version_id]
        failed[row, column] = one.failed_items
        evaluated_at[row, column] = one.evaluated_at.timestamp()
        for place, metric in enumerate(metrics):
            found = _measured(gathered, one.id, metric)
            if found is None:
                continue
            scale = _scale(metric)
            for name, array in numbers.items():
                number = getattr(found, name)
                if number is not None:
                    array[place, row, column] = number * scale
            items[place, row, column] = found.items or 0
    return Figures(
        stamp=stamp,
        metrics=list(metrics),
        models=models,
        versions=list(versions),
        values=numbers["value"],
        lows=numbers["low"],
        highs=numbers["high"],
        items=items,
        failed=failed,
        evaluated_at=evaluated_at,
        at_client=np.array([model in gathered.at_client for model in models], dtype=bool),
        item_scores=gathered.item_scores,
    )


def context_keys(digests: Sequence[bytes]) -> NDArray[np.uint64]:
    r"""Return the first 8 bytes of each context's digest as a number, in order of appearance.

    Their places are the numbers that `group_numbers` gives.

    Example:
        >>> context_keys([bytes(8), bytes(7) + b"\x02rest", bytes(8)]).tolist()
        [0, 2]
    """
    first = b"".join(one[:_KEY_BYTES].ljust(_KEY_BYTES, b"\0") for one in dict.fromkeys(digests))
    return np.frombuffer(first, dtype=">u8").astype(np.uint64)


def _measured(gathered: Gathered, evaluation_id: UUID, metric: str) -> Measured | None:
    key = (evaluation_id, metric)
    if metric in {THROUGHPUT, MEMORY}:
        return gathered.runs.get(key)
    several = gathered.deltas.get(key)
    if several is not None:
        return several[0] if len(several) == 1 else _together(several)
    return gathered.scores.get(key)


def _together(several: Sequence[Measured]) -> Measured:
    """Average several perturbed sets of one original by their items.

    They are of the same items, so that their errors do not cancel each other: reaches add up.
    """
    items = np.array([one.items or 0 for one in several], dtype=float)
    shares = items / items.sum() if items.any() else np.full(len(items), 1 / len(items))

    def average(values: Sequence[float | None]) -> float | None:
        known = [one for one in values if one is not None]
        # Of what one part does not know, the whole does not know either.
        return float(shares @ known) if len(known) == len(values) else None

    value = average([one.value for one in several])
    assert value is not None, "every part has one"
    low, high = average([one.low for one in several]), average([one.high for one in several])
    return Measured(value, low, high, int(items.sum()))


def _scale(metric: str) -> float:
    if metric == THROUGHPUT:
        return 1.0
    return 1 / _BYTES_PER_GIB if metric == MEMORY else _POINTS
