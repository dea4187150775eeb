"""Pictures and sounds on their way to a model: `{"media": digest, "media_type", "data", "alt"}`.

The bytes are put beside the digest just before a model is asked (`Complete`): what is
remembered of an input is remembered by its digest, and answered without reading a file.
"""

import re
from collections.abc import Awaitable, Callable, Mapping

from dynabench.engines.inference.protocol import ModelInput

Complete = Callable[[ModelInput], Awaitable[ModelInput]]
"""Puts the bytes of the files that an input names into it."""

ContentPart = dict[str, object]

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
# What chat servers call a sound's form; the others are called by their subtype.
_SOUND_FORMATS = {"audio/mpeg": "mp3"}


def file_data(value: object) -> str | None:
    """Return the bytes of a file in base64; None for any other value.

    Example:
        >>> file_data({"media": "0" * 64, "media_type": "image/png", "data": "AAAA", "alt": ""})
        'AAAA'
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("media_type"), str):
        return None
    data = value.get("data")
    return data if isinstance(data, str) else None


def input_weight(model_input: ModelInput) -> int:
    """Return how many characters of files an input carries."""
    return sum(len(file_data(value) or "") for value in model_input.values())


def content_parts(
    template: str, values: Mapping[str, object], *, fill: Callable[[str], str]
) -> str | list[ContentPart]:
    """Return a message's content: a text, or parts where the template names a file.

    Args:
        template: With `{field}` placeholders.
        values: What the fields hold.
        fill: Fills the placeholders of a piece of the template that names no file.
    """
    parts: list[ContentPart] = []
    begin = 0
    for found in _PLACEHOLDER.finditer(template):
        part = file_part(values.get(found[1]))
        if part is not None:
            _add_text(parts, fill(template[begin : found.start()]))
            parts.append(part)
            begin = found.end()
    if not parts:
        return fill(template)
    _add_text(parts, fill(template[begin:]))
    return parts


def with_files(
    messages: list[dict[str, object]], values: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return a conversation whose first message shows the files that it is about."""
    parts = [part for value in values.values() if (part := file_part(value)) is not None]
    if not parts or not messages:
        return messages
    first = messages[0]
    text: ContentPart = {"type": "text", "text": first["content"]}
    return [{**first, "content": [*parts, text]}, *messages[1:]]


def file_part(value: object) -> ContentPart | None:
    """Return a file as a part of a chat message; None for any other value."""
    data = file_data(value)
    if data is None or not isinstance(value, Mapping):
        return None
    media_type = str(value["media_type"])
    if media_type.startswith("image/"):
        return {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}
    form = _SOUND_FORMATS.get(media_type, media_type.partition("/")[2])
    return {"type": "input_audio", "input_audio": {"data": data, "format": form}}


def _add_text(parts: list[ContentPart], text: str) -> None:
    if text.strip():
        parts.append({"type": "text", "text": text.strip()})
