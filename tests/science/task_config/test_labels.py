"""Labels are words; what YAML takes for something else is told."""

import pytest

from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import ConfigProblem, TaskConfigError


def problem_of(text: str) -> ConfigProblem:
    with pytest.raises(TaskConfigError) as caught:
        load_task_config(text)
    assert len(caught.value.problems) == 1
    return caught.value.problems[0]


@pytest.mark.parametrize(
    ("labels", "path", "said"),
    [
        ("[a]", "input[1].labels", "2 to 1000"),
        ("[a, a]", "input[1].labels[1]", "stands twice"),
        ("[1, b]", "input[1].labels[0]", "must be text"),
        ("[a, true]", "input[1].labels[1]", "the value true"),
        ("[a, [b]]", "input[1].labels[1]", "not a list"),
        ("[a, '']", "input[1].labels[1]", "1 to 200 characters"),
        ("[a, ' b']", "input[1].labels[1]", "without space"),
        ('[a, "b\\x01"]', "input[1].labels[1]", "control character"),
        ("a", "input[1].labels", "a list of labels"),
        ("", "input[1]", "“labels” is missing"),
    ],
)
def test_wrong_labels_are_named(
    good_texts: tuple[str, ...], labels: str, path: str, said: str
) -> None:
    text = good_texts[0].replace(
        "labels: [entailed, neutral, contradictory]", f"labels: {labels}", 1
    )
    problem = problem_of(text)
    assert problem.path == path
    assert said in problem.message


def test_a_label_that_yaml_takes_for_a_number_is_told_to_be_quoted(
    good_texts: tuple[str, ...],
) -> None:
    text = good_texts[0].replace("[entailed, neutral", "[1, neutral", 1)
    assert problem_of(text).suggestion == 'Put it in quotes: "1".'


def test_yes_and_no_are_labels() -> None:
    config = load_task_config(
        """
input: [{name: q, type: string}, {name: a, type: multiclass, labels: [yes, no, on, 2020-01-01]}]
output: [{name: a}]
model_wrong_metric: {type: exact_match, reference_names: [a]}
perf_metric: {type: accuracy, reference_name: a}
"""
    )
    assert config.labels_of("a") == ("yes", "no", "on", "2020-01-01")
