"""What a file of predictions is, and what can be wrong with its lines."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

MOST_PROBLEMS = 100
"""So many are told; the rest are counted."""

UID = "uid"


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionFile:
    """A model's answers to a dataset version, as they were handed in."""

    model_id: UUID
    dataset_version_id: UUID
    digest: str
    items: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What is wrong with a line, or with an item that has none."""

    line: int | None
    uid: str | None
    field: str | None
    problem: str

    def to_json(self) -> dict[str, object]:
        """Return the problem as facts tell it; `path` is the field, or the item without a line."""
        path = self.field if self.line is not None or self.uid is None else f"uid {self.uid}"
        return {"line": self.line, "uid": self.uid, "path": path, "message": self.problem}

    def __str__(self) -> str:
        where = [
            f"line {self.line}" if self.line is not None else "",
            f"uid “{self.uid}”" if self.uid is not None else "",
            f"field “{self.field}”" if self.field is not None else "",
        ]
        place = ", ".join(part for part in where if part)
        return f"{place[:1].upper()}{place[1:]}: {self.problem}" if place else self.problem
