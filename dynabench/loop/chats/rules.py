"""Decisions about conversations: who replies, what may come next, what is kept of one."""

import hashlib
from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.loop.chats.errors import (
    ChatFinishedError,
    ChoiceInvalidError,
    ChoiceNeededError,
    NotLastTurnError,
    RegenerationsSpentError,
    TalksSpentError,
    TurnNotFoundError,
    TurnsSpentError,
)
from dynabench.loop.chats.values import MOST_REGENERATIONS, Chat, Choice, Turn
from dynabench.science.task_config.conversations import CANDIDATE_NAMES, messages_of
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.problems import FieldValueError

_RATINGS = range(1, 6)


def require_try_left(held: int, *, max_tries: int) -> int:
    """Return how many conversations were handed in here, each a try, if one more may begin.

    Raises:
        TalksSpentError: If all tries are used; models are not asked for nothing then.
    """
    if held >= max_tries:
        raise TalksSpentError(max_tries=max_tries)
    return held


def draw_candidates(
    model_ids: Sequence[UUID], *, count: int, seed: int, drawn_for: Sequence[object]
) -> tuple[UUID, ...]:
    """Return who replies, in the order in which candidates are shown.

    Drawn from the round's seed and from what the conversation is: the same one always draws
    the same models in the same order. A model stands twice only where there are too few.

    Args:
        model_ids: The round's targets; at least one.
        count: How many candidates reply to each message.
        seed: The round's seed.
        drawn_for: Who talks about what for the how-manyth time.
    """

    def place(model_id: UUID) -> bytes:
        parts = ":".join(str(part) for part in (seed, *drawn_for, model_id))
        return hashlib.sha256(parts.encode()).digest()

    shuffled = sorted(model_ids, key=place)
    return tuple(shuffled[index % len(shuffled)] for index in range(count))


def sample_of(model_ids: Sequence[UUID], index: int, *, regenerated: int) -> int:
    """Return which further answer a candidate gives; 0 is a model's first one.

    A model that stands for several candidates gives each another answer.
    """
    times = model_ids.count(model_ids[index])
    return regenerated * times + model_ids[:index].count(model_ids[index])


def frozen(chat: Chat) -> list[dict[str, object]]:
    """Return the conversation as an attempt keeps it."""
    return [
        {
            "text": turn.text,
            "candidates": [
                {"model": name, "text": reply.text, "rating": reply.rating}
                for name, reply in zip(CANDIDATE_NAMES, turn.candidates, strict=False)
            ],
            "choice": None if turn.choice is None else turn.choice.value,
            "model_ids": [str(reply.model_id) for reply in turn.candidates],
        }
        for turn in chat.turns
    ]


def with_conversation(inputs: Mapping[str, object], chat: Chat) -> dict[str, object]:
    """Return an attempt's inputs with the conversation in the place of its name."""
    return {**inputs, chat.place.field_name: frozen(chat)}


def messages_before(chat: Chat, *, number: int, text: str) -> list[dict[str, str]]:
    """Return what the candidates of a turn are sent: what was said before it, and its message."""
    before = frozen(chat)[: number - 1]
    return [*messages_of(before, awaits_reply=False), {"role": "user", "text": text}]


def require_unfinished(chat: Chat) -> None:
    """Refuse to change a conversation that is part of an attempt.

    Raises:
        ChatFinishedError: If it was submitted.
    """
    if chat.submitted_at is not None:
        raise ChatFinishedError


def require_next_turn(chat: Chat, kind: ChatType) -> None:
    """Refuse a message where the conversation is full or a choice is missing.

    Raises:
        ChatFinishedError: If it was submitted.
        TurnsSpentError: If it has all its turns.
        ChoiceNeededError: If the last turn waits for a choice.
    """
    require_unfinished(chat)
    if len(chat.turns) >= kind.max_turns:
        raise TurnsSpentError(max_turns=kind.max_turns)
    _require_chosen(chat)


def require_regenerable(chat: Chat, *, number: int) -> Turn:
    """Return the turn whose replies may be asked for anew: the last, a few times.

    Raises:
        ChatFinishedError: If the conversation was submitted.
        TurnNotFoundError: If there is no such turn.
        NotLastTurnError: If the conversation went on after it.
        RegenerationsSpentError: If that was done as often as it may be.
    """
    require_unfinished(chat)
    turn = turn_of(chat, number)
    if number != len(chat.turns):
        raise NotLastTurnError(number=number)
    if turn.regenerated >= MOST_REGENERATIONS:
        raise RegenerationsSpentError(most=MOST_REGENERATIONS)
    return turn


def turn_of(chat: Chat, number: int) -> Turn:
    """Return a turn by its number, from 1.

    Raises:
        TurnNotFoundError: If there is none.
    """
    if not 1 <= number <= len(chat.turns):
        raise TurnNotFoundError(number=number)
    return chat.turns[number - 1]


def require_choice(
    chat: Chat,
    kind: ChatType,
    *,
    turn: Turn,
    choice: Choice | None,
    ratings: Sequence[int | None] | None,
) -> None:
    """Refuse a choice or ratings that the turn does not allow.

    Raises:
        ChatFinishedError: If the conversation was submitted.
        ChoiceInvalidError: With every wrong field.
        NotLastTurnError: If the conversation went on from another choice.
    """
    require_unfinished(chat)
    problems: dict[str, str] = {}
    count = len(turn.candidates)
    if choice is not None and count == 1:
        problems["choice"] = "There is one reply, so there is nothing to choose; leave it out."
    elif choice is not None and choice.isdecimal() and int(choice) >= count:
        problems["choice"] = f"There are {count} replies; choose one of 0 to {count - 1}."
    if ratings is not None:
        if not kind.rating:
            problems["ratings"] = "This task rates no replies; leave it out."
        elif len(ratings) != count:
            problems["ratings"] = f"Give one rating a reply, {count} in all; null for none."
        elif any(one is not None and one not in _RATINGS for one in ratings):
            problems["ratings"] = "A rating is a whole number from 1 to 5, or null."
    if problems:
        raise ChoiceInvalidError(fields=problems)
    if choice is not turn.choice and turn.number != len(chat.turns):
        raise NotLastTurnError(number=turn.number)


def require_submittable(chat: Chat, kind: ChatType) -> None:
    """Refuse to submit a conversation that is too short or waits for a choice.

    Raises:
        FieldValueError: Naming the field.
        ChoiceNeededError: If the last turn waits for a choice.
    """
    count = len(chat.turns)
    if count < kind.min_turns:
        turns = "turn" if kind.min_turns == 1 else "turns"
        sentence = f"It has {count} of at least {kind.min_turns} {turns}; write on."
        raise FieldValueError({f"inputs.{chat.place.field_name}": sentence})
    _require_chosen(chat)


def _require_chosen(chat: Chat) -> None:
    if not chat.turns:
        return
    last = chat.turns[-1]
    if len(last.candidates) > 1 and last.choice is None:
        raise ChoiceNeededError(number=last.number)
