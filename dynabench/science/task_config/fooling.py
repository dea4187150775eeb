"""When a model counts as fooled, and when a round's targets do together."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from dynabench.science.task_config.elements import FoolingRule, ModelWrongMetric
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.texts.normalise import token_f1


class TargetPolicy(StrEnum):
    """How the answers of a round's targets make up "fooled"."""

    SINGLE = "single"
    RANDOM = "random"
    ANY_FOOLED = "any-fooled"
    ALL_FOOLED = "all-fooled"
    MAJORITY = "majority"


def is_same_answer(
    metric: ModelWrongMetric,
    types: Mapping[str, FieldType],
    *,
    one: Mapping[str, object],
    other: Mapping[str, object],
) -> bool:
    """Tell whether two answers are the same by the task's rule.

    `exact_match`: all reference fields are equal. `string_f1`: the SQuAD token F1 of the
    reference field is at least the threshold.

    Raises:
        ValueError: If the rule is to ask a person.
    """
    if metric.rule in {FoolingRule.ASK_USER, FoolingRule.RUBRIC}:
        message = f"The rule {metric.rule.value} compares no answers; it asks the annotator."
        raise ValueError(message)
    if metric.rule is FoolingRule.EXACT_MATCH:
        return all(types[name].is_equal(one[name], other[name]) for name in metric.reference_names)
    assert metric.threshold is not None
    return answer_f1(metric, types, one=one, other=other) >= metric.threshold


def answer_f1(
    metric: ModelWrongMetric,
    types: Mapping[str, FieldType],
    *,
    one: Mapping[str, object],
    other: Mapping[str, object],
) -> float:
    """Return the mean token F1 of two answers over the metric's reference fields."""
    scores = [
        token_f1(types[name].text_of(one[name]), types[name].text_of(other[name]))
        for name in metric.reference_names
    ]
    return sum(scores) / len(scores)


def decide_fooled(
    metric: ModelWrongMetric,
    types: Mapping[str, FieldType],
    *,
    answer: Mapping[str, object],
    prediction: Mapping[str, object],
    user_says: bool | None = None,
    judge_says: bool | None = None,
) -> bool | None:
    """Decide whether one model is wrong; None while the annotator has to say and has not.

    Under a rubric the judge (`judge_says`: a criterion is broken) and the annotator decide
    together; where they disagree, or the judge said nothing, it stays None.
    """
    if metric.rule is FoolingRule.ASK_USER:
        return user_says
    if metric.rule is FoolingRule.RUBRIC:
        return user_says if user_says == judge_says else None
    return not is_same_answer(metric, types, one=answer, other=prediction)


def combine_fooled(policy: TargetPolicy | str, wrong: Sequence[bool | None]) -> bool | None:
    """Decide whether the targets are fooled together; None where that hangs on an open one.

    Args:
        policy: `single` and `random` judge the one model that was asked, `any-fooled` and
            `all-fooled` mean what they say, `majority` is more than half.
        wrong: For each target whether it was wrong, None where that is undecided.

    Raises:
        ValueError: If no target was asked, or more than the policy knows.

    Example:
        >>> combine_fooled("majority", [True, False])
        False
        >>> combine_fooled("any-fooled", [True, None])
        True
    """
    chosen = TargetPolicy(policy)
    is_one_expected = chosen in {TargetPolicy.SINGLE, TargetPolicy.RANDOM}
    if not wrong or (is_one_expected and len(wrong) != 1):
        message = f"The policy {chosen.value} does not fit {len(wrong)} answers."
        raise ValueError(message)
    needed = {TargetPolicy.ALL_FOOLED: len(wrong), TargetPolicy.MAJORITY: len(wrong) // 2 + 1}
    enough = needed.get(chosen, 1)
    sure = sum(one is True for one in wrong)
    possible = sure + sum(one is None for one in wrong)
    if sure >= enough:
        return True
    return None if possible >= enough else False
