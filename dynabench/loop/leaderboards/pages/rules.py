"""A page of a board as it goes over the wire."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from dynabench.loop.leaderboards.columns.values import Columns
from dynabench.loop.leaderboards.figures.values import Figures
from dynabench.loop.leaderboards.headings.rules import (
    dataset_columns,
    human_row,
    metric_columns,
    no_dynascore,
    notes_of,
    rates_of,
)
from dynabench.loop.leaderboards.lacks.rules import States, lacks_of
from dynabench.loop.leaderboards.permissions import is_mine
from dynabench.loop.leaderboards.ranking.rules import version_shares
from dynabench.loop.leaderboards.ranking.values import Ranking
from dynabench.loop.leaderboards.schemas import (
    BoardModelRead,
    BoardRead,
    BoardRow,
    DatasetFiguresRead,
    FigureRead,
    IncompleteRow,
    IntervalRead,
    RankRead,
)
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import Contender
from dynabench.science.dynascore.fragility import percentile_ranges
from dynabench.science.statistics.influence import combine_intervals
from dynabench.science.statistics.ranks import RankInterval, ranks_by_draws

MOST_INCOMPLETE = 200
"""So many models that are not ranked are named; more are counted."""


def board_read(
    board: Board, states: States, *, start: int, size: int, next_cursor: str | None
) -> BoardRead:
    """Return a page of a board.

    Args:
        board: The board.
        states: How far the evaluations of its first unranked models are.
        start: The place of the first row, from 0.
        size: How many rows.
        next_cursor: From where the next page goes on.
    """
    ranking, unranked = board.ranking, board.unranked()
    return BoardRead(
        task_slug=board.task.slug,
        metrics=metric_columns(board),
        datasets=dataset_columns(board),
        budget_gib=board.weights.budget_gib if board.weights else 0.0,
        pairs=ranking.pairs if ranking else 0,
        pairs_skipped=ranking.pairs_skipped if ranking else 0,
        rates=rates_of(board),
        dynascore_reason=no_dynascore(board),
        notes=notes_of(board),
        sort=board.sort,
        rows=rows_of(board, start=start, size=size),
        ranked=len(ranking.models) if ranking else 0,
        incomplete=[
            IncompleteRow(model=model_read(board, one), lacks=lacks_of(board, one, states))
            for one in unranked[:MOST_INCOMPLETE]
        ],
        incomplete_total=len(unranked),
        humans=human_row(board),
        is_preference=board.columns is None,
        as_of=board.as_of,
        is_current=board.is_current,
        next_cursor=next_cursor,
    )


def rows_of(board: Board, *, start: int, size: int) -> list[BoardRow]:
    """Return rows of a board in its order."""
    ranking, figures, columns = board.ranking, board.figures, board.columns
    if ranking is None or figures is None or columns is None or board.weights is None:
        return []
    places = list(range(start, min(start + size, len(ranking.models))))
    if not places:
        return []
    contenders = {one.id: one for one in board.contenders}
    intervals, ranks = _of_draws(ranking, places)
    shares = version_shares(columns, board.weights)
    found = []
    for number, place in enumerate(places):
        row = int(ranking.models[place])
        contender = contenders[figures.models[row]]
        found.append(
            BoardRow(
                model=model_read(board, contender),
                place=place + 1,
                dynascore=None if ranking.dynascore is None else float(ranking.dynascore[place]),
                dynascore_interval=intervals[number],
                leave_one_out=_interval(ranking.loo_low[place], ranking.loo_high[place]),
                average_z=_number(ranking.average_z[place]),
                dynascore_rank=ranks[number],
                performance_rank=_rank(ranking.performance_ranks, place),
                mcnemar_rank=_rank(ranking.mcnemar_ranks, place),
                is_on_front=bool(ranking.is_on_front[place]),
                performance_standard_error=_number(ranking.standard_errors[place]),
                figures=_averages(figures, ranking, place, row=row, used=shares > 0),
                datasets=_per_dataset(figures, columns, row),
                failed_items=int(figures.failed[row, shares > 0].sum()),
                evaluated_at=_newest(figures, row, shares > 0),
            )
        )
    return found


def model_read(board: Board, contender: Contender) -> BoardModelRead:
    """Return a model as the board's reader may know it."""
    figures = board.figures
    at_client = False
    if figures is not None and contender.id in board.places:
        at_client = bool(figures.at_client[board.places[contender.id]])
    submitter = contender.submitted_by
    is_named = submitter is not None and board.may_know_submitter(contender)
    return BoardModelRead(
        id=contender.id,
        name=contender.name,
        version=contender.version,
        kind=contender.kind,
        isolation=contender.isolation,
        submitted_by=board.submitters.get(submitter) if submitter and is_named else None,
        is_anonymous=contender.is_anonymous,
        is_mine=is_mine(contender, board.actor),
        is_published=contender.is_published,
        is_measured_at_client=at_client,
    )


def _of_draws(
    ranking: Ranking, places: Sequence[int]
) -> tuple[list[IntervalRead | None], list[RankRead | None]]:
    """Return the intervals and ranks that the bootstrap gives of some rows."""
    nothing: list[None] = [None] * len(places)
    draws = ranking.draws
    if draws is not None:
        draws = draws[~np.isnan(draws).any(axis=1)]
    if draws is None or not len(draws):
        return list(nothing), list(nothing)
    ranges = percentile_ranges(draws[:, places])
    return (
        [_interval(low, high) for low, high in zip(ranges.low, ranges.high, strict=True)],
        [RankRead(low=one.low, high=one.high) for one in ranks_by_draws(draws, places)],
    )


def _averages(
    figures: Figures, ranking: Ranking, place: int, *, row: int, used: np.ndarray
) -> dict[str, FigureRead]:
    return {
        name: FigureRead(
            value=_number(ranking.values[number, place]),
            low=_number(ranking.lows[number, place]),
            high=_number(ranking.highs[number, place]),
            items=int(figures.items[number, row, used].sum()) or None,
        )
        for number, name in enumerate(figures.metrics)
    }


def _per_dataset(figures: Figures, columns: Columns, row: int) -> list[DatasetFiguresRead]:
    found, start = [], 0
    for column in columns.datasets:
        stop = start + len(column.versions)
        found.append(
            DatasetFiguresRead(
                key=column.key,
                figures={
                    name: _figure(figures, number, row, slice(start, stop))
                    for number, name in enumerate(figures.metrics)
                },
            )
        )
        start = stop
    return found


def _figure(figures: Figures, metric: int, row: int, part: slice) -> FigureRead:
    """Return one metric on one column; sub-tasks are averaged."""
    values, lows, highs = (
        array[metric, row, part] for array in (figures.values, figures.lows, figures.highs)
    )
    if len(values) > 1:
        parts = [[np.array([one]) for one in array] for array in (values, lows, highs)]
        shares = np.full(len(values), 1 / len(values))
        values, lows, highs = combine_intervals(parts[0], parts[1], parts[2], shares)
    return FigureRead(
        value=_number(values[0]),
        low=_number(lows[0]),
        high=_number(highs[0]),
        items=int(figures.items[metric, row, part].sum()) or None,
    )


def _newest(figures: Figures, row: int, used: np.ndarray) -> datetime | None:
    seconds = figures.evaluated_at[row, used]
    return (
        None if np.isnan(seconds).all() else datetime.fromtimestamp(float(np.nanmax(seconds)), UTC)
    )


def _rank(ranks: Sequence[RankInterval] | None, place: int) -> RankRead | None:
    return None if ranks is None else RankRead(low=ranks[place].low, high=ranks[place].high)


def _interval(low: float, high: float) -> IntervalRead | None:
    is_known = math.isfinite(low) and math.isfinite(high)
    return IntervalRead(low=float(low), high=float(high)) if is_known else None


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
