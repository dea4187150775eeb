"""What a model lacks for a board, as sentences."""

from collections.abc import Mapping
from uuid import UUID

import numpy as np

from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.leaderboards.columns.values import MEMORY, THROUGHPUT, MetricColumn
from dynabench.loop.leaderboards.ranking.rules import metric_shares, needed_metrics, version_shares
from dynabench.loop.leaderboards.schemas import LackRead
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import Contender
from dynabench.loop.models.values import ModelKind

_REMOTE = (ModelKind.ENDPOINT, ModelKind.OPENAI)
_PRIVATE = "It is private; write its card and publish it to have it ranked."

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
            reason = _no_evaluation(version, state)
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


def _no_evaluation(version: DatasetVersion, state: EvaluationState | None) -> str:
    name = f"“{version.name}”"
    match state:
        case EvaluationState.PENDING:
            return f"Its evaluation on {name} is not done yet."
        case EvaluationState.FAILED:
            return f"Its evaluation on {name} failed; it can be tried again."
        case EvaluationState.CANCELLED:
            return f"Its evaluation on {name} was cancelled; it can be tried again."
        case EvaluationState.INCOMPLETE:
            return f"It needs its file of predictions for {name}."
        case EvaluationState.DONE:
            return f"Its scores on {name} are being worked in."
        case None:
            return f"It has not been evaluated on {name}."


def _no_variants(column: MetricColumn, version: DatasetVersion) -> str:
    return f"“{version.name}” has no variants to measure {column.title.lower()} by."


def _no_metric(column: MetricColumn, version: DatasetVersion, contender: Contender) -> str:
    name = f"“{version.name}”"
    if contender.kind is ModelKind.PREDICTIONS and column.name in {THROUGHPUT, MEMORY}:
        return f"It hands in predictions and runs nowhere, so it has no {column.title.lower()}."
    if contender.kind in _REMOTE and column.name == MEMORY:
        return "It runs on a remote server, whose memory nobody here measures."
    if column.name in {THROUGHPUT, MEMORY}:
        return f"Its {column.title.lower()} on {name} could not be measured."
    return f"It has no {column.title.lower()} on {name} yet."
