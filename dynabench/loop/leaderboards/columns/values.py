"""The columns of a board and their weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from dynabench.loop.datasets.values import DatasetVersion, Split

THROUGHPUT = "throughput"
MEMORY = "memory"
MAX_WEIGHT = 5.0
FEWEST_ITEMS = 30
"""A dataset of fewer test items than this weighs nothing unless its reader says so."""


class Thinness(StrEnum):
    """Why a dataset says too little to weigh anything by default."""

    FEW_ITEMS = "few_items"
    FEW_CONTEXTS = "few_contexts"


class Unit(StrEnum):
    """In what a metric is told."""

    POINTS = "points"
    EXAMPLES_PER_SECOND = "examples_per_second"
    GIB = "gib"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """A metric of a board; `default_weight` is what its task's config says, else the usual."""

    name: str
    title: str
    unit: Unit
    default_weight: float
    is_lower_better: bool = False
    is_principal: bool = False


@dataclass(frozen=True, slots=True)
class DatasetColumn:
    """A dataset of a board, or several sub-tasks that are averaged with equal weights."""

    key: str
    title: str
    versions: tuple[DatasetVersion, ...]

    @property
    def items(self) -> int:
        """How many test items stand behind it."""
        return sum(version.sizes[Split.TEST] for version in self.versions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a reader chose, complete: a weight for every column, in the columns' order."""

    metrics: Mapping[str, float]
    datasets: Mapping[str, float]
    budget_gib: float
    rates: UUID | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Everything that a board of a task can hold; the principal metric is first."""

    metrics: Sequence[MetricColumn]
    datasets: Sequence[DatasetColumn]
    absent: frozenset[tuple[str, UUID]] = frozenset()
    """Metrics that no model can have on a version, as it has no variants to measure them by."""

    @property
    def principal(self) -> MetricColumn:
        """The metric that models are exchanged into."""
        return self.metrics[0]

    def version_ids(self) -> list[UUID]:
        """Return the versions behind all columns, in order."""
        return [version.id for column in self.datasets for version in column.versions]
