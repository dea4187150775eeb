"""The installation's own key: made once, kept beside its other files, never sent anywhere."""

import base64
import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import JsonValue

from dynabench.engines.signing.documents import assemble
from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.errors import InvalidError


class SigningKeyUnreadableError(InvalidError):
    """The key's file is not one that this program wrote."""

    code = "signing.key_unreadable"

    def __init__(self, *, path: Path) -> None:
        super().__init__(
            f"{path.name} in the installation's folder is no Ed25519 key. Put the right file "
            "back, or remove it: a new key is made then, and older reports name the old one."
        )


class SigningKey:
    """An Ed25519 key that signs documents.

    Args:
        path: Its file (PKCS 8, PEM), readable by this account only; made at the first use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key: Ed25519PrivateKey | None = None

    @property
    def public_text(self) -> str:
        """The public half in base64, as documents carry it."""
        raw = self._loaded().public_key().public_bytes_raw()
        return base64.b64encode(raw).decode()

    def sign(self, content: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the content as a signed document."""
        signature = self._loaded().sign(canonical_json(content))
        return assemble(content, public_key=self.public_text, signature=signature)

    def _loaded(self) -> Ed25519PrivateKey:
        if self._key is None:
            if not self._path.is_file():
                self._make()
            try:
                found = serialization.load_pem_private_key(self._path.read_bytes(), password=None)
            except ValueError as error:
                raise SigningKeyUnreadableError(path=self._path) from error
            if not isinstance(found, Ed25519PrivateKey):
                raise SigningKeyUnreadableError(path=self._path)
            self._key = found
        return self._key

    def _make(self) -> None:
        """Write a new key; where another process was first, its key stands."""
        written = Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        aside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        number = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(number, written)
            os.fsync(number)
        finally:
            os.close(number)
        # A link fails where the name is taken, as a rename would not.
        with contextlib.suppress(FileExistsError):
            self._path.hardlink_to(aside)
        aside.unlink()
