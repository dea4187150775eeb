"""Calls about datasets: releases, exports, what is in them and who sees it."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from dynabench.client.addresses import DatasetRef, RoundRef, TaskRef
from dynabench.client.archives import ArchiveCalls
from dynabench.client.calls import create, delete, get, get_or_none, patch, path, shape
from dynabench.client.dataset_uploads import DatasetUploadCalls
from dynabench.client.files import OnProgress, download
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.datasets.releases.schemas import ReleaseOrderRead, ReleasePlanRead
from dynabench.loop.datasets.schemas import (
    DatasetItemRead,
    DatasetPatch,
    DatasetVersionRead,
    ReleaseRequest,
)
from dynabench.loop.leaderboards.errata.schemas import ErrataRead


class DatasetCalls(DatasetUploadCalls[FaceT], ArchiveCalls[FaceT]):
    """Frozen sets: `TASK/NAME` is the newest version of a name, `TASK/NAME@1` its first.

    Example::

        path = client.datasets.download("nli/Round 1")
    """

    @Endpoint
    def list(
        self,
        task: TaskRef,
        *,
        search: str | None = None,
        access: str | None = None,
        origin: str | None = None,
    ) -> Steps[Table[DatasetVersionRead]]:
        """List the dataset versions of a task, newest first.

        Args:
            task: The task, by its slug.
            search: Only those with this in their name, tags or column.
            access: Only `scoring`, `standard` or `hidden` ones.
            origin: Only those of a `release`, an `upload` or a `perturbation`.
        """
        query = {"search": search, "access": access, "origin": origin}
        return get(path("tasks", task, "datasets"), Table[DatasetVersionRead], query)

    @Endpoint
    def get(self, dataset: DatasetRef) -> Steps[DatasetVersionRead]:
        """Show a dataset version."""
        return get(path("dataset-versions", dataset), DatasetVersionRead)

    @Endpoint
    def update(
        self,
        dataset: DatasetRef,
        *,
        access: str | None = None,
        tags: Sequence[str] | None = None,
        subtask_of: str | None = None,
        licence: str | None = None,
        description: str | None = None,
    ) -> Steps[DatasetVersionRead]:
        """Change who sees what of a dataset, and what is said of it (owners).

        Access, tags and `subtask_of` (an empty text takes it away) hold for all versions.
        """
        body = shape(
            DatasetPatch,
            {
                "access": access,
                "tags": tags,
                "subtask_of": subtask_of,
                "licence": licence,
                "description": description,
            },
        )
        return patch(path("dataset-versions", dataset), DatasetVersionRead, body)

    @Endpoint
    def items(
        self, dataset: DatasetRef, split: str = "test", *, after: int = -1, limit: int = 20
    ) -> Steps[Table[DatasetItemRead]]:
        """Show items of a split behind a position; gold is None where it is withheld."""
        query = {"split": split, "after": after, "limit": limit}
        return get(path("dataset-versions", dataset, "items"), Table[DatasetItemRead], query)

    @Endpoint
    def download_split(
        self,
        dataset: DatasetRef,
        split: str,
        to: str | Path | BinaryIO,
        *,
        on_progress: OnProgress | None = None,
    ) -> Steps[int]:
        """Write one split to a file of JSON lines; gold that scores on the board is withheld.

        Returns:
            The number of bytes written.
        """
        where = path("dataset-versions", dataset, "splits", split)
        return download(where, to, on_progress=on_progress)

    @Endpoint
    def errata(self, dataset: DatasetRef) -> Steps[ErrataRead]:
        """Show which of a dataset's right answers experts found wrong.

        The dataset stays as it is; the card of the task's next release names them.
        """
        return get(path("dataset-versions", dataset, "errata"), ErrataRead)

    __getitem__ = get


class ReleaseCalls(Calls[FaceT]):
    """Rounds frozen as datasets.

    Example::

        print(client.releases.plan("nli/1").sizes)
        job = client.releases.create("nli/1", licence="CC-BY-4.0")
        client.jobs.wait(job)
    """

    @Endpoint
    def create(
        self,
        round_: RoundRef,
        *,
        seed: int = 0,
        licence: str = "CC-BY-4.0",
        open_verdicts: str = "wait",
        allow_incomplete: bool = False,
        dev_share: float | None = None,
        test_share: float | None = None,
        share_of_others: float | None = None,
        apart_from_earlier: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[JobRead]:
        """Freeze a closed round as a dataset with train, dev and test splits (owners).

        Args:
            round_: A closed round.
            seed: Seeds the splits.
            licence: The data's licence.
            open_verdicts: `wait` releases the round once no example waits for a verdict any
                more, `settle` takes those that do as they are, into train.
            allow_incomplete: Release also what has no dev or test, one author or one label.
            dev_share: The part of the verified fooling examples that dev takes, from 0.01 to 0.8;
                a tenth by default, and at most 1,200.
            test_share: The same of test; train has at least a tenth.
            share_of_others: The part of dev and test, from 0 to 0.9, that verified examples make
                up which did not fool; the server's choice by default.
            apart_from_earlier: Keep contexts in one split, and who writes for test alone out of
                train, over all releases of the task; the server's choice by default.
            idempotency_key: Names this request; a fresh one by default.

        Returns:
            The job that does it; `wait_for_job` waits for its end. Its result has the
            `dataset`, or in `waits_for` how many verdicts are waited for.
        """
        body = shape(
            ReleaseRequest,
            {
                "seed": seed,
                "licence": licence,
                "open_verdicts": open_verdicts,
                "allow_incomplete": allow_incomplete,
                "dev_share": dev_share,
                "test_share": test_share,
                "share_of_others": share_of_others,
                "apart_from_earlier": apart_from_earlier,
            },
        )
        return create(path("rounds", round_, "release"), JobRead, body, key=idempotency_key)

    @Endpoint
    def plan(
        self,
        round_: RoundRef,
        *,
        seed: int = 0,
        dev_share: float | None = None,
        test_share: float | None = None,
        share_of_others: float | None = None,
        apart_from_earlier: bool | None = None,
    ) -> Steps[ReleasePlanRead]:
        """Show what a release would hold if it were made now, and what it lacks (owners)."""
        where = path("rounds", round_, "release-plan")
        query = {
            "seed": seed,
            "dev_share": dev_share,
            "test_share": test_share,
            "share_of_others": share_of_others,
            "apart_from_earlier": apart_from_earlier,
        }
        return get(where, ReleasePlanRead, query)

    @Endpoint
    def get_order(self, round_: RoundRef) -> Steps[ReleaseOrderRead | None]:
        """Show the release of a round that waits for verdicts; None if none does (owners)."""
        return get_or_none(path("rounds", round_, "release-order"), ReleaseOrderRead)

    @Endpoint
    def cancel(self, round_: RoundRef) -> Steps[None]:
        """Release a round no more when its verdicts are in (owners)."""
        return delete(path("rounds", round_, "release-order"))
