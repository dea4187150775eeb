"""The columns of a board as they go over the wire, and sentences about the whole."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dynabench.kit.sentences import Phrase, Sentence, recall
from dynabench.loop.datasets.values import Split
from dynabench.loop.leaderboards.columns.rules import version_shares
from dynabench.loop.leaderboards.columns.values import DatasetColumn, MetricColumn, Thinness
from dynabench.loop.leaderboards.humans.rules import WHY_UNKNOWN
from dynabench.loop.leaderboards.ranking.values import Doubt
from dynabench.loop.leaderboards.schemas import (
    DatasetColumnRead,
    DatasetMemberRead,
    ExchangeRatesRead,
    FigureRead,
    HumanFigureRead,
    HumanRow,
    MetricColumnRead,
)
from dynabench.loop.leaderboards.standings.values import Board, HumanScore
from dynabench.loop.leaderboards.values import RankedBy
from dynabench.science.dynascore.choosing import FEWEST_MODELS
from dynabench.science.dynascore.scores import NoScore
from dynabench.science.statistics.clusters import FEWEST_CONTEXTS
from dynabench.science.statistics.influence import combine_intervals

_POINTS = 100.0
_NOT_PREDICTIONS = Phrase(
    "boards.not_predictions", "This task ranks models by people's choices, on a board of its own."
).say()
_FIRST = Phrase(
    "boards.first", "The figures of this board are being computed; look again in a moment."
).say()
_NOBODY = Phrase(
    "boards.nobody", "No model has been scored on every dataset of this board yet."
).say()
_NO_SCORE = {
    NoScore.ONE_MODEL: Phrase(
        "boards.one_model", "A Dynascore compares models, and fewer than two are complete."
    ).say(),
    NoScore.NO_PAIR: Phrase(
        "boards.no_pair", "No two models differ enough in performance to exchange metrics by."
    ).say(),
    NoScore.NO_WEIGHT: Phrase(
        "boards.no_weight", "None of the weighted metrics can be exchanged into performance."
    ).say(),
}
_DOUBTS = {
    Doubt.NO_SPREAD: Phrase(
        "boards.no_spread",
        "A dataset has fewer than {least} contexts of like sizes, so too little tells how sure "
        "the order is.",
    ).say(least=FEWEST_CONTEXTS),
    Doubt.NO_INTERVAL: Phrase(
        "boards.no_interval",
        "Some scores have no interval, where a label is right in fewer than {least} contexts for "
        "example: nothing tells these models apart from others.",
    ).say(least=FEWEST_CONTEXTS),
    Doubt.FIXED_RATES: Phrase(
        "boards.fixed_rates",
        "Fewer than {least} models are complete, and rates between so few would be chance: "
        "metrics are exchanged by fixed rates.",
    ).say(least=FEWEST_MODELS),
}
_THIN = {
    Thinness.FEW_ITEMS: Phrase(
        "boards.few_items",
        "It has too few items ({items}) to weigh anything unless you give it a weight.",
    ),
    Thinness.FEW_CONTEXTS: Phrase(
        "boards.few_contexts",
        "Its {items} items share too few contexts, so it weighs nothing unless you give it a "
        "weight.",
    ),
}
_NOISE = Phrase(
    "boards.noise",
    "Its differences between these models may be noise, so it is not exchanged; its weight is "
    "shared among the others.",
).say()
_BEYOND = Phrase(
    "boards.beyond",
    "It differs so little beside its own size that its exchange would outweigh performance, so "
    "it is not exchanged; its weight is shared among the others.",
).say()
_UNEXCHANGED = Phrase(
    "boards.unexchanged",
    "It is the same for all neighbours in performance, so it cannot be exchanged; its weight is "
    "shared among the others.",
).say()
_NO_DATA = Phrase("boards.no_data", "No model of this board has it yet.").say()
_CHOSEN_ITEMS = Phrase(
    "boards.chosen_items",
    "Test items are those on which validators agreed, so people look better on them than they "
    "would on all items.",
).say()
_NEWER = Phrase("boards.newer", "Newer results are being worked in.").say()
_NAMED = Phrase("sentences.quoted", "“{name}”")
_WITHOUT = Phrase("boards.without", "Without {names}, which has no variants for it.")
_NO_HUMANS = Phrase(
    "humans.of_rounds_alone", "How people do is known of datasets that come from rounds here."
).say()


def no_dynascore(board: Board) -> Sentence | None:
    """Return why nobody has a Dynascore."""
    if board.columns is None:
        return _NOT_PREDICTIONS
    if board.ranking is None:
        return _NOBODY if board.is_current else _FIRST
    if not len(board.ranking.models):
        return _NOBODY
    reason = board.ranking.no_score
    return None if reason is None else _NO_SCORE[reason]


def ranked_by(board: Board) -> RankedBy:
    """Return by what a board's one rank is: by its score, unless one looks at performance."""
    ranking, columns = board.ranking, board.columns
    is_scored = ranking is not None and ranking.dynascore is not None
    if not is_scored or (columns is not None and board.sort == columns.principal.name):
        return RankedBy.PERFORMANCE
    return RankedBy.DYNASCORE


def notes_of(board: Board) -> list[str]:
    """Return what a reader must know beside the numbers."""
    found: list[str] = [] if board.is_current else [_NEWER]
    if board.ranking is not None:
        found += [_DOUBTS[one] for one in board.ranking.doubts]
    if any(one.value is not None for one in board.humans.values()):
        found.append(_CHOSEN_ITEMS)
    return found


def metric_columns(board: Board) -> list[MetricColumnRead]:
    """Return the metrics with their weights and exchange rates."""
    if board.columns is None or board.weights is None:
        return []
    total = sum(board.weights.metrics.values())
    return [
        _metric(board, one, weight=board.weights.metrics[one.name], total=total)
        for one in board.columns.metrics
    ]


def _metric(board: Board, one: MetricColumn, *, weight: float, total: float) -> MetricColumnRead:
    ranking, has_data = board.ranking, one.name in board.with_data
    is_exchanged = ranking is not None and ranking.dynascore is not None
    amrs = ranking.amrs.get(one.name) if ranking is not None and is_exchanged else None
    share = weight / total if total else 0.0
    if ranking is not None and is_exchanged:
        share = ranking.shares.get(one.name, 0.0)
    reason: str | None = None
    if not has_data:
        reason = _NO_DATA
    elif ranking is not None and weight and one.name in ranking.noise:
        reason = _NOISE
    elif ranking is not None and weight and one.name in ranking.beyond:
        reason = _BEYOND
    elif amrs == 0 and weight:
        reason = _UNEXCHANGED
    else:
        reason = _averaged_elsewhere(board, one)
    return MetricColumnRead(
        name=one.name,
        title=one.title,
        unit=one.unit,
        is_lower_better=one.is_lower_better,
        is_principal=one.is_principal,
        weight=weight,
        default_weight=one.default_weight * has_data,
        share=share,
        amrs=amrs,
        has_data=has_data,
        reason=reason,
    )


def _averaged_elsewhere(board: Board, metric: MetricColumn) -> str | None:
    assert board.columns is not None, "the caller looked"
    assert board.weights is not None, "the caller looked"
    names = [
        _NAMED.say(name=version.name)
        for column in board.columns.datasets
        for version in column.versions
        if board.weights.datasets[column.key] and (metric.name, version.id) in board.columns.absent
    ]
    return _WITHOUT.say(names=names) if names else None


def dataset_columns(board: Board) -> list[DatasetColumnRead]:
    """Return the datasets with their weights."""
    if board.columns is None or board.weights is None:
        return []
    total = sum(board.weights.datasets.values())
    return [_dataset(board, one, total=total) for one in board.columns.datasets]


def _dataset(board: Board, one: DatasetColumn, *, total: float) -> DatasetColumnRead:
    assert board.weights is not None, "the caller looked"
    weight, why = board.weights.datasets[one.key], board.thin.get(one.key)
    return DatasetColumnRead(
        key=one.key,
        title=one.title,
        weight=weight,
        default_weight=float(why is None),
        share=weight / total if total else 0.0,
        reason=None if why is None else _THIN[why].say(items=one.items),
        members=[
            DatasetMemberRead(
                version_id=version.id,
                name=version.name,
                version=version.version,
                round_number=None
                if version.round_id is None
                else board.round_numbers.get(version.round_id),
                items=version.sizes[Split.TEST],
            )
            for version in one.versions
        ],
    )


def rates_of(board: Board) -> ExchangeRatesRead | None:
    """Return whose exchange rates are used, if not the board's own."""
    if board.rates is None:
        return None
    return ExchangeRatesRead(
        board_id=board.rates.board_id,
        name=board.rates.name,
        created_at=board.rates.created_at,
        amrs=dict(board.rates.frozen.amrs),
        pairs=board.rates.frozen.pairs,
    )


def human_figure(key: str, score: HumanScore) -> HumanFigureRead:
    """Return how people do on one dataset, in points."""
    value, low, high = (
        None if one is None else one * _POINTS for one in (score.value, score.low, score.high)
    )
    return HumanFigureRead(
        key=key,
        metric=score.metric,
        value=value,
        low=low,
        high=high,
        items=score.items,
        votes=score.votes,
        method=score.method,
        reason=recall(score.reason, WHY_UNKNOWN),
    )


def human_row(board: Board) -> HumanRow | None:
    """Return people as a row beside the models; their average needs every weighted dataset."""
    if board.columns is None or board.weights is None or not board.humans:
        return None
    datasets = [
        human_figure(column.key, board.humans[version.id])
        for column in board.columns.datasets
        for version in column.versions
        if version.id in board.humans
    ]
    shares = version_shares(board.columns, board.weights)
    ids = board.columns.version_ids()
    places = np.flatnonzero(shares)
    used = [(board.humans.get(ids[place]), float(shares[place])) for place in places]
    overlaps = None
    if board.prepared is not None:
        overlaps = board.prepared.shared.overlaps[np.ix_(places, places)]
    figure, reason = _average(used, overlaps)
    return HumanRow(figure=figure, reason=reason, datasets=datasets)


def _average(
    used: Sequence[tuple[HumanScore | None, float]], overlaps: NDArray[np.float64] | None
) -> tuple[FigureRead, str | None]:
    nothing = FigureRead(value=None, low=None, high=None, items=None)
    lacking = [score for score, _ in used if score is None or score.value is None]
    if lacking or not used:
        reasons = [score.reason for score in lacking if score is not None and score.reason]
        return nothing, recall(reasons[0], WHY_UNKNOWN) if reasons else _NO_HUMANS
    scores = [score for score, _ in used if score is not None]
    value, low, high = combine_intervals(
        [np.array([one.value], dtype=float) for one in scores],
        [np.array([one.low], dtype=float) for one in scores],
        [np.array([one.high], dtype=float) for one in scores],
        np.array([share for _, share in used]),
        overlaps,
    )
    ends = [float(one[0]) * _POINTS for one in (value, low, high)]
    return (
        FigureRead(
            value=ends[0],
            low=None if np.isnan(ends[1]) else ends[1],
            high=None if np.isnan(ends[2]) else ends[2],
            items=sum(one.items for one in scores),
        ),
        None,
    )
