"""What a job of perturbing is asked to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.row_files.values import RowFormat
from dynabench.loop.datasets.values import Split
from dynabench.science.perturbations.values import TransformKind

PERTURB_DATASET = "datasets.perturb"
"""The job that makes a perturbed set of a version; its payload is a `PerturbationOrder`."""

DEFAULT_SEED = 0

VARIED_SPLITS = (Split.TEST, Split.DEV)
"""Models are scored on these; train is theirs."""


def name_of_perturbed(name: str, kind: TransformKind) -> str:
    """Return what the dataset is called that holds the variants of another.

    Example:
        >>> name_of_perturbed("Round 1", TransformKind.FAIRNESS)
        'Round 1 (fairness)'
    """
    return f"{name} ({kind.value})"


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbationOrder:
    """What is to be varied, and how.

    Attributes:
        version_id: The version.
        kind: What the set is to show.
        seed: Decides the draws.
        transforms: Which of them; None takes those of the task's config.
        file: The digest of a file with the owner's own variants; None makes them.
        row_format: How that file is written.
        is_asked: Whether a person asked for it; what the platform tries by itself may find
            nothing to vary.
    """

    version_id: UUID
    kind: TransformKind
    seed: int = DEFAULT_SEED
    transforms: tuple[str, ...] | None = None
    file: str | None = None
    row_format: RowFormat = RowFormat.JSONL
    is_asked: bool = True

    def payload(self) -> dict[str, JsonValue]:
        """Return the order as JSON; a seed may be larger than JSON's numbers."""
        return {
            "version_id": str(self.version_id),
            "kind": self.kind.value,
            "seed": str(self.seed),
            "transforms": None if self.transforms is None else [*self.transforms],
            "file": self.file,
            "row_format": self.row_format.value,
            "is_asked": self.is_asked,
        }

    @classmethod
    def of_payload(cls, payload: Mapping[str, JsonValue]) -> "PerturbationOrder":
        """Read what `payload` wrote."""
        transforms, file = payload["transforms"], payload["file"]
        return cls(
            version_id=UUID(str(payload["version_id"])),
            kind=TransformKind(str(payload["kind"])),
            seed=int(str(payload["seed"])),
            transforms=tuple(map(str, transforms)) if isinstance(transforms, list) else None,
            file=None if file is None else str(file),
            row_format=RowFormat(str(payload["row_format"])),
            is_asked=payload["is_asked"] is True,
        )
