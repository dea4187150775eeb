"""Votes, verdicts, rates and who annotates."""

from dynabench.app.assembly.parts import Parts
from dynabench.loop.assignments.service import AssignmentService
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.admission.service import AdmissionService
from dynabench.loop.validations.admission.values import AdmissionRule
from dynabench.loop.validations.arms.service import ArmService
from dynabench.loop.validations.consensus.service import ConsensusService
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.service import ValidationService
from dynabench.people.directory.service import UserDirectory


def add_validation(parts: Parts, *, patience_seconds: float) -> None:
    """Add what a vote passes through; `patience_seconds` is the age at which a fold is too old."""
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    contexts, examples = parts.get(ContextService), parts.get(ExampleService)
    outcomes = parts.keep(
        OutcomeService(clock=parts.clock, tasks=tasks, rounds=rounds, examples=examples)
    )
    folds = parts.keep(
        FoldService(
            db=parts.db,
            clock=parts.clock,
            rounds=rounds,
            outcomes=outcomes,
            patience_seconds=patience_seconds,
        )
    )
    admission = AdmissionService(
        db=parts.db,
        clock=parts.clock,
        people=parts.get(UserDirectory),
        rule=AdmissionRule(
            wait=parts.settings.validation_wait,
            same_address_within=parts.settings.same_address_window,
        ),
    )
    parts.keep(
        ValidationService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            examples=examples,
            outcomes=outcomes,
            folds=folds,
            media=parts.get(MediaResolver),
            admission=admission,
        )
    )
    _add_readers(parts)


def _add_readers(parts: Parts) -> None:
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    contexts, examples = parts.get(ContextService), parts.get(ExampleService)
    folds, directory = parts.get(FoldService), parts.get(UserDirectory)
    parts.keep(ConsensusService(db=parts.db, tasks=tasks, rounds=rounds, people=directory))
    parts.keep(
        ExpertService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            examples=examples,
            outcomes=parts.get(OutcomeService),
            folds=folds,
            people=directory,
            media=parts.get(MediaResolver),
        )
    )
    parts.keep(
        ErrorRateService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            people=directory,
            folds=folds,
        )
    )
    parts.keep(ArmService(db=parts.db, tasks=tasks, rounds=rounds, folds=folds))
    parts.keep(
        AssignmentService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            examples=examples,
            folds=folds,
        )
    )
