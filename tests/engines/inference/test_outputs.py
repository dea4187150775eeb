"""Raw answers become predictions or sentences, never exceptions."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.inference.cache import PredictionCache
from dynabench.engines.inference.errors import TargetAnswerInvalidError, TargetSpecError
from dynabench.engines.inference.outputs import checked_prediction
from dynabench.engines.inference.protocol import (
    Prediction,
    TargetSpec,
    digest_of,
    require_answer,
)

SPEC = TargetSpec(
    kind="handler",
    name="m",
    input_names=("text",),
    output_names=("label", "prob"),
    labels={"label": ("yes", "no")},
    probability_name="prob",
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10
)
ANSWERS = JSON | st.fixed_dictionaries(
    {"label": st.sampled_from(["yes", "no"]) | JSON}, optional={"prob": JSON, "other": JSON}
)


def read(raw: object, spec: TargetSpec = SPEC) -> Prediction:
    return checked_prediction(spec, raw, latency_seconds=0.5)


@given(ANSWERS)
def test_any_answer_is_either_whole_or_an_error(raw: object) -> None:
    prediction = read(raw)
    if prediction.error is None:
        assert prediction.outputs["label"] in {"yes", "no"}
    else:
        assert prediction.outputs == {}
        assert prediction.probabilities is None


@given(st.floats(0, 1))
def test_probabilities_that_sum_to_one_are_kept(share: float) -> None:
    prediction = read({"label": "yes", "prob": {"yes": share, "no": 1 - share}})
    assert prediction.probabilities == {"yes": share, "no": 1 - share}
    assert prediction.outputs["prob"] == {"yes": share, "no": 1 - share}


def test_labels_that_may_stand_together_have_probabilities_of_their_own() -> None:
    many = replace(SPEC, multilabel_names=("label",))
    prediction = read({"label": ["yes"], "prob": {"yes": 0.9, "no": 0.6}}, many)
    assert prediction.probabilities == {"yes": 0.9, "no": 0.6}
    assert "holds 2, which is no probability" in str(
        read({"label": [], "prob": {"yes": 2}}, many).error
    )


@pytest.mark.parametrize(
    ("prob", "told"),
    [
        ({"yes": 0.5, "no": 0.4}, "must sum to 1, not 0.9000"),
        ({"yes": float("nan"), "no": 1}, "nan"),
        ({"yes": 0.5, "maybe": 0.5}, "names no label: 'maybe'"),
        ({"yes": True, "no": 0}, "no probability"),
        ({"yes": -0.5, "no": 1.5}, "no probability"),
        (1.5, "between 0 and 1"),
        ("high", "must map labels"),
    ],
)
def test_wrong_probabilities_are_named(prob: object, told: str) -> None:
    error = read({"label": "yes", "prob": prob}).error or ""
    assert "'prob'" in error
    assert told in error


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("\x00", "U\\+0000"),
        ("\ud800", "half of a character"),
        ("x" * 300_000, "larger than 256 KiB"),
    ],
)
def test_probabilities_that_cannot_be_stored_are_refused(name: str, told: str) -> None:
    free = replace(SPEC, labels={}, output_names=("label",), probability_name=None)
    prediction = read({"label": "yes", "probabilities": {name: 1.0}}, free)
    assert re.search(told, prediction.error or "")


def test_a_model_may_keep_its_confidence_to_itself() -> None:
    assert read({"label": "yes"}).outputs == {"label": "yes"}


def test_a_single_probability_stays_an_output() -> None:
    prediction = read({"label": "yes", "prob": 0.75})
    assert prediction.outputs["prob"] == 0.75
    assert prediction.probabilities is None


def test_probabilities_are_read_where_the_task_names_no_field_for_them() -> None:
    spec = TargetSpec(kind="handler", name="m", input_names=(), output_names=("label",))
    prediction = read({"label": "x", "probabilities": {"x": 0.25, "y": 0.75}}, spec)
    assert prediction.probabilities == {"x": 0.25, "y": 0.75}
    assert prediction.outputs == {"label": "x"}


def test_several_labels_are_allowed_where_the_task_says_so() -> None:
    many = TargetSpec.from_json(SPEC.to_json() | {"multilabel_names": ["label"]})
    assert read({"label": ["yes", "no"]}, many).error is None
    assert "'maybe'" in (read({"label": ["yes", "maybe"]}, many).error or "")
    assert "must be a list" in (read({"label": "yes"}, many).error or "")
    assert read({"label": ["yes"]}).error is not None


def test_a_deeply_nested_answer_is_refused() -> None:
    nested: object = "x"
    for _ in range(2000):
        nested = [nested]
    assert "nested too deeply" in (read({"label": nested}).error or "")


def test_an_answer_is_required_where_an_attempt_needs_one() -> None:
    good = Prediction(outputs={"label": "yes"})
    assert require_answer(good, name="m") is good
    with pytest.raises(TargetAnswerInvalidError, match="The output field 'x' is missing"):
        require_answer(Prediction(error="The output field 'x' is missing."), name="m")


def test_a_spec_survives_json() -> None:
    assert TargetSpec.from_json(SPEC.to_json()) == SPEC
    assert SPEC.version_digest == TargetSpec.from_json(SPEC.to_json()).version_digest


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"kind": "magic"}, "kind"),
        ({"input_names": "text"}, "input_names"),
        ({"output_names": []}, "output_names"),
        ({"labels": 3}, "labels"),
        ({"labels": {"label": 3}}, "label"),
        ({"options": []}, "kind"),
    ],
)
def test_a_wrong_spec_names_its_key(change: dict[str, object], key: str) -> None:
    value = SPEC.to_json() | change
    if change == {"options": []}:
        # An empty list is as good as nothing.
        assert TargetSpec.from_json(value).options == {}
        return
    with pytest.raises(TargetSpecError) as caught:
        TargetSpec.from_json(value)
    assert key in caught.value.fields


@given(st.dictionaries(st.text(), st.text()))
def test_the_order_of_fields_does_not_change_a_digest(value: dict[str, str]) -> None:
    assert digest_of(value) == digest_of(dict(reversed(list(value.items()))))


def test_the_cache_forgets_what_was_unused_for_longest() -> None:
    cache = PredictionCache(max_entries=2)
    for name in ("a", "b"):
        cache.put(Prediction(outputs={"x": name}), model_digest="m", input_digest=name)
    assert cache.get(model_digest="m", input_digest="a") is not None
    cache.put(Prediction(outputs={"x": "c"}), model_digest="m", input_digest="c")
    assert cache.get(model_digest="m", input_digest="b") is None
    assert cache.get(model_digest="m", input_digest="a") is not None
    assert cache.get(model_digest="other", input_digest="a") is None
    assert len(cache) == 2
