"""Wire shapes of datasets."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.sentences import Told
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.datasets.values import (
    SHARE_OF_OTHERS,
    DatasetAccess,
    DatasetOrigin,
    OpenVerdicts,
    Split,
)
from dynabench.science.texts.wire_texts import OneLine, SomeLines

Licence = Annotated[OneLine, Field(min_length=1, max_length=100)]
DatasetTags = Annotated[
    list[Annotated[OneLine, Field(min_length=1, max_length=50)]], Field(max_length=20)
]
SubTaskOf = Annotated[OneLine, Field(min_length=1, max_length=100)]
# The card says it, and every program that reads JSON must read the same number.
ReleaseSeed = Annotated[int, Field(ge=-(2**53) + 1, le=2**53 - 1)]
ShareOfOthers = Annotated[float, Field(ge=0, le=0.9)]
SplitShare = Annotated[
    float | None,
    Field(
        ge=0.01,
        le=0.8,
        description="The part of the verified fooling examples; null: a tenth, at most 1,200.",
    ),
]
CardText = Annotated[SomeLines, Field(max_length=20_000)]


class ReleaseRequest(WireModel):
    """How to release a closed round.

    Examples without a verdict are waited for, or settled: taken into train as they are. What
    would have no dev or test, one author or one label is refused unless that is allowed.
    `share_of_others` of dev and test are verified examples that did not fool, where there are
    enough. `dev_share` and `test_share`, together at most 0.9, say how much of what fooled goes
    there; train has the rest. `apart_from_earlier` keeps contexts in one split, and those who
    write for test alone out of train, over all releases of the task.
    """

    seed: ReleaseSeed = 0
    licence: Annotated[OneLine, Field(min_length=1, max_length=100, pattern=r"\S")] = "CC-BY-4.0"
    open_verdicts: OpenVerdicts = OpenVerdicts.WAIT
    allow_incomplete: bool = False
    dev_share: SplitShare = None
    test_share: SplitShare = None
    share_of_others: ShareOfOthers = SHARE_OF_OTHERS
    apart_from_earlier: bool = True


class SplitRead(WireModel):
    """One split of a dataset version."""

    split: str
    items: int


class DatasetVersionRead(WireModel):
    """A frozen set.

    `is_newest` tells the version that counts from those before it; a perturbed set names in
    `perturbs_id` the version that it varies, and in `perturbation` how. `test_opened_at` tells
    since when the right answers are given out that a set for the board withholds; `told` says
    what the sentences in `card` and `perturbation` say, by the sentence.
    """

    id: UUID
    dataset_id: UUID
    task_slug: str
    name: str
    version: int
    is_newest: bool
    round_number: int | None
    digest: str
    licence: str
    access: DatasetAccess
    origin: DatasetOrigin
    subtask_of: str | None
    tags: list[str]
    perturbs_id: UUID | None
    perturbation: Values | None
    items: int
    splits: list[SplitRead]
    card: Values
    told: dict[str, Told] = Field(default_factory=dict)
    created_at: datetime
    test_opened_at: datetime | None


class DatasetPatch(WireModel):
    """What an owner may change of a dataset.

    Access, tags and `subtask_of` hold for all its versions and the sets that vary them;
    licence and description for this version. An empty `subtask_of` takes it away.
    """

    access: DatasetAccess | None = None
    tags: DatasetTags | None = None
    subtask_of: Annotated[OneLine, Field(max_length=100)] | None = None
    licence: Licence | None = None
    description: CardText | None = None


class DatasetItemRead(WireModel):
    """An item on a page; `gold` is null where it is withheld from who asks."""

    uid: str
    split: Split
    position: int
    context: Values
    inputs: Values
    gold: Values | None
    tags: list[str]
    original_uid: str | None
    transform: str | None
