"""Who there is to practise with, and what one of them is asked."""

from dataclasses import dataclass
from enum import StrEnum


class Variant(StrEnum):
    """What a practice model is like."""

    HELPFUL = "helpful"
    EAGER = "eager"
    GULLIBLE = "gullible"
    JUDGE = "judge"

    @property
    def served_as(self) -> str:
        """The model's name on the practice server."""
        return f"practice-{self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What was said so far.

    Attributes:
        said: The user's messages, oldest first; the last one is to be answered.
        instructions: What the assistant was told beforehand: system message, context.
        sample: Which further answer to the same is wanted, from 0.
    """

    said: tuple[str, ...]
    instructions: str = ""
    sample: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An answer to be judged, and what it answers.

    Attributes:
        answer: What the model said.
        asked: The message that it answers.
        instructions: What the model was told beforehand.
        earlier: What was asked and answered before, oldest first.
    """

    answer: str
    asked: str = ""
    instructions: str = ""
    earlier: tuple[tuple[str, str], ...] = ()
