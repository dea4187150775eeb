"""What a judge says of an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from uuid import UUID

ANSWER_NAME = "answer"
RUBRIC_NAME = "rubric"
BROKEN_NAME = "broken"
REASON_NAME = "reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A judge's word on one answer, and the author's on top of it.

    Attributes:
        broken: The criteria that the answer breaks; None where the judge gave no usable word.
        reason: Why, in the judge's words.
        error: Why there is no word.
        judge_id: The model version that judged; None where there was none to ask.
        author_says_wrong: What the author said once the judgement was there.
    """

    broken: tuple[str, ...] | None
    reason: str | None = None
    error: str | None = None
    judge_id: UUID | None = None
    author_says_wrong: bool | None = None

    @property
    def says_wrong(self) -> bool | None:
        """Whether the judge found the answer wrong; None where it gave no word."""
        return None if self.broken is None else bool(self.broken)

    def to_json(self) -> dict[str, object]:
        """Return the judgement as it is stored."""
        return {
            "broken": None if self.broken is None else list(self.broken),
            "reason": self.reason,
            "error": self.error,
            "judge_id": None if self.judge_id is None else str(self.judge_id),
            "author_says_wrong": self.author_says_wrong,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> Self:
        """Read what `to_json` wrote."""
        broken, says = value.get("broken"), value.get("author_says_wrong")
        reason, error, judge_id = (value.get(key) for key in ("reason", "error", "judge_id"))
        return cls(
            broken=tuple(str(name) for name in broken) if isinstance(broken, list) else None,
            reason=None if reason is None else str(reason),
            error=None if error is None else str(error),
            judge_id=None if judge_id is None else UUID(str(judge_id)),
            author_says_wrong=says if isinstance(says, bool) else None,
        )
