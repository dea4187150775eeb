"""Where a person is signed in from this machine, kept in their configuration folder."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from dynabench.kit.errors import InvalidError

if TYPE_CHECKING:
    from dynabench.client.client import DynabenchClient


class StoredSignIn(BaseModel):
    """A token of one server, and its id, with which it can be revoked."""

    username: str
    token: str
    token_id: str


class Credentials(BaseModel):
    """The servers that are known, by their address, and which one is spoken to."""

    current: str | None = None
    servers: dict[str, StoredSignIn] = {}


def credentials_file() -> Path:
    """Return the file's path, after the XDG base directories."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "dynabench" / "credentials.json"


def load_credentials() -> Credentials:
    """Read what is stored; nothing where there is no file.

    Raises:
        InvalidError: If the file holds something else.
    """
    file = credentials_file()
    try:
        return Credentials.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return Credentials()
    except ValidationError:
        message = f"{file} is damaged. Remove it and sign in again: dynabench login"
        raise InvalidError(message) from None


def store_credentials(credentials: Credentials) -> Path:
    """Write the file so that nobody else can read it, whole or not at all."""
    file = credentials_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(credentials.model_dump_json(indent=2))
    new.replace(file)
    return file


def server_url(given: str | None = None) -> str:
    """Return the server to speak to: as given, from `DYNABENCH_URL`, or of the last login."""
    # A command that speaks to no server does without the client, and starts sooner.
    from dynabench.client.faces import DEFAULT_URL  # noqa: PLC0415

    url = given or os.environ.get("DYNABENCH_URL") or load_credentials().current or DEFAULT_URL
    return url.rstrip("/")


def open_client() -> "DynabenchClient":
    """Return a client of the current server.

    A stored token goes to the server that made it and to no other.
    """
    # As above.
    from dynabench.client.client import DynabenchClient  # noqa: PLC0415

    url = server_url()
    stored = load_credentials().servers.get(url)
    return DynabenchClient(
        os.environ.get("DYNABENCH_API_KEY") or (stored.token if stored else None), base_url=url
    )
