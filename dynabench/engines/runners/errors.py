"""Why a handed-in model cannot be run, in sentences for its builder or for the operator."""

from dynabench.kit.errors import InvalidError, UnavailableError


class UnusableModelError(InvalidError):
    """The handed-in files cannot be run as they are; `fields` says what to change where."""

    code = "models.files_unusable"

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__(" ".join(fields.values()), fields=fields)


class RunnerNotInstalledError(UnavailableError):
    """This machine lacks the packages that run models of this kind."""

    code = "models.runner_not_installed"

    def __init__(self, *, kind: str, extra: str, missing: tuple[str, ...]) -> None:
        super().__init__(
            f"Models of kind {kind} cannot be run here without {' and '.join(missing)}. "
            "Ask the operator to install what is missing: "
            f"pip install 'dynabench-platform[{extra}]'",
            kind=kind,
            extra=extra,
        )


class HubUnavailableError(UnavailableError):
    """The model hub did not answer, so nothing is known of the model."""

    code = "models.hub_unavailable"

    def __init__(self, *, hub_id: str, reason: str) -> None:
        super().__init__(
            f"{hub_id} could not be fetched from the model hub: {reason} It is tried again.",
            hub_id=hub_id,
        )
