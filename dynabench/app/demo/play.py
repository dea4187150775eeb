"""Plays rounds through the public API: writing, validating, releasing, retraining."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from dynabench.app.demo.people import VALIDATORS, WRITERS, Memory, Opinion, opinion_of
from dynabench.app.demo.scripts import ScriptedText, key_of, texts_of_round
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import ConflictError, LimitError, NotFoundError
from dynabench.loop.rounds.schemas import RoundRead, ValidationRule
from dynabench.loop.validations.schemas import AgreementRead, ErrorRateRead, ItemToValidate

Say = Callable[[str, float, float], None]

QUORUM = 3
MAXIMUM = 5
_MEAN_SECONDS_TO_WRITE = 55.0
_EMPTY_PASSES = 2
_MOMENT_SECONDS = 1.0
_MEAN_SECONDS_TO_JUDGE = 14.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """What came of one round."""

    task: str
    number: int
    round_id: UUID
    target: str
    refused: int
    error_rate: ErrorRateRead
    agreement: AgreementRead


class TaskPlay:
    """One core task, played by the same people over its rounds.

    Args:
        task: The task's slug.
        owner: A client of the task's owner.
        people: A client for each scripted person.
        seed: Decides who writes what, and who slips when.
        say: Told what happens, with how much is done of how much.
    """

    def __init__(
        self,
        task: str,
        *,
        owner: DynabenchClient,
        people: Mapping[str, DynabenchClient],
        seed: int,
        say: Say,
    ) -> None:
        self._task = task
        self._owner = owner
        self._people = people
        self._seed = seed
        self._say = say
        self._opinions: dict[str, Opinion] = {
            name: opinion_of(name, task=task, seed=seed) for name in people
        }
        self._labels = _labels_of(owner.tasks.get(task).config)

    def play(self, round_: RoundRead) -> PlayedRound:
        """Write, validate, settle disputes and close."""
        chance = random.Random(f"{self._seed}/{self._task}/{round_.number}")  # noqa: S311
        texts = texts_of_round(self._task, round_.number, chance=chance)
        refused = self._write(round_, texts)
        self._validate(round_, Memory(texts))
        self._settle(round_, Memory(texts))
        closed = self._owner.rounds.close(round_.id)
        return PlayedRound(
            task=self._task,
            number=closed.number,
            round_id=closed.id,
            target=f"{closed.targets[0].name} v{closed.targets[0].version}",
            refused=refused,
            error_rate=self._owner.rounds.error_rate(closed.id),
            agreement=self._owner.rounds.agreement(closed.id),
        )

    def release(self, played: PlayedRound) -> UUID:
        """Release a closed round and return its dataset version."""
        # A scripted round is small, and need not be more than it is.
        job = self._owner.releases.create(
            played.round_id, seed=self._seed, open_verdicts="settle", allow_incomplete=True
        )
        done = self._owner.jobs.wait(job.id, timeout_seconds=300)
        assert done.result is not None
        return UUID(str(done.result["dataset_version_id"]))

    def retrain(self, dataset_version_id: UUID) -> UUID:
        """Train the next model on the starter data and a release, and return it."""
        job = self._owner.trainings.create(
            self._task,
            name="retrained",
            dataset_version_ids=[dataset_version_id],
            seed=self._seed,
            description="Trained on the starter data and the release of round 1.",
        )

        def tell(job: object) -> None:
            self._say("retraining", float(getattr(job, "progress", 0.0)), 1.0)

        done = self._owner.jobs.wait(job.id, timeout_seconds=600, on_progress=tell)
        assert done.result is not None
        return UUID(str(done.result["model_id"]))

    def open_round(self, model_id: UUID, *, after: PlayedRound) -> RoundRead:
        """Open the next round against a model."""
        draft = self._owner.rounds.create(
            self._task,
            target_model_ids=[model_id],
            validation=ValidationRule(quorum=QUORUM, maximum=MAXIMUM),
            parent_round_ids=[after.round_id],
            parent_model_ids=[model_id],
            seed=self._seed,
        )
        return self._owner.rounds.open(draft.id)

    def _write(self, round_: RoundRead, texts: list[ScriptedText]) -> int:
        """Have writers take contexts in turn and write what they have to say about them."""
        waiting: dict[str, list[ScriptedText]] = {}
        for text in texts:
            waiting.setdefault(key_of(text.context), []).append(text)
        refused = done = 0
        passed_over: dict[str, list[UUID]] = {name: [] for name in WRITERS}
        idle: set[str] = set()
        while len(idle) < len(WRITERS):
            for name in WRITERS:
                if name in idle:
                    continue
                client = self._people[name]
                try:
                    lent = client.rounds.next_context(round_.id, skip=passed_over[name][-200:])
                except NotFoundError:
                    idle.add(name)
                    continue
                passed_over[name].append(lent.context.id)
                texts_here = waiting.get(key_of(lent.context.content), [])
                if not texts_here:
                    continue
                refused += self._submit(round_, lent.context.id, texts_here.pop(), by=name)
                done += 1
                self._say("writing", done, len(texts))
                if done == len(texts):
                    return refused
        return refused

    def _submit(self, round_: RoundRead, context_id: UUID, text: ScriptedText, *, by: str) -> int:
        opinion = self._opinions[by]
        example_seconds = opinion.chance.expovariate(1 / _MEAN_SECONDS_TO_WRITE)
        try:
            self._people[by].examples.submit(
                round_.id,
                context_id=context_id,
                inputs=text.inputs,
                answer=opinion.answer(text, labels=self._labels),
                time_spent_seconds=round(example_seconds, 1),
                origin="machine",
            )
        except (ConflictError, LimitError):
            # A near-duplicate is refused as it would be for anybody.
            return 1
        return 0

    def _validate(self, round_: RoundRead, memory: Memory) -> None:
        """Have validators judge until nothing waits for any of them."""
        votes, empty_passes = 0, 0
        total = self._owner.rounds.error_rate(round_.id).pending * (QUORUM + 0.5)
        while empty_passes < _EMPTY_PASSES:
            votes_before = votes
            for name in VALIDATORS:
                for item in self._people[name].votes.next(round_.id, count=3).items:
                    self._judge(item, memory, by=name)
                    votes += 1
                self._say("validating", min(votes, total), total)
            if votes > votes_before:
                empty_passes = 0
                continue
            # What was written just now is handed out a moment later.
            empty_passes += 1
            time.sleep(_MOMENT_SECONDS)

    def _judge(self, item: ItemToValidate, memory: Memory, *, by: str) -> None:
        opinion = self._opinions[by]
        text = memory.recall(context=item.context, inputs=item.inputs)
        if text is None:
            self._people[by].votes.skip(item.example_id)
            return
        agrees = opinion.answer(text, labels=self._labels) == item.answer
        try:
            self._people[by].votes.cast(
                item.example_id,
                vote="correct" if agrees else "incorrect",
                time_spent_seconds=round(opinion.chance.expovariate(1 / _MEAN_SECONDS_TO_JUDGE), 1),
            )
        except ConflictError:
            # Its verdict was reached while this validator held it.
            return

    def _settle(self, round_: RoundRead, memory: Memory) -> None:
        """Have the owner decide what validators could not agree on, by the honest answer."""
        for item in self._owner.outcomes.list(round_, verdict="disputed").all():
            text = memory.recall(context=item.context, inputs=item.example.inputs)
            is_right = text is not None and text.answer == item.example.answer
            self._owner.outcomes.decide(
                round_.id, [item.example.id], vote="correct" if is_right else "incorrect"
            )


def _labels_of(config: Mapping[str, object]) -> list[str]:
    """Return the labels of a task's gold field; none where the answer is a selection."""
    fields = config["input"]
    assert isinstance(fields, list)
    for field in fields:
        labels = field.get("labels")
        if labels:
            return [label if isinstance(label, str) else str(label) for label in labels]
    return []
