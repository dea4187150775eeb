"""Wire shapes of the error browser."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.paging import DEFAULT_PAGE_SIZE, Cursor, Page, PageSize
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.items.values import ItemView, Outcome
from dynabench.science.texts.wire_texts import OneLine


class EvaluationItemFilter(WireModel):
    """A choice among the items of an evaluation; an absent field does not restrict."""

    split: Split = Split.TEST
    outcome: Annotated[
        Outcome | None,
        Field(description="`right`: full marks; `wrong`: less; `failed`: no usable answer."),
    ] = None
    tag: Annotated[OneLine, Field(max_length=200)] | None = None
    q: Annotated[str | None, Field(max_length=200, description="A text that the item holds.")] = (
        None
    )


class EvaluationItemQuery(EvaluationItemFilter):
    """A choice among the items of an evaluation, and the page of it."""

    cursor: Cursor = None
    limit: PageSize = DEFAULT_PAGE_SIZE


class EvaluationItemRead(WireModel):
    """An item beside what a model answered.

    `score` is the item's part in the principal metric, 0 to 100. `gold`, `score` and `outcome`
    are null where they are not the reader's to see; `outcome` is `failed` for everyone.
    """

    uid: str
    context: Values
    inputs: Values
    tags: list[str]
    original_uid: str | None
    transform: str | None
    outputs: Values
    probabilities: dict[str, float] | None
    error: str | None
    outcome: Outcome | None
    score: float | None
    gold: Values | None


class EvaluationItemPage(Page[EvaluationItemRead]):
    """A part of an evaluation's items, in the dataset's order; `view` tells what is shown."""

    evaluation_id: UUID
    split: Split
    view: ItemView
