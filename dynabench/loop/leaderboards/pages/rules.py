"""A page of a board as it goes over the wire.

Rows are written as plain values and not by their wire shapes: a page of 50 rows holds five
thousand figures, and a reader who moves a slider waits for them. The tests hold every page to
`BoardRead`.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
import orjson

from dynabench.loop.leaderboards.columns.rules import version_shares
from dynabench.loop.leaderboards.columns.values import Columns
from dynabench.loop.leaderboards.figures.values import Figures, Numbers
from dynabench.loop.leaderboards.headings.rules import (
    dataset_columns,
    human_row,
    metric_columns,
    no_dynascore,
    notes_of,
    ranked_by,
    rates_of,
)
from dynabench.loop.leaderboards.lacks.rules import States, lacks_of
from dynabench.loop.leaderboards.permissions import is_mine
from dynabench.loop.leaderboards.ranking.values import Prepared, Ranking, Sureness
from dynabench.loop.leaderboards.schemas import BoardModelRead, BoardRead, IncompleteRow
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import Contender, RankedBy, RatesFrom
from dynabench.science.dynascore.fragility import Ranges, leave_one_out, pareto_front
from dynabench.science.statistics.influence import combine_intervals
from dynabench.science.statistics.ranks import RankIntervals

MOST_INCOMPLETE = 200
"""So many models that are not ranked are named; more are counted."""

Row = Mapping[str, object]


def board_page(
    board: Board, states: States, *, start: int, size: int, next_cursor: str | None
) -> bytes:
    """Return a page of a board as JSON, of the shape `BoardRead`.

    Args:
        board: The board.
        states: How far the evaluations of its first unranked models are.
        start: The place of the first row, from 0.
        size: How many rows.
        next_cursor: From where the next page goes on.
    """
    ranking, unranked = board.ranking, board.unranked
    frame = BoardRead(
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
        ranked_by=ranked_by(board),
        rates_from=ranking.rates_from if ranking else RatesFrom.OBSERVED,
        rows=[],
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
    values = frame.model_dump(mode="json")
    # A number that is none becomes null here.
    return orjson.dumps({**values, "rows": rows_of(board, start=start, size=size)})


def rows_of(board: Board, *, start: int, size: int) -> list[Row]:
    """Return rows of a board in its order, of the shape `BoardRow`."""
    ranking, prepared, columns = board.ranking, board.prepared, board.columns
    if ranking is None or prepared is None or columns is None or board.weights is None:
        return []
    figures = prepared.figures
    places = [int(one) for one in ranking.order[start : start + size]]
    if not places:
        return []
    contenders = {one.id: one for one in board.contenders}
    used = version_shares(columns, board.weights) > 0
    rows = [int(ranking.models[place]) for place in places]
    averages = _averages(figures, ranking, places, used)
    _write_cells(board.cells, prepared, columns, rows)
    by_score = None if ranking.sureness is None else ranking.sureness.ranks
    left_out, front = _left_out(ranking, places), _front(ranking, places)
    return [
        {
            "model": model_read(board, contenders[figures.models[row]]).model_dump(mode="json"),
            "place": start + number + 1,
            "dynascore": None if ranking.dynascore is None else float(ranking.dynascore[place]),
            "dynascore_interval": _reach(ranking.sureness, place),
            "leave_one_out": _interval(left_out, number),
            "average_z": float(ranking.average_z[place]),
            "rank": _rank_at(_ranks_of(board), place),
            "dynascore_rank": _rank_at(by_score, place),
            "performance_rank": _rank_at(ranking.performance.ranks, place),
            "mcnemar_rank": _rank_at(ranking.performance.mcnemar_ranks, place),
            "is_on_front": front[number],
            "performance_standard_error": float(ranking.performance.standard_errors[place]),
            "figures": averages[number],
            "datasets": orjson.Fragment(board.cells[row]),
            "failed_items": int(figures.failed[row, used].sum()),
            "evaluated_at": _newest(figures, row, used),
        }
        for number, (place, row) in enumerate(zip(places, rows, strict=True))
    ]


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


def _left_out(ranking: Ranking, places: Sequence[int]) -> Ranges | None:
    if ranking.dynascore is None:
        return None
    if ranking.without_each is None:
        # Frozen rates hang on nobody.
        scores = ranking.dynascore[places]
        return Ranges(scores, scores)
    return leave_one_out(ranking.goods, ranking.without_each, places)


def _front(ranking: Ranking, places: Sequence[int]) -> list[bool]:
    if not ranking.is_weighted.any():
        return [False] * len(places)
    return pareto_front(ranking.goods[:, ranking.is_weighted], places)


def _averages(
    figures: Figures, ranking: Ranking, places: Sequence[int], used: np.ndarray
) -> list[Row]:
    rows = ranking.models[places]
    items = figures.items[:, rows][:, :, used].sum(axis=2).tolist()
    values, lows, highs = (
        array[:, places].tolist() for array in (ranking.values, ranking.lows, ranking.highs)
    )
    return [
        {
            name: _figure(
                values[metric][number],
                lows[metric][number],
                highs[metric][number],
                items[metric][number],
            )
            for metric, name in enumerate(figures.metrics)
        }
        for number in range(len(places))
    ]


def _write_cells(
    known: dict[int, bytes], prepared: Prepared, columns: Columns, rows: Sequence[int]
) -> None:
    """Write those models' figures per column that were not written before, as JSON."""
    figures = prepared.figures
    new = [row for row in rows if row not in known]
    found: list[list[Row]] = [[] for _ in new]
    start = 0
    for column in columns.datasets:
        part = slice(start, start + len(column.versions))
        start = part.stop
        values, lows, highs = (array.tolist() for array in _of_column(prepared, new, part))
        items = figures.items[:, new, part].sum(axis=2).tolist()
        for number, cells in enumerate(found):
            cells.append(
                {
                    "key": column.key,
                    "figures": {
                        name: _figure(
                            values[metric][number],
                            lows[metric][number],
                            highs[metric][number],
                            items[metric][number],
                        )
                        for metric, name in enumerate(figures.metrics)
                    },
                }
            )
    known.update({row: orjson.dumps(cells) for row, cells in zip(new, found, strict=True)})


def _of_column(
    prepared: Prepared, rows: Sequence[int], part: slice
) -> tuple[Numbers, Numbers, Numbers]:
    """Return metrics by models; sub-tasks of one column are averaged."""
    figures = prepared.figures
    values, lows, highs = (
        [array[:, rows, place] for place in range(part.start, part.stop)]
        for array in (figures.values, figures.lows, figures.highs)
    )
    if len(values) == 1:
        return values[0], lows[0], highs[0]
    shares = np.full(len(values), 1 / len(values))
    return combine_intervals(values, lows, highs, shares, prepared.shared.overlaps[part, part])


def _figure(value: float, low: float, high: float, items: int) -> Row:
    return {"value": value, "low": low, "high": high, "items": items or None}


def _newest(figures: Figures, row: int, used: np.ndarray) -> datetime | None:
    seconds = figures.evaluated_at[row, used]
    if np.isnan(seconds).all():
        return None
    return datetime.fromtimestamp(float(np.nanmax(seconds)), UTC)


def _ranks_of(board: Board) -> RankIntervals | None:
    """Return the one rank that every view of a board shows."""
    assert board.ranking is not None, "the caller looked"
    if ranked_by(board) is RankedBy.PERFORMANCE:
        return board.ranking.performance.ranks
    return None if board.ranking.sureness is None else board.ranking.sureness.ranks


def _reach(found: Sureness | None, place: int) -> Row | None:
    if found is None or not math.isfinite(found.lows[place] + found.highs[place]):
        return None
    return {"low": float(found.lows[place]), "high": float(found.highs[place])}


def _rank_at(ranks: RankIntervals | None, place: int) -> Row | None:
    if ranks is None:
        return None
    rank = ranks.of(place)
    return {"low": rank.low, "high": rank.high}


def _interval(ranges: Ranges | None, number: int) -> Row | None:
    if ranges is None or not math.isfinite(ranges.low[number] + ranges.high[number]):
        return None
    return {"low": float(ranges.low[number]), "high": float(ranges.high[number])}
