"""How much of what fooled goes to dev and to test, where an owner says it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.errors import SplitSharesError
from dynabench.loop.datasets.releases.mixing.rules import require_shares
from dynabench.loop.datasets.releases.mixing.values import Splitting
from dynabench.loop.datasets.releases.notes.rules import what_is_missing
from dynabench.loop.datasets.releases.rules import least_of, plan_release, size_of
from dynabench.loop.datasets.releases.schemas import ReleasePlanQuery
from dynabench.loop.datasets.releases.values import Candidate, MissingPart
from dynabench.loop.datasets.schemas import ReleaseRequest
from dynabench.loop.datasets.values import OpenVerdicts, ReleaseOrder, Split
from tests.conftest import HeldClock
from tests.factories.datasets import Chapters
from tests.loop.datasets.releases.test_mixing import a_round, in_split, rounds
from tests.loop.datasets.releases.test_service import closed_round, ignore

shares = st.one_of(st.none(), st.floats(0.01, 0.45))


@given(items=rounds, seed=st.integers(0, 50), dev=shares, test=shares)
def test_dev_and_test_hold_at_most_their_part_and_half_of_it_did_not_fool(
    items: list[Candidate], seed: int, dev: float | None, test: float | None
) -> None:
    splitting = Splitting(seed=seed, dev_share=dev, test_share=test, share_of_others=0.5)
    plan = plan_release(items, splitting)
    eligible = sum(one.is_eligible for one in items)
    for split, share in ((Split.DEV, dev), (Split.TEST, test)):
        part = in_split(items, plan, split)
        fooling = sum(one.is_eligible for one in part)
        assert fooling <= size_of(share, eligible=eligible)
        assert len(part) - fooling <= fooling
    splits = {plan.splits[one.uid]: one.context for one in items if one.uid in plan.splits}
    assert len(set(splits.values())) == len(splits)


def test_a_larger_part_is_a_larger_split() -> None:
    items = a_round(800, contexts=200, fooling=1.0)
    usual = plan_release(items, Splitting(seed=1))
    more = plan_release(items, Splitting(seed=1, dev_share=0.2, test_share=0.4))
    assert len(in_split(items, usual, Split.TEST)) <= 80
    assert 150 <= len(in_split(items, more, Split.DEV)) <= 160
    assert 300 <= len(in_split(items, more, Split.TEST)) <= 320
    assert len(in_split(items, more, Split.TRAIN)) > 80


def test_what_is_not_said_is_as_it_was() -> None:
    items = a_round()
    assert plan_release(items, Splitting(seed=1)) == plan_release(
        items, Splitting(seed=1, dev_share=None, test_share=None)
    )
    order = ReleaseOrder.of_payload({"round_id": "0" * 32, "seed": "1", "licence": "CC0"})
    assert (order.dev_share, order.test_share) == (None, None)
    said = ReleaseOrder.of_payload({**order.payload(), "test_share": 0.3})
    assert ReleaseOrder.of_payload(said.payload()).test_share == 0.3


def test_a_small_part_needs_more_examples() -> None:
    items = a_round(15, contexts=15, fooling=1.0)
    splitting = Splitting(seed=1, dev_share=0.01, test_share=0.3)
    missing = what_is_missing(items, plan_release(items, splitting), least=least_of(splitting))
    assert least_of(splitting) == 100
    assert MissingPart.VERIFIED in {one.code for one in missing}


@pytest.mark.parametrize(("dev", "test"), [(0.5, 0.5), (None, 0.81), (0.8, 0.2)])
def test_train_keeps_at_least_a_tenth(dev: float | None, test: float | None) -> None:
    with pytest.raises(SplitSharesError, match=r"at most 0\.9"):
        require_shares(dev=dev, test=test)
    require_shares(dev=0.1, test=0.8)


@pytest.mark.parametrize("share", [0, -0.1, 0.009, 0.81, 1])
def test_a_part_is_neither_nothing_nor_everything(share: float) -> None:
    with pytest.raises(ValidationError):
        ReleaseRequest(test_share=share)


async def test_a_release_holds_what_its_plan_promised_and_its_card_says_so(
    database: Database, clock: HeldClock
) -> None:
    _, round_, owner = await closed_round(database, clock)
    chapters = Chapters.over(database, clock)
    wanted = {"dev_share": 0.2, "test_share": 0.3}
    plan = await chapters.desk.plan(round_.id, ReleasePlanQuery.model_validate(wanted), actor=owner)
    usual = await chapters.desk.plan(round_.id, ReleasePlanQuery(), actor=owner)
    promised = {one.split: one.items for one in plan.splits}
    assert promised[Split.TEST] > {one.split: one.items for one in usual.splits}[Split.TEST]
    with pytest.raises(SplitSharesError):
        await chapters.desk.plan(
            round_.id, ReleasePlanQuery(dev_share=0.5, test_share=0.5), actor=owner
        )

    order = ReleaseOrder(
        round_id=round_.id,
        seed=0,
        licence="CC0",
        open_verdicts=OpenVerdicts.SETTLE,
        dev_share=0.2,
        test_share=0.3,
    )
    version = await chapters.releases.release(order, progress=ignore)

    assert version.sizes == {split: count for split, count in promised.items() if count}
    assert {name: version.card[name] for name in wanted} == wanted


async def test_what_was_asked_for_is_what_waits(database: Database, clock: HeldClock) -> None:
    _, round_, owner = await closed_round(database, clock)
    chapters = Chapters.over(database, clock)
    with pytest.raises(SplitSharesError):
        await chapters.desk.release(
            round_.id, ReleaseRequest(dev_share=0.8, test_share=0.2), actor=owner, key=None
        )
    body = ReleaseRequest(test_share=0.3, open_verdicts=OpenVerdicts.SETTLE)
    job = await chapters.desk.release(round_.id, body, actor=owner, key=None)
    async with database.read() as session:
        payload = (await chapters.queue.get(session, job.id)).payload
    assert ReleaseOrder.of_payload(payload).test_share == 0.3
