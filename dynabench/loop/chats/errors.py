"""What can go wrong with conversations."""

from dynabench.kit.errors import (
    ConflictError,
    InvalidError,
    LimitError,
    NotFoundError,
    UnavailableError,
)


class ChatNotFoundError(NotFoundError):
    """There is no such conversation, or it is somebody else's."""

    code = "chats.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such conversation.")


class TurnNotFoundError(NotFoundError):
    """The conversation has no such turn."""

    code = "chats.turn_not_found"

    def __init__(self, *, number: int) -> None:
        super().__init__(f"The conversation has no turn {number}.", number=number)


class ChatFieldError(InvalidError):
    """The field of the task holds no conversation."""

    code = "chats.field_invalid"

    def __init__(self, *, known: str | None) -> None:
        sentence = (
            "This task has no field for a conversation."
            if known is None
            else f"The task's conversation is the field “{known}”; name that one."
        )
        super().__init__(f"field_name: {sentence}", fields={"field_name": sentence})


class ChatRoundClosedError(ConflictError):
    """The round does not collect, so nobody talks to its models."""

    code = "chats.round_not_open"

    def __init__(self, *, round_number: int, status: str) -> None:
        super().__init__(
            f"Round {round_number} is {status} and takes no more conversations. "
            "What you wrote is kept here.",
            round_number=round_number,
            status=status,
        )


class ChatFinishedError(ConflictError):
    """The conversation is part of an attempt and stays as it is."""

    code = "chats.finished"

    def __init__(self) -> None:
        super().__init__("This conversation was submitted already and stays as it is.")


class ChatChangedError(ConflictError):
    """The conversation went on elsewhere meanwhile."""

    code = "chats.changed"

    def __init__(self) -> None:
        super().__init__(
            "The conversation went on meanwhile, perhaps in another window. Load it again; "
            "your text is kept here."
        )


class ChoiceNeededError(ConflictError):
    """A turn with several replies waits for a choice."""

    code = "chats.choice_needed"

    def __init__(self, *, number: int) -> None:
        super().__init__(
            f"Choose the best reply of turn {number} first, or say that it is a tie or that "
            "all are bad.",
            number=number,
        )


class TalksSpentError(LimitError):
    """As many conversations as there are tries were held about this context."""

    code = "chats.talks_spent"

    def __init__(self, *, max_tries: int) -> None:
        super().__init__(
            f"You have used all {max_tries} tries on this context. Take a new one.",
            max_tries=max_tries,
        )


class TurnsSpentError(LimitError):
    """The conversation has all the turns that it may have."""

    code = "chats.turns_spent"

    def __init__(self, *, max_turns: int) -> None:
        super().__init__(
            f"A conversation has at most {max_turns} turns. Submit this one.", max_turns=max_turns
        )


class RegenerationsSpentError(LimitError):
    """The replies were asked for anew as often as that may be."""

    code = "chats.regenerations_spent"

    def __init__(self, *, most: int) -> None:
        super().__init__(
            f"The replies to a message can be asked for anew {most} times. Go on from these.",
            most=most,
        )


class NotLastTurnError(ConflictError):
    """What was answered since rests on this turn."""

    code = "chats.not_last_turn"

    def __init__(self, *, number: int) -> None:
        super().__init__(
            f"The conversation went on after turn {number}, so its replies and the choice among "
            "them stay.",
            number=number,
        )


class ChoiceInvalidError(InvalidError):
    """The choice or a rating is none that this turn allows."""

    code = "chats.choice_invalid"

    def __init__(self, *, fields: dict[str, str]) -> None:
        first = next(iter(fields.items()))
        super().__init__(f"{first[0]}: {first[1]}", fields=fields)


class ReplyFailedError(UnavailableError):
    """One of several candidates gave no reply; which model it is stays hidden."""

    code = "chats.reply_failed"

    def __init__(self, *, candidate: str) -> None:
        super().__init__(
            f"Candidate {candidate} cannot reply now. Your text is kept; try again.",
            candidate=candidate,
        )
