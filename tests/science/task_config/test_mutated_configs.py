"""Good configs with something changed: a config, or problems that say where and what."""

import random
import re
import time
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Any

import jsonschema_rs
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.task_config.fields.registry import FIELD_TYPES
from dynabench.science.task_config.json_schema import config_json_schema
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import ConfigProblem, TaskConfigError
from dynabench.science.task_config.schema import TaskConfig

SLOWEST_SECONDS = 2.0
SCHEMA = jsonschema_rs.validator_for(config_json_schema())
WHICH = st.integers(0, 3)
SEEDS = st.integers(0, 10**6)
ODD: st.SearchStrategy[object] = st.sampled_from(
    [None, True, "", " ", "x" * 5000, "ا" * 80, "\u202e", "a\tb", 0, -1, 10**18, 1e308, -0.0,
     1e-320, [], {}, [[]], [{}], {"": ""}, [None], "NaN", "label", "string", "chat", "prob",
     ["passage"] * 60, {"en": "a", "xx-": "b"}, [{"name": "a", "type": "chat"}]]
)  # fmt: skip
UNICODE_NAMES = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff"), max_size=20
)


def read(text: str) -> tuple[TaskConfig | None, tuple[ConfigProblem, ...]]:
    """Return the config or its problems, held to what every answer promises."""
    began = time.perf_counter()
    config: TaskConfig | None = None
    problems: tuple[ConfigProblem, ...] = ()
    try:
        config = load_task_config(text)
    except TaskConfigError as error:
        problems = error.problems
    assert time.perf_counter() - began < SLOWEST_SECONDS
    assert (config is None) == bool(problems)
    lines = text.count("\n") + 1
    for one in problems:
        assert one.line is None or 1 <= one.line <= lines + 1
        assert re.search(r"[.?…”]$", one.message), one.message
        assert len(str(one)) < 2000
        str(one).encode()
    return config, problems


def read_data(data: object) -> tuple[TaskConfig | None, tuple[ConfigProblem, ...]]:
    """Do the same with a document; what is a config must fit the published schema too."""
    config, problems = read(write(data))
    if config is not None:
        SCHEMA.validate(without_nothing(data))
    return config, problems


def without_nothing(part: Any) -> Any:
    """Return a document without keys that hold nothing, which count as absent."""
    if isinstance(part, dict):
        return {key: without_nothing(one) for key, one in part.items() if one is not None}
    return [without_nothing(one) for one in part] if isinstance(part, list) else part


def write(data: object) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def places(part: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Give every container of a document with the keys that lead to it."""
    if isinstance(part, (dict, list)):
        yield part, at
        for key in list(part) if isinstance(part, dict) else range(len(part)):
            yield from places(part[key], (*at, key))


def pick(data: Any, chooser: random.Random, kind: type | tuple[type, ...] = (dict, list)) -> Any:
    return chooser.choice([part for part, _ in places(data) if part and isinstance(part, kind)])


def test_the_good_configs_are_good(good_texts: tuple[str, ...]) -> None:
    for text in good_texts:
        assert read(write(yaml.safe_load(text)))[0] == load_task_config(text)


@given(WHICH, SEEDS, st.lists(ODD, min_size=1, max_size=3))
def test_values_replaced_dropped_or_added_are_told(
    good_texts: tuple[str, ...], which: int, seed: int, values: list[object]
) -> None:
    data, chooser = yaml.safe_load(good_texts[which]), random.Random(seed)
    for value in map(deepcopy, values):
        part = pick(data, chooser)
        key = chooser.choice(list(part) if isinstance(part, dict) else range(len(part)))
        if chooser.random() < 0.25:
            del part[key]
        elif chooser.random() < 0.2 and isinstance(part, list):
            part.insert(0, value)
        else:
            part[key] = value
    read_data(data)


@given(WHICH, SEEDS, st.sampled_from(sorted(FIELD_TYPES)))
def test_a_field_of_another_type_is_told(
    good_texts: tuple[str, ...], which: int, seed: int, kind: str
) -> None:
    data, chooser = yaml.safe_load(good_texts[which]), random.Random(seed)
    fields = [part for part, _ in places(data) if isinstance(part, dict) and "type" in part]
    chooser.choice(fields)["type"] = kind
    read_data(data)


@given(WHICH, SEEDS)
def test_parts_that_changed_places_are_told(
    good_texts: tuple[str, ...], which: int, seed: int
) -> None:
    data, chooser = yaml.safe_load(good_texts[which]), random.Random(seed)
    one, other = (pick(data, chooser, dict) for _ in range(2))
    key, instead = chooser.choice(list(one)), chooser.choice(list(other))
    one[key], other[instead] = other[instead], one[key]
    read(write(data))


@given(WHICH, SEEDS)
def test_a_misspelt_key_is_named_with_the_one_that_was_meant(
    good_texts: tuple[str, ...], which: int, seed: int
) -> None:
    data, chooser = yaml.safe_load(good_texts[which]), random.Random(seed)
    part = chooser.choice(
        [
            part
            for part, at in places(data)
            if isinstance(part, dict)
            and "title" not in at
            and "placeholder" not in at
            and "default_weights" not in at
        ]
    )
    key = chooser.choice([one for one in part if len(one) > 3])
    wrong = key[:2] + key[3:]
    if wrong in {"tpe", "tye"} or key == "type":
        wrong = "typ"
    renamed = {wrong if one == key else one: value for one, value in part.items()}
    part.clear()
    part.update(renamed)
    _, problems = read(write(data))
    told = " ".join(f"{one.message} {one.suggestion}" for one in problems)
    assert f"“{wrong}”" in told
    assert f"“{key}”" in told


@given(WHICH, SEEDS)
def test_a_line_that_stands_twice_is_told_with_both_lines(
    good_texts: tuple[str, ...], which: int, seed: int
) -> None:
    lines = write(yaml.safe_load(good_texts[which])).splitlines()
    keyed = [n for n, line in enumerate(lines) if re.match(r"^\w+:", line)]
    number = random.Random(seed).choice(keyed)
    _, problems = read("\n".join([*lines, lines[number].split(":")[0] + ": again"]))
    assert any(f"first on line {number + 1}." in one.message for one in problems)


@given(WHICH, UNICODE_NAMES)
def test_a_name_in_any_script_is_told_not_mangled(
    good_texts: tuple[str, ...], which: int, name: str
) -> None:
    data = yaml.safe_load(good_texts[which])
    data["input"][0]["name"] = name
    _, problems = read_data(data)
    is_told = any(one.path == "input[0].name" for one in problems)
    assert is_told is (re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) is None)


BOMB = "\n".join(
    ["a: &a [x, x]", *(f"{b}: &{b} [*{a}, *{a}, *{a}]" for a, b in pairwise("abcdefghi"))]
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "Anchors (&name) are not read here"),
        ("a: &a\n  b: *a", "Anchors (&name) are not read here"),
        ("a: *b", "Aliases (*name) are not read here"),
        ("<<: {a: 1}", "not known here"),
        ("input: " + "[" * 30 + "]" * 30, "nested deeper than 20 levels"),
        ("input: " + "{a: " * 5000 + "1" + "}" * 5000, "nested deeper than 20 levels"),
        ("title: " + "x" * 10_000_000, "bytes; at most"),
        ("- " * 100_000, "nested deeper"),
        ("title: a\x07b", "U+0007"),
        ('title: "a\\u0007b"', "U+0007"),
        ('title: "\\ud800"', "invalid Unicode character"),
        ("title: !!python/object/apply:os.system [ls]", "Tags (!name) are not read here"),
        ("schema_version: 99999999999999999999999999", "whole number from 1 to 1"),
        ("schema_version: " + "9" * 5000, "whole number from 1 to 1"),
        ("? {a: b}\n: c", "A key must be a word"),
        ("a: 1\n---\nb: 2", "more than one YAML document"),
    ],
)
def test_a_trick_is_told_at_once(text: str, said: str) -> None:
    config, problems = read(text)
    assert config is None
    assert any(said in one.message for one in problems), problems[:3]


@pytest.mark.parametrize(
    ("old", "new", "path", "said"),
    [
        ("  - {name: reply, type: string}\n", "", "input[1]", "needs a string field in the output"),
        ("rating: true}", "reply_name: tags}", "input[1].reply_name", "stands in the output alone"),
        ("{name: sound, type: audio}", "{name: s, type: chat}", "context[2].type", "in the input"),
        ("{name: mood, type: rating", "{name: mood, type: chat", "input[5].min", "not known"),
        ("- name: tags\n", "- name: talk\n", "output[1]", "No model answers"),
        ("reference_name: question", "reference_name: tags", "input[2].reference_name", "written"),
        ("reference_name: passage", "reference_name: passge", "output[3].reference_name", "string"),
        ("media_types: [image/png]", "media_types: [image/svg]", "context[1].media_types", "one"),
        ("min_turns: 2", "min_turns: 5", "input[1].min_turns", "larger than max_turns"),
        ("min: 0, max: 1", "min: 2, max: 1", "input[4].min", "larger than max"),
        ("max: 2, step: 1", "max: 2, step: 3", "input[5].max", "whole steps"),
        ("labels: [red, green]", "labels: []", "input[3].labels", "1 to 1000 labels"),
        ("  judge: strict\n", "", "model_wrong_metric", "“judge” is missing"),
        ("name: kind, text", 'name: "true", text', "criteria[1].name", "stands twice"),
        ("text: It is kind.", "text: ' '", "criteria[0].text", "not only space"),
        ("prob, reference_name: tags", "prob, reference_name: mood", "output[2]", "multilabel"),
    ],
)  # fmt: skip
def test_what_fits_no_type_is_told_with_its_path(
    good_texts: tuple[str, ...], old: str, new: str, path: str, said: str
) -> None:
    assert old in good_texts[3]
    _, problems = read(good_texts[3].replace(old, new, 1))
    assert any(path in one.path and said in one.message for one in problems), problems
