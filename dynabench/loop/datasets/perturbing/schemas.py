"""Wire shapes of perturbed sets."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.engines.row_files.values import RowFormat
from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.datasets.uploads.schemas import FileDigest, ItemProblemRead
from dynabench.loop.datasets.uploads.values import ImportState
from dynabench.loop.datasets.values import Split
from dynabench.science.perturbations.values import TransformKind
from dynabench.science.texts.wire_texts import OneLine


class PerturbationCreate(WireModel):
    """How to vary a version: by the platform's transforms, or by a file of one's own.

    Without `transforms` those of the task's config are used. A file has a row for each
    variant: `original_uid`, the changed texts by field, and what to call the transform.
    """

    kind: TransformKind
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    transforms: (
        Annotated[
            list[Annotated[OneLine, Field(min_length=1, max_length=60)]],
            Field(min_length=1, max_length=60),
        ]
        | None
    ) = None
    file: FileDigest | None = None
    row_format: RowFormat = RowFormat.JSONL


class PerturbationResultRead(WireModel):
    """What became of a perturbing job; its `result`."""

    state: ImportState
    dataset_version_id: UUID | None
    name: str
    version: int | None
    items: int
    perturbation: Values | None
    problems: list[ItemProblemRead]
    more_problems: int


class VariedTextRead(WireModel):
    """One text of an item before and after."""

    field: str
    original: str
    variant: str


class VariantRead(WireModel):
    """A variant beside what it varies; only texts that changed."""

    uid: str
    original_uid: str
    split: Split
    transform: str
    texts: list[VariedTextRead]


class TransformRead(TellingModel):
    """A transform; `reason` says why it is not used on a task where nobody names it."""

    name: str
    kind: TransformKind
    description: str
    is_used: bool
    reason: str | None
    reason_told: Told | None = None
