"""Calls about single items: what a model answered, and where two models differ."""

from dynabench.client.calls import Id, get, path
from dynabench.client.methods import Endpoint
from dynabench.client.steps import Steps
from dynabench.loop.evaluations.comparisons.schemas import ComparedItemPage, ComparisonRead
from dynabench.loop.evaluations.items.schemas import EvaluationItemPage


class ItemCalls:
    """Models item by item."""

    @Endpoint
    def list_evaluation_items(
        self,
        evaluation_id: Id,
        *,
        split: str = "test",
        outcome: str | None = None,
        tag: str | None = None,
        search: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Steps[EvaluationItemPage]:
        """Browse what a model answered; gold only where the dataset's access allows.

        Args:
            evaluation_id: A model on a dataset version.
            split: `test` or `dev`.
            outcome: `right`, `wrong` or `failed`; all by default.
            tag: Only items with this tag.
            search: A text that the item holds.
            cursor: The `next_cursor` of the page before.
            limit: How many items, at most 200.
        """
        query = {
            "split": split,
            "outcome": outcome,
            "tag": tag,
            "q": search,
            "cursor": cursor,
            "limit": limit,
        }
        return get(path("evaluations", evaluation_id, "items"), EvaluationItemPage, query)

    @Endpoint
    def compare_models(
        self, left: Id, right: Id, *, dataset_version_id: Id | None = None
    ) -> Steps[ComparisonRead]:
        """Compare two models of a task, paired by items, on every dataset or on one."""
        query = {"left": left, "right": right, "dataset_version_id": dataset_version_id}
        return get(path("comparisons"), ComparisonRead, query)

    @Endpoint
    def list_differing_items(
        self,
        left: Id,
        right: Id,
        *,
        dataset_version_id: Id,
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
            dataset_version_id: A dataset that both are evaluated on.
            split: `test` or `dev`.
            better: `left` or `right`, the model that scores higher; `any` difference by default.
            tag: Only items with this tag.
            cursor: The `next_cursor` of the page before.
            limit: How many items, at most 200.
        """
        query = {
            "left": left,
            "right": right,
            "dataset_version_id": dataset_version_id,
            "split": split,
            "better": better,
            "tag": tag,
            "cursor": cursor,
            "limit": limit,
        }
        return get(path("comparisons", "items"), ComparedItemPage, query)
