"""The quick way to check an answer says what the long way says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.inference.outputs import checked_prediction
from dynabench.loop.evaluations.runs.checking.rules import AnswerChecker, Checked
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

LABELS = ["yes", "no", "perhaps"]
LABEL = "{name: label, type: multiclass, labels: [yes, no, perhaps]}"
PROB = "{name: prob, type: prob, reference_name: label}"
REPLY = "{name: reply, type: string, min_length: 2, max_length: 6}"


def config_of(*outputs: str) -> TaskConfig:
    return load_task_config(
        f"""
input: [{{name: text, type: string}}, {LABEL}]
output: [{", ".join(outputs)}]
perf_metric: {{type: accuracy, reference_name: label}}
"""
    )


CONFIGS = [
    config_of("{name: label}"),
    config_of("{name: label}", PROB),
    config_of("{name: label}", REPLY),
    config_of("{name: label}", REPLY, PROB),
    config_of("{name: label}", "{name: many, type: multilabel, labels: [a, b]}"),
]
numbers = st.one_of(st.floats(-0.1, 1.1), st.integers(0, 1), st.just(float("nan")), st.booleans())
probabilities = st.one_of(
    st.sampled_from([{"yes": 1.0}, {"yes": 0.25, "no": 0.75}, {"yes": 0.5, "no": 0.49995}]),
    st.dictionaries(st.sampled_from([*LABELS, "other"]), numbers, max_size=3),
    numbers,
)
texts = st.one_of(st.text(max_size=8), st.sampled_from(["\0a", "a\u202eb", "ab\n", "x" * 6000]))
values = st.one_of(
    st.none(), st.sampled_from(LABELS), texts, numbers, probabilities, st.lists(texts, max_size=2)
)
answers = st.fixed_dictionaries(
    {},
    optional={
        "label": st.one_of(st.sampled_from(LABELS), values),
        "prob": st.one_of(probabilities, values),
        "reply": st.one_of(texts, values),
        "many": values,
        "probabilities": st.one_of(probabilities, values),
        "more": values,
    },
)


def checker_of(config: TaskConfig) -> AnswerChecker:
    spec = spec_for(config, kind=ModelKind.HANDLER, name="m", options={})
    return AnswerChecker(spec, config)


def the_long_way(config: TaskConfig, given: object) -> Checked:
    spec = spec_for(config, kind=ModelKind.HANDLER, name="m", options={})
    prediction = checked_prediction(spec, given, latency_seconds=0.0)
    return AnswerChecker(spec, config).check(prediction, {"text": "Hello."})


@pytest.mark.parametrize("config", CONFIGS)
@given(given_answers=st.lists(st.one_of(answers, values), min_size=1, max_size=4))
def test_both_ways_agree_on_every_answer(config: TaskConfig, given_answers: list[object]) -> None:
    results = [{"id": "0", "outputs": one} for one in given_answers]
    found = checker_of(config).check_all(results, [{"text": "Hello."}] * len(results))
    for one, answer in zip(found, given_answers, strict=True):
        outputs, said, error = one
        wanted, wanted_said, wanted_error = the_long_way(config, answer)
        # What a model adds to its one label is left out by both.
        assert (outputs, error) == (wanted, wanted_error)
        assert said == pytest.approx(wanted_said)


def test_a_worker_s_error_is_kept_so_that_the_database_can_hold_it() -> None:
    (found,) = checker_of(CONFIGS[0]).check_all([{"error": "a\0b\ud800" + "x" * 5000}], [{}])
    assert found[0] == {}
    assert found[2] is not None
    assert found[2].startswith("a\ufffdb\ufffdx")
    assert len(found[2]) < 1_100
    (silent,) = checker_of(CONFIGS[0]).check_all([{"error": ["odd"]}], [{}])
    assert silent[2] == "The model gave no answer to this input."
