"""Ids, splits and values of datasets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.kit.wire import Values

DatasetVersionId = NewType("DatasetVersionId", UUID)


class Split(StrEnum):
    """What a part of a dataset is for."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


class DatasetAccess(StrEnum):
    """Who sees what of a dataset.

    `scoring`: on the board, its gold answers hidden; `standard`: reported on model pages and
    open; `hidden`: for the task's owners alone.
    """

    SCORING = "scoring"
    STANDARD = "standard"
    HIDDEN = "hidden"


class DatasetOrigin(StrEnum):
    """Where a dataset comes from."""

    RELEASE = "release"
    UPLOAD = "upload"
    PERTURBATION = "perturbation"


class PerturbationMaker(StrEnum):
    """Who changed the texts."""

    PLATFORM = "platform"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetItem:
    """One item of a frozen dataset version.

    Attributes:
        uid: Its name in files and predictions; tells nothing about who wrote it.
        split: Which part it belongs to.
        position: Its place in the split.
        context: What was written about.
        inputs: What was written.
        gold: The right answer of each field: one, or a list of acceptable ones.
        tags: What kind of item it is; metrics are given per tag.
        annotator: Its author's pseudonym within this dataset; empty where nobody knows.
        is_fooling: Whether it fooled the targets; None where nobody can tell.
        is_verified: Whether other people found the gold answer right.
        context_digest: The SHA-256 of the context; items on one context are not independent.
        original_uid: In a perturbed set, the item of the original set that this one varies.
        transform: In a perturbed set, how it was varied.
    """

    uid: str
    split: Split
    position: int
    context: Values
    inputs: Values
    gold: Values
    tags: tuple[str, ...]
    annotator: str
    is_fooling: bool | None
    is_verified: bool
    context_digest: bytes
    original_uid: str | None = None
    transform: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetVersion:
    """A frozen dataset version without its items; `sizes` counts them by split."""

    id: UUID
    dataset_id: UUID
    task_id: UUID
    round_id: UUID | None
    name: str
    version: int
    digest: str
    licence: str
    card: Values
    sizes: Mapping[Split, int]
    created_at: datetime
    access: DatasetAccess = DatasetAccess.SCORING
    origin: DatasetOrigin = DatasetOrigin.RELEASE
    subtask_of: str | None = None
    tags: tuple[str, ...] = ()
    perturbs_id: UUID | None = None
    perturbation: Values | None = None
    created_by: UUID | None = None
    # When an owner gave out the right answers of test; of variants, of the set that they vary.
    test_opened_at: datetime | None = None
    archive_job_id: UUID | None = None

    @property
    def items(self) -> int:
        """How many items it has in all splits."""
        return sum(self.sizes.values())


SHARE_OF_OTHERS = 0.5
"""How much of dev and test did not fool, where nobody says otherwise: then a target that is
known has half of them right."""

RELEASE_ROUND = "datasets.release"
"""The job that freezes a round; its payload is a `ReleaseOrder`."""

DATASET_PUBLISHED = "datasets.published"
"""The job that whoever waits for datasets registers a handler for: `{"version_id": …}`.

It is enqueued in the transaction that writes the version, so that none is overlooked.
"""


class OpenVerdicts(StrEnum):
    """What a release does about examples that still wait for their verdict.

    `wait`: nothing is released before the last of them is decided; `settle`: they are taken
    as they are, into train and marked as not verified.
    """

    WAIT = "wait"
    SETTLE = "settle"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOrder:
    """What somebody asked to be released, as a job's payload says it.

    `allow_incomplete` lets out what has no dev or test, one author or one label.
    `dev_share` and `test_share` are the parts of the verified fooling examples that go there;
    None is the usual one. `share_of_others` is the part of dev and test that verified examples
    make up which did not fool; `apart_from_earlier` keeps contexts and test's authors apart over
    all releases of a task.
    """

    round_id: UUID
    seed: int
    licence: str
    open_verdicts: OpenVerdicts = OpenVerdicts.WAIT
    allow_incomplete: bool = False
    dev_share: float | None = None
    test_share: float | None = None
    share_of_others: float = SHARE_OF_OTHERS
    apart_from_earlier: bool = True

    @property
    def shares(self) -> Values:
        """The parts that dev and test take, by their names; those that are said."""
        said = {"dev_share": self.dev_share, "test_share": self.test_share}
        return {name: share for name, share in said.items() if share is not None}

    def payload(self) -> dict[str, str | bool | float | None]:
        """Return the order as JSON; a seed may be larger than JSON's numbers."""
        return {
            "round_id": str(self.round_id),
            "seed": str(self.seed),
            "licence": self.licence,
            "open_verdicts": self.open_verdicts.value,
            "allow_incomplete": self.allow_incomplete,
            "dev_share": self.dev_share,
            "test_share": self.test_share,
            "share_of_others": self.share_of_others,
            "apart_from_earlier": self.apart_from_earlier,
        }

    @classmethod
    def of_payload(cls, payload: Mapping[str, object]) -> "ReleaseOrder":
        """Read what `payload` wrote; what an older version wrote says less."""
        return cls(
            round_id=UUID(str(payload["round_id"])),
            seed=int(str(payload["seed"])),
            licence=str(payload["licence"]),
            open_verdicts=OpenVerdicts(str(payload.get("open_verdicts", OpenVerdicts.WAIT))),
            allow_incomplete=payload.get("allow_incomplete") is True,
            dev_share=_share(payload.get("dev_share")),
            test_share=_share(payload.get("test_share")),
            share_of_others=float(str(payload.get("share_of_others", SHARE_OF_OTHERS))),
            apart_from_earlier=payload.get("apart_from_earlier", True) is True,
        )


def _share(value: object) -> float | None:
    return None if value is None else float(str(value))
