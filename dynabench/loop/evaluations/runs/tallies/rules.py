"""What the items of a split scored, kept in few bytes each, and the scores that come of it.

Imports NumPy; the intervals (`runs/rules.py`) bring SciPy along.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.evaluations.rules import Outputs, scored_metrics
from dynabench.science.metrics.answers import as_answer, as_gold
from dynabench.science.metrics.registry import VALUE_OF, Resources, metric
from dynabench.science.metrics.values import Counts
from dynabench.science.task_config.elements import PerfMetric
from dynabench.science.task_config.schema import TaskConfig

_COMPARED_AS_WRITTEN = frozenset({"multiclass", "string"})
_ACCURACY = "accuracy"
_DIGEST_PART = 8


@dataclass(slots=True)
class CountTable:
    """What is counted on each item, for a metric that is no mean: item, what, how much."""

    names: dict[str, int] = field(default_factory=dict)
    items: "array[int]" = field(default_factory=lambda: array("q"))
    columns: "array[int]" = field(default_factory=lambda: array("i"))
    numbers: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, item: int, counts: Counts) -> None:
        """Keep the counts of an item."""
        for name, number in counts.items():
            column = self.names.setdefault(name, len(self.names))
            if number:
                self.items.append(item)
                self.columns.append(column)
                self.numbers.append(number)


@dataclass(frozen=True, slots=True)
class MetricTally:
    """What a metric gave for each item, and its counts where it is no mean of these."""

    wanted: PerfMetric
    per_item: "array[float]"
    counts: CountTable | None


@dataclass(frozen=True, slots=True)
class CountEntries:
    """Counts of items as three columns: the item, which of `names`, and how much."""

    names: Sequence[str]
    items: NDArray[np.int64]
    columns: NDArray[np.int32]
    numbers: NDArray[np.float64]

    def total(self) -> Mapping[str, float]:
        """Return the counts of all of them together."""
        sums = np.bincount(self.columns, weights=self.numbers, minlength=len(self.names))
        return {name: float(one) for name, one in zip(self.names, sums, strict=True)}


class SplitTally:
    """Adds up the items of one split of one task, in the order in which they come.

    Keeps eight bytes for each item and metric and another eight for its context; of corpus
    metrics also what is counted on each item, and of tags who has them.
    """

    def __init__(self, config: TaskConfig, resources: Resources) -> None:
        self._config = config
        self._resources = resources
        self.contexts: array[int] = array("q")
        self.tags: dict[str, array[int]] = {}
        self.metrics = [
            MetricTally(one, array("d"), CountTable() if one.name in VALUE_OF else None)
            for one in scored_metrics(config)
        ]

    def __len__(self) -> int:
        return len(self.contexts)

    def add(
        self,
        *,
        gold: Sequence[Outputs],
        outputs: Sequence[Outputs],
        contexts: Sequence[bytes],
        tags: Sequence[Sequence[str]],
    ) -> list[float | None]:
        """Take items with what was answered; a failed one has no outputs.

        Returns:
            Each item's part in the principal metric; None where that is none of predictions.
        """
        start = len(self)
        principal: list[float | None] = [None] * len(gold)
        for one in self.metrics:
            scores = self._score(one, start, gold, outputs)
            one.per_item.extend(scores)
            if self.is_principal(one):
                principal = [*scores]
        self.contexts.extend(context_number(digest) for digest in contexts)
        for place, named in enumerate(tags):
            for tag in named:
                self.tags.setdefault(tag, array("q")).append(start + place)
        return principal

    def is_principal(self, one: MetricTally) -> bool:
        """Tell whether a metric is the task's first one."""
        return one.wanted is self._config.perf_metrics[0]

    def groups(self) -> NDArray[np.int64]:
        """Return for each item the number of its context, counted from 0."""
        _, numbers = np.unique(np.array(self.contexts, dtype=np.int64), return_inverse=True)
        return np.asarray(numbers, dtype=np.int64)

    def _score(
        self,
        one: MetricTally,
        start: int,
        gold: Sequence[Outputs],
        outputs: Sequence[Outputs],
    ) -> Sequence[float]:
        name = one.wanted.reference_name
        assert name is not None, "the config's reader asks for it"
        kind = self._config.field(name).type.type_name
        if one.wanted.name == _ACCURACY and kind in _COMPARED_AS_WRITTEN:
            quick = _accuracy([row[name] for row in gold], [row.get(name) for row in outputs])
            if quick is not None:
                return quick
        result = metric(one.wanted.name, self._resources)(
            [as_gold(kind, row[name]) for row in gold],
            [as_answer(kind, row[name]) if name in row else None for row in outputs],
        )
        if one.counts is not None:
            for place, counts in enumerate(result.counts):
                one.counts.add(start + place, counts)
        return result.per_item


def context_number(digest: bytes) -> int:
    """Return a number that stands for a context within a dataset."""
    return int.from_bytes(digest[:_DIGEST_PART], "big", signed=True)


def _accuracy(gold: Sequence[object], said: Sequence[object]) -> list[float] | None:
    """Return the accuracy of labels and texts that have one right answer each; else None."""
    if all(one.__class__ is str for one in gold):
        return [1.0 if one == other else 0.0 for one, other in zip(gold, said, strict=True)]
    return None


def selected(counts: CountTable, items: NDArray[np.int64] | None, *, size: int) -> CountEntries:
    """Return the counts of some items, numbered by their place among them; None is of all."""
    rows = np.array(counts.items, dtype=np.int64)
    columns = np.array(counts.columns, dtype=np.int32)
    numbers = np.array(counts.numbers, dtype=np.float64)
    if items is None:
        return CountEntries([*counts.names], rows, columns, numbers)
    places = np.full(size, -1, dtype=np.int64)
    places[items] = np.arange(len(items))
    kept = places[rows] >= 0
    return CountEntries([*counts.names], places[rows[kept]], columns[kept], numbers[kept])
