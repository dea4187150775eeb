"""Whatever stands in the text, the loader answers with a config or with problems."""

import random

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import TaskConfigError

PIECES = st.sampled_from(
    ["\n", "  ", "- ", ": ", "[", "]", "{", "}", "'", '"', "&a ", "*a", "!t ", "|", ">", "#", "%",
     "\t", "\x00", "\ud800", "é", "~", "true", "1e999", "label", "type: prob", "? ", "---\n", "\\"]
)  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | (st.sampled_from(["label", "premise", "string", "prob", "exact_match", "string_f1"]))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


def loads_or_tells(text: str) -> None:
    try:
        load_task_config(text)
    except TaskConfigError as error:
        problems, sentence = error.problems, str(error)
    else:
        return
    assert problems
    assert all(problem.message for problem in problems)
    assert sentence.encode()


@given(st.text(max_size=200))
@example("%YAML 99999999999999999999.1\n---\na: 1")
@example("%TAG ! !\n---\na: 1")
@example("? ? ? a")
@example('"\\x"')
@example("\ufeffa: 1")
def test_any_text_loads_or_is_told(text: str) -> None:
    loads_or_tells(text)


@given(st.integers(0, 2), st.lists(st.tuples(st.integers(0, 2000), PIECES), max_size=6))
def test_a_config_with_characters_thrown_in_loads_or_is_told(
    good_texts: tuple[str, ...], which: int, insertions: list[tuple[int, str]]
) -> None:
    text = good_texts[which]
    for position, piece in insertions:
        at = position % (len(text) + 1)
        text = text[:at] + piece + text[at:]
    loads_or_tells(text)


@given(st.integers(0, 2), st.integers(0, 10**6), VALUES)
def test_a_config_with_a_part_replaced_loads_or_is_told(
    good_texts: tuple[str, ...], which: int, seed: int, value: object
) -> None:
    data = yaml.safe_load(good_texts[which])
    chooser = random.Random(seed)
    part = data
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = chooser.choice(keys)
        inner = part[key]
        if not isinstance(inner, (dict, list)) or not inner or chooser.random() < 0.3:
            break
        part = inner
    if chooser.random() < 0.3:
        del part[key]
    else:
        part[key] = value
    loads_or_tells(yaml.safe_dump(data, allow_unicode=True))


@pytest.mark.parametrize(
    "text",
    [
        "input:\n" + "- {name: a, type: b}\n" * 8000,
        "perf_metric:\n" + "- {type: b}\n" * 15_000,
        "model_wrong_metric: {type: exact_match, reference_names: [" + "label, " * 30_000 + "]}",
        "input: [{name: a, type: multiclass, labels: [" + "ab, " * 50_000 + "]}]",
        "{" * 100_000,
        "a" * 200_000 + ": b",
        ", ".join(["[a"] * 50_000),
        "input: [{" + "a: 1, " * 30_000 + "}]",
        "aggregation_metric: {default_weights: {"
        + ", ".join(f"a{n}: 1" for n in range(20_000))
        + "}}",
    ],
)
def test_a_huge_config_is_told_and_not_chewed_on(text: str) -> None:
    loads_or_tells(text)
