"""What can go wrong with models."""

from dynabench.kit.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError


class ModelNotFoundError(NotFoundError):
    """There is no such model, or the actor may not know of it."""

    code = "models.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such model.")


class ModelOptionsError(InvalidError):
    """The options do not say how to reach the model."""

    code = "models.options_invalid"

    def __init__(self, *, fields: dict[str, str]) -> None:
        first = next(iter(fields.items()))
        super().__init__(f"{first[0]}: {first[1]}", fields=fields)


class ModelKindError(InvalidError):
    """Models of this kind cannot be submitted this way."""

    code = "models.kind_not_submittable"

    def __init__(self, *, kind: str) -> None:
        super().__init__(
            f"Models of kind “{kind}” cannot be submitted here; "
            "submit an “endpoint” or an “openai” model.",
            kind=kind,
        )


class ModelCheckFailedError(InvalidError):
    """The model did not answer a trial input as the task needs."""

    code = "models.check_failed"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"The model did not answer the trial input: {reason}", reason=reason)


class PrivateAddressError(ForbiddenError):
    """Only administrators may point at a private address."""

    code = "models.private_address"

    def __init__(self) -> None:
        super().__init__(
            "Only an administrator may use a model on a private address. Ask one to add it, or to "
            "name its host in DYNABENCH_ALLOWED_TARGET_HOSTS; or give a public address."
        )


class ModelNotReadyError(ConflictError):
    """The model cannot be used yet, or was rejected."""

    code = "models.not_ready"

    def __init__(self, *, name: str, status: str) -> None:
        super().__init__(f"Model “{name}” is {status} and cannot be used yet.", name=name)
