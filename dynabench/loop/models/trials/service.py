"""Use case of every submission: ask the model a trial input, and look at what it answers."""

from dataclasses import replace

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.protocol import Prediction, TargetSpec
from dynabench.loop.models.addresses.service import ask_once
from dynabench.loop.models.errors import ModelCheckFailedError
from dynabench.loop.models.judges.rules import judge_input, read_judgement
from dynabench.loop.models.rules import trial_answer, trial_input
from dynabench.loop.models.values import ModelPurpose
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig


async def try_out(
    spec: TargetSpec, config: TaskConfig, *, purpose: ModelPurpose, factory: TargetFactory
) -> tuple[str, Prediction]:
    """Return a model's digest and what it answers, past everything that is remembered of it.

    Raises:
        ModelCheckFailedError: If it cannot be asked, or its answer not be used.
    """
    values = trial_input(config)
    is_judge = purpose is ModelPurpose.JUDGE
    if is_judge:
        values = judge_input(config, values=values, outputs=trial_answer(config))
    description, prediction = await ask_once(spec, values, factory=factory)
    outputs = prediction.outputs
    try:
        if is_judge:
            read_judgement(outputs, metric=config.model_wrong_metric)
        else:
            outputs = config.check_prediction(outputs, context=values)
    except FieldValueError as error:
        raise ModelCheckFailedError(reason=error.message) from error
    except ValueError as error:
        raise ModelCheckFailedError(reason=str(error)) from error
    return description.digest, replace(prediction, outputs=outputs)
