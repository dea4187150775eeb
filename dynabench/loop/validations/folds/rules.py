"""Which counts an example goes into: the definition that the fold's SQL has to agree with."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date
from typing import TypeAlias
from uuid import UUID

from dynabench.loop.rounds.values import Arm, RoundBudget
from dynabench.loop.validations.folds.values import ContextTally, Tally
from dynabench.loop.validations.outcomes.values import Outcome
from dynabench.loop.validations.values import Verdict

DayKey: TypeAlias = tuple[UUID, date, Arm]

_FAILED = frozenset({Verdict.INCORRECT, Verdict.FLAGGED})


def tally_of(outcomes: Iterable[Outcome]) -> Tally:
    """Return the counts of some examples; see `Tally` for what each counts."""
    total = Tally()
    for outcome in outcomes:
        total += _tally_of_one(outcome)
    return total


def context_tally_of(outcomes: Iterable[Outcome]) -> ContextTally:
    """Return the counts of one context's examples; see `ContextTally` for what each counts."""
    found = list(outcomes)
    fooled = [
        one
        for one in found
        if one.arm is Arm.TARGET and one.fooled and not one.is_retracted and one.voided_at is None
    ]
    return ContextTally(
        annotators=len({one.annotator_id for one in found}),
        attempts=len(found),
        fooled=len(fooled),
        failed_validation=sum(one.verdict in _FAILED for one in fooled),
    )


def spent(budget: RoundBudget, per_arm: Mapping[Arm, Tally]) -> str | None:
    """Return which part of a round's budget its counts have reached, as a sentence.

    What is collected in a control arm costs as much as any other attempt and counts; the
    validated fooling examples that a round is for are those of its targets.
    """
    collected = sum(tally.collected for tally in per_arm.values())
    verified_fooled = per_arm.get(Arm.TARGET, Tally()).verified_fooled
    if budget.examples is not None and collected >= budget.examples:
        return f"It has collected its {budget.examples} examples."
    if budget.validated_fooling is not None and verified_fooled >= budget.validated_fooling:
        return f"It has its {budget.validated_fooling} validated fooling examples."
    return None


class Recount:
    """A round's counts made anew from its outcomes, taken in page by page."""

    def __init__(self) -> None:
        self._days: dict[DayKey, Tally] = {}
        self._contexts: dict[UUID, list[Outcome]] = {}

    def add(self, outcome: Outcome) -> None:
        """Count one more example."""
        day = outcome.example_created_at.astimezone(UTC).date()
        key = (outcome.annotator_id, day, outcome.arm)
        self._days[key] = self._days.get(key, Tally()) + _tally_of_one(outcome)
        self._contexts.setdefault(outcome.context_id, []).append(outcome)

    def days(self) -> dict[DayKey, Tally]:
        """Return each annotator's tally of each day and arm."""
        return self._days

    def contexts(self) -> dict[UUID, ContextTally]:
        """Return each context's tally."""
        return {key: context_tally_of(found) for key, found in self._contexts.items()}


def _tally_of_one(outcome: Outcome) -> Tally:
    if outcome.voided_at is not None:
        return Tally()
    is_flagged = outcome.verdict is Verdict.FLAGGED
    stands = not outcome.is_retracted
    fooled = stands and outcome.fooled is True
    return Tally(
        collected=1,
        fooled=int(fooled),
        verified_fooled=int(fooled and outcome.verdict is Verdict.CORRECT),
        undecided=int(stands and outcome.fooled is None),
        pending=int(outcome.is_wanted and outcome.verdict is Verdict.PENDING),
        disputed=int(outcome.verdict is Verdict.DISPUTED),
        retracted=int(outcome.is_retracted and not is_flagged),
        flagged=int(is_flagged),
    )
