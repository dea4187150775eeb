import pytest

from dynabench.kit.wire import Values
from dynabench.loop.models.addresses.rules import address_of, read_options, wire_names
from dynabench.loop.models.errors import ModelKindError, ModelOptionsError
from dynabench.loop.models.values import ModelKind, ModelPurpose
from dynabench.science.task_config.loader import load_task_config
from tests.factories.chats import JUDGED
from tests.factories.tasks import NLI_CONFIG

NLI = load_task_config(NLI_CONFIG)
QA = load_task_config("""\
title: Questions
context:
  - {name: passage, type: string}
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output:
  - {name: answer}
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
""")

CHAT: Values = {"base_url": "https://api.example.org/v1/", "model": "m", "prompt": "{premise}"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"url": "https://models.example.org/v2/models/nli"},
            {"url": "https://models.example.org", "model": "nli"},
        ),
        (
            {"url": "http://models.example.org:8080/a/v2/models/my%20nli/versions/3/infer"},
            {"url": "http://models.example.org:8080/a", "model": "my nli", "version": "3"},
        ),
        (
            {"url": "https://models.example.org/v2/", "model_name": "nli", "version": "2"},
            {"url": "https://models.example.org", "model": "nli", "version": "2"},
        ),
        (
            {
                "url": "https://models.example.org",
                "model_name": "nli",
                "input_tensors": {"premise": "INPUT_0"},
                "output_tensors": {"label": "OUTPUT_0"},
            },
            {
                "url": "https://models.example.org",
                "model": "nli",
                "field_map": {"premise": "INPUT_0"},
                "output_map": {"label": "OUTPUT_0"},
            },
        ),
    ],
)
def test_an_endpoint_is_named_by_its_address(options: Values, expected: Values) -> None:
    assert read_options(ModelKind.ENDPOINT, options, config=NLI) == expected


def test_a_selection_is_looked_for_in_its_text() -> None:
    options: Values = {"url": "https://models.example.org/v2/models/qa"}
    found = read_options(ModelKind.ENDPOINT, options, config=QA)
    assert found["reference_name"] == "passage"
    chat = read_options(ModelKind.OPENAI, CHAT, config=QA)
    assert (chat["parser"], chat["reference_name"]) == ("span", "passage")


def test_a_prompted_model_answers_with_a_label_unless_told_otherwise() -> None:
    assert read_options(ModelKind.OPENAI, CHAT, config=NLI) == {
        "base_url": "https://api.example.org/v1",
        "model": "m",
        "prompt": "{premise}",
        "parser": "label",
    }
    more: Values = {
        "answer": "json",
        "system": "Be brief.",
        "max_tokens": 9,
        "api_key_env": "OPENAI_API_KEY",
    }
    found = read_options(ModelKind.OPENAI, CHAT | more, config=NLI)
    assert found["parser"] == "json"
    assert found["max_tokens"] == 9
    assert found["system"] == "Be brief."
    assert found["api_key_env"] == "OPENAI_API_KEY"


@pytest.mark.parametrize(
    ("options", "field", "part"),
    [
        ({}, "options.url", "missing"),
        ({"url": 3}, "options.url", "must be a text"),
        ({"url": "models.example.org"}, "options.url", "begins with http"),
        ({"url": "ftp://models.example.org"}, "options.url", "begins with http"),
        ({"url": "http://[::1"}, "options.url", "not an address"),
        ({"url": "http://a:99999/v2/models/b"}, "options.url", "not an address"),
        ({"url": "http://me:secret@a/v2/models/b"}, "options.url", "user name"),
        ({"url": "http://a/v2/models/b?key=1"}, "options.url", "without"),
        ({"url": "http://a\x00/v2/models/b"}, "options.url", "NUL"),
        ({"url": "http://" + "a" * 3000}, "options.url", "at most 2000"),
        ({"url": "http://a"}, "options.url", "http://a/v2/models/NAME"),
        ({"url": "http://a/v2/models/b", "ur": 1}, "options.ur", "“url”"),
        ({"url": "http://a/v2/models/b", "zzz": 1}, "options.zzz", "Known: url"),
        ({"url": "http://a/v2/models/b", "input_tensors": 1}, "options.input_tensors", "object"),
        (
            {"url": "http://a/v2/models/b", "input_tensors": {"label": "x"}},
            "options.input_tensors",
            "no such field “label”",
        ),
        (
            {"url": "http://a/v2/models/b", "output_tensors": {"label": 1}},
            "options.output_tensors",
            "must be a text",
        ),
    ],
)
def test_each_wrong_option_of_an_endpoint_is_named(options: Values, field: str, part: str) -> None:
    with pytest.raises(ModelOptionsError) as refused:
        read_options(ModelKind.ENDPOINT, options, config=NLI)
    assert part in refused.value.fields[field]


@pytest.mark.parametrize(
    ("options", "field", "part"),
    [
        ({"base_url": ""}, "options.base_url", "missing"),
        ({"model": None}, "options.model", "missing"),
        ({"prompt": "a" * 20_001}, "options.prompt", "at most 20000"),
        ({"answer": "number"}, "options.answer", "label, json, text, span"),
        ({"answer": "span"}, "options.answer", "not a selection"),
        ({"max_tokens": True}, "options.max_tokens", "whole number"),
        ({"max_tokens": 0}, "options.max_tokens", "whole number"),
        ({"api_key_env": "sk-123"}, "options.api_key_env", "never sent or stored"),
    ],
)
def test_each_wrong_option_of_a_prompted_model_is_named(
    options: Values, field: str, part: str
) -> None:
    with pytest.raises(ModelOptionsError) as refused:
        read_options(ModelKind.OPENAI, CHAT | options, config=NLI)
    assert set(refused.value.fields) == {field}
    assert part in refused.value.fields[field]


@pytest.mark.parametrize("kind", [ModelKind.HANDLER, ModelKind.RECORDED])
def test_other_kinds_have_no_address(kind: ModelKind) -> None:
    with pytest.raises(ModelKindError):
        read_options(kind, {}, config=NLI)


def test_an_address_is_found_among_the_options_of_either_kind() -> None:
    assert address_of({"url": "http://a"}) == "http://a"
    assert address_of({"base_url": "http://b"}) == "http://b"


def test_complaints_of_adapters_carry_the_owners_names() -> None:
    assert wire_names({"parser": "No.", "prompt": "No."}) == {
        "options.answer": "No.",
        "options.prompt": "No.",
    }


def test_a_conversation_needs_no_prompt_and_a_judge_gets_ours() -> None:
    address: Values = {"base_url": "https://api.example.org/v1", "model": "m"}
    config = load_task_config(JUDGED)
    target = read_options(ModelKind.OPENAI, address, config=config)
    assert (target["prompt"], target["parser"]) == ("", "text")
    judge = read_options(ModelKind.OPENAI, address, config=config, purpose=ModelPurpose.JUDGE)
    assert judge["parser"] == "json"
    prompt = str(judge["prompt"])
    for name in ("persona", "dialogue", "answer", "rubric"):
        assert f"{{{name}}}" in prompt
    assert "gives you no instructions" in prompt


@pytest.mark.parametrize("kind", [ModelKind.OPENAI, ModelKind.ENDPOINT])
def test_a_judge_of_a_task_without_a_rubric_is_refused(kind: ModelKind) -> None:
    with pytest.raises(ModelOptionsError) as refused:
        read_options(kind, dict(CHAT), config=NLI, purpose=ModelPurpose.JUDGE)
    assert "no rubric" in refused.value.fields["purpose"]
