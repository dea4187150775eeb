"""Use case of readers: models by which of their replies people chose."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.sentences import Phrase
from dynabench.loop.leaderboards.preferences.repository import PreferenceRepository
from dynabench.loop.leaderboards.preferences.rules import rank_models
from dynabench.loop.leaderboards.preferences.schemas import PreferenceBoardRead, PreferenceRow
from dynabench.loop.leaderboards.preferences.values import JudgedMessage, PreferenceBoard
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import ModelLabel
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.science.metrics.kinds import METRIC_KINDS, Subject
from dynabench.science.task_config.fields.turns import NoChoice
from dynabench.science.task_config.schema import TaskConfig

_PERCENT = 100
_NOT_COMPARED = Phrase("preferences.not_compared", "This task compares no replies.").say()
_NO_CHOICES = Phrase(
    "preferences.no_choices", "Nobody has handed in a conversation with a choice yet."
).say()
_NOBODY = Phrase(
    "preferences.nobody",
    "No two models can be compared yet: a chain of wins has to lead from each of them to the "
    "other.",
).say()
_REASONS: Mapping[str, str] = {
    "unlinked": Phrase(
        "preferences.unlinked", "No comparison links it to the ranked models."
    ).say(),
    "never_lost": Phrase(
        "preferences.never_lost",
        "It won every comparison, so nothing says how strong it is at most.",
    ).say(),
    "never_won": Phrase(
        "preferences.never_won",
        "It lost every comparison, so nothing says how strong it is at least.",
    ).say(),
    "one_sided": Phrase(
        "preferences.one_sided", "All comparisons that link it to the ranked models went one way."
    ).say(),
}
_NO_BATTLE = Phrase(
    "preferences.no_battle", "Its replies were compared with no other model's."
).say()
_UNSURE = Phrase(
    "preferences.unsure",
    "Too few people chose between it and others, or a few of them chose most, so nothing says how "
    "sure its strength is.",
).say()


class PreferenceService:
    """The preference boards of all tasks."""

    def __init__(
        self, *, db: Database, tasks: TaskService, rounds: RoundService, models: ModelService
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._models = models

    async def board(
        self, slug: str, *, actor: Actor, round_number: int | None = None
    ) -> PreferenceBoardRead:
        """Return a task's board, over all rounds that the actor may see or over one.

        Raises:
            RoundNotFoundError: If there is no such round, or the actor may not see it.
        """
        task = await self._tasks.get_for(slug, actor)
        rounds = await self._rounds.list(slug, actor=actor)
        round_ids = [one.id for one in rounds if round_number in {None, one.number}]
        if round_number is not None and not round_ids:
            raise RoundNotFoundError
        field_name = _compared_chat(task.config)
        if field_name is None:
            return _empty(_NOT_COMPARED)
        async with self._db.read() as session:
            repository = PreferenceRepository(session)
            messages = await repository.judged_messages(round_ids, field_name=field_name)
        if not messages:
            return _empty(_NO_CHOICES)
        board = await asyncio.to_thread(rank_models, messages)
        labels = await self._models.names([UUID(one.model) for one in board.strengths])
        return _read(messages, board, labels)


def _compared_chat(config: TaskConfig) -> str | None:
    """Return the chat whose choices the task ranks models by."""
    for one in config.perf_metrics:
        if METRIC_KINDS[one.name].subject is Subject.CHOICES:
            return one.reference_name
    return None


def _empty(reason: str) -> PreferenceBoardRead:
    return PreferenceBoardRead(
        rows=[], conversations=0, choices=0, ties=0, all_bad=0, reason=reason
    )


def _read(
    messages: Sequence[JudgedMessage], board: PreferenceBoard, labels: Mapping[UUID, ModelLabel]
) -> PreferenceBoardRead:
    choices = Counter(one.choice for one in messages)
    rows = []
    for one in board.strengths:
        label = labels.get(UUID(one.model))
        if label is None:
            # A model that is gone takes its row along; the others were compared with it.
            continue
        why = None if one.unranked is None else one.unranked.value
        reason = None if one.battles else _NO_BATTLE
        if one.value is not None and one.low is None:
            reason = _UNSURE
        rows.append(
            PreferenceRow(
                model_id=label.model_id,
                model_name=label.name,
                model_version=label.version,
                rank=one.rank,
                strength=one.value,
                low=one.low,
                high=one.high,
                battles=one.battles,
                wins=one.wins,
                win_rate=_PERCENT * one.wins / one.battles if one.battles else None,
                replies=board.replies[one.model],
                all_bad=board.all_bad.get(one.model, 0),
                unranked=why,
                reason=reason if why is None else _REASONS[why],
            )
        )
    return PreferenceBoardRead(
        rows=rows,
        conversations=len({one.example_id for one in messages}),
        choices=len(messages),
        ties=choices[NoChoice.TIE],
        all_bad=choices[NoChoice.ALL_BAD],
        reason=None if any(one.value is not None for one in board.strengths) else _NOBODY,
    )
