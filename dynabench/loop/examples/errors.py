"""What can go wrong with examples."""

from uuid import UUID

from dynabench.kit.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    LimitError,
    NotFoundError,
    UnavailableError,
)


class ExampleNotFoundError(NotFoundError):
    """There is no such example, or the actor may not see it."""

    code = "examples.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such example.")


class RoundNotOpenError(ConflictError):
    """The round does not collect."""

    code = "examples.round_not_open"

    def __init__(self, *, round_number: int, status: str) -> None:
        super().__init__(
            f"Round {round_number} is {status} and takes no examples. Your text is kept here.",
            round_number=round_number,
            status=status,
        )


class TriesCountError(ConflictError):
    """Somebody whose tries count asked a target of the open round in the sandbox."""

    code = "examples.tries_count"

    def __init__(self, *, round_number: int, status: str = "open") -> None:
        why = (
            f"round {round_number} is open, so every try counts. Write on the task's own page"
            if status == "open"
            else f"round {round_number} is not released yet, so it may open again. Try its models "
            "after the release"
        )
        super().__init__(
            f"You are signed in and {why}; your text is kept here.", round_number=round_number
        )


class VisitorsMayNotTryError(ConflictError):
    """A visitor asked a target of an open round whose task answers people who write alone."""

    code = "examples.visitors_may_not_try"

    def __init__(self, *, round_number: int, status: str = "open") -> None:
        until = "is open" if status == "open" else "is not released yet"
        super().__init__(
            f"While round {round_number} {until}, its models answer people who write for it. "
            "Sign in to write; your text is kept here.",
            round_number=round_number,
        )


class NoAnswerError(UnavailableError):
    """A model failed where its author may not know which one is asked."""

    code = "examples.no_answer"

    def __init__(self) -> None:
        super().__init__(
            "The model cannot answer now: it is busy, out of reach, or cannot read this text. "
            "Your text is kept; try again."
        )


class TriesPausedError(ConflictError):
    """Somebody asked a model in the sandbox that a round with control arms asks."""

    code = "examples.tries_paused"

    def __init__(self, *, round_number: int) -> None:
        super().__init__(
            f"Round {round_number} shows some people no model or an earlier one, so its models "
            "cannot be tried out until it closes. Your text is kept here.",
            round_number=round_number,
        )


class TextWithheldError(ConflictError):
    """The text is like one whose right answer is withheld."""

    code = "examples.text_withheld"

    def __init__(self) -> None:
        super().__init__(
            "This is very close to a text whose right answer is withheld: of a released test set, "
            "or of a round that is being judged. No model answers it. Write something of your "
            "own; your text is kept here."
        )


class BudgetSpentError(ConflictError):
    """The round has collected what it was meant to collect."""

    code = "examples.budget_spent"

    def __init__(self, *, round_number: int) -> None:
        super().__init__(
            f"Round {round_number} has collected all it was meant to. Thank you for writing!",
            round_number=round_number,
        )


class DuplicateExampleError(ConflictError):
    """The author has already written the same text with the same answer.

    Be it in this round, or in another one of the task that is not released yet.
    """

    code = "examples.duplicate"

    def __init__(self, *, resembles: UUID, text: str) -> None:
        super().__init__(
            f"You have already written this: “{text}”. Change it and try again.",
            resembles=str(resembles),
            text=text,
        )


class NearDuplicateExampleError(ConflictError):
    """The text is too close to one in this round, or in another one that is not released.

    Of one's own example it says which. Of another person's it says nothing, and the same
    whatever the answer: else the answer could be found out by trying.
    """

    code = "examples.near_duplicate"

    def __init__(self, own: UUID | None = None, *, text: str = "", similarity: float = 0) -> None:
        if own is None:
            super().__init__(
                "This is very close to an example of somebody else, in this round or in one that "
                "is not released yet. "
                "Write something of your own and try again."
            )
            return
        super().__init__(
            f"This is very close to your own example on another context: “{text}”. "
            "Write something else and try again.",
            resembles=str(own),
            text=text,
            similarity=round(similarity, 3),
        )


class TriesSpentError(LimitError):
    """The annotator has used all tries on this context."""

    code = "examples.tries_spent"

    def __init__(self, *, max_tries: int) -> None:
        super().__init__(
            f"You have used all {max_tries} tries on this context. Take a new one.",
            max_tries=max_tries,
        )


class NotYourExampleError(ForbiddenError):
    """Only its author may do this to an example."""

    code = "examples.not_yours"

    def __init__(self) -> None:
        super().__init__("Only its author may change an example.")


class ExampleStateError(ConflictError):
    """The example is in a state in which this cannot be done."""

    code = "examples.wrong_state"

    def __init__(self, *, sentence: str) -> None:
        super().__init__(sentence)


class JudgeFailedError(UnavailableError):
    """The rubric's judge gave no usable word, and the author's alone decides nothing."""

    code = "examples.judge_failed"

    def __init__(self, *, reason: str) -> None:
        super().__init__(
            f"The judge has no word on this answer yet: {reason.rstrip('.')}. Your attempt is "
            "kept; say it again later.",
            reason=reason,
        )


class ContrastInvalidError(InvalidError):
    """The other half of a contrast pair is not there, or is somebody else's."""

    code = "examples.contrast_invalid"

    def __init__(self) -> None:
        sentence = "Name an example of your own in this round, or leave the field out."
        super().__init__(f"contrast_of: {sentence}", fields={"contrast_of": sentence})
