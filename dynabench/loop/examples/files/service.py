"""Use case of every attempt with files: have them here before anything else is done."""

from typing import TypeVar

from dynabench.kit.actor import Actor
from dynabench.loop.examples.schemas import ExampleCreate, ExamplePatch, TryCreate
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.science.task_config.schema import TaskConfig

AttemptT = TypeVar("AttemptT", ExampleCreate, TryCreate)


async def with_files(
    body: AttemptT, *, media: MediaResolver, config: TaskConfig, actor: Actor
) -> AttemptT:
    """Return an attempt whose files are stored; addresses are fetched.

    Raises:
        FieldValueError: If a file cannot be had or does not fit its field.
    """
    fields, values = config.written_fields, body.inputs
    inputs = await media.resolve(fields, values, prefix="inputs", actor=actor)
    answer = await media.resolve(config.gold_fields, body.answer, prefix="answer", actor=actor)
    return body.model_copy(update={"inputs": inputs, "answer": answer})


async def with_files_explaining(
    body: ExamplePatch, *, media: MediaResolver, config: TaskConfig, actor: Actor
) -> ExamplePatch:
    """Return an addition whose files are stored, as `with_files` does.

    Raises:
        FieldValueError: If a file cannot be had or does not fit its field.
    """
    if not body.explanations:
        return body
    explanations = await media.resolve_metadata(
        config.create_metadata, body.explanations, actor=actor
    )
    return body.model_copy(update={"explanations": explanations})
