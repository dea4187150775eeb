"""Use case of judges: ask the task's judge about one answer."""

from collections.abc import Mapping
from uuid import UUID

from dynabench.kit.errors import DynabenchError
from dynabench.loop.models.judges.rules import judge_input, read_judgement
from dynabench.loop.models.judges.values import Judgement
from dynabench.loop.models.service import ModelService
from dynabench.science.task_config.schema import TaskConfig


class JudgeService:
    """Asks the newest ready version of the judge that a task's rubric names."""

    def __init__(self, *, models: ModelService) -> None:
        self._models = models

    async def judge(
        self,
        task_id: UUID,
        config: TaskConfig,
        *,
        values: Mapping[str, object],
        outputs: Mapping[str, object],
    ) -> Judgement:
        """Return what the judge says of an answer.

        A judge that fails makes no attempt fail: then the judgement says why it has no word.
        """
        metric = config.model_wrong_metric
        name = metric.judge or ""
        judge_id = await self._models.newest_judge(task_id, name=name)
        if judge_id is None:
            return Judgement(broken=None, error=f"The task has no judge “{name}” that is ready.")
        asked = judge_input(config, values=values, outputs=outputs)
        try:
            found = await self._models.predict(judge_id, asked)
        except DynabenchError as error:
            if error.code.startswith("database."):
                raise
            return Judgement(broken=None, error=error.message, judge_id=judge_id)
        if found.error is not None:
            return Judgement(broken=None, error=found.error, judge_id=judge_id)
        try:
            broken, reason = read_judgement(found.outputs, metric=metric)
        except ValueError as problem:
            sentence = f"The judge's answer cannot be used: {problem}"
            return Judgement(broken=None, error=sentence, judge_id=judge_id)
        return Judgement(broken=broken, reason=reason, judge_id=judge_id)
