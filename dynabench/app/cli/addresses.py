"""Reading the address of a model that answers somewhere else."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit

from dynabench.app.cli.output import notice
from dynabench.app.cli.tasks import read_text
from dynabench.kit.errors import InvalidError

_PRIVATE_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_LONGEST_NAME = 80


class TargetKind(StrEnum):
    """What a URL speaks."""

    ENDPOINT = "endpoint"
    OPENAI = "openai"


def is_url(text: str) -> bool:
    """Tell whether a target is named by its address."""
    return text.startswith(("http://", "https://"))


def is_private(url: str) -> bool:
    """Tell whether an address says by itself that it is on a private network.

    Nothing is looked up: the server decides, this only saves the person a question.

    Example:
        >>> is_private("http://localhost:9000/v2/models/m"), is_private("https://example.org")
        (True, False)
    """
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if host == "localhost" or host.endswith(_PRIVATE_ENDINGS):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def allows_private(url: str, *, given: bool) -> bool:
    """Return whether the server may call a private address, telling where that is implied."""
    if given or not is_private(url):
        return given
    notice(
        f"{url} is on a private network: the server is told that this is meant "
        "(--allow-private-address)."
    )
    return True


def name_of(url: str) -> str:
    """Return a name for the model behind an address: its path's last part, else its host.

    Example:
        >>> name_of("http://models:8080/v2/models/nli-large"), name_of("http://models:8080/")
        ('nli-large', 'models')
    """
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rpartition("/")[2]
    is_plain = bool(last) and last not in {"v1", "v2", "models", "infer"}
    return (last if is_plain else parts.hostname or "model")[:_LONGEST_NAME]


class Submission(TypedDict):
    """What the client's `create_model` takes beside the task."""

    name: str
    kind: str
    options: Mapping[str, object]
    description: str
    allow_private_address: bool


@dataclass(frozen=True)
class Address:
    """How a model behind a URL is reached, as the options of a command say it.

    Attributes:
        kind: What the URL speaks.
        model: The model's name there.
        prompt: A file with the prompt of a chat model; without one a conversation is sent as
            it is.
        answer: How a chat model's answer is read; by default as the task's answer needs it.
        api_key_env: The server's environment variable that holds a chat server's key.
        name: What the model is called here; by default after its address.
        allow_private: Whether the URL may be on a private network.
        description: Shown with the model.
    """

    kind: TargetKind
    model: str | None
    prompt: Path | None
    answer: str | None
    api_key_env: str | None
    name: str | None
    allow_private: bool
    description: str = ""

    def submission(self, url: str) -> Submission:
        """Return what to submit for a URL.

        Raises:
            InvalidError: If a chat model lacks its name.
        """
        return Submission(
            name=self.name or self.model or name_of(url),
            kind=self.kind.value,
            options=self._options(url),
            description=self.description,
            allow_private_address=allows_private(url, given=self.allow_private),
        )

    def _options(self, url: str) -> dict[str, object]:
        if self.kind is TargetKind.ENDPOINT:
            options: dict[str, object] = {"url": url}
            if self.model:
                options["model_name"] = self.model
            return options
        if self.model is None:
            sentence = "A chat completions server needs the model's name."
            raise InvalidError("A target of kind openai needs more.", fields={"--model": sentence})
        given = {
            "prompt": None if self.prompt is None else read_text(self.prompt),
            "answer": self.answer,
            "api_key_env": self.api_key_env,
        }
        chosen = {name: text for name, text in given.items() if text is not None}
        return {"base_url": url, "model": self.model, **chosen}
