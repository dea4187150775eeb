"""Models behind HTTP: what servers may answer, what they are sent, and where we never call."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import pytest

from dynabench.engines.inference.endpoint import EndpointTarget
from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetSpecError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.openai import OpenAITarget, first_label
from dynabench.engines.inference.outputs import AnswerProblemError
from dynabench.engines.inference.protocol import Prediction, TargetSpec
from dynabench.engines.inference.spans import located_span
from tests.engines.inference.servers import Answer, Reply, Request, Server, serve

pytestmark = pytest.mark.anyio

LOCAL = HttpSettings(allowed_hosts=frozenset({"127.0.0.1"}))
LABELS = ("entailment", "neutral", "contradiction")


def spec(kind: Literal["endpoint", "openai"], **options: object) -> TargetSpec:
    return TargetSpec(
        kind=kind,
        name="Remote",
        input_names=("premise", "hypothesis"),
        output_names=("label",),
        labels={"label": LABELS},
        options=options,
    )


def tensor(
    name: str, data: list[object], shape: list[int], kind: str = "BYTES"
) -> dict[str, object]:
    return {"name": name, "datatype": kind, "shape": shape, "data": data}


def replying(*tensors: dict[str, object]) -> Answer:
    return lambda _request: Reply(body={"outputs": list(tensors)})


def saying(content: object) -> Answer:
    return lambda _request: Reply(body={"choices": [{"message": {"content": content}}]})


async def ask_endpoint(
    answer: Answer, *, count: int = 1, settings: HttpSettings = LOCAL, **options: object
) -> tuple[list[Prediction], Server]:
    async with serve(answer) as server:
        target = EndpointTarget(
            spec("endpoint", url=server.url, model="nli", **options), settings=settings
        )
        batch = [{"premise": f"p{n}", "hypothesis": f"h{n}"} for n in range(count)]
        try:
            return await target.predict(batch), server
        finally:
            await target.close()


async def ask_chat(
    answer: Answer,
    changes: Mapping[str, object] | None = None,
    *,
    settings: HttpSettings = LOCAL,
    **options: object,
) -> tuple[Prediction, Server]:
    given = {"model": "m", "prompt": "{premise} / {hypothesis}", **options, **(changes or {})}
    async with serve(answer) as server:
        target = OpenAITarget(spec("openai", base_url=server.url, **given), settings=settings)
        try:
            (prediction,) = await target.predict([{"premise": "a {b}", "hypothesis": "{premise}"}])
            return prediction, server
        finally:
            await target.close()


async def test_an_endpoint_gets_text_tensors_and_gives_labels_with_probabilities() -> None:
    answer = replying(
        tensor("label", ["neutral", "entailment"], [2]),
        tensor("probabilities", [[0.2, 0.7, 0.1], [0.8, 0.1, 0.1]], [2, 3], "FP32"),
    )
    predictions, server = await ask_endpoint(answer, count=2)
    assert [p.outputs["label"] for p in predictions] == ["neutral", "entailment"]
    assert predictions[1].probabilities == dict(zip(LABELS, (0.8, 0.1, 0.1), strict=True))
    assert [one.path for one in server.requests] == ["/v2/models/nli", "/v2/models/nli/infer"]
    assert server.requests[1].json()["inputs"] == [
        tensor("premise", ["p0", "p1"], [2]),
        tensor("hypothesis", ["h0", "h1"], [2]),
    ]


async def test_an_endpoint_may_name_its_tensors_otherwise_and_answer_with_indices() -> None:
    answer = replying(tensor("class", [2], [1, 1], "INT64"))
    predictions, server = await ask_endpoint(
        answer, field_map={"premise": "first"}, output_map={"label": "class"}, version="3"
    )
    assert predictions[0].outputs == {"label": "contradiction"}
    assert server.requests[1].path == "/v2/models/nli/versions/3/infer"
    assert "first" in server.requests[1].body.decode()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (replying(), "'label' is missing"),
        (replying(tensor("label", ["neutral"], [2])), "shape [2] and 1 values"),
        (replying(tensor("label", ["neutral"], [])), "shape []"),
        (replying(tensor("label", ["maybe"], [1])), "'maybe'"),
        (replying({"name": "label", "data": ["neutral"]}), "has no shape"),
        (
            replying(
                tensor("label", ["neutral"], [1]),
                tensor("probabilities", [0.5, 0.5], [1, 2], "FP32"),
            ),
            "has 2 values per input; the task has 3 labels",
        ),
        (lambda request: Reply(body={} if request.method == "GET" else []), "no list 'outputs'"),
        (lambda _request: Reply(raw=b"<html>"), "not JSON"),
        (lambda _request: Reply(raw=b" " * 5_000_000), "larger than 4096 KiB"),
    ],
)
async def test_an_unusable_answer_of_an_endpoint_is_an_error_in_words(
    answer: Answer, told: str
) -> None:
    predictions, _server = await ask_endpoint(answer)
    assert told in (predictions[0].error or "")


async def test_an_answer_text_is_found_in_its_passage() -> None:
    found = TargetSpec(
        kind="endpoint",
        name="Reader",
        input_names=("passage", "question"),
        output_names=("answer",),
        options={"model": "qa", "reference_name": "passage"},
    )
    answer = replying(tensor("answer", ["the LAMP", "a whale"], [2]))
    async with serve(answer) as server:
        options = dict(found.options) | {"url": server.url}
        target = EndpointTarget(TargetSpec.from_json(found.to_json() | {"options": options}),
                                settings=LOCAL)  # fmt: skip
        good, missing = await target.predict([{"passage": "Light the lamp.", "question": "?"}] * 2)
        await target.close()
    assert good.outputs == {"answer": {"text": "the lamp", "start": 6, "end": 14}}
    assert missing.error == "The output field 'answer' is not found in 'passage'."


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        (
            [{"name": name, "datatype": "BYTES"} for name in ("premise", "text")],
            "no input tensor 'hypothesis', but 'premise', 'text'",
        ),
        ([{"name": "logits", "datatype": "FP32"}], "no input tensor 'premise'"),
        (
            [{"name": name, "datatype": "FP32"} for name in ("premise", "hypothesis")],
            "'premise' must be BYTES, not FP32",
        ),
    ],
)
async def test_an_endpoint_that_takes_other_inputs_is_described_so(
    inputs: list[object], told: str
) -> None:
    async with serve(lambda _request: Reply(body={"name": "nli", "inputs": inputs})) as server:
        target = EndpointTarget(spec("endpoint", url=server.url, model="nli"), settings=LOCAL)
        with pytest.raises(TargetAnswerInvalidError, match=told):
            await target.describe()
        await target.close()


async def test_another_version_reported_by_an_endpoint_changes_its_digest() -> None:
    versions = iter(["1", "2"])
    async with serve(lambda _r: Reply(body={"name": "n", "versions": [next(versions)]})) as server:
        target = EndpointTarget(spec("endpoint", url=server.url, model="nli"), settings=LOCAL)
        assert (await target.describe()).digest != (await target.describe()).digest
        await target.close()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=500, raw=b"out of memory"), "answered 500: out of memory. Your"),
        (Reply(status=500, body={"error": "No GPU."}), "answered 500: No GPU. Your"),
        (Reply(status=503, body={"error": {"message": "Loading"}}), "answered 503: Loading. Your"),
        (Reply(status=503, raw=b"<html>Oops</html>"), "answered 503. Your"),
        (
            Reply(status=404, body={"error": "There is no such model."}),
            "knows no model “nli” \\(There is no such model\\). Your",
        ),
        (Reply(status=400, body={"error": "unknown model"}), "answered 400: unknown model. Your"),
        (Reply(status=429, body={}), "says that it is busy"),
        (Reply(status=302, headers={"location": "http://127.0.0.1:1/"}), "redirects elsewhere"),
        (Reply(hang_up=True), "cannot be reached"),
    ],
)
async def test_a_server_that_fails_is_unavailable_in_words(reply: Reply, told: str) -> None:
    with pytest.raises(TargetUnavailableError, match=told) as caught:
        await ask_endpoint(lambda _request: reply)
    assert caught.value.message.endswith("Your text is kept; try again.")


async def test_a_lost_connection_is_tried_once_more() -> None:
    answer = {"outputs": [tensor("label", ["neutral"], [1])]}
    replies = iter([Reply(body={}), Reply(hang_up=True), Reply(body=answer)])
    predictions, server = await ask_endpoint(lambda _request: next(replies))
    assert predictions[0].outputs == {"label": "neutral"}
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("described", "sent"),
    [
        ([{"name": "hypothesis", "datatype": "BYTES"}], ["hypothesis"]),
        (
            [
                {"name": "hypothesis", "datatype": "BYTES"},
                {"name": "temperature", "datatype": "FP32"},
            ],
            ["hypothesis"],
        ),
        ([], ["premise", "hypothesis"]),
        (None, ["premise", "hypothesis"]),
    ],
)
async def test_only_what_an_endpoint_lists_is_sent(
    described: list[object] | None, sent: list[str]
) -> None:
    def answer(request: Request) -> Reply:
        if request.method == "GET" and described is None:
            return Reply(status=404, body={"error": "no such route"})
        if request.method == "GET":
            return Reply(body={"name": "nli", "inputs": described})
        return Reply(body={"outputs": [tensor("label", ["neutral"], [1])]})

    async with serve(answer) as server:
        target = EndpointTarget(spec("endpoint", url=server.url, model="nli"), settings=LOCAL)
        await target.describe()
        for _ in range(2):
            (prediction,) = await target.predict([{"premise": "p", "hypothesis": "h"}])
        await target.close()

    assert prediction.outputs == {"label": "neutral"}
    inputs = server.requests[-1].json()["inputs"]
    assert isinstance(inputs, list)
    assert [one["name"] for one in inputs] == sent
    assert [one.method for one in server.requests] == ["GET", "POST", "POST"]


async def test_a_slow_server_times_out() -> None:
    settings = HttpSettings(allowed_hosts=LOCAL.allowed_hosts, timeout_seconds=0.1)
    with pytest.raises(TargetTimeoutError, match=r"within 0\.1 seconds"):
        await ask_endpoint(lambda _request: Reply(body={}, delay_seconds=1), settings=settings)


async def test_a_prompt_is_filled_once_and_asked_at_temperature_zero() -> None:
    prediction, server = await ask_chat(saying("Neutral!"), system="Judge {premise}.")
    assert prediction.outputs == {"label": "neutral"}
    body = server.requests[0].json()
    assert server.requests[0].path == "/chat/completions"
    assert body["temperature"] == 0
    assert body["messages"] == [
        {"role": "system", "content": "Judge a {b}."},
        {"role": "user", "content": "a {b} / {premise}"},
    ]


@pytest.mark.parametrize(
    ("parser", "content", "label"),
    [
        ("label", "Not neutrality but CONTRADICTION, neutral at most", "contradiction"),
        ("json", 'Sure: {"label": "neutral"} as asked', "neutral"),
        ("text", " entailment\n", "entailment"),
    ],
)
async def test_each_parser_reads_its_answer(parser: str, content: str, label: str) -> None:
    prediction, _server = await ask_chat(saying(content), parser=parser)
    assert prediction.outputs == {"label": label}


async def test_a_span_is_found_in_the_named_field() -> None:
    reader = TargetSpec(
        kind="openai",
        name="Reader",
        input_names=("passage",),
        output_names=("answer",),
        options={"model": "m", "prompt": "{passage}", "parser": "span"},
    )
    async with serve(saying('"the lamp".')) as server:
        options = {**reader.options, "base_url": server.url, "reference_name": "passage"}
        target = OpenAITarget(replace(reader, options=options), settings=LOCAL)
        (prediction,) = await target.predict([{"passage": "Light the lamp!"}])
        await target.close()
    assert prediction.outputs == {"answer": {"text": "the lamp", "start": 6, "end": 14}}


@pytest.mark.parametrize(
    ("answer", "parser", "told"),
    [
        (saying("No idea."), "label", "no label in “No idea.”"),
        (saying("{broken"), "json", "holds no JSON object"),
        (saying("nothing like it"), "span", "is not found in 'premise'"),
        (saying(None), "label", "holds no text"),
        (lambda _request: Reply(body={"choices": []}), "label", "has no message"),
    ],
)
async def test_an_unusable_completion_is_an_error_in_words(
    answer: Answer, parser: str, told: str
) -> None:
    prediction, _server = await ask_chat(answer, parser=parser, reference_name="premise")
    assert told in (prediction.error or "")


def test_of_two_labels_at_one_place_the_longer_is_meant() -> None:
    labels = ("hate", "hate speech", "not")
    assert first_label("Hate speech, clearly", labels, output_name="l") == "hate speech"
    assert first_label("I hated it, not", labels, output_name="l") == "not"
    with pytest.raises(AnswerProblemError):
        first_label("whatever", labels, output_name="l")


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"prompt": "{answer}"}, "prompt"),
        ({"prompt": ""}, "prompt"),
        ({"parser": "magic"}, "parser"),
        ({"parser": "span"}, "reference_name"),
        ({"answer_name": "other"}, "parser"),
        ({"api_key_env": "HOME"}, "api_key_env"),
    ],
)
async def test_a_wrong_option_is_named(options: dict[str, object], key: str) -> None:
    with pytest.raises(TargetSpecError) as caught:
        await ask_chat(saying("neutral"), options)
    assert key in caught.value.fields


async def test_a_prompt_reaches_no_attribute() -> None:
    _prediction, server = await ask_chat(saying("neutral"), prompt="{premise.__class__} {premise}")
    assert "{premise.__class__} a {b}" in server.requests[0].body.decode()


async def test_a_key_is_sent_only_where_the_operator_said_and_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CHAT_KEY", "s3cret")
    here = HttpSettings(allowed_hosts=LOCAL.allowed_hosts, api_keys={"CHAT_KEY": "127.0.0.1"})
    _prediction, server = await ask_chat(saying("neutral"), settings=here, api_key_env="CHAT_KEY")
    assert server.requests[0].headers["authorization"] == "Bearer s3cret"

    def echo(request: Request) -> Reply:
        return Reply(status=401, raw=request.headers["authorization"].encode())

    with pytest.raises(TargetUnavailableError) as caught:
        await ask_chat(echo, settings=here, api_key_env="CHAT_KEY")
    assert "s3cret" not in caught.value.message
    elsewhere = HttpSettings(allowed_hosts=LOCAL.allowed_hosts, api_keys={"CHAT_KEY": "a.example"})
    with pytest.raises(TargetSpecError, match=r"TARGET_API_KEYS=CHAT_KEY=127\.0\.0\.1"):
        await ask_chat(saying("neutral"), settings=elsewhere, api_key_env="CHAT_KEY")
    monkeypatch.delenv("CHAT_KEY")
    with pytest.raises(TargetSpecError, match="is not set"):
        await ask_chat(saying("neutral"), settings=here, api_key_env="CHAT_KEY")


def test_a_span_keeps_the_passages_own_spelling() -> None:
    assert located_span("“the lamp”.", "Light The Lamp now") == {
        "text": "The Lamp",
        "start": 6,
        "end": 14,
    }
    assert located_span("", "x") is None


def test_a_model_without_a_conversation_needs_a_prompt() -> None:
    with pytest.raises(TargetSpecError, match="'prompt' is needed"):
        OpenAITarget(spec("openai", base_url="http://127.0.0.1:1", model="m"), settings=LOCAL)


def test_a_spec_without_a_conversation_keeps_its_digest() -> None:
    assert "chat_name" not in spec("endpoint", url="http://127.0.0.1:1").to_json()
