import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.tasks.rules import (
    changed_fields,
    higher_role,
    includes,
    is_slug,
    shape_of,
)
from dynabench.loop.tasks.values import TaskRole
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

roles = st.sampled_from(TaskRole)


@given(roles, roles)
def test_of_two_roles_one_includes_the_other_and_is_the_higher(
    one: TaskRole, other: TaskRole
) -> None:
    assert includes(one, other) or includes(other, one)
    higher = higher_role(one, other)
    assert includes(higher, one)
    assert includes(higher, other)
    assert higher in {one, other}


@given(roles)
def test_a_person_without_a_role_has_none_of_them(role: TaskRole) -> None:
    assert not includes(None, role)
    assert higher_role(None, role) is role


def test_an_owner_is_an_expert_and_an_expert_an_annotator() -> None:
    assert includes(TaskRole.OWNER, TaskRole.EXPERT)
    assert includes(TaskRole.EXPERT, TaskRole.ANNOTATOR)
    assert not includes(TaskRole.ANNOTATOR, TaskRole.EXPERT)
    assert not includes(TaskRole.EXPERT, TaskRole.OWNER)


@pytest.mark.parametrize("text", ["", "a", "-nli", "NLI", "n li", "nli\n", "nli/1", "x" * 65])
def test_a_text_that_no_task_can_be_called_is_no_slug(text: str) -> None:
    assert not is_slug(text)


def _changed(old: str, new: str) -> list[str]:
    assert old in NLI_CONFIG
    before = load_task_config(NLI_CONFIG)
    after = load_task_config(NLI_CONFIG.replace(old, new))
    return changed_fields(shape_of(before), shape_of(after))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: Inference", "title: Entailment"),
        ("placeholder: Write a sentence", "max_length: 200"),
        ("[entailment, neutral, contradiction]", "[neutral, entailment, contradiction]"),
        ("description: Does the premise make the hypothesis true?\n", ""),
        ("type: macro_f1", "type: accuracy"),
    ],
)
def test_wording_lengths_order_and_metrics_are_no_part_of_the_shape(old: str, new: str) -> None:
    assert _changed(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (
            "[entailment, neutral, contradiction]",
            "[entailment, neutral]",
            ["input.label", "output.label"],
        ),
        ("name: premise", "name: passage", ["context.passage", "context.premise"]),
        (
            "  - {name: prob, type: prob, reference_name: label}\n",
            "",
            ["output.prob"],
        ),
        (
            "{name: prob, type: prob, reference_name: label}",
            "{name: prob, type: prob, single_prob: true}",
            ["output.prob"],
        ),
        (
            "{type: exact_match, reference_names: [label]}",
            "{type: ask_user}",
            ["model_wrong_metric"],
        ),
    ],
)
def test_names_types_labels_references_and_the_rule_are_the_shape(
    old: str, new: str, changed: list[str]
) -> None:
    assert _changed(old, new) == changed
