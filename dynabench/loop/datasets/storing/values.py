"""What is known of a version before its items are written."""

from dataclasses import dataclass
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionDraft:
    """A version to be written.

    Attributes:
        task_id: Its task.
        name: The dataset; a version of that name before makes this one the next.
        origin: Where it comes from; a dataset has one origin.
        access: Who sees what; None keeps that of the version before.
        tags: What kind of set it is; None keeps those of the version before.
        subtask_of: The column of the board that it belongs to; None keeps it.
        licence: Under which terms it may be used.
        card: What is said of it; the counts of its splits are added.
        label_name: The gold field whose labels are counted; None where there is no single one.
        created_by: Who brought it.
        perturbs_id: The version that it varies.
        perturbs_digest: That version's digest.
    """

    task_id: UUID
    name: str
    origin: DatasetOrigin
    access: DatasetAccess | None
    tags: tuple[str, ...] | None
    subtask_of: str | None
    licence: str
    card: Values
    label_name: str | None
    created_by: UUID | None
    perturbs_id: UUID | None = None
    perturbs_digest: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """The version that holds some items, and whether it is new."""

    version: DatasetVersion
    is_new: bool
