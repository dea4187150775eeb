"""Use case of every attempt: check the draft, ask the targets, decide whether they fell for it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.kit.wire import Values
from dynabench.loop.examples.answering.values import AnsweredDraft, ExampleDraft
from dynabench.loop.examples.errors import NoAnswerError, TextWithheldError
from dynabench.loop.examples.judging.rules import fooled_by, judgement_of
from dynabench.loop.examples.schemas import JudgementRead, PredictionRead
from dynabench.loop.examples.values import (
    StoredExample,
    StoredPrediction,
    Withholding,
    Writer,
)
from dynabench.loop.models.judges.rules import has_rubric
from dynabench.loop.models.judges.service import JudgeService
from dynabench.loop.models.rules import reply_name_of
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.values import Target, TargetPolicy
from dynabench.loop.tasks.values import Task
from dynabench.science.task_config.conversations import last_replies
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig

_TARGET_ERRORS = (
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetTimeoutError,
    TargetUnavailableError,
)


def check_draft(
    config: TaskConfig, *, context: Values, inputs: Values, answer: Values
) -> ExampleDraft:
    """Return the draft with its values in normal form.

    Raises:
        FieldValueError: If a field is missing, unknown or wrong; all of them are named.
    """
    checked = config.check_inputs(inputs, context=context)
    return ExampleDraft(
        inputs=checked,
        answer=config.check_answer(answer, context={**context, **checked}),
        config=config,
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
            judgement=found.judgement and JudgementRead.model_validate(judgement_of(found)),
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
    fooled = fooled_by(wrong, policy=policy, config=config) if wrong else None
    return (
        wrong == [found.is_wrong for found in example.predictions]
        and fooled == example.fooled_by_author_answer
    )


def replied_outputs(
    draft: ExampleDraft, *, config: TaskConfig, model_id: UUID
) -> dict[str, object] | None:
    """Return what a model has answered in the attempt's conversation; None if it took no part."""
    chat, reply_name = config.chat_field, reply_name_of(config)
    if chat is None or reply_name is None:
        return None
    reply = last_replies(draft.inputs.get(chat.name)).get(str(model_id))
    return None if reply is None else {reply_name: reply}


class AnsweringService:
    """Asks target models live, and the judge where the task has a rubric."""

    def __init__(self, *, models: ModelService, withholding: Withholding) -> None:
        self._models = models
        self._withholding = withholding
        self._judges = JudgeService(models=models)

    async def ask(
        self,
        draft: ExampleDraft,
        *,
        task: Task,
        context: Values,
        targets: Sequence[Target],
        policy: TargetPolicy,
        is_secret: bool = False,
        writer: Writer | None = None,
    ) -> AnsweredDraft:
        """Return every target's answer, and whether that fools by the round's policy.

        A judge that fails makes no attempt fail: its word is asked for again later.

        Args:
            draft: What was written.
            task: The task.
            context: What it was written about.
            targets: Who is asked.
            policy: When several of them count as fooled.
            is_secret: Whether the author may not know who is asked, nor what comes of it.
            writer: Who writes it, and for which round; None for a try, which nobody keeps.

        Raises:
            TargetAnswerInvalidError: If an answer cannot be used; nothing is stored then.
            TargetUnavailableError: If a target cannot be asked.
            NoAnswerError: If it is secret, in place of both.
            TextWithheldError: If the text is like one whose answers are withheld.
        """
        await self._require_told(draft, task=task, context=context, writer=writer)
        try:
            predictions = await asyncio.gather(
                *(
                    self._ask_one(target, draft, config=task.config, context=context)
                    for target in targets
                )
            )
        except _TARGET_ERRORS as error:
            if not is_secret:
                raise
            # Every failure reads the same: its name, its kind and its reason would tell.
            raise NoAnswerError from error
        if has_rubric(task.config):
            values = {**context, **draft.inputs}
            predictions = await self.judge(predictions, task=task, values=values)
        wrong = [found.is_wrong for found in predictions]
        fooled = fooled_by(wrong, policy=policy, config=task.config)
        return AnsweredDraft(draft=draft, predictions=tuple(predictions), fooled=fooled)

    async def _require_told(
        self, draft: ExampleDraft, *, task: Task, context: Values, writer: Writer | None
    ) -> None:
        if await self._withholding.is_withheld(
            task.id,
            config=draft.config,
            context=context,
            inputs=draft.inputs,
            writer=writer,
        ):
            raise TextWithheldError

    async def judge(
        self,
        predictions: Sequence[StoredPrediction],
        *,
        task: Task,
        values: Mapping[str, object],
    ) -> list[StoredPrediction]:
        """Return answers with the judge's word on each; one that is judged already stays."""

        async def judged(found: StoredPrediction) -> StoredPrediction:
            known = judgement_of(found)
            if known is not None and known.broken is not None:
                return found
            said = await self._judges.judge(
                task.id, task.config, values=values, outputs=found.outputs
            )
            return replace(found, judgement=said.to_json())

        return list(await asyncio.gather(*(judged(found) for found in predictions)))

    async def _ask_one(
        self, target: Target, draft: ExampleDraft, *, config: TaskConfig, context: Values
    ) -> StoredPrediction:
        values: Mapping[str, object] = {**context, **draft.inputs}
        replied = replied_outputs(draft, config=config, model_id=target.model_id)
        if replied is not None and set(replied) == set(config.model_output_names):
            return StoredPrediction(
                model_id=target.model_id,
                outputs=replied,
                probabilities=None,
                is_wrong=config.decide_fooled(answer=draft.answer, prediction=replied),
                latency_ms=None,
            )
        found = await self._models.predict(target.model_id, values)
        if found.error is not None:
            raise TargetAnswerInvalidError(name=target.name, reason=found.error)
        try:
            outputs = config.check_prediction(found.outputs, context=values)
        except FieldValueError as error:
            # The fields are the model's; the author has nothing to correct.
            raise TargetAnswerInvalidError(name=target.name, reason=error.message) from error
        # What it said in the conversation stands, whatever it would say now.
        outputs |= replied or {}
        return StoredPrediction(
            model_id=target.model_id,
            outputs=outputs,
            probabilities=found.probabilities,
            is_wrong=config.decide_fooled(answer=draft.answer, prediction=outputs),
            latency_ms=round(found.latency_seconds * 1000, 3),
        )
