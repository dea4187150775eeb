"""Pictures and sounds on their way to models, in each adapter's own form."""

import base64
import json
from dataclasses import replace

import pytest

from dynabench.engines.inference.endpoint import EndpointTarget
from dynabench.engines.inference.files import content_parts, input_weight
from dynabench.engines.inference.host import HostSettings, ModelHost
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.openai import OpenAITarget
from dynabench.engines.inference.protocol import FakeTargetModel, ModelInput, TargetSpec
from tests.engines.inference.servers import Answer, Reply, Request, serve
from tests.engines.inference.waiting import gathered
from tests.factories.media import picture, sound

pytestmark = pytest.mark.anyio

LOCAL = HttpSettings(allowed_hosts=frozenset({"127.0.0.1"}))
PICTURE, SOUND = (base64.b64encode(data).decode() for data in (picture(), sound("MP3")))
SCENE = {"media": "a" * 64, "media_type": "image/png", "data": PICTURE, "alt": "A red field"}
SPEECH = {"media": "b" * 64, "media_type": "audio/mpeg", "data": SOUND}
ASKED = {"scene": SCENE, "speech": SPEECH, "question": "Which colour?"}


def spec(kind: str, **options: object) -> TargetSpec:
    return TargetSpec.from_json(
        {
            "kind": kind,
            "name": "Eye",
            "input_names": list(ASKED),
            "output_names": ["colour"],
            "labels": {"colour": ["red", "blue"]},
            "options": options,
        }
    )


def saying(content: str) -> Answer:
    return lambda _request: Reply(body={"choices": [{"message": {"content": content}}]})


async def sent_by_openai(**options: object) -> list[dict[str, object]]:
    async with serve(saying("red")) as server:
        target = OpenAITarget(
            spec("openai", base_url=server.url, model="eye", **options), settings=LOCAL
        )
        (found,) = await target.predict([ASKED])
        await target.close()
    assert found.outputs == {"colour": "red"}
    messages = server.requests[0].json()["messages"]
    assert isinstance(messages, list)
    return messages


async def test_a_chat_server_sees_and_hears_what_the_prompt_names() -> None:
    prompt = "Look: {scene} Listen: {speech} Then say: {question}"
    (message,) = await sent_by_openai(prompt=prompt)
    assert message["content"] == [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
        {"type": "text", "text": "Listen:"},
        {"type": "input_audio", "input_audio": {"data": SOUND, "format": "mp3"}},
        {"type": "text", "text": "Then say: Which colour?"},
    ]


async def test_a_prompt_without_files_stays_a_text() -> None:
    system, message = await sent_by_openai(prompt="{question}", system="You see {scene}.")
    assert message["content"] == "Which colour?"
    assert system["content"] == "You see A red field.", "where only text may stand, words stand"


async def test_a_conversation_begins_with_what_it_is_about() -> None:
    about = TargetSpec.from_json(
        {
            "kind": "openai",
            "name": "Eye",
            "input_names": ["scene", "talk"],
            "output_names": ["reply"],
            "chat_name": "talk",
            "reply_name": "reply",
        }
    )
    said = [
        {"role": "user", "text": "What is this?"},
        {"role": "assistant", "text": "A field."},
        {"role": "user", "text": "Which colour?"},
    ]
    async with serve(saying("Red.")) as server:
        options = {"base_url": server.url, "model": "eye", "parser": "text"}
        target = OpenAITarget(replace(about, options=options), settings=LOCAL)
        await target.predict([{"scene": SCENE, "talk": said}])
        await target.close()
    messages = server.requests[0].json()["messages"]
    assert isinstance(messages, list)
    assert messages[0] == {"role": "system", "content": "scene: A red field"}
    assert [part["type"] for part in messages[1]["content"]] == ["image_url", "text"]
    assert [one["content"] for one in messages[2:]] == ["A field.", "Which colour?"]


def test_what_a_value_says_names_no_file() -> None:
    values = {"question": "{scene}", "scene": SCENE}
    assert content_parts("{question}", values, fill=lambda _: "{scene}") == "{scene}"


async def test_an_endpoint_gets_a_file_as_base64() -> None:
    def answer(request: Request) -> Reply:
        if request.method == "GET":
            return Reply(status=404)
        label = {"name": "colour", "datatype": "BYTES", "shape": [1], "data": ["red"]}
        return Reply(body={"outputs": [label]})

    async with serve(answer) as server:
        target = EndpointTarget(spec("endpoint", url=server.url, model="eye"), settings=LOCAL)
        (found,) = await target.predict([ASKED])
        await target.close()
    assert found.outputs == {"colour": "red"}
    inputs = server.requests[-1].json()["inputs"]
    assert isinstance(inputs, list)
    assert {one["name"]: one["data"] for one in inputs} == {
        "scene": [PICTURE],
        "speech": [SOUND],
        "question": ["Which colour?"],
    }
    assert {one["datatype"] for one in inputs} == {"BYTES"}


async def test_an_answer_is_remembered_by_the_digest_and_no_file_is_read_again() -> None:
    read: list[ModelInput] = []

    async def complete(values: ModelInput) -> ModelInput:
        read.append(values)
        return ASKED

    target = FakeTargetModel(lambda _: {"colour": "red"}, output_names=("colour",))
    host = ModelHost()
    host.attach("eye", target, name="eye")
    stored = {"scene": {"media": "a" * 64, "alt": ""}, "question": "Which colour?"}
    for _ in range(3):
        assert (await host.predict("eye", stored, complete=complete)).outputs == {"colour": "red"}
    await host.close()
    assert read == [stored]
    assert target.asked == [ASKED]


async def test_large_files_do_not_travel_in_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dynabench.engines.inference.lane._MAX_BATCH_WEIGHT", 1_000)
    target = FakeTargetModel(lambda _: {"colour": "red"}, output_names=("colour",))
    host = ModelHost(HostSettings(cache_entries=0))
    host.attach("eye", target, name="eye")
    heavy = [{"scene": {**SCENE, "data": "A" * 600}, "number": number} for number in range(4)]
    assert input_weight(heavy[0]) == 600
    await gathered(*(host.predict("eye", one) for one in heavy))
    await host.close()
    assert max(target.batch_sizes) == 1
    assert json.dumps(target.asked) == json.dumps(heavy)
