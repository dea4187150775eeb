"""What every target model promises, asked of the fake and of each adapter."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.errors import (
    TargetBusyError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    TargetKind,
    TargetModel,
    TargetSpec,
    digest_of,
)
from tests.engines.inference.handlers import LABELS, handler_spec, write_handler
from tests.engines.inference.servers import (
    chat_answer,
    open_inference_answer,
    sentiment_of,
    serve,
)

# Marked here and not at the end of collection: there anyio would lose the fixture's parameter.
pytestmark = pytest.mark.anyio

TEXTS = ("a good day", "a bad day", "silent", "good, though", "hm")


def _spec(kind: TargetKind, **options: object) -> TargetSpec:
    return TargetSpec(
        kind=kind,
        name="Mood",
        input_names=("text",),
        output_names=("label",),
        labels={"label": LABELS},
        options=options,
    )


def _fake() -> FakeTargetModel:
    def rule(item: object) -> dict[str, object]:
        assert isinstance(item, dict)
        label = sentiment_of(item["text"])
        return {"label": label} if label else {}

    return FakeTargetModel(rule, input_names=("text",))


@pytest.fixture(params=["fake", "handler", "endpoint", "openai", "recorded"])
async def target(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[TargetModel]:
    http = HttpSettings(allowed_hosts=frozenset({"127.0.0.1"}))
    async with AsyncExitStack() as stack:
        if request.param == "fake":
            made: TargetModel = _fake()
        elif request.param == "handler":
            made = build_target(handler_spec(write_handler(tmp_path / "mood")))
        elif request.param == "endpoint":
            server = await stack.enter_async_context(serve(open_inference_answer))
            made = build_target(_spec("endpoint", url=server.url, model="mood"), http=http)
        elif request.param == "openai":
            server = await stack.enter_async_context(serve(chat_answer))
            prompt = "Which mood is this? {text}"
            options = {"base_url": server.url, "model": "m", "prompt": prompt}
            made = build_target(_spec("openai", **options), http=http)
        else:
            labels = {text: sentiment_of(text) for text in TEXTS}
            answers = {
                digest_of({"text": text}): {"label": label} if label else {}
                for text, label in labels.items()
            }
            made = build_target(_spec("recorded", answers=answers))
        yield made
        await made.close()


class TestEveryTargetModel:
    async def test_says_who_it_is(self, target: TargetModel) -> None:
        description = await target.describe()
        assert description.name
        assert description.input_names == ("text",)
        assert description.output_names == ("label",)

    async def test_has_the_same_digest_each_time(self, target: TargetModel) -> None:
        assert (await target.describe()).digest == (await target.describe()).digest != ""

    async def test_answers_each_input_in_order(self, target: TargetModel) -> None:
        texts = ("a good day", "a bad day", "good, though")
        predictions = await target.predict([{"text": text} for text in texts])
        assert [p.outputs["label"] for p in predictions] == ["positive", "negative", "positive"]
        assert all(p.error is None and p.latency_seconds >= 0 for p in predictions)

    async def test_answers_nothing_to_nothing(self, target: TargetModel) -> None:
        assert await target.predict([]) == []

    async def test_names_the_field_that_it_left_out(self, target: TargetModel) -> None:
        good, silent = await target.predict([{"text": "a good day"}, {"text": "silent"}])
        assert good.outputs == {"label": "positive"}
        assert silent.outputs == {}
        assert "'label'" in (silent.error or "")

    async def test_never_sees_a_field_that_is_not_its_input(self, target: TargetModel) -> None:
        (prediction,) = await target.predict([{"text": "hm", "label": "positive"}])
        assert prediction.outputs == {"label": "negative"}

    async def test_can_be_asked_again_after_it_was_closed(self, target: TargetModel) -> None:
        await target.predict([{"text": "hm"}])
        await target.close()
        (prediction,) = await target.predict([{"text": "a good day"}])
        assert prediction.outputs == {"label": "positive"}


@pytest.mark.parametrize(
    "error",
    [
        TargetUnavailableError(name="fake", reason="its process ended."),
        TargetTimeoutError(name="fake", timeout_seconds=10),
        TargetBusyError(name="fake", waiting=64),
    ],
)
async def test_the_fake_cannot_be_asked_at_all_where_its_rule_says_so(error: Exception) -> None:
    def rule(_: object) -> dict[str, object]:
        raise error

    with pytest.raises(type(error)):
        await FakeTargetModel(rule).predict([{"text": "hm"}])


async def test_whatever_else_the_rule_of_the_fake_raises_is_one_answer_s_error() -> None:
    def rule(_: object) -> dict[str, object]:
        reason = "no such word"
        raise KeyError(reason)

    (prediction,) = await FakeTargetModel(rule).predict([{"text": "hm"}])
    assert prediction.error == "The model failed with KeyError: 'no such word'"
