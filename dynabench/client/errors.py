"""Failures of the client's own; all others are the server's, raised again from their code."""

from collections.abc import Mapping, Sequence

from dynabench.kit.errors import ConflictError, InvalidError, UnavailableError


class ServerUnreachableError(UnavailableError):
    """No answer came: the address is wrong, the server is down or the line broke."""

    code = "client.unreachable"

    def __init__(self, *, url: str, reason: str) -> None:
        super().__init__(
            f"No answer from {url} ({reason}). Check the address, and that Dynabench runs there.",
            url=url,
            reason=reason,
        )


class UnexpectedAnswerError(UnavailableError):
    """Something answered, but not a Dynabench of a version that this client understands."""

    code = "client.unexpected_answer"

    def __init__(self, *, url: str, reason: str) -> None:
        super().__init__(
            f"The answer from {url} is not one of Dynabench's: {reason}. Check the address and "
            "that the versions of client and server fit.",
            url=url,
            reason=reason,
        )


class JobFailedError(ConflictError):
    """A job that was waited for ended without being done."""

    code = "client.job_failed"

    def __init__(self, *, job_id: str, name: str, state: str, reason: str) -> None:
        super().__init__(
            f"The job {name} ended as {state}: {reason}",
            job_id=job_id,
            name=name,
            state=state,
            reason=reason,
        )


class WaitedTooLongError(UnavailableError):
    """A job took longer than the caller wanted to wait; it goes on."""

    code = "client.waited_too_long"

    def __init__(self, *, job_id: str, seconds: float) -> None:
        super().__init__(
            f"The job {job_id} is not done after {seconds:g} seconds. It goes on; wait again "
            "with its id.",
            job_id=job_id,
            seconds=seconds,
        )


class SubmissionKindError(InvalidError):
    """Nothing says what is submitted."""

    code = "client.submission_kind"

    def __init__(self) -> None:
        message = (
            'Name the model\'s files (model_path), or say what is submitted: kind="endpoint" '
            '(options={"url": …}), "openai" (options={"base_url": …, "model": …, "prompt": …}), '
            '"container" (options={"image": …}), "huggingface" (options={"hub": …}) or '
            '"predictions".'
        )
        super().__init__(message, fields={"model_path": message})


class ModelRejectedError(ConflictError):
    """A model whose check was waited for did not pass, or could not be checked."""

    code = "client.model_rejected"

    def __init__(
        self, *, name: str, problems: Sequence[Mapping[str, object]], reason: str | None
    ) -> None:
        told = [_problem(one) for one in problems] or [reason or "no reason was given."]
        super().__init__(
            f"The model “{name}” is not ready. {told[0]}",
            name=name,
            problems=[
                {"line": None, "path": one.get("item"), "message": text}
                for one, text in zip(problems, told, strict=False)
            ],
        )


def _problem(problem: Mapping[str, object]) -> str:
    field = problem.get("field")
    return f"{field}: {problem['problem']}" if field else str(problem["problem"])


class ArchiveNotMadeError(ConflictError):
    """The server could not make the file that was asked for."""

    code = "client.archive_not_made"

    def __init__(self, *, name: str, reason: str | None) -> None:
        super().__init__(
            f"{name} could not be made: {reason or 'nobody knows why.'} Ask for it again.",
            name=name,
            reason=reason,
        )


class ArchiveDamagedError(UnavailableError):
    """What came is not the file that was announced."""

    code = "client.archive_damaged"

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"{name} came damaged, and was thrown away: its digest is not the announced one. "
            "Download it again.",
            name=name,
        )


class PandasMissingError(UnavailableError):
    """A table was asked for, and pandas is not installed."""

    code = "client.pandas_missing"

    def __init__(self) -> None:
        super().__init__("Tables need pandas, which is not installed: pip install pandas")
