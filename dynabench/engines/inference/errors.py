"""How asking a model in the loop fails, in sentences for the person who waits for its answer."""

from dynabench.kit.errors import InvalidError, LimitError, UnavailableError

_KEPT = "Your text is kept; try again."


class TargetUnavailableError(UnavailableError):
    """The model cannot be reached, could not be loaded, or stopped while it answered."""

    code = "models.target_unavailable"

    def __init__(self, *, name: str, reason: str, log: str = "") -> None:
        super().__init__(f"The model {name} cannot answer now: {reason} {_KEPT}", name=name)
        self.reason = reason
        # What its process printed, for the person who handed it in.
        self.log = log


class TargetStatusError(TargetUnavailableError):
    """A model's server answered with an error status; `told` is its own explanation, if any."""

    def __init__(self, *, name: str, status: int, told: str) -> None:
        explained = f": {told}" if told else ""
        super().__init__(name=name, reason=f"its server answered {status}{explained}.")
        self.status = status
        self.told = told


class TargetNotStartedError(TargetUnavailableError):
    """This machine could not start the model's process: no fault of the model."""

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(name=name, reason=reason)
        self.message = f"The model {name} cannot be started here: {reason}"


class TargetStoppedError(TargetUnavailableError):
    """The model's process ended while it worked; the host asks once more before it gives up."""


class TargetLimitError(TargetStoppedError):
    """The model's process was ended because it broke a limit, which `reason` names."""


class TargetTimeoutError(UnavailableError):
    """The model took longer than a person should wait."""

    code = "models.target_timeout"

    def __init__(self, *, name: str, timeout_seconds: float) -> None:
        super().__init__(
            f"The model {name} did not answer within {timeout_seconds:g} seconds. {_KEPT}",
            name=name,
            timeout_seconds=timeout_seconds,
        )


class TargetBusyError(LimitError):
    """More requests wait for the model than its queue holds."""

    code = "models.target_busy"

    def __init__(self, *, name: str, waiting: int) -> None:
        super().__init__(
            f"The model {name} is busy: {waiting} requests are waiting. "
            "Your text is kept; try again in a few seconds.",
            name=name,
            waiting=waiting,
        )


class TargetAnswerInvalidError(UnavailableError):
    """The model answered with something that is not an answer to this task."""

    code = "models.target_answer_invalid"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(
            f"The model {name} gave an answer that cannot be used: {reason} "
            "Your text is kept; the task's owner can see this in the model's log.",
            name=name,
        )
        self.reason = reason


class TargetSpecError(InvalidError):
    """A model's settings are wrong; `fields` names which."""

    code = "models.target_settings_invalid"


class AddressRefusedError(InvalidError):
    """The server may not call this address: it is private, local or not http(s)."""

    code = "models.address_refused"

    def __init__(self, *, url: str, reason: str) -> None:
        super().__init__(f"The address {url} is refused: {reason}", url=url)
