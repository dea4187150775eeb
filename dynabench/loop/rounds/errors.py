"""What can go wrong with rounds."""

from datetime import UTC, datetime

from dynabench.kit.errors import ConflictError, InvalidError, NotFoundError


class RoundNotFoundError(NotFoundError):
    """There is no such round, or the actor may not know of it."""

    code = "rounds.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such round.")


class RoundSettingsError(InvalidError):
    """The settings contradict each other or the task's config."""

    code = "rounds.settings_invalid"

    def __init__(self, *, fields: dict[str, str]) -> None:
        super().__init__(" ".join(fields.values()), fields=fields)


class RoundStateError(ConflictError):
    """The round is in a state in which this cannot be done."""

    code = "rounds.wrong_state"

    def __init__(self, *, round_number: int, status: str, wanted: str) -> None:
        super().__init__(
            f"Round {round_number} is {status}; this needs it to be {wanted}.",
            round_number=round_number,
            status=status,
        )


class RoundNotBegunError(ConflictError):
    """The round takes examples from a set time on, which is still to come."""

    code = "rounds.not_begun"

    def __init__(self, *, round_number: int, opens_at: datetime) -> None:
        super().__init__(
            f"Round {round_number} opens on {_told(opens_at)} and takes no examples before. "
            "Your text is kept here.",
            round_number=round_number,
            opens_at=opens_at.isoformat(),
        )


class RoundOverError(ConflictError):
    """The time at which the round closes has come."""

    code = "rounds.over"

    def __init__(self, *, round_number: int, closes_at: datetime) -> None:
        super().__init__(
            f"Round {round_number} closed on {_told(closes_at)} and takes no more examples. "
            "Your text is kept here.",
            round_number=round_number,
            closes_at=closes_at.isoformat(),
        )


class RoundReleasedError(ConflictError):
    """The round's data are out as a dataset and stay as they are."""

    code = "rounds.released"

    def __init__(self, *, round_number: int) -> None:
        super().__init__(
            f"Round {round_number} is released; nothing in it changes any more.",
            round_number=round_number,
        )


class RoundNotReopenedError(ConflictError):
    """What a reopened round collected would not be of one kind with what it has."""

    code = "rounds.not_reopened"

    def __init__(self, *, round_number: int, reason: str) -> None:
        super().__init__(
            f"Round {round_number} cannot be opened again: {reason} Open a new round instead; "
            "its examples train and test together with this one's.",
            round_number=round_number,
            reason=reason,
        )


class JudgeMissingError(ConflictError):
    """The task's rubric names a judge that nobody has submitted."""

    code = "rounds.judge_missing"

    def __init__(self, *, judge: str) -> None:
        super().__init__(
            f"The task's rubric names the judge “{judge}”; submit a model of this name with the "
            "purpose “judge” first.",
            judge=judge,
        )


class AnotherRoundOpenError(ConflictError):
    """A task collects in one round at a time."""

    code = "rounds.another_open"

    def __init__(self, *, round_number: int) -> None:
        super().__init__(
            f"Round {round_number} is still open. Close it before opening another.",
            round_number=round_number,
        )


def _told(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d at %H:%M} UTC"
