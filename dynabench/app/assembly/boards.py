"""Boards, live and saved."""

from dynabench.app.assembly.parts import Parts
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.leaderboards.figures.service import FigureService
from dynabench.loop.leaderboards.history.service import HistoryService
from dynabench.loop.leaderboards.humans.service import HumanService
from dynabench.loop.leaderboards.live.service import LiveNumbers
from dynabench.loop.leaderboards.saved.service import SavedBoardService
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.standings.service import Standings
from dynabench.loop.leaderboards.views.service import ViewService
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.people.directory.service import UserDirectory


def add_boards(parts: Parts, *, patience_seconds: float) -> None:
    """Add what ranks models; `patience_seconds` is how long figures are trusted unlooked at."""
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    datasets, directory = parts.get(DatasetService), parts.get(UserDirectory)
    humans = parts.keep(
        HumanService(db=parts.db, clock=parts.clock, rounds=rounds, datasets=datasets)
    )
    figures = parts.keep(
        FigureService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            datasets=datasets,
            humans=humans,
            queue=parts.queue,
            patience_seconds=patience_seconds,
        )
    )
    standings = parts.keep(
        Standings(db=parts.db, tasks=tasks, rounds=rounds, figures=figures, directory=directory)
    )
    boards = parts.keep(
        BoardService(db=parts.db, models=parts.get(ModelService), standings=standings)
    )
    parts.keep(ViewService(db=parts.db, standings=standings))
    parts.keep(HistoryService(db=parts.db, rounds=rounds, datasets=datasets, standings=standings))
    parts.keep(
        SavedBoardService(
            db=parts.db, clock=parts.clock, tasks=tasks, boards=boards, directory=directory
        )
    )
    parts.keep(
        LiveNumbers(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            folds=parts.get(FoldService),
            # Counts are half as old at most: twice a second is what folding takes.
            pause_seconds=2 * patience_seconds,
        )
    )
