"""Which metrics a config may ask for, and of which fields."""

import jsonschema_rs
import pytest
import yaml

from dynabench.science.metrics.kinds import METRIC_KINDS, Subject
from dynabench.science.task_config.elements import PerfMetric, TrainFileMetric
from dynabench.science.task_config.json_schema import config_json_schema
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import ConfigProblem, TaskConfigError
from dynabench.science.task_config.schema import TaskConfig

FIELDS = """\
input:
  - {name: text, type: string}
  - {name: label, type: multiclass, labels: [good, bad]}
  - {name: tags, type: multilabel, labels: [rude, kind]}
  - {name: marks, type: spans, reference_name: text}
  - {name: score, type: rating}
  - {name: count, type: number, min: 0}
  - {name: answer, type: string}
output:
  - name: label
  - name: tags
  - name: marks
  - name: score
  - name: count
  - name: answer
  - {name: confidence, type: prob, single_prob: true}
"""

CHAT = """\
input: [{name: conversation, type: chat, candidates: 2}]
output: [{name: reply, type: string}]
"""

TRAINING = "train_file_metric: {type: dataperf, reference_name: tags"

BY_TYPE = {
    "multiclass": "label",
    "multilabel": "tags",
    "spans": "marks",
    "rating": "score",
    "number": "count",
    "string": "answer",
}


def read(metric: str, *, fields: str = FIELDS, more: str = "") -> TaskConfig:
    return load_task_config(f"{fields}perf_metric: {metric}\n{more}")


def problem_of(metric: str, *, fields: str = FIELDS, more: str = "") -> ConfigProblem:
    with pytest.raises(TaskConfigError) as caught:
        read(metric, fields=fields, more=more)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("name", list(METRIC_KINDS))
@pytest.mark.parametrize("type_name", list(BY_TYPE))
def test_a_metric_is_read_where_it_fits_and_refused_elsewhere(name: str, type_name: str) -> None:
    kind = METRIC_KINDS[name]
    if kind.subject is Subject.CHOICES:
        return
    wanted = f"{{type: {name}, reference_name: {BY_TYPE[type_name]}}}"
    more = f"{TRAINING}}}\n" if kind.subject is Subject.TRAINING else ""
    if type_name in kind.field_types:
        assert read(wanted, more=more).perf_metrics == (PerfMetric(name, BY_TYPE[type_name]),)
    else:
        problem = problem_of(wanted, more=more)
        assert problem.path == "perf_metric.reference_name"
        assert problem.message.startswith(f"{name} needs a field of type")
        assert f"is {type_name}." in problem.message
        assert problem.suggestion is not None
        assert "accuracy" in problem.suggestion


def test_preference_is_about_the_only_chat() -> None:
    named = read("{type: preference, reference_name: conversation}", fields=CHAT)
    unnamed = read("{type: preference}", fields=CHAT)
    expected = (PerfMetric("preference", "conversation"),)
    assert named.perf_metrics == unnamed.perf_metrics == expected
    assert "no chat" in problem_of("{type: preference}").message
    problem = problem_of("{type: preference, reference_name: reply}", fields=CHAT)
    assert "needs a chat of the input" in problem.message
    alone = CHAT.replace(", candidates: 2", "")
    problem = problem_of("{type: preference}", fields=alone)
    assert problem.suggestion == "Give the chat candidates: 2 or more."


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", TrainFileMetric("tags", (0, 1, 2, 3, 4))),
        (", seeds: 2", TrainFileMetric("tags", (0, 1))),
        (", iterations: 3", TrainFileMetric("tags", (0, 1, 2))),
        (", iterations: 3, seeds: [7, 11]", TrainFileMetric("tags", (7, 11))),
        (", seeds: 1, test_labels: [rude]", TrainFileMetric("tags", (0,), ("rude",))),
    ],
)
def test_training_has_its_arguments(arguments: str, expected: TrainFileMetric) -> None:
    metric = "{type: dataperf_f1, reference_name: tags}"
    config = read(metric, more=f"{TRAINING}{arguments}}}\n")
    assert config.train_file_metric == expected


@pytest.mark.parametrize(
    ("metric", "more", "path", "words"),
    [
        ("{type: blue, reference_name: answer}", "", "perf_metric.type", "bleu"),
        ("{type: bleu}", "", "perf_metric", "reference_name"),
        ("{type: bleu, reference_name: anser}", "", "perf_metric.reference_name", "answer"),
        ("{type: wer, reference_name: confidence}", "", "perf_metric.reference_name", "scored"),
        ("{type: wer, reference_name: answer, k: 1}", "", "perf_metric.k", "not known"),
        ("{type: dataperf_f1, reference_name: tags}", "", "perf_metric.type", "train_file_metric"),
        (
            "{type: accuracy, reference_name: tags}",
            f"{TRAINING}, seeds: 0}}",
            "train_file_metric.seeds",
            "1 to 20",
        ),
        (
            "{type: accuracy, reference_name: tags}",
            f"{TRAINING}, seeds: [1, 1]}}",
            "train_file_metric.seeds",
            "different",
        ),
        (
            "{type: accuracy, reference_name: tags}",
            f"{TRAINING}, test_labels: [rood]}}",
            "train_file_metric.test_labels[0]",
            "rude",
        ),
        (
            "{type: accuracy, reference_name: tags}",
            f"{TRAINING}, test_labels: rude}}",
            "train_file_metric.test_labels",
            "list of labels",
        ),
        (
            "{type: accuracy, reference_name: tags}",
            "train_file_metric: {type: dataperf, reference_name: answer}",
            "train_file_metric.reference_name",
            "multilabel",
        ),
        (
            "{type: accuracy, reference_name: tags}",
            "train_file_metric: {type: embedding, reference_name: tags}",
            "train_file_metric.type",
            "dataperf",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_place(metric: str, more: str, path: str, words: str) -> None:
    problem = problem_of(metric, more=more)
    assert problem.path == path
    assert words in f"{problem.message} {problem.suggestion}"


@pytest.mark.parametrize("name", ["bleu", "wer"])
def test_words_are_not_counted_where_nobody_writes_spaces(name: str) -> None:
    wanted = f"{{type: {name}, reference_name: answer}}"
    chinese = FIELDS.replace("{name: answer,", "{name: answer, language: zh-Hant,")
    problem = problem_of(wanted, fields=chinese)
    assert (problem.path, problem.suggestion) == ("perf_metric.type", "Use chrf or sp_bleu.")
    assert problem_of(wanted, more="language: ja\n").path == "perf_metric.type"
    english = FIELDS.replace("{name: answer,", "{name: answer, language: en,")
    assert read(wanted, fields=english, more="language: ja\n").perf_metrics
    assert read("{type: chrf_pp, reference_name: answer}", fields=chinese).perf_metrics


def test_the_schema_knows_the_same_metrics() -> None:
    validator = jsonschema_rs.validator_for(config_json_schema())
    for fields, metric, more in (
        (FIELDS, "{type: chrf_pp, reference_name: answer}", ""),
        (FIELDS, "{type: dataperf_f1, reference_name: tags}", f"{TRAINING}, seeds: [1]}}"),
        (CHAT, "{type: preference}", ""),
    ):
        validator.validate(yaml.safe_load(f"{fields}perf_metric: {metric}\n{more}"))
    for metric, more in (
        ("{type: chrf_pp}", ""),
        ("{type: preference, smooth: true}", ""),
        ("{type: wer, reference_name: answer}", f"{TRAINING}, sedes: 1}}"),
    ):
        wrong = f"{FIELDS}perf_metric: {metric}\n{more}"
        assert not validator.is_valid(yaml.safe_load(wrong))
