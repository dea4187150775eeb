"""What speaks for which next round."""

from dynabench.app.assembly.parts import Parts
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.leaderboards.next_round.candidates.service import CandidateService
from dynabench.loop.leaderboards.next_round.leaks.service import LeakService
from dynabench.loop.leaderboards.next_round.series.service import SeriesService
from dynabench.loop.leaderboards.next_round.service import NextRoundService
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.standings.service import Standings
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.rates.service import ErrorRateService


def add_plans(parts: Parts) -> None:
    """Add what plans rounds; boards are there already."""
    models, datasets = parts.get(ModelService), parts.get(DatasetService)
    folds, rates = parts.get(FoldService), parts.get(ErrorRateService)
    parts.keep(
        NextRoundService(
            tasks=parts.get(TaskService),
            rounds=parts.get(RoundService),
            models=models,
            datasets=datasets,
            standings=parts.get(Standings),
            candidates=CandidateService(db=parts.db, models=models, boards=parts.get(BoardService)),
            series=SeriesService(clock=parts.clock, folds=folds, rates=rates),
            leaks=LeakService(db=parts.db, datasets=datasets),
        )
    )
