"""Which counts an example goes into: the definition that the fold's SQL has to agree with."""

from collections.abc import Iterable

from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.outcomes.values import Outcome
from dynabench.loop.validations.values import Verdict


def tally_of(outcomes: Iterable[Outcome]) -> Tally:
    """Return the counts of some examples; see `Tally` for what each counts."""
    total = Tally()
    for outcome in outcomes:
        total += _tally_of_one(outcome)
    return total


def _tally_of_one(outcome: Outcome) -> Tally:
    if outcome.voided_at is not None:
        return Tally()
    if outcome.verdict is Verdict.FLAGGED:
        return Tally(flagged=1)
    stands = not outcome.is_retracted
    fooled = stands and outcome.fooled is True
    return Tally(
        collected=1,
        fooled=int(fooled),
        verified_fooled=int(fooled and outcome.verdict is Verdict.CORRECT),
        undecided=int(stands and outcome.fooled is None),
        pending=int(outcome.is_wanted and outcome.verdict is Verdict.PENDING),
        disputed=int(outcome.verdict is Verdict.DISPUTED),
        retracted=int(outcome.is_retracted),
    )
