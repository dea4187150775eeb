"""What is read of conversations, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from dynabench.science.metrics.preference import Strength


@dataclass(frozen=True, slots=True)
class JudgedMessage:
    """Whose replies to one message people compared, and what they chose.

    `choice` is the place of a reply, "tie" or "all_bad". `annotator_id` is None where it is
    not known who chose.
    """

    example_id: UUID
    model_ids: tuple[str, ...]
    choice: str
    annotator_id: UUID | None


@dataclass(frozen=True, slots=True)
class PreferenceBoard:
    """The strengths of models, and how many replies of each were judged and found bad."""

    strengths: Sequence[Strength]
    replies: Mapping[str, int]
    all_bad: Mapping[str, int]
