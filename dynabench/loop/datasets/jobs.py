"""Jobs of datasets."""

from collections.abc import Mapping
from functools import partial

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.kit.db.database import Session
from dynabench.loop.datasets.errors import VerdictsOpenError
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.values import RELEASE_ROUND, DatasetVersion, ReleaseOrder


def handlers(*, releases: ReleaseService, desk: ReleaseDesk) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def release_round(context: JobContext) -> dict[str, JsonValue]:
        order = ReleaseOrder.of_payload(context.payload)
        # A step: what has begun goes on after a lost worker, whoever is an owner by then.
        await context.step("permitted", partial(desk.require_author, order, context.created_by))

        async def end(session: Session, version: DatasetVersion) -> None:
            line = f"{version.name} is out: {version.digest}."
            await context.end(session, _told(version), line=line)

        try:
            version = await releases.release(order, progress=context.progress, ending=end)
        except VerdictsOpenError as error:
            if await desk.keep(order, created_by=context.created_by):
                await context.log(f"{error.message} The release follows when they are decided.")
                return {"waits_for": error.waiting}
            # Another order, which did not wait, was faster: this one gives what that one made.
            version = await releases.release(order, progress=context.progress)
        return _told(version)

    return {RELEASE_ROUND: release_round}


def _told(version: DatasetVersion) -> dict[str, JsonValue]:
    return {"dataset_version_id": str(version.id), "digest": version.digest}
