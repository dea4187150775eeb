"""Models and rounds on one scale, and what experts look at again because of it."""

from dynabench.app.assembly.parts import Parts
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.leaderboards.figures.service import FigureService
from dynabench.loop.leaderboards.scales.service import ScaleService
from dynabench.loop.leaderboards.suspicions.service import SuspicionService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.consensus.service import ConsensusService
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.people.directory.service import UserDirectory


def add_scales(parts: Parts) -> None:
    """Add what compares models across rounds."""
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    directory = parts.get(UserDirectory)
    suspicions = parts.keep(
        SuspicionService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            examples=parts.get(ExampleService),
            experts=parts.get(ExpertService),
            consensus=parts.get(ConsensusService),
            directory=directory,
        )
    )
    parts.keep(
        ScaleService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            figures=parts.get(FigureService),
            suspicions=suspicions,
            directory=directory,
            queue=parts.queue,
        )
    )
