"""Wire shapes of how people do."""

from uuid import UUID

from dynabench.kit.sentences import TellingModel, Told
from dynabench.loop.leaderboards.schemas import FigureRead


class HumanGapRead(TellingModel):
    """People and the best model on one release's test set.

    Attributes:
        metric: The task's principal metric, which both are scored by.
        humans: How people do; its value is null where the votes do not say.
        votes: How many single answers were compared.
        method: `blind` or `review`.
        reason: Why there is no value, as a sentence.
        best_model: The best published model's name and version.
        best: Its score.
        gap: People's minus the best model's, in points.
    """

    round_number: int
    version_id: UUID
    metric: str
    humans: FigureRead
    votes: int
    method: str
    reason: str | None
    reason_told: Told | None = None
    best_model: str | None
    best: FigureRead | None
    gap: float | None
