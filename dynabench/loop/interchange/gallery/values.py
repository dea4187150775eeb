"""What the gallery offers, and what somebody asked of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from pydantic import JsonValue

ADD_TASK = "gallery.add_task"
"""The job that adds a task; its payload is an `AddOrder`."""


class Material(StrEnum):
    """What people look at and work on in a task, the most unusual thing of it."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    CHAT = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOrder:
    """What somebody asked to be added, as a job's payload says it.

    Attributes:
        entry: The gallery's name for the task.
        slug: What it is to be called here.
        asked_by: The administrator whom it will belong to.
    """

    entry: str
    slug: str
    asked_by: UUID

    def payload(self) -> dict[str, JsonValue]:
        """Return the order as JSON."""
        return {"entry": self.entry, "slug": self.slug, "asked_by": str(self.asked_by)}

    @classmethod
    def of_payload(cls, payload: Mapping[str, object]) -> "AddOrder":
        """Read what `payload` wrote."""
        return cls(
            entry=str(payload["entry"]),
            slug=str(payload["slug"]),
            asked_by=UUID(str(payload["asked_by"])),
        )
