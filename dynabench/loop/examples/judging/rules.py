"""Decisions where a rubric says who is fooled: the judge and the author have to agree."""

from collections.abc import Sequence
from dataclasses import replace

from dynabench.loop.examples.errors import JudgeFailedError
from dynabench.loop.examples.rules import require_open_question
from dynabench.loop.examples.values import StoredExample, StoredPrediction
from dynabench.loop.models.judges.rules import has_rubric
from dynabench.loop.models.judges.values import Judgement
from dynabench.loop.rounds.values import TargetPolicy
from dynabench.science.task_config.schema import TaskConfig


def judgement_of(prediction: StoredPrediction) -> Judgement | None:
    """Return what is stored of the judge's word and the author's."""
    return None if prediction.judgement is None else Judgement.from_json(prediction.judgement)


def needs_judge(predictions: Sequence[StoredPrediction]) -> bool:
    """Tell whether some answer has no usable word of a judge yet."""
    found = [judgement_of(one) for one in predictions]
    return any(one is None or one.broken is None for one in found)


def has_author_spoken(predictions: Sequence[StoredPrediction]) -> bool:
    """Tell whether the author has said already whether the answers are wrong."""
    found = [judgement_of(one) for one in predictions]
    return any(one is not None and one.author_says_wrong is not None for one in found)


def with_judgements(example: StoredExample, judged: Sequence[StoredPrediction]) -> StoredExample:
    """Return an attempt with the judge's word where it had none yet."""
    predictions = tuple(
        new if needs_judge([old]) else old
        for old, new in zip(example.predictions, judged, strict=True)
    )
    return replace(example, predictions=predictions)


def with_author(
    example: StoredExample, *, says_wrong: bool, policy: TargetPolicy, config: TaskConfig
) -> StoredExample:
    """Return an attempt with its author's word on it.

    Without a rubric that word decides. With one an answer is wrong, or right, where the judge
    says so too; where they disagree it stays open whether the target was fooled.

    Raises:
        ExampleStateError: If nobody asks the author, or they have said it already.
        JudgeFailedError: If the judge has no word on some answer.
    """
    require_open_question(
        asks_author=config.asks_author,
        has_spoken=example.fooled_by_author_answer is not None
        or has_author_spoken(example.predictions),
    )
    if not has_rubric(config):
        said = tuple(replace(one, is_wrong=says_wrong) for one in example.predictions)
        return replace(example, fooled_by_author_answer=says_wrong, predictions=said)
    predictions = tuple(
        _agreed(one, says_wrong=says_wrong, config=config) for one in example.predictions
    )
    wrong = [found.is_wrong for found in predictions]
    fooled = fooled_by(wrong, policy=policy, config=config)
    return replace(example, fooled_by_author_answer=fooled, predictions=predictions)


def _agreed(
    prediction: StoredPrediction, *, says_wrong: bool, config: TaskConfig
) -> StoredPrediction:
    judgement = judgement_of(prediction)
    if judgement is None or judgement.broken is None:
        reason = None if judgement is None else judgement.error
        raise JudgeFailedError(reason=reason or "it was not asked.")
    judgement = replace(judgement, author_says_wrong=says_wrong)
    is_wrong = config.decide_fooled(
        answer={},
        prediction=prediction.outputs,
        user_says=says_wrong,
        judge_says=judgement.says_wrong,
    )
    return replace(prediction, judgement=judgement.to_json(), is_wrong=is_wrong)


def fooled_by(
    wrong: Sequence[bool | None], *, policy: TargetPolicy, config: TaskConfig
) -> bool | None:
    """Return whether the targets are fooled together, of each of which is told if it is wrong.

    Several candidates of one conversation are judged as the policy says; where it asks one
    target, it is enough that one of them is wrong.
    """
    is_one_asked = policy in {TargetPolicy.SINGLE, TargetPolicy.RANDOM}
    if is_one_asked and len(wrong) > 1:
        policy = TargetPolicy.ANY_FOOLED
    return config.combine_fooled(policy.value, wrong)
