"""Wire shapes of signed results."""

from typing import Annotated, Literal

from pydantic import Field

from dynabench.kit.wire import Values, WireModel


class SignedReport(WireModel):
    """A model's results with a signature that can be checked without the server.

    The signature is Ed25519 over the canonical JSON (RFC 8785) of `content`.
    """

    format: Literal["dynabench-signed-1"]
    content: Annotated[Values, Field(description="Digests, code version, machine and metrics.")]
    public_key: str
    signature: str


class SigningKeyRead(WireModel):
    """The key that this installation signs with, in base64: compare it with a report's."""

    public_key: str
