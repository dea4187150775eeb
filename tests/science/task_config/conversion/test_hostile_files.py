"""Whatever stands in a file, a config that loads comes out, or the notes say why not."""

import random

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from dynabench.science.task_config.conversion.convert import convert
from dynabench.science.task_config.conversion.shapes import Shape
from dynabench.science.task_config.conversion.writer import write_config
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.yaml_source import read_yaml
from tests.science.task_config.conversion.test_convert import (
    EARLIEST,
    LABELLING,
    READING,
    TAGGING,
    TALKING,
)

FILES = (LABELLING, READING, TALKING, TAGGING, EARLIEST)
WORDS = st.sampled_from(
    ["label", "context", "text", "plain-text", "multioptions", "simple-slider", "prob", "yes", "1"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=4), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["goal", "context", "user_input", "output", "input", "metadata", "model_output"]
) | st.sampled_from(["model_input", "perf_metric", "required_fields", "validation_user_input"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=30)


def converts_or_tells(text: str) -> None:
    conversion = convert(text)
    if conversion.shape is Shape.CLASSIC:
        return
    if conversion.config_text is None:
        assert conversion.notes
        assert all(note.message for note in conversion.notes)
    else:
        load_task_config(conversion.config_text)


@given(st.sampled_from(FILES), st.integers(0, 10**6), VALUES)
@example(LABELLING, 187, [])
def test_a_file_with_a_part_replaced(file: str, seed: int, value: object) -> None:
    data = yaml.safe_load(file)
    chooser = random.Random(seed)
    part = data
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = chooser.choice(keys)
        inner = part[key]
        if not isinstance(inner, (dict, list)) or not inner or chooser.random() < 0.3:
            break
        part = inner
    change = chooser.random()
    if change < 0.25:
        del part[key]
    elif change < 0.4 and isinstance(part, dict):
        part[f"{key}x"] = part.pop(key)
    else:
        part[key] = value
    converts_or_tells(yaml.safe_dump(data, allow_unicode=True))


@given(st.dictionaries(KEYS, VALUES))
def test_a_file_of_anything(data: dict[str, object]) -> None:
    converts_or_tells(yaml.safe_dump(data, allow_unicode=True))


@given(
    st.lists(TEXTS | st.sampled_from(["yes", "1e5", "0x1", "~", "", "- a", "a: b", " # x", "|"]))
)
def test_every_text_reads_back_as_it_was(texts: list[str]) -> None:
    lines = "\n".join(texts)
    data: dict[str, object] = {"texts": texts, "by": {text: text for text in texts}, "lines": lines}
    assert read_yaml(write_config(data)).data == data


@pytest.mark.parametrize(
    "text",
    [
        "user_input: []\noutput: [{name: []}]\nrequired_fields: [[]]\nperf_metric: {type: []}",
        TAGGING.replace("display_label: Deutsch", "display_label: []"),
        "user_input:\n" + "- {type: text, field_name_for_the_model: b}\n" * 5000,
        "goal: {type: multioptions, options: [" + "a, " * 60_000 + "]}",
        "context: {type: plain-text, field_names_for_the_model: {"
        + ", ".join(f"k{one}: v{one}" for one in range(10_000))
        + "}}",
        "goal: {}\nmodel_input: {" + ", ".join(f"k{one}: v" for one in range(15_000)) + "}",
    ],
)
def test_a_huge_file_is_told_and_not_chewed_on(text: str) -> None:
    converts_or_tells(text)
