"""What a stored conversation says: who said what in turn, and which reply was kept.

A conversation is stored as turns, `{"text", "candidates": [{"model", "text", "rating"}],
"choice", "model_ids"}`; models read it as messages, `{"role", "text"}`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

CANDIDATE_NAMES = ("A", "B", "C", "D")
"""How candidates are called while nobody may know which model is which."""


class Role(StrEnum):
    """Who says a message."""

    USER = "user"
    ASSISTANT = "assistant"


def chosen_index(turn: Mapping[str, object]) -> int:
    """Return which candidate's reply the conversation goes on with.

    A tie, "all bad" and no choice go on with the first.
    """
    choice = turn.get("choice")
    return int(choice) if isinstance(choice, str) and choice.isdecimal() else 0


def reply_of(turn: Mapping[str, object], index: int) -> str | None:
    """Return one candidate's reply, or None if there is none."""
    candidates = turn.get("candidates")
    if not isinstance(candidates, Sequence) or not 0 <= index < len(candidates):
        return None
    candidate = candidates[index]
    return str(candidate["text"]) if isinstance(candidate, Mapping) else None


def messages_of(value: object, *, awaits_reply: bool) -> list[dict[str, str]]:
    """Return a conversation as messages; one that is messages already passes.

    Args:
        value: Turns as stored, or messages.
        awaits_reply: Whether the model is to give the last reply, which is left out then.

    Example:
        >>> turn = {"text": "Hello?", "candidates": [{"model": "A", "text": "Hi."}]}
        >>> messages_of([turn], awaits_reply=False)
        [{'role': 'user', 'text': 'Hello?'}, {'role': 'assistant', 'text': 'Hi.'}]
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    messages: list[dict[str, str]] = []
    for turn in value:
        if not isinstance(turn, Mapping):
            continue
        if "role" in turn:
            messages.append({"role": str(turn["role"]), "text": str(turn.get("text", ""))})
            continue
        messages.append({"role": Role.USER.value, "text": str(turn.get("text", ""))})
        reply = reply_of(turn, chosen_index(turn))
        if reply is not None:
            messages.append({"role": Role.ASSISTANT.value, "text": reply})
    if awaits_reply:
        while messages and messages[-1]["role"] == Role.ASSISTANT.value:
            messages.pop()
    return messages


def without_models(value: object) -> object:
    """Return a conversation that does not say which model is which candidate.

    Example:
        >>> without_models([{"text": "Hello?", "candidates": [], "model_ids": ["7"]}])
        [{'text': 'Hello?', 'candidates': []}]
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    return [
        {key: part for key, part in turn.items() if key != "model_ids"}
        if isinstance(turn, Mapping)
        else turn
        for turn in value
    ]


def last_replies(value: object) -> dict[str, str]:
    """Return what each model replied at last, by its id; empty if it is not said who did.

    Where one model stands for several candidates, it is the chosen one of its replies.
    """
    if not isinstance(value, Sequence) or not value or not isinstance(value[-1], Mapping):
        return {}
    turn = value[-1]
    model_ids = turn.get("model_ids")
    if not isinstance(model_ids, Sequence) or isinstance(model_ids, str):
        return {}
    chosen = chosen_index(turn)
    found: dict[str, str] = {}
    for index, model_id in enumerate(model_ids):
        reply = reply_of(turn, index)
        if reply is not None and (index == chosen or str(model_id) not in found):
            found[str(model_id)] = reply
    return found
