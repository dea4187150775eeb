"""The answer that validators share, where it takes the place of the author's."""

from collections.abc import Mapping, Sequence

from dynabench.science.task_config.elements import FoolingRule, ModelWrongMetric
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fooling import answer_f1, is_same_answer

Answer = Mapping[str, object]


def shared_answer(
    metric: ModelWrongMetric, types: Mapping[str, FieldType], answers: Sequence[Answer], quorum: int
) -> Answer | None:
    """Return the answer that a quorum of validators share, None while there is none.

    Answers are read in the order of the votes up to the first that makes a quorum, so that
    later votes never change a gold answer. An answer's group is all answers that match it
    (itself among them); of those with the largest group the one with the highest mean F1
    to its group is taken, then the earliest.

    Args:
        metric: The rule by which answers match.
        types: The types of the reference fields.
        answers: What validators answered, in the order of their votes.
        quorum: How many must share an answer; at least 1.
    """
    if quorum < 1:
        message = f"A quorum is at least 1, not {quorum}."
        raise ValueError(message)
    for count in range(quorum, len(answers) + 1):
        gold = _largest_shared(metric, types, answers[:count], quorum)
        if gold is not None:
            return gold
    return None


def _largest_shared(
    metric: ModelWrongMetric, types: Mapping[str, FieldType], answers: Sequence[Answer], quorum: int
) -> Answer | None:
    best: tuple[int, float] = (quorum - 1, 2.0)
    gold: Answer | None = None
    for one in answers:
        group = [other for other in answers if is_same_answer(metric, types, one=one, other=other)]
        closeness = 1.0
        if metric.rule is FoolingRule.STRING_F1:
            scores = [answer_f1(metric, types, one=one, other=other) for other in group]
            closeness = sum(scores) / len(scores)
        if (len(group), closeness) > best:
            best, gold = (len(group), closeness), one
    return gold
