"""The turns of a conversation: their stored form, and what each side said in them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from dynabench.science.task_config.conversations import CANDIDATE_NAMES
from dynabench.science.task_config.fields.string import check_text
from dynabench.science.task_config.mapping_reader import kind_of
from dynabench.science.task_config.problems import UnusableValueError

LOWEST_RATING = 1
HIGHEST_RATING = 5

Turn = Mapping[str, object]


class NoChoice(StrEnum):
    """What is said of a turn's candidates when none of them is the best."""

    TIE = "tie"
    ALL_BAD = "all_bad"


def check_turns(value: Sequence[object], *, candidates: int) -> list[dict[str, object]]:
    """Return turns in their stored form.

    Args:
        value: What was given for them.
        candidates: How many replies a turn has at most.

    Raises:
        UnusableValueError: With the number of the turn, counted from 1.
    """
    checked: list[dict[str, object]] = []
    for position, turn in enumerate(value, start=1):
        try:
            checked.append(_checked_turn(turn, candidates=candidates))
        except UnusableValueError as problem:
            raise UnusableValueError(f"Turn {position}: {problem.sentence}") from problem
    return checked


def turns_of(value: object) -> Sequence[Turn]:
    """Return the turns of a checked conversation."""
    assert isinstance(value, Sequence)
    return value


def written_texts(value: object) -> list[str]:
    """Return what the person wrote, one text a turn."""
    return [str(turn["text"]) for turn in turns_of(value)]


def replies_of(turn: Turn) -> list[str]:
    """Return the texts of a turn's candidates, in their order."""
    found = turn["candidates"]
    assert isinstance(found, Sequence)
    return [str(one["text"]) for one in found]


def _checked_turn(turn: object, *, candidates: int) -> dict[str, object]:
    if not isinstance(turn, Mapping):
        raise UnusableValueError(
            f"It must be a mapping with text and candidates, not {kind_of(turn)}."
        )
    _refuse_others(turn, ("text", "candidates", "choice", "model_ids"))
    text = check_text(turn.get("text"))
    if not text.strip():
        raise UnusableValueError("Its text is empty.")
    replies = turn.get("candidates")
    if not isinstance(replies, (list, tuple)) or not 1 <= len(replies) <= candidates:
        raise UnusableValueError(f"It must have 1 to {candidates} candidates.")
    checked: dict[str, object] = {
        "text": text,
        "candidates": [
            _checked_candidate(reply, CANDIDATE_NAMES[position])
            for position, reply in enumerate(replies)
        ],
        "choice": _checked_choice(turn.get("choice"), count=len(replies)),
    }
    models = turn.get("model_ids")
    if models is None:
        return checked
    if not isinstance(models, (list, tuple)) or len(models) != len(replies):
        raise UnusableValueError("Its model_ids must be a list with one id for each candidate.")
    return {**checked, "model_ids": [check_text(one) for one in models]}


def _checked_candidate(reply: object, letter: str) -> dict[str, object]:
    if not isinstance(reply, Mapping):
        raise UnusableValueError(
            f"A candidate must be a mapping with a text, not {kind_of(reply)}."
        )
    _refuse_others(reply, ("model", "text", "rating"))
    if reply.get("model", letter) != letter:
        raise UnusableValueError(f"The candidate's model must be the letter {letter}.")
    rating = reply.get("rating")
    is_whole = isinstance(rating, int) and not isinstance(rating, bool)
    if rating is not None and not (is_whole and LOWEST_RATING <= rating <= HIGHEST_RATING):
        raise UnusableValueError(
            f"A rating must be a whole number from {LOWEST_RATING} to {HIGHEST_RATING}."
        )
    return {"model": letter, "text": check_text(reply.get("text")), "rating": rating}


def _checked_choice(choice: object, *, count: int) -> str | None:
    options = [*(str(position) for position in range(count)), *NoChoice]
    if choice is None:
        return None
    if isinstance(choice, str) and choice in options:
        return str(choice)
    raise UnusableValueError(f"Its choice must be one of {', '.join(options)}, or null.")


def _refuse_others(value: Mapping[object, object], known: tuple[str, ...]) -> None:
    if any(key not in known for key in value):
        raise UnusableValueError(f"The keys here are {', '.join(known)}, and no others.")
