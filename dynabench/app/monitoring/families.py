"""Every figure of `/metrics` that is ours: its name, its kind, its labels and what it says."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from dynabench.engines.inference.watching import BOUNDS, Latencies

MOST_TASKS = 200
"""So many tasks have figures of their own, the oldest; drafts and the rest are added up."""

OTHER_TASKS = "(other)"
"""The label of tasks without figures of their own; no task can be called so."""


class Kind(StrEnum):
    """How a figure moves."""

    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


class Source(StrEnum):
    """Where a figure comes from."""

    DATABASE = "database"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Family:
    """Figures of one name.

    Attributes:
        name: What Prometheus calls it; the samples of a counter end in `_total`.
        kind: How it moves.
        source: The database, where every server says the same, or this server alone.
        about: What it says, with its unit.
        labels: What it is told apart by.
    """

    name: str
    kind: Kind
    source: Source
    about: str
    labels: tuple[str, ...] = ()


_TASK = ("task",)
_JOB = ("kind", "state")
_OF_DATABASE = (
    ("database_up", (), "1 while the database answers, else 0; then its figures are missing."),
    ("database_bytes", (), "Size of the database, in bytes."),
    (
        "attempts",
        ("task", "outcome"),
        (
            "Attempts collected and not voided: fooled, not_fooled, undecided, or control where "
            "the author was shown no model. As fresh as the fold."
        ),
    ),
    (
        "votes",
        ("task", "vote"),
        "Ordinary votes that count: correct, incorrect, flagged, or answer in blind rounds.",
    ),
    ("validation_waiting", _TASK, "Examples of open and closed rounds that wait for a verdict."),
    ("validation_oldest_seconds", _TASK, "Age of the oldest of them, in seconds."),
    ("jobs", _JOB, "Jobs that are stored, by kind and state."),
    ("jobs_oldest_seconds", _JOB, "How long the oldest job is queued, or running, in seconds."),
    ("fold_waiting", (), "Changes that counts do not hold yet, in rows."),
    ("fold_lag_seconds", (), "Age of the oldest of them, in seconds."),
    ("audit_entries", (), "Rows of the audit trail."),
)
_OF_SERVER = (
    ("part_ok", ("part",), "1 where /readyz says ok of a part, else 0."),
    ("info", ("version",), "1, with the version of the package."),
    ("streams_open", (), "Pages that update themselves: open streams."),
    ("targets", ("state",), "Target models that this server knows: cold, ready or stopped."),
    ("blobs_bytes", (), "Size of the stored files on this machine, in bytes."),
    ("disk_free_bytes", (), "Free bytes of the disk that DYNABENCH_HOME lies on."),
    ("disk_bytes", (), "Size of that disk, in bytes."),
)
_COUNTED = (
    ("responses", ("status",), "Answers to requests, by the class of their status: 2xx to 5xx."),
    (
        "target_failures",
        ("task", "code"),
        "Questions that a target model did not answer, or not usably, by error code.",
    ),
)

FAMILIES = {
    family.name: family
    for family in (
        *(
            Family(f"dynabench_{name}", Kind.GAUGE, Source.DATABASE, about, labels)
            for name, labels, about in _OF_DATABASE
        ),
        *(
            Family(f"dynabench_{name}", Kind.GAUGE, Source.SERVER, about, labels)
            for name, labels, about in _OF_SERVER
        ),
        *(
            Family(f"dynabench_{name}", Kind.COUNTER, Source.SERVER, about, labels)
            for name, labels, about in _COUNTED
        ),
        Family(
            "dynabench_target_answer_seconds",
            Kind.HISTOGRAM,
            Source.SERVER,
            "Time from a question to the answer of a target model, in seconds; what the server "
            "remembers is not asked again.",
            _TASK,
        ),
    )
}
"""Every family, by its name, in the order in which they are written."""

Labels: TypeAlias = tuple[str, ...]


@dataclass
class Samples:
    """What was found, by family and labels; a family without any is written all the same."""

    numbers: dict[str, dict[Labels, float]] = field(default_factory=dict)
    latencies: dict[Labels, Latencies] = field(default_factory=dict)

    def put(self, name: str, value: float, *labels: str) -> None:
        """Keep one figure; `name` goes without the prefix of the package."""
        family = FAMILIES[f"dynabench_{name}"]
        assert len(labels) == len(family.labels), f"{name} has the labels {family.labels}"
        self.numbers.setdefault(family.name, {})[labels] = value

    def add(self, name: str, value: float, *labels: str) -> None:
        """Add to what is kept under these labels: several things may share them."""
        before = self.numbers.get(f"dynabench_{name}", {}).get(labels, 0.0)
        self.put(name, before + value, *labels)

    def update(self, others: Iterable["Samples"]) -> None:
        """Take over what others hold."""
        for other in others:
            for name, found in other.numbers.items():
                self.numbers.setdefault(name, {}).update(found)
            self.latencies.update(other.latencies)

    def collect(self) -> Iterator[Metric]:
        """Give every family as `prometheus_client` writes it."""
        for family in FAMILIES.values():
            found = self.numbers.get(family.name, {})
            if family.kind is Kind.HISTOGRAM:
                yield _histogram(family, self.latencies)
                continue
            made = (
                CounterMetricFamily(family.name, family.about, labels=family.labels)
                if family.kind is Kind.COUNTER
                else GaugeMetricFamily(family.name, family.about, labels=family.labels)
            )
            for labels, value in sorted(found.items()):
                made.add_metric(labels, value)
            yield made


def _histogram(family: Family, found: Mapping[Labels, Latencies]) -> HistogramMetricFamily:
    made = HistogramMetricFamily(family.name, family.about, labels=family.labels)
    edges = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
    for labels, latencies in sorted(found.items()):
        buckets = list(zip(edges, latencies.cumulated(), strict=True))
        made.add_metric(labels, buckets, latencies.seconds)
    return made
