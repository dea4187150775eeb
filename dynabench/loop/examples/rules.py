"""Decisions about examples: fooling, duplicates, tries, what may be done to an attempt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from dynabench.loop.examples.errors import (
    ContrastInvalidError,
    DuplicateExampleError,
    ExampleStateError,
    NearDuplicateExampleError,
)
from dynabench.loop.examples.values import Resemblance, StoredExample
from dynabench.loop.rounds.values import GoldFrom
from dynabench.science.task_config.conversations import Role
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.texts.near_duplicates import inputs_digest, jaccard, shingles

NEAR_DUPLICATE_SIMILARITY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who submits, and on what: what decides whether a resemblance is an edit."""

    annotator_id: UUID
    context_id: UUID


def text_of(inputs: dict[str, object]) -> str:
    """Return the written text of an attempt, in the order of its fields.

    That is its text fields, and of a conversation what its author said.
    """
    return "\n".join(chain.from_iterable(_texts_of(value) for value in inputs.values()))


def _texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    if isinstance(value, list):
        for turn in value:
            if isinstance(turn, dict) and "candidates" in turn:
                yield str(turn["text"])


def compared_text(inputs: dict[str, object]) -> str:
    """Return the text by which an attempt is compared with others', of inputs that models see.

    Inputs without a text, such as a picture alone, are like nothing but the very same: their
    text is a digest.
    """
    text = text_of(inputs)
    return text if text or not inputs else inputs_digest(inputs)


def is_edit_of_own(found: Resemblance, author: Author) -> bool:
    """Tell whether the earlier example is the author's own try on the same context."""
    return found.annotator_id == author.annotator_id and found.context_id == author.context_id


def refuse_duplicates(
    inputs: dict[str, object], *, author: Author, candidates: Sequence[Resemblance]
) -> None:
    """Refuse an attempt that repeats an example of its round, or of an unreleased other one.

    All inputs are those that models see: what only people see makes no text another one.
    Refused are the author's own normalised inputs with the same answer, and a Jaccard
    similarity of at least 0.8 on character 5-grams with another person's example or with the
    author's own on another context. Editing one's own try on the same context is the normal
    way to work. What is said of another person's example depends on the inputs alone.

    Raises:
        DuplicateExampleError: If the very same of one's own is there.
        NearDuplicateExampleError: If something too close is there.
    """
    own = [found for found in candidates if found.annotator_id == author.annotator_id]
    for found in own:
        if found.is_same:
            raise DuplicateExampleError(resembles=found.example_id, text=text_of(found.inputs))
    mine = shingles(compared_text(inputs))
    for found in own:
        if is_edit_of_own(found, author):
            continue
        similarity = jaccard(mine, shingles(compared_text(found.inputs)))
        if similarity >= NEAR_DUPLICATE_SIMILARITY:
            raise NearDuplicateExampleError(
                found.example_id, text=text_of(found.inputs), similarity=similarity
            )
    for found in candidates:
        if found.annotator_id == author.annotator_id:
            continue
        similarity = jaccard(mine, shingles(compared_text(found.inputs)))
        if found.is_same or similarity >= NEAR_DUPLICATE_SIMILARITY:
            raise NearDuplicateExampleError


def visible_fooled(*, fooled_by_author_answer: bool | None, gold_from: GoldFrom) -> bool | None:
    """Return whether an example fooled, as far as it is known without validators."""
    return fooled_by_author_answer if gold_from is GoldFrom.AUTHOR else None


def require_retractable(example: StoredExample) -> None:
    """Refuse to retract twice."""
    if example.retracted_at is not None:
        raise ExampleStateError(sentence="You have already retracted this example.")


def require_open_question(*, asks_author: bool, has_spoken: bool) -> None:
    """Refuse an author's word on fooling where the rule decides, or it was given already."""
    if not asks_author:
        raise ExampleStateError(
            sentence="In this task the server decides whether a model was fooled."
        )
    if has_spoken:
        raise ExampleStateError(sentence="You have already said whether the model was fooled.")


def require_awaiting(roles: Sequence[Role], *, max_turns: int) -> None:
    """Refuse a sandbox conversation to which no reply can follow.

    Raises:
        FieldValueError: If both sides do not take turns, or there are too many.
    """
    turns = (len(roles) + 1) // 2
    if list(roles) != [Role.USER, Role.ASSISTANT] * (turns - 1) + [Role.USER]:
        sentence = "A user and an assistant take turns, and a user's message is the last."
        raise FieldValueError({"messages": sentence})
    if turns > max_turns:
        sentence = f"A conversation has at most {max_turns} turns; begin a new one."
        raise FieldValueError({"messages": sentence})


def require_contrast(other: StoredExample | None, *, round_id: UUID, annotator_id: UUID) -> None:
    """Refuse a contrast pair whose other half is not the author's own in the same round.

    Raises:
        ContrastInvalidError: If there is no such half, or it is somebody else's.
    """
    if other is None or other.annotator_id != annotator_id or other.round_id != round_id:
        raise ContrastInvalidError
