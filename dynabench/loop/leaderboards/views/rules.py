"""Other views of a board, computed from the same figures."""

import math
from dataclasses import dataclass

import numpy as np

from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.leaderboards.columns.values import MEMORY
from dynabench.loop.leaderboards.figures.values import Figures
from dynabench.loop.leaderboards.headings.rules import human_figure
from dynabench.loop.leaderboards.humans.schemas import HumanGapRead
from dynabench.loop.leaderboards.pages.rules import model_read
from dynabench.loop.leaderboards.schemas import FigureRead, HumanFigureRead
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.views.schemas import ParetoPoint, ParetoRead
from dynabench.science.dynascore.fragility import pareto_front

_NO_VOTES = Phrase("humans.no_votes", "Nobody has counted how people do on this round yet.").say()


@dataclass(frozen=True, slots=True)
class _Released:
    """A release of a round and its place among the figures' versions."""

    version: DatasetVersion
    round_number: int
    place: int


def pareto_of(board: Board, metric: str) -> ParetoRead:
    """Return performance against a metric; the front is of these two alone."""
    assert board.columns is not None, "a metric of it was named"
    names = [one.name for one in board.columns.metrics]
    column, principal = board.columns.metrics[names.index(metric)], board.columns.principal
    points: list[ParetoPoint] = []
    if board.ranking is not None and board.figures is not None:
        ranking, place = board.ranking, names.index(metric)
        contenders = {one.id: one for one in board.contenders}
        signs = [-1 if one.is_lower_better else 1 for one in (principal, column)]
        goods = np.stack([ranking.values[0] * signs[0], ranking.values[place] * signs[1]], axis=1)
        front = pareto_front(goods, range(len(goods)))
        for number in ranking.order:
            row = int(ranking.models[number])
            performance, other = (
                FigureRead(
                    value=_number(ranking.values[one, number]),
                    low=_number(ranking.lows[one, number]),
                    high=_number(ranking.highs[one, number]),
                    items=None,
                )
                for one in (0, place)
            )
            points.append(
                ParetoPoint(
                    model=model_read(board, contenders[board.figures.models[row]]),
                    performance=performance,
                    other=other,
                    is_on_front=bool(front[number]),
                )
            )
    return ParetoRead(
        performance=principal.name,
        metric=metric,
        unit=column.unit,
        is_lower_better=column.name == MEMORY or column.is_lower_better,
        points=points,
        as_of=board.as_of,
    )


def gaps_of(board: Board) -> list[HumanGapRead]:
    """Return people and the best model on each released round."""
    found = []
    for one in _released(board):
        score = board.humans.get(one.version.id)
        people = None if score is None else human_figure(str(one.version.id), score)
        name, best = _best(board, one.place)
        gap = None
        if people is not None and people.value is not None and best is not None:
            assert best.value is not None, "the best has a score"
            gap = people.value - best.value
        assert board.columns is not None, "there is a release on it"
        found.append(
            HumanGapRead(
                round_number=one.round_number,
                version_id=one.version.id,
                metric=board.columns.principal.name,
                humans=_people(people),
                votes=0 if people is None else people.votes,
                method="" if people is None else people.method,
                reason=_NO_VOTES if people is None else people.reason,
                reason_told=_NO_VOTES.told if people is None else people.reason_told,
                best_model=name,
                best=best,
                gap=gap,
            )
        )
    return found


def _released(board: Board) -> list[_Released]:
    if board.columns is None:
        return []
    versions = [version for column in board.columns.datasets for version in column.versions]
    found = [
        _Released(version, board.round_numbers[version.round_id], place)
        for place, version in enumerate(versions)
        if version.round_id is not None and version.round_id in board.round_numbers
    ]
    return sorted(found, key=lambda one: one.round_number)


def _best(board: Board, place: int) -> tuple[str | None, FigureRead | None]:
    figures = board.figures
    if figures is None or board.columns is None:
        return None, None
    sign = -1 if board.columns.principal.is_lower_better else 1
    scored = [
        (sign * figures.values[0, row, place], -row, contender)
        for contender in board.contenders
        if contender.is_published and (row := board.places.get(contender.id)) is not None
        if np.isfinite(figures.values[0, row, place])
    ]
    if not scored:
        return None, None
    _, row, contender = max(scored, key=lambda one: one[:2])
    return f"{contender.name} v{contender.version}", _figure(figures, -row, place)


def _people(people: HumanFigureRead | None) -> FigureRead:
    if people is None:
        return FigureRead(value=None, low=None, high=None, items=None)
    return FigureRead(value=people.value, low=people.low, high=people.high, items=people.items)


def _figure(figures: Figures, row: int, place: int) -> FigureRead:
    return FigureRead(
        value=_number(figures.values[0, row, place]),
        low=_number(figures.lows[0, row, place]),
        high=_number(figures.highs[0, row, place]),
        items=int(figures.items[0, row, place]) or None,
    )


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
