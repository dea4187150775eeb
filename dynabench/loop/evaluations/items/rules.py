"""How an item went."""

from dynabench.loop.evaluations.items.values import Outcome

FULL_MARKS = 1.0


def outcome_of(*, error: str | None, score: float | None) -> Outcome | None:
    """Return how an item went; None where the principal metric says nothing of items.

    Example:
        >>> outcome_of(error=None, score=0.5).value
        'wrong'
    """
    if error is not None:
        return Outcome.FAILED
    if score is None:
        return None
    return Outcome.RIGHT if score >= FULL_MARKS else Outcome.WRONG
