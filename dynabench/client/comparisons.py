"""Calls about single items: what a model answered, and where two models differ."""

from dynabench.client.addresses import DatasetRef, ModelRef
from dynabench.client.calls import get, path
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.loop.evaluations.comparisons.schemas import ComparedItemPage, ComparisonRead


class ComparisonCalls(Calls[FaceT]):
    """Two models, paired by items.

    Example::

        compared = client.comparisons.get("nli/starter", "nli/retrained")
    """

    @Endpoint
    def get(
        self, left: ModelRef, right: ModelRef, *, dataset: DatasetRef | None = None
    ) -> Steps[ComparisonRead]:
        """Compare two models of a task, paired by items, on every dataset or on one."""
        query = {"left": left, "right": right, "dataset_version_id": dataset}
        return get(path("comparisons"), ComparisonRead, query)

    @Endpoint
    def items(
        self,
        left: ModelRef,
        right: ModelRef,
        *,
        dataset: DatasetRef,
        split: str = "test",
        better: str = "any",
        tag: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Steps[ComparedItemPage]:
        """Browse the items on which two models differ, where the dataset's access allows.

        Args:
            left: A model.
            right: Another model of the same task.
            dataset: A dataset that both are evaluated on.
            split: `test` or `dev`.
            better: `left` or `right`, the model that scores higher; `any` difference by default.
            tag: Only items with this tag.
            cursor: The `next_cursor` of the page before.
            limit: How many items, at most 200.
        """
        query = {
            "left": left,
            "right": right,
            "dataset_version_id": dataset,
            "split": split,
            "better": better,
            "tag": tag,
            "cursor": cursor,
            "limit": limit,
        }
        return get(path("comparisons", "items"), ComparedItemPage, query)
