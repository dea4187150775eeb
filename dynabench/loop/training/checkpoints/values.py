"""What was found under a checkpoint's name."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A checkpoint on this machine.

    Attributes:
        name: As it was asked for.
        folder: Where it lies.
        digest: The SHA-256 over its files.
        commit: The commit on the hub; None for a folder of the operator's.
    """

    name: str
    folder: Path
    digest: str
    commit: str | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """Return what a model's source says of it."""
        return {"name": self.name, "digest": self.digest, "commit": self.commit}
