"""YAML is read with lines, and only the plain part of it."""

import time

import pytest

from dynabench.science.task_config.problems import TaskConfigError
from dynabench.science.task_config.yaml_source import MAX_CONFIG_BYTES, read_yaml


def test_each_path_knows_its_line() -> None:
    source = read_yaml("a:\n  - b: 1\n  - c:\n      d: x\n")
    assert source.data == {"a": [{"b": 1}, {"c": {"d": "x"}}]}
    assert source.lines[("a", 1, "c", "d")] == 4
    assert source.lines[("a", 0)] == 2


@pytest.mark.parametrize(
    "text",
    [
        "a: [" + "1," * (MAX_CONFIG_BYTES // 2 - 10) + "1]",
        "a:\n" + "- 1\n" * (MAX_CONFIG_BYTES // 4 - 10),
        "".join(f"k{number}: 1\n" for number in range(20_000)),
        "a: {" + ",".join(f"k{number}: 1" for number in range(18_000)) + "}",
    ],
)
def test_the_longest_config_is_read_in_a_moment(text: str) -> None:
    """Where the parser in Python took five seconds of a thread, and more where it was busy."""
    started = time.thread_time()
    read_yaml(text)

    assert time.thread_time() - started < 2


def test_scalars_follow_the_core_schema() -> None:
    source = read_yaml(
        "[1, -2.5, 1e3, .5, true, False, ~, null, yes, 'true', 0x10, 1_000, 1:30, .inf]"
    )
    assert source.data == [
        1,
        -2.5,
        1000.0,
        0.5,
        True,
        False,
        None,
        None,
        "yes",
        "true",
        "0x10",
        "1_000",
        "1:30",
        ".inf",
    ]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: 1\nb: [", 2, "not YAML"),
        ("a: 1\n\tb: 2", 2, "not YAML"),
        ("a: 1\nb: {\n", 3, "not YAML"),
        ("a: 1\na: 2\n", 2, "stands twice; first on line 1"),
        ("a: &x 1\nb: *x\n", 1, "Anchors"),
        ("a: 1\nb: *x\n", 2, "Aliases"),
        ("a: !!python/object:os.system 1\n", 1, "Tags"),
        ("a: ! 1\n", 1, "Tags"),
        ("a: 1\n---\nb: 2\n", 2, "more than one"),
        ("? [a]\n: 1\n", 1, "A key must be a word"),
        ("a: \ud800", 1, "surrogate"),
        ("b: 1\na: \x00", 2, "U+0000"),
        ('a: "\\UFFFFFFFF"', 1, "not YAML"),
        ("a: " + "[" * 30, 1, "deeper than 20"),
        ("a: " + "[" * 100_000, 1, "deeper than 20"),
        ("x" * (MAX_CONFIG_BYTES + 1), None, "bytes"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_with_its_line(
    text: str, line: int | None, said: str
) -> None:
    with pytest.raises(TaskConfigError) as caught:
        read_yaml(text)
    problem = caught.value.problems[0]
    assert said in problem.message
    assert problem.line == line
    str(caught.value).encode()
