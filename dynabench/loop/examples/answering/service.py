"""Use case of every attempt: check the draft, ask the targets, decide whether they fell for it."""

import asyncio
from collections.abc import Mapping, Sequence

from dynabench.engines.inference.errors import TargetAnswerInvalidError
from dynabench.kit.wire import Values
from dynabench.loop.examples.answering.values import AnsweredDraft, ExampleDraft
from dynabench.loop.examples.schemas import PredictionRead
from dynabench.loop.examples.values import StoredExample, StoredPrediction
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.values import Target, TargetPolicy
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig


def check_draft(
    config: TaskConfig, *, context: Values, inputs: Values, answer: Values
) -> ExampleDraft:
    """Return the draft with its values in normal form.

    Raises:
        FieldValueError: If a field is missing, unknown or wrong; all of them are named.
    """
    checked = config.check_inputs(inputs)
    return ExampleDraft(
        inputs=checked, answer=config.check_answer(answer, context={**context, **checked})
    )


def describe_predictions(
    predictions: Sequence[StoredPrediction], *, targets: Sequence[Target]
) -> list[PredictionRead]:
    """Return the wire shapes of what a round's targets answered."""
    known = {target.model_id: target for target in targets}
    return [
        PredictionRead(
            model_id=found.model_id,
            model_name=known[found.model_id].name if found.model_id in known else "",
            model_version=known[found.model_id].version if found.model_id in known else 0,
            outputs=found.outputs,
            probabilities=found.probabilities,
            is_wrong=found.is_wrong,
            latency_ms=found.latency_ms,
        )
        for found in predictions
    ]


def is_judged_right(example: StoredExample, *, config: TaskConfig, policy: TargetPolicy) -> bool:
    """Tell whether what is stored of the fooling is what the stored answers add up to.

    Where the author was asked, their word is no derived value: there is nothing to compare.
    """
    if config.asks_author:
        return True
    wrong = [
        config.decide_fooled(answer=example.answer, prediction=found.outputs)
        for found in example.predictions
    ]
    fooled = config.combine_fooled(policy.value, wrong) if wrong else None
    return (
        wrong == [found.is_wrong for found in example.predictions]
        and fooled == example.fooled_by_author_answer
    )


class AnsweringService:
    """Asks target models live."""

    def __init__(self, *, models: ModelService) -> None:
        self._models = models

    async def ask(
        self,
        draft: ExampleDraft,
        *,
        config: TaskConfig,
        context: Values,
        targets: Sequence[Target],
        policy: TargetPolicy,
    ) -> AnsweredDraft:
        """Return every target's answer, and whether that fools by the round's policy.

        Raises:
            TargetAnswerInvalidError: If an answer cannot be used; nothing is stored then.
            TargetUnavailableError: If a target cannot be asked.
        """
        predictions = await asyncio.gather(
            *(self._ask_one(target, draft, config=config, context=context) for target in targets)
        )
        fooled = config.combine_fooled(policy.value, [found.is_wrong for found in predictions])
        return AnsweredDraft(draft=draft, predictions=tuple(predictions), fooled=fooled)

    async def _ask_one(
        self, target: Target, draft: ExampleDraft, *, config: TaskConfig, context: Values
    ) -> StoredPrediction:
        values: Mapping[str, object] = {**context, **draft.inputs}
        found = await self._models.predict(target.model_id, values)
        if found.error is not None:
            raise TargetAnswerInvalidError(name=target.name, reason=found.error)
        try:
            outputs = config.check_prediction(found.outputs, context=values)
        except FieldValueError as error:
            # The fields are the model's; the author has nothing to correct.
            raise TargetAnswerInvalidError(name=target.name, reason=error.message) from error
        return StoredPrediction(
            model_id=target.model_id,
            outputs=outputs,
            probabilities=found.probabilities,
            is_wrong=config.decide_fooled(answer=draft.answer, prediction=outputs),
            latency_ms=round(found.latency_seconds * 1000, 3),
        )
