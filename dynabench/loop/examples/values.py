"""Ids and states of examples."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType, Protocol
from uuid import UUID

from dynabench.loop.rounds.values import Arm
from dynabench.science.task_config.schema import TaskConfig

ExampleId = NewType("ExampleId", UUID)


class Origin(StrEnum):
    """Who wrote an example."""

    HUMAN = "human"
    ASSISTED = "assisted"
    MACHINE = "machine"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPrediction:
    """What one target model answered to an example.

    `is_wrong` compares with the author's answer by the task's rule. `judgement` is what the
    judge of a rubric says of the answer; None under every other rule.
    """

    model_id: UUID
    outputs: dict[str, object]
    probabilities: dict[str, float] | None
    is_wrong: bool | None
    latency_ms: float | None
    judgement: dict[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredExample:
    """One attempt as its row says.

    `fooled_by_author_answer` takes the author's answer for the truth; where a round's gold
    comes from validators, whether the example fooled is their outcome's to say. `arm` is what
    its author was shown of the models.
    """

    id: UUID
    task_id: UUID
    round_id: UUID
    context_id: UUID
    annotator_id: UUID
    attempt_number: int
    inputs: dict[str, object]
    answer: dict[str, object]
    explanations: dict[str, object]
    fooled_by_author_answer: bool | None
    origin: Origin
    suggestion_kept: float | None
    time_spent_seconds: float | None
    contrast_of: UUID | None
    created_at: datetime
    retracted_at: datetime | None
    flagged_at: datetime | None
    flag_reason: str | None
    arm: Arm = Arm.TARGET
    predictions: tuple[StoredPrediction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """An earlier example that a new one may be too close to."""

    example_id: UUID
    annotator_id: UUID
    context_id: UUID
    inputs: dict[str, object]
    is_same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """By what an attempt's likes are found in one round.

    Attributes:
        round_id: The round.
        key: What the very same has.
        bands: Of which something near has at least one.
    """

    round_id: UUID
    key: bytes
    bands: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Who writes an attempt, and for which round."""

    round_id: UUID
    annotator_id: UUID


class Withholding(Protocol):
    """Knows the texts that no model may answer; whoever releases test sets does."""

    async def is_withheld(
        self,
        task_id: UUID,
        *,
        config: TaskConfig,
        context: dict[str, object],
        inputs: dict[str, object],
        writer: Writer | None = None,
    ) -> bool:
        """Tell whether a model's answer to these inputs would tell a withheld one.

        It may also tell what other authors of a blind round answered; there is no `writer` of
        a try, of which nothing is kept.
        """
        ...


EXAMPLE_CHANGED = "examples.changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleChanged:
    """An example was stored or its row changed; announced in the same transaction."""

    example_id: UUID
    round_id: UUID
    annotator_id: UUID
    context_id: UUID
    created_at: datetime

    def payload(self) -> dict[str, str]:
        """Return the announcement as JSON."""
        return {
            "example_id": str(self.example_id),
            "round_id": str(self.round_id),
            "annotator_id": str(self.annotator_id),
            "context_id": str(self.context_id),
            "day": self.created_at.date().isoformat(),
        }
