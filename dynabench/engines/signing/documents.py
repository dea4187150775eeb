"""A document with its signature: Ed25519 (RFC 8032) over the content's canonical JSON (RFC 8785).

    {"format": "dynabench-signed-1", "content": {…}, "public_key": "…", "signature": "…"}

Key and signature are base64. Checking needs nothing but the file; to know whose key it is,
compare it with the one that the installation shows.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from dynabench.engines.signing.errors import DocumentRefusedError, SigningMissingError
from dynabench.kit.canonical_json import canonical_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "dynabench-signed-1"
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Verified:
    """What a genuine document holds, and the key that signed it (base64)."""

    content: Mapping[str, JsonValue]
    public_key: str


def assemble(
    content: Mapping[str, JsonValue], *, public_key: str, signature: bytes
) -> dict[str, JsonValue]:
    """Return the document of a content and the signature over its canonical form."""
    return {
        "format": FORMAT,
        "content": dict(content),
        "public_key": public_key,
        "signature": base64.b64encode(signature).decode(),
    }


def verify(document: object, *, public_key: str | None = None) -> Verified:
    """Check a document; nothing but the document is needed.

    Args:
        document: What was read from the file.
        public_key: The key that must have signed it, in base64; None takes the document's.

    Raises:
        DocumentRefusedError: If anything of it was changed, or another key signed it.
        SigningMissingError: If the package `cryptography` is not installed.
    """
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise DocumentRefusedError(reason=f"it is no document of the format {FORMAT}.")
    content = document.get("content")
    if not isinstance(content, Mapping):
        raise DocumentRefusedError(reason="its content is missing.")
    signer = str(document.get("public_key"))
    if public_key is not None and _bytes(public_key, "the expected key") != _bytes(
        signer, "its key"
    ):
        raise DocumentRefusedError(reason="another key signed it than the one that was expected.")
    try:
        signed = canonical_json(cast("Mapping[str, JsonValue]", content))
    except ValueError as error:
        raise DocumentRefusedError(reason="its content has no canonical form.") from error
    _check(_public_key(signer), _bytes(document.get("signature"), "its signature"), signed)
    return Verified(content=content, public_key=signer)


def _check(key: "Ed25519PublicKey", signature: bytes, signed: bytes) -> None:
    # The base install does without it.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415

    try:
        key.verify(signature, signed)
    except InvalidSignature as error:
        raise DocumentRefusedError(
            reason="its signature does not fit; something was changed after it was signed."
        ) from error


def _public_key(text: str) -> "Ed25519PublicKey":
    try:
        # The base install does without it.
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError as error:
        raise SigningMissingError from error
    found = _bytes(text, "its key")
    if len(found) != _KEY_BYTES:
        raise DocumentRefusedError(reason="its key is no Ed25519 key.")
    return ed25519.Ed25519PublicKey.from_public_bytes(found)


def _bytes(text: object, what: str) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError) as error:
        raise DocumentRefusedError(reason=f"{what} is not base64.") from error
