"""Use case of every message: ask the candidates side by side, and take all replies or none."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.engines.inference.errors import TargetAnswerInvalidError
from dynabench.engines.inference.protocol import require_answer
from dynabench.kit.errors import LimitError, UnavailableError
from dynabench.loop.chats.errors import ReplyFailedError
from dynabench.loop.chats.rules import sample_of
from dynabench.loop.chats.values import Reply
from dynabench.loop.models.service import ModelService
from dynabench.science.task_config.conversations import CANDIDATE_NAMES
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig


class ReplyService:
    """Asks models for the next reply of a conversation."""

    def __init__(self, *, models: ModelService) -> None:
        self._models = models

    async def ask(
        self,
        model_ids: Sequence[UUID],
        messages: Sequence[Mapping[str, str]],
        *,
        config: TaskConfig,
        context: Mapping[str, object],
        names: Mapping[UUID, str],
        regenerated: int = 0,
        is_secret: bool = False,
    ) -> tuple[Reply, ...]:
        """Return every candidate's reply, in the candidates' order.

        Args:
            model_ids: The candidates.
            messages: The conversation, with the message to reply to at its end.
            config: The task's, which has a conversation among its fields.
            context: What the conversation is about.
            names: How models are called, for the sentence about the only one that failed.
            regenerated: How often replies to this message were asked for before.
            is_secret: Whether nobody may know which model is asked, even where it is only one.

        Raises:
            ReplyFailedError: If one of several failed, or a secret one; which stays hidden.
            TargetUnavailableError: If the only one cannot be asked.
            TargetAnswerInvalidError: If its answer is no reply.
        """
        asked = list(model_ids)

        async def one(index: int, model_id: UUID) -> Reply:
            sample = sample_of(asked, index, regenerated=regenerated)
            try:
                return await self._ask_one(
                    model_id,
                    messages,
                    config=config,
                    context=context,
                    name=names.get(model_id, ""),
                    sample=sample,
                )
            except (UnavailableError, LimitError) as error:
                is_named = len(asked) == 1 and not is_secret
                if is_named or error.code.startswith("database."):
                    raise
                raise ReplyFailedError(candidate=CANDIDATE_NAMES[index]) from error

        return tuple(await asyncio.gather(*(one(*pair) for pair in enumerate(asked))))

    async def _ask_one(
        self,
        model_id: UUID,
        messages: Sequence[Mapping[str, str]],
        *,
        config: TaskConfig,
        context: Mapping[str, object],
        name: str,
        sample: int,
    ) -> Reply:
        field = config.chat_field
        assert field is not None, "the caller has looked"
        assert isinstance(field.type, ChatType)
        assert field.type.reply_name is not None, "a config without one is refused"
        values = {**context, field.name: list(messages)}
        found = require_answer(
            await self._models.predict(model_id, values, sample=sample), name=name
        )
        try:
            outputs = config.check_prediction(found.outputs, context=values)
        except FieldValueError as error:
            # The fields are the model's; whoever writes has nothing to correct.
            raise TargetAnswerInvalidError(name=name, reason=error.message) from error
        return Reply(
            model_id=model_id,
            text=str(outputs[field.type.reply_name]),
            latency_ms=round(found.latency_seconds * 1000, 3),
        )
