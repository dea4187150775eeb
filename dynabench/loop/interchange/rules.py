"""Decisions of a replay: ids, what a blind vote says, duplicates, how far a source is met."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID, uuid5

from dynabench.kit.wire import Values
from dynabench.loop.examples.rules import (
    NEAR_DUPLICATE_SIMILARITY,
    Author,
    is_edit_of_own,
    text_of,
)
from dynabench.loop.examples.values import Resemblance
from dynabench.loop.interchange.values import SourceVote
from dynabench.loop.rounds.values import TargetPolicy
from dynabench.loop.validations.values import Vote
from dynabench.science.task_config.schema import TaskConfig
from dynabench.science.texts.near_duplicates import bands_of, duplicate_key, jaccard, shingles


def example_id_of(round_id: UUID, uid: str) -> UUID:
    """Return the id of a record in a round: the same in every run."""
    return uuid5(round_id, f"example:{uid}")


def vote_id_of(example_id: UUID, voter: str) -> UUID:
    """Return the id of a voter's vote on an example: the same in every run."""
    return uuid5(example_id, f"vote:{voter}")


def fooled_by_author(
    config: TaskConfig, *, answer: Values, prediction: Values | None
) -> bool | None:
    """Return whether the recorded answer is wrong by the author's; None if one is missing."""
    if prediction is None or not answer:
        return None
    wrong = config.decide_fooled(answer=answer, prediction=prediction)
    return config.combine_fooled(TargetPolicy.SINGLE.value, [wrong])


def judge(
    votes: Sequence[SourceVote], *, answer: Values, config: TaskConfig, quorum: int
) -> list[Vote]:
    """Return what each vote says of its example.

    A blind answer is `correct` where it matches the author's answer; where the source lacks
    that one, where it matches the answer that a quorum shares.
    """
    truth = answer or config.gold_from_answers(
        [vote.answer for vote in votes if vote.answer], quorum
    )
    return [_said(vote, truth, config) for vote in votes]


def _said(vote: SourceVote, truth: Values | None, config: TaskConfig) -> Vote:
    if vote.vote is not None:
        return vote.vote
    is_right = truth and config.answers_match(truth, vote.answer)
    return Vote.CORRECT if is_right else Vote.INCORRECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A record that a round open here would have refused, and an earlier one it is like.

    `similarity` is None where both are the same text with the same answer.
    """

    uid: str
    resembles: str
    similarity: float | None


class TwinFinder:
    """Finds a round's duplicates among its records, by the rule that refuses attempts here."""

    def __init__(self, round_id: UUID) -> None:
        self._scope = round_id.bytes
        self._first_by_key: dict[bytes, str] = {}
        self._by_band: defaultdict[int, list[int]] = defaultdict(list)
        self._seen: list[tuple[str, Resemblance]] = []

    def look(self, uid: str, record: Resemblance, *, answer: Values) -> Twin | None:
        """Remember a record, and return an earlier one that it is too close to.

        The same text with the same answer goes before one that is nearly the same; among
        these it is the first that is found, so that a thousand alike take no longer each.
        """
        key = duplicate_key(self._scope, record.inputs, answer)
        bands = bands_of(text_of(record.inputs), self._scope)
        same = self._first_by_key.setdefault(key, uid)
        near = None if same != uid else self._first_near(uid, record, bands)
        for band in bands:
            self._by_band[band].append(len(self._seen))
        self._seen.append((uid, record))
        return near if same == uid else Twin(uid=uid, resembles=same, similarity=None)

    def _first_near(self, uid: str, record: Resemblance, bands: Sequence[int]) -> Twin | None:
        author = Author(annotator_id=record.annotator_id, context_id=record.context_id)
        mine = shingles(text_of(record.inputs))
        tried: set[int] = set()
        for place in chain.from_iterable(reversed(self._by_band[band]) for band in bands):
            other, found = self._seen[place]
            if place in tried or is_edit_of_own(found, author):
                continue
            tried.add(place)
            similarity = jaccard(mine, shingles(text_of(found.inputs)))
            if similarity >= NEAR_DUPLICATE_SIMILARITY:
                return Twin(uid=uid, resembles=other, similarity=similarity)
        return None
