"""What can be wrong with a signed document."""

from dynabench.kit.errors import InvalidError, UnavailableError


class DocumentRefusedError(InvalidError):
    """A document is not what its signature says, or carries none that can be read."""

    code = "signing.refused"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"The document is not genuine: {reason}", reason=reason)


class SigningMissingError(UnavailableError):
    """The package that knows Ed25519 is not installed."""

    code = "signing.not_installed"

    def __init__(self) -> None:
        super().__init__(
            "Signatures need a package that is not installed here: "
            "pip install 'dynabench-client[reports]'"
        )
