"""Answers that experts found wrong: beside the release, and in the card of the next one."""

import pytest
from httpx2 import ASGITransport, AsyncClient

from dynabench.app.server.factory import create_application
from dynabench.kit.actor import VISITOR
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.datasets.schemas import DatasetPatch
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import (
    DatasetAccess,
    DatasetVersion,
    OpenVerdicts,
    ReleaseOrder,
)
from dynabench.loop.leaderboards.errata.service import ErrataService
from dynabench.loop.leaderboards.suspicions.schemas import SuspicionSettle
from dynabench.loop.leaderboards.suspicions.service import SuspicionService
from dynabench.loop.leaderboards.suspicions.values import Finding
from dynabench.loop.rounds.values import RoundStatus
from tests.factories.contexts import make_context
from tests.factories.datasets import make_example
from tests.factories.rounds import make_round
from tests.loop.leaderboards.scales.conftest import MISLABELLED, Linked

_NO_ERRATA = {"items": [], "wrong": 0, "withheld": 0, "right": 0}

pytestmark = pytest.mark.anyio


async def settle(linked: Linked, place: int, finding: Finding) -> str:
    """Let the expert look at a suspected item of the first round; return its name there."""
    example_id = linked.first.example_ids[place]
    service = linked.stage.wiring.get(SuspicionService)
    await service.settle(example_id, SuspicionSettle(finding=finding), actor=linked.stage.expert)
    return uid_of(example_id)


async def release_next(linked: Linked) -> DatasetVersion:
    """Release a round of two examples."""
    stage = linked.stage
    db, clock = stage.wiring.db, stage.clock
    round_ = await make_round(db, stage.task, status=RoundStatus.CLOSED, clock=clock)
    for author in stage.people[:2]:
        context = await make_context(db, stage.task, clock=clock)
        await make_example(
            db,
            round_,
            context_id=context.id,
            author=author,
            answer={"label": "neutral"},
            clock=clock,
        )
    order = ReleaseOrder(
        round_id=round_.id,
        seed=0,
        licence="CC0",
        open_verdicts=OpenVerdicts.SETTLE,
        allow_incomplete=True,
    )

    async def ignore(_done: float, _total: float, _message: str) -> None:
        return None

    return await stage.wiring.get(ReleaseService).release(order, progress=ignore)


async def test_what_experts_found_wrong_stands_beside_the_release(judged: Linked) -> None:
    stage = judged.stage
    service = stage.wiring.get(ErrataService)
    version = judged.first.version
    await stage.compute()
    before = await service.of_version(version.id, actor=VISITOR)
    uid = await settle(judged, MISLABELLED[0], Finding.WRONG)
    await settle(judged, MISLABELLED[1], Finding.RIGHT)

    told = await service.of_version(version.id, actor=VISITOR)
    to_owner = await service.of_version(version.id, actor=stage.owner)

    assert (before.items, before.wrong, before.right) == ([], 0, 0)
    assert (told.wrong, told.right) == (1, 1)
    # In the test split nobody else is told which, since that tells what is withheld.
    assert (told.items, told.withheld) == ([], 1)
    assert ([one.item.uid for one in to_owner.items], to_owner.withheld) == ([uid], 0)
    assert to_owner.items[0].item.gold is not None
    await stage.wiring.get(ArchiveService).open_test(version.id, actor=stage.owner)
    opened = await service.of_version(version.id, actor=VISITOR)
    assert ([one.item.uid for one in opened.items], opened.withheld) == ([uid], 0)
    assert opened.items[0].finding is Finding.WRONG
    assert (await service.of_version(judged.second.version.id, actor=VISITOR)).wrong == 0


async def test_the_next_release_names_the_errata_of_those_before_it(judged: Linked) -> None:
    stage = judged.stage
    await stage.compute()
    nobody_looked = await release_next(judged)
    uid = await settle(judged, MISLABELLED[0], Finding.WRONG)
    await settle(judged, MISLABELLED[1], Finding.RIGHT)

    withheld = await release_next(judged)
    archives = stage.wiring.get(ArchiveService)
    await archives.open_test(judged.first.version.id, actor=stage.owner)

    version = await release_next(judged)

    assert nobody_looked.card["earlier_errata"] is None
    counts: dict[str, object] = {"looked_at": 2, "wrong": 1}
    assert withheld.card["earlier_errata"] == {**counts, "withheld": 1, "items": []}
    assert version.card["earlier_errata"] == {
        **counts,
        "withheld": 0,
        "items": [
            {
                "release": judged.first.version.name,
                "version": 1,
                "split": "test",
                "uid": uid,
                "experts": "wrong",
            }
        ],
    }


async def test_a_hidden_release_is_named_nowhere(judged: Linked) -> None:
    stage = judged.stage
    await stage.compute()
    await settle(judged, MISLABELLED[0], Finding.WRONG)
    hidden = DatasetPatch(access=DatasetAccess.HIDDEN)
    version_id = judged.first.version.id
    await stage.wiring.get(DatasetService).change(version_id, hidden, actor=stage.owner)

    version = await release_next(judged)

    assert version.card["earlier_errata"] is None
    with pytest.raises(DatasetNotFoundError):
        await stage.wiring.get(ErrataService).of_version(version_id, actor=VISITOR)


async def test_the_route_of_errata(judged: Linked) -> None:
    application = create_application(judged.stage.wiring, fold_in_background=False)
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        address = "/api/v1/dataset-versions/{}/errata"
        found = await client.get(address.format(judged.first.version.id))
        missing = await client.get(address.format(new_id()))

    assert (found.status_code, found.json()) == (200, _NO_ERRATA)
    assert missing.status_code == 404
