from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.actor import VISITOR, Actor
from dynabench.loop.models.errors import ModelNotReadyError
from dynabench.loop.models.permissions import can_see
from dynabench.loop.models.rules import require_usable, spec_for, trial_input
from dynabench.loop.models.values import Model, ModelKind, ModelStatus
from dynabench.loop.tasks.values import TaskRole
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

NLI = load_task_config(NLI_CONFIG)


def test_a_model_never_sees_the_gold_answer() -> None:
    spec = spec_for(NLI, kind=ModelKind.ENDPOINT, name="m", options={"url": "http://a"})
    assert spec.input_names == ("premise", "hypothesis")
    assert spec.output_names == ("label",)
    assert spec.labels == {"label": ("entailment", "neutral", "contradiction")}
    assert spec.probability_name == "prob"


@given(low=st.integers(0, 1000), extra=st.integers(0, 1000))
def test_a_trial_input_keeps_to_the_lengths_of_the_task(low: int, extra: int) -> None:
    high = max(1, low + extra)
    config = load_task_config(
        NLI_CONFIG.replace(
            "placeholder: Write a sentence", f"min_length: {low}, max_length: {high}"
        )
    )
    values = trial_input(config)
    assert set(values) == set(config.model_input_names)
    config.check_inputs({"hypothesis": values["hypothesis"]})
    config.check_context({"premise": values["premise"]})


ANY = load_task_config("""
context:
  - {name: passage, type: string}
input:
  - {name: marks, type: spans, reference_name: passage}
  - {name: words, type: context_string_selection, reference_name: passage}
  - {name: tags, type: multilabel, labels: [a, b]}
  - {name: low, type: number, max: -2}
  - {name: any, type: number}
  - {name: stars, type: rating, min: 2}
output:
  - {name: topics, type: multilabel, labels: [c, d]}
  - {name: topic_probs, type: prob, reference_name: topics}
model_wrong_metric: {type: ask_user}
perf_metric: {type: exact_match, reference_name: topics}
""")


def test_a_trial_input_of_any_type_is_one_that_the_task_takes() -> None:
    values = trial_input(ANY)
    context = ANY.check_context({"passage": values.pop("passage")})
    assert ANY.check_inputs(values, context=context) == values
    assert (values["low"], values["any"], values["stars"]) == (-2, 0, 2)


def test_a_model_is_told_which_labels_may_stand_together() -> None:
    spec = spec_for(ANY, kind=ModelKind.ENDPOINT, name="m", options={"url": "http://a"})
    assert spec.labels == {"topics": ("c", "d")}
    assert spec.multilabel_names == ("topics",)


def model_with(
    *,
    is_published: bool = True,
    kind: ModelKind = ModelKind.ENDPOINT,
    status: ModelStatus = ModelStatus.READY,
) -> Model:
    return Model(
        id=uuid4(),
        task_id=uuid4(),
        name="m",
        version=1,
        kind=kind,
        status=status,
        rejection=None,
        source={},
        digest="d",
        description="",
        submitted_by=None,
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
        is_published=is_published,
        is_anonymous=False,
    )


@pytest.mark.parametrize("role", [None, *TaskRole])
def test_private_models_are_seen_by_their_own_and_the_owners(role: TaskRole | None) -> None:
    own, other = Actor(user_id=uuid4()), Actor(user_id=uuid4())
    private = replace(model_with(is_published=False), submitted_by=own.user_id)
    for actor in (own, other, VISITOR):
        assert can_see(model_with(is_published=True), actor=actor, role=role)
        is_known = actor is own or role is TaskRole.OWNER
        assert can_see(private, actor=actor, role=role) is is_known
        deleted = replace(private, deleted_at=private.created_at, is_published=True)
        assert not can_see(deleted, actor=actor, role=role)


@pytest.mark.parametrize("kind", list(ModelKind))
@pytest.mark.parametrize("status", list(ModelStatus))
def test_only_a_ready_model_that_can_be_asked_is_usable(
    kind: ModelKind, status: ModelStatus
) -> None:
    model = model_with(kind=kind, status=status)
    if kind not in {ModelKind.RECORDED, ModelKind.PREDICTIONS} and status is ModelStatus.READY:
        require_usable(model)
    else:
        with pytest.raises(ModelNotReadyError):
            require_usable(model)
