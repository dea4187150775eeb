"""Wire shapes of comparisons."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.paging import DEFAULT_PAGE_SIZE, Cursor, Page, PageSize
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.datasets.values import DatasetAccess, Split
from dynabench.loop.evaluations.comparisons.values import Advantage
from dynabench.loop.evaluations.items.values import ItemView
from dynabench.science.texts.wire_texts import OneLine


class ComparisonQuery(WireModel):
    """Which two models to compare, and on which dataset; on all without one."""

    left: UUID
    right: UUID
    dataset_version_id: UUID | None = None


class ComparedItemQuery(WireModel):
    """Which items of a dataset, and the page of them."""

    left: UUID
    right: UUID
    dataset_version_id: UUID
    split: Split = Split.TEST
    better: Annotated[
        Advantage,
        Field(description="`any`: their answers differ; else the model that scores higher."),
    ] = Advantage.ANY
    tag: Annotated[OneLine, Field(max_length=200)] | None = None
    cursor: Cursor = None
    limit: PageSize = DEFAULT_PAGE_SIZE


class ComparedModelRead(WireModel):
    """One of the two models."""

    id: UUID
    name: str
    version: int


class McNemarRead(WireModel):
    """The items that only one model got right, and the exact two-sided p-value."""

    only_left: int
    only_right: int
    p_value: float


class PairedRead(WireModel):
    """Two models' mean scores per item, 0 to 100, and their paired difference: left - right.

    The interval and the p-value take items on one context together. They are null with fewer
    than two contexts, and where the models differ by the same in all contexts. `mcnemar` is
    given where every item is either right or wrong.
    """

    items: int
    left: float
    right: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    mcnemar: McNemarRead | None


class TagPairedRead(PairedRead):
    """The same of the items with a tag."""

    tag: str


class DatasetComparisonRead(WireModel):
    """Two models on one dataset: on its test items, or its dev items where it has no others.

    `paired` is null where the principal metric says nothing of single items. `view` is how
    much of the items the reader sees, null for nothing.
    """

    dataset_version_id: UUID
    dataset_name: str
    dataset_version: int
    round_number: int | None
    access: DatasetAccess
    split: Split
    view: ItemView | None
    paired: PairedRead | None
    tags: list[TagPairedRead]


class LackRead(WireModel):
    """A dataset that cannot be compared on, and who is not evaluated there yet."""

    dataset_version_id: UUID
    dataset_name: str
    dataset_version: int
    lacks: list[UUID]


class ComparisonRead(WireModel):
    """Two models of a task on every dataset that both were evaluated on, newest first."""

    task_slug: str
    left: ComparedModelRead
    right: ComparedModelRead
    metric: str | None
    datasets: list[DatasetComparisonRead]
    lacking: list[LackRead]


class AnswerRead(WireModel):
    """What one of the models answered; `score` is null where it is not the reader's to see."""

    outputs: Values
    error: str | None
    score: float | None


class ComparedItemRead(WireModel):
    """An item on which two models differ; `gold` is null where it is not the reader's to see."""

    uid: str
    context: Values
    inputs: Values
    tags: list[str]
    gold: Values | None
    left: AnswerRead
    right: AnswerRead


class ComparedItemPage(Page[ComparedItemRead]):
    """A part of the items on which two models differ, in the dataset's order."""

    view: ItemView
