"""The six kinds of failure; every package subclasses one of them.

The domain knows no HTTP: `app/server/problems.py` alone maps a kind to a status.
"""

from typing import ClassVar


class DynabenchError(Exception):
    """A failure that a person can act on.

    The message says what happened and what to do, and blames no one. `code` is public:
    it is never renamed and never reused. `facts` carry the values that the sentence
    names, and `fields` the wrong fields of the input with a sentence each.
    """

    code: ClassVar[str] = "dynabench.error"

    def __init__(
        self, message: str, *, fields: dict[str, str] | None = None, **facts: object
    ) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields or {}
        self.facts: dict[str, object] = facts


class NotFoundError(DynabenchError):
    """The thing does not exist, or this actor may not know that it does (404)."""

    code = "not_found"


class ForbiddenError(DynabenchError):
    """The actor may see the thing but not do this to it (403)."""

    code = "forbidden"


class UnauthenticatedError(ForbiddenError):
    """Nobody is signed in, and this needs somebody (401)."""

    code = "unauthenticated"


class InvalidError(DynabenchError):
    """The input is wrong; `fields` names where (422)."""

    code = "invalid"


class ConflictError(DynabenchError):
    """The input is fine but the thing is in another state (409)."""

    code = "conflict"


class LimitError(DynabenchError):
    """Too much, too often, or a queue is full (429).

    Attributes:
        retry_after_seconds: When it is worth trying again; None where time alone does not help.
    """

    code = "limit"

    def __init__(
        self,
        message: str,
        *,
        retry_after_seconds: int | None = None,
        fields: dict[str, str] | None = None,
        **facts: object,
    ) -> None:
        super().__init__(message, fields=fields, **facts)
        self.retry_after_seconds = retry_after_seconds


class UnavailableError(DynabenchError):
    """Something this depends on does not answer at the moment (503)."""

    code = "unavailable"
