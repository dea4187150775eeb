"""Computing anew what is derived from a task's rows, while they can still be taken back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import send
from dynabench.kit.wire import Values
from dynabench.loop.examples.answering.service import is_judged_right
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.values import StoredExample
from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.importing.looking import LookedOver, row_line
from dynabench.loop.interchange.transfer.repository import TransferRepository
from dynabench.loop.interchange.transfer.rules import Renaming
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.validations.outcomes.service import OutcomeService, announcing_change
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig

_PAGE = 500


class Agreement:
    """Checks the attempts of an imported task, and has their counts made."""

    def __init__(
        self, *, rounds: RoundService, examples: ExampleService, outcomes: OutcomeService
    ) -> None:
        self._rounds = rounds
        self._examples = examples
        self._outcomes = outcomes

    async def require(
        self, session: Session, looked: LookedOver, *, task_id: UUID, renaming: Renaming
    ) -> None:
        """Refuse a task whose values do not fit, or whose derived values do not follow.

        Raises:
            TaskFileError: At the first attempt that is wrong, with its line.
        """
        check = _Check(looked, renaming)
        for round_ in await self._rounds.of_task(task_id):
            after: tuple[datetime, UUID] | None = None
            while page := await self._examples.page_ids(
                session, round_id=round_.id, after=after, limit=_PAGE
            ):
                after = page[-1]
                await self._require(session, [one for _, one in page], round_, check)

    async def _require(
        self, session: Session, ids: Sequence[UUID], round_: Round, check: "_Check"
    ) -> None:
        found = await self._examples.get_many(session, ids)
        repository = TransferRepository(session)
        contents = await repository.contents({one.context_id for one in found})
        answers: dict[UUID, list[Values]] = {}
        for example_id, answer in await repository.vote_answers(ids):
            answers.setdefault(example_id, []).append(answer)
        for example in found:
            check.require_values(example, contents[example.context_id], answers.get(example.id, []))
            check.require_fooled(example, round_)
        for example_id in await self._outcomes.mismatches(session, ids):
            raise check.error(
                "outcomes", example_id, "It is not what the example's votes add up to."
            )
        outcomes = await self._outcomes.get_many(session, ids)
        await send(session, *(announcing_change(one) for one in outcomes.values()))


class _Check:
    """Looks at one attempt after the other."""

    def __init__(self, looked: LookedOver, renaming: Renaming) -> None:
        self._looked = looked
        self._renaming = renaming
        newest = sorted(looked.configs, reverse=True)
        # What was written under an older version may not fit the active one any more.
        self._configs = [looked.config, *(looked.configs[version] for version in newest)]

    def require_values(
        self, example: StoredExample, context: Values, answers: Sequence[Values]
    ) -> None:
        """Refuse values that fit no version of the config."""
        problems: list[FieldValueError] = []
        for config in self._configs:
            try:
                _check_values(config, example, context, answers)
            except FieldValueError as error:
                problems.append(error)
            else:
                return
        field, reason = next(iter(problems[0].fields.items()))
        raise self.error("examples", example.id, reason, field=field)

    def require_fooled(self, example: StoredExample, round_: Round) -> None:
        """Refuse an attempt that says it fooled where the answers say otherwise."""
        policy = round_.target_policy
        if not is_judged_right(example, config=self._looked.config, policy=policy):
            reason = "Whether it fooled does not follow from what the models answered."
            raise self.error("examples", example.id, reason, field="fooled_by_author_answer")

    def error(self, part: str, example_id: UUID, reason: str, *, field: str = "") -> TaskFileError:
        """Return what is wrong with a row about an example, with the row's line."""
        line = row_line(
            self._looked.file, part, lambda old: self._renaming.id_of(old) == example_id
        )
        return TaskFileError(reason, part=part, line=line, field=field)


def _check_values(
    config: TaskConfig, example: StoredExample, context: Values, answers: Sequence[Values]
) -> None:
    """Check all that people and models wrote; raises `FieldValueError`."""
    checked: Mapping[str, object] = config.check_context(context)
    whole = {**checked, **config.check_inputs(example.inputs, context=checked)}
    # An attempt from elsewhere may come without its author's answer.
    given = [example.answer] if example.answer else []
    for answer in [*given, *answers]:
        config.check_answer(answer, context=whole)
    for prediction in example.predictions:
        config.check_prediction(prediction.outputs, context=whole)
