"""What can go wrong with validations."""

from dynabench.kit.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    LimitError,
    NotFoundError,
)


class OwnExampleError(ForbiddenError):
    """Nobody validates an example of their own."""

    code = "validations.own_example"

    def __init__(self) -> None:
        super().__init__("This example is your own; other people validate it.")


class AlreadyVotedError(ConflictError):
    """Nobody validates one example twice."""

    code = "validations.already_voted"

    def __init__(self) -> None:
        super().__init__("You have already judged this example.")


class NotLentError(ConflictError):
    """The server has not lent this example to this validator, or the lease is over."""

    code = "validations.not_lent"

    def __init__(self) -> None:
        super().__init__(
            "This example is not lent to you now. It may have been yours for too long. "
            "Go on with the next one."
        )


class TooManySkipsError(LimitError):
    """Somebody passed over more examples of a round than their votes allow."""

    code = "validations.too_many_skips"

    def __init__(self, *, skipped: int) -> None:
        super().__init__(
            f"You have passed over {skipped} examples of this round. Judge or flag this one; "
            "after that you may pass over more.",
            skipped=skipped,
        )


class AnswersKnownError(ForbiddenError):
    """Somebody who can read the authors' answers cannot judge without them."""

    code = "validations.answers_known"

    def __init__(self) -> None:
        super().__init__(
            "You can read the authors' answers in this task, so you cannot judge blind. "
            "Decide as an expert on the round's page instead."
        )


class AnswersReadError(ForbiddenError):
    """Somebody who could read the authors' answers once cannot judge without them either."""

    code = "validations.answers_read"

    def __init__(self, *, round_number: int) -> None:
        super().__init__(
            f"You could read the authors' answers in round {round_number} by a role that you had "
            "then, so you cannot judge it blind. You can judge rounds that open from now on.",
            round_number=round_number,
        )


class AccountTooNewError(ForbiddenError):
    """Accounts that people made themselves wait before they may judge."""

    code = "validations.account_too_new"

    def __init__(self, *, minutes: int) -> None:
        unit = "minute" if minutes == 1 else "minutes"
        super().__init__(
            f"Your account is new. You can judge examples in {minutes} {unit}. "
            "You can write examples until then.",
            minutes=minutes,
        )


class NotWaitingError(ConflictError):
    """The example wants no more votes."""

    code = "validations.not_waiting"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"This example takes no more votes: {reason} Go on with the next one.")


class VoteNeededError(InvalidError):
    """The vote lacks what the round's mode needs."""

    code = "validations.vote_needed"

    def __init__(self, *, field: str, sentence: str) -> None:
        super().__init__(sentence, fields={field: sentence})


class WithdrawalTooLateError(ConflictError):
    """The vote stands."""

    code = "validations.withdrawal_too_late"

    def __init__(self, *, seconds: int) -> None:
        super().__init__(f"A vote can be withdrawn for {seconds} seconds; this one now stands.")


class ValidationNotFoundError(NotFoundError):
    """The actor has cast no such vote."""

    code = "validations.not_found"

    def __init__(self) -> None:
        super().__init__("You have cast no such vote.")
