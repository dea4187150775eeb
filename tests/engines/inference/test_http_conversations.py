"""Conversations with models behind HTTP."""

import pytest

from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.openai import OpenAITarget
from dynabench.engines.inference.protocol import SAMPLE_KEY, TargetSpec
from tests.engines.inference.servers import Answer, Reply, serve

pytestmark = pytest.mark.anyio

LOCAL = HttpSettings(allowed_hosts=frozenset({"127.0.0.1"}))


def saying(content: object) -> Answer:
    return lambda _request: Reply(body={"choices": [{"message": {"content": content}}]})


def chat_spec(url: str, **options: object) -> TargetSpec:
    return TargetSpec(
        kind="openai",
        name="Talker",
        input_names=("persona", "dialogue"),
        output_names=("reply",),
        chat_name="dialogue",
        reply_name="reply",
        options={"base_url": url, "model": "m", "parser": "text", **options},
    )


TURNS = [
    {"text": "Hello.", "candidates": [{"text": "Hi."}, {"text": "Hm?"}], "choice": "1"},
    {"text": "And now?", "candidates": [{"text": "Nothing."}], "choice": None},
]
TALK = {"persona": "Be kind.", "dialogue": TURNS, "secret": "gold"}


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        (
            {},
            [
                ("system", "persona: Be kind."),
                ("user", "Hello."),
                ("assistant", "Hm?"),
                ("user", "And now?"),
            ],
        ),
        (
            {"system": "You: {persona}"},
            [
                ("system", "You: Be kind."),
                ("user", "Hello."),
                ("assistant", "Hm?"),
                ("user", "And now?"),
            ],
        ),
        (
            {"prompt": "Go on:\n{dialogue}"},
            [("user", "Go on:\nUser: Hello.\nAssistant: Hm?\nUser: And now?")],
        ),
    ],
)
async def test_a_conversation_is_sent_as_messages_or_as_the_prompt_has_it(
    options: dict[str, object], sent: list[tuple[str, str]]
) -> None:
    async with serve(saying(" Good. ")) as server:
        target = OpenAITarget(chat_spec(server.url, **options), settings=LOCAL)
        first, further = [
            (await target.predict([item]))[0] for item in (TALK, {**TALK, SAMPLE_KEY: 2})
        ]
        await target.close()
    assert first.outputs == further.outputs == {"reply": "Good."}
    usual, drawn = (request.json() for request in server.requests)
    messages = usual["messages"]
    assert isinstance(messages, list)
    assert [(one["role"], one["content"]) for one in messages] == sent
    assert drawn["messages"] == messages
    assert (usual["temperature"], usual.get("seed")) == (0, None)
    assert (drawn["temperature"], drawn["seed"]) == (0.8, 2)


def test_a_spec_with_a_conversation_comes_back_from_json() -> None:
    talker = chat_spec("http://127.0.0.1:1")
    assert TargetSpec.from_json(talker.to_json()) == talker
