"""The line before a model: batches, bounds and the cache, with targets that the test holds."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from dynabench.engines.inference.errors import TargetBusyError, TargetUnavailableError
from dynabench.engines.inference.host import HostSettings, ModelHost
from dynabench.engines.inference.protocol import (
    Description,
    FakeTargetModel,
    ModelInput,
    Prediction,
)
from tests.engines.inference.waiting import gathered, until

pytestmark = pytest.mark.anyio


class HeldTarget:
    """A target that answers when the test lets it."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.batches: list[list[ModelInput]] = []

    async def describe(self) -> Description:
        return Description(name="held", digest="d", input_names=(), output_names=("label",))

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        self.batches.append(list(batch))
        await self.go.wait()
        return [Prediction(outputs={"label": "x"}) for _ in batch]

    async def close(self) -> None:
        return


async def test_requests_that_arrive_during_a_batch_form_the_next_one() -> None:
    host, target = ModelHost(HostSettings(max_batch=8)), HeldTarget()
    host.attach("held", target, name="held")
    first = asyncio.create_task(host.predict("held", {"n": 0}))
    await until(lambda: len(target.batches) == 1)
    others = [asyncio.create_task(host.predict("held", {"n": n})) for n in range(1, 13)]
    await until(lambda: host.health()["held"].waiting == 12)
    target.go.set()
    await asyncio.gather(first, *others)
    assert [len(batch) for batch in target.batches] == [1, 8, 4]
    await host.close()


async def test_a_full_queue_refuses_with_a_sentence() -> None:
    host, target = ModelHost(HostSettings(max_waiting=3)), HeldTarget()
    host.attach("held", target, name="Held")
    tasks = [asyncio.create_task(host.predict("held", {"n": n})) for n in range(1)]
    await until(lambda: len(target.batches) == 1)
    tasks += [asyncio.create_task(host.predict("held", {"n": n})) for n in range(1, 4)]
    await until(lambda: host.health()["held"].waiting == 3)
    with pytest.raises(TargetBusyError, match=r"Held is busy: 3 requests .* text is kept"):
        await host.predict("held", {"n": 99})
    target.go.set()
    await asyncio.gather(*tasks)
    await host.close()


async def test_who_goes_away_leaves_the_queue() -> None:
    host, target = ModelHost(), HeldTarget()
    host.attach("held", target, name="held")
    first = asyncio.create_task(host.predict("held", {"n": 0}))
    await until(lambda: len(target.batches) == 1)
    gone = asyncio.create_task(host.predict("held", {"n": 1}))
    await until(lambda: host.health()["held"].waiting == 1)
    gone.cancel()
    await gathered(gone)
    target.go.set()
    await first
    assert (await host.predict("held", {"n": 2})).error is None
    assert target.batches == [[{"n": 0}], [{"n": 2}]]
    await host.close()


async def test_an_identical_input_is_answered_from_the_cache() -> None:
    host, target = ModelHost(), FakeTargetModel(lambda item: {"label": str(item["text"])})
    host.attach("fake", target, name="fake")
    first = await host.predict("fake", {"a": 1, "text": "x"})
    assert await host.predict("fake", {"text": "x", "a": 1}) == first
    assert len(target.asked) == 1
    await host.close()


async def test_an_error_is_not_remembered() -> None:
    answers: list[Mapping[str, object]] = [{}, {"label": "x"}]
    host, target = ModelHost(), FakeTargetModel(lambda _item: answers.pop(0))
    host.attach("fake", target, name="fake")
    assert (await host.predict("fake", {"text": "x"})).error is not None
    assert (await host.predict("fake", {"text": "x"})).error is None
    await host.close()


async def test_an_adapter_that_breaks_its_promise_hangs_nobody() -> None:
    class Broken(HeldTarget):
        async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
            raise RuntimeError(f"cannot take {len(batch)}")

    host = ModelHost()
    host.attach("broken", Broken(), name="Broken")
    for _ in range(2):
        with pytest.raises(TargetUnavailableError, match="its adapter failed with RuntimeError"):
            await host.predict("broken", {})
    await host.close()


async def test_a_forgotten_model_is_unknown() -> None:
    host, target = ModelHost(), FakeTargetModel(lambda _item: {"label": "x"})
    host.attach("fake", target, name="fake")
    await host.warm("fake")
    assert host.is_registered("fake")
    await host.forget("fake")
    await host.forget("fake")
    assert target.is_closed
    assert not host.is_registered("fake")
    await host.close()


async def test_an_unknown_key_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="call register first"):
        await ModelHost().predict("nobody", {})
