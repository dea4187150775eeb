"""What a model lacks for a board, as sentences."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from dynabench.kit.sentences import Phrase, Sentence, follow
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.leaderboards.columns.rules import metric_shares, needed_metrics, version_shares
from dynabench.loop.leaderboards.columns.values import MEMORY, THROUGHPUT, MetricColumn
from dynabench.loop.leaderboards.schemas import LackRead
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import Contender
from dynabench.loop.models.values import REMOTE_KINDS, ModelKind

_PRIVATE = Phrase(
    "lacks.private", "It is private; write its card and publish it to have it ranked."
).say()
_EVALUATION = {
    EvaluationState.PENDING: Phrase("lacks.pending", "Its evaluation on “{name}” is not done yet."),
    EvaluationState.FAILED: Phrase(
        "lacks.failed", "Its evaluation on “{name}” failed; it can be tried again."
    ),
    EvaluationState.CANCELLED: Phrase(
        "lacks.cancelled", "Its evaluation on “{name}” was cancelled; it can be tried again."
    ),
    EvaluationState.INCOMPLETE: Phrase(
        "lacks.incomplete", "It needs its file of predictions for “{name}”."
    ),
    EvaluationState.DONE: Phrase("lacks.done", "Its scores on “{name}” are being worked in."),
    None: Phrase("lacks.not_evaluated", "It has not been evaluated on “{name}”."),
}
_NO_VARIANTS = Phrase("lacks.no_variants", "“{name}” has no variants to measure {metric} by.")
_RUNS_NOWHERE = Phrase(
    "lacks.runs_nowhere", "It hands in predictions and runs nowhere, so it has no {metric}."
)
_REMOTE_MEMORY = Phrase(
    "lacks.remote_memory", "It runs on a remote server, whose memory nobody here measures."
).say()
_UNMEASURED = Phrase("lacks.unmeasured", "Its {metric} on “{name}” could not be measured.")
_NO_METRIC = Phrase("lacks.no_metric", "It has no {metric} on “{name}” yet.")
_INCOMPLETE = Phrase("lacks.all", "It is not complete: {lacks}")
_MOST_NAMED = 3
_METRICS = {
    THROUGHPUT: Phrase("metrics.throughput", "throughput").say(),
    MEMORY: Phrase("metrics.memory", "memory").say(),
    "robustness": Phrase("metrics.robustness", "robustness").say(),
    "fairness": Phrase("metrics.fairness", "fairness").say(),
}

States = Mapping[tuple[UUID, UUID], EvaluationState]


def lacks_of(board: Board, contender: Contender, states: States) -> list[LackRead]:
    """Return everything that a model lacks for the weights of a board.

    Args:
        board: The board.
        contender: A model that is not ranked on it.
        states: How far evaluations are, by model and version.
    """
    if board.columns is None or board.weights is None:
        return []
    found = [] if contender.is_published else [LackRead(dataset=None, metric=None, reason=_PRIVATE)]
    shares = version_shares(board.columns, board.weights)
    parts = metric_shares(board.columns, shares)
    versions = [one for column in board.columns.datasets for one in column.versions]
    needed = needed_metrics(board.columns, board.weights)
    figures = board.figures
    row = board.places.get(contender.id)
    for place, version in enumerate(versions):
        if not shares[place]:
            continue
        state = states.get((contender.id, version.id))
        if state is not EvaluationState.DONE or row is None or figures is None:
            reason = _EVALUATION[state].say(name=version.name)
            found.append(LackRead(dataset=version.name, metric=None, reason=reason))
            continue
        for metric in needed:
            if parts[metric, place] and not np.isfinite(figures.values[metric, row, place]):
                column = board.columns.metrics[metric]
                is_absent = (column.name, version.id) in board.columns.absent
                found.append(
                    LackRead(
                        dataset=version.name,
                        metric=column.name,
                        reason=_no_variants(column, version)
                        if is_absent
                        else _no_metric(column, version, contender),
                    )
                )
    return found


def incomplete(lacks: Sequence[LackRead]) -> Sentence:
    """Return in a sentence what a model lacks; the first few things are named."""
    # Of several datasets a model may lack the same; a sentence is said once.
    said = list({str(one): one for one in map(_sentence, lacks)}.values())[:_MOST_NAMED]
    return _INCOMPLETE.say(lacks=follow(*said)) if said else _INCOMPLETE.say(lacks="")


def _sentence(lack: LackRead) -> Sentence:
    assert lack.reason_told is not None, "every lack is a phrase"
    return Sentence(lack.reason, lack.reason_told)


def _no_variants(column: MetricColumn, version: DatasetVersion) -> str:
    return _NO_VARIANTS.say(name=version.name, metric=_named(column))


def _no_metric(column: MetricColumn, version: DatasetVersion, contender: Contender) -> str:
    if contender.kind is ModelKind.PREDICTIONS and column.name in {THROUGHPUT, MEMORY}:
        return _RUNS_NOWHERE.say(metric=_named(column))
    if contender.kind in REMOTE_KINDS and column.name == MEMORY:
        return _REMOTE_MEMORY
    if column.name in {THROUGHPUT, MEMORY}:
        return _UNMEASURED.say(metric=_named(column), name=version.name)
    return _NO_METRIC.say(metric=_named(column), name=version.name)


def _named(column: MetricColumn) -> str:
    return _METRICS.get(column.name, column.title.lower())
