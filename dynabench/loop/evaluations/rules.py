"""Decisions about evaluations: what is scored, and by which metrics."""

from collections.abc import Mapping

from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.rules import is_gold_withheld
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.science.metrics.kinds import METRIC_KINDS, Subject
from dynabench.science.metrics.registry import NEEDS_SENTENCEPIECE
from dynabench.science.task_config.elements import PerfMetric
from dynabench.science.task_config.schema import TaskConfig

MISSING_FILE = Phrase("evaluations.missing_file", "It needs its file for {name} v{version}.")
"""What a model of predictions lacks to be scored on a version."""

Outputs = Mapping[str, object]

FEWEST_TOLD = 20
"""Where gold is withheld, scores on fewer items than these are told to owners alone."""


def is_asked_by_itself(version: DatasetVersion) -> bool:
    """Tell whether models are scored on a version without anybody asking for it.

    Hidden sets, and those that change their texts, wait for an owner.
    """
    return version.access is not DatasetAccess.HIDDEN


def is_part_told(version: DatasetVersion, split: Split, *, items: int) -> bool:
    """Tell whether everybody may know how right a model was on a part of a split.

    The score on a single item is its gold, and so is the score on all the others beside that
    on the whole: where gold is withheld neither the part nor the rest may be so small. Of
    changed texts no part is told: many of them may be of one original, whose gold is theirs.
    """
    if not is_gold_withheld(version, split):
        return True
    if version.perturbs_id is not None:
        return False
    rest = version.sizes[split] - items
    return items >= FEWEST_TOLD and (rest <= 0 or rest >= FEWEST_TOLD)


def is_whole_told(version: DatasetVersion, split: Split) -> bool:
    """Tell whether everybody may know how right a model was on a whole split.

    On changed texts an original counts as often as it has variants, and a model may answer
    each of them otherwise: the sum could be made to tell the gold of several originals.
    """
    return version.perturbs_id is None or not is_gold_withheld(version, split)


def missing_file(version: DatasetVersion) -> str:
    """Say what a model of predictions lacks to be scored on a version."""
    return MISSING_FILE.say(name=version.name, version=version.version)


def scored_metrics(config: TaskConfig) -> list[PerfMetric]:
    """Return the task's metrics of predictions, the principal one first.

    The first of two metrics with one name counts; what is computed from people's choices or
    from submitted training examples says nothing of predictions.
    """
    found: dict[str, PerfMetric] = {}
    for one in config.perf_metrics:
        if METRIC_KINDS[one.name].subject is Subject.PREDICTIONS and is_scored(one, config):
            found.setdefault(one.name, one)
    return list(found.values())


def is_scored(wanted: PerfMetric, config: TaskConfig) -> bool:
    """Tell whether datasets hold the right answers of a metric's field."""
    return wanted.reference_name in config.gold_names


def needs_sentencepiece(config: TaskConfig) -> bool:
    """Tell whether a task has a metric that needs a SentencePiece model."""
    return any(one.name == NEEDS_SENTENCEPIECE for one in scored_metrics(config))
