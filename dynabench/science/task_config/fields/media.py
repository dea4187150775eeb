"""What pictures and sounds have in common: a stored file, named by the digest of its bytes."""

import re
from collections.abc import Mapping
from typing import Final

from dynabench.science.task_config.fields.string import check_text
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import UnusableValueError, nearest, quote

MAX_ALT_LENGTH = 2000
MAX_URL_LENGTH = 2000
IMAGE_TYPES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
AUDIO_TYPES: Final = ("audio/wav", "audio/flac", "audio/ogg", "audio/mpeg")

_DIGEST = re.compile(r"[0-9a-f]{64}")


def media_schema(types: tuple[str, ...], *, largest: int) -> dict[str, object]:
    """Return the JSON schema of the arguments of a field for such files."""
    return {
        "max_bytes": {
            "type": "integer",
            "minimum": 1,
            "maximum": largest,
            "description": "How large the file may be.",
        },
        "media_types": {
            "type": "array",
            "items": {"enum": list(types)},
            "minItems": 1,
            "uniqueItems": True,
            "description": "The types of file that are taken; all of them if not said.",
        },
    }


def read_media_types(reader: MappingReader, known: tuple[str, ...]) -> tuple[str, ...]:
    """Read `media_types`; absent means every known one."""
    value = reader.take("media_types")
    if value is None:
        return known
    listed = ", ".join(known)
    if not isinstance(value, list) or not value:
        reader.wrong("media_types", f"This must be a list out of {listed}, not {kind_of(value)}.")
        return known
    for position, one in enumerate(value[: len(known) + 1]):
        if not isinstance(one, str) or one not in known:
            close = nearest(one, known) if isinstance(one, str) else None
            reader.problems.add(
                (*reader.at, "media_types", position),
                f"This must be one of {listed}, not {kind_of(one)}.",
                f"Did you mean {quote(close)}?" if close else None,
            )
    return tuple(one for one in known if one in value)


def is_address(value: object, *, keys: tuple[str, ...], what: str) -> bool:
    """Tell a file that has to be fetched, `{"url": …}`, from one that is stored.

    Raises:
        UnusableValueError: If the value is neither.
    """
    if not isinstance(value, Mapping):
        raise UnusableValueError(f"It must be {what} {{media}} or {{url}}, not {kind_of(value)}.")
    kinds = [key for key in ("media", "url") if key in value]
    if len(kinds) != 1 or any(key not in (*kinds, *keys) for key in value):
        allowed = " ".join(("media or url", *(f"and {key}" for key in keys)))
        raise UnusableValueError(f"It must be {what} with the keys {allowed}, and no others.")
    if kinds == ["media"]:
        return False
    address = value["url"]
    is_usable = isinstance(address, str) and address.startswith("https://")
    if not is_usable or len(address) > MAX_URL_LENGTH or not address.isprintable():
        raise UnusableValueError("The url must be an address that begins with https://.")
    return True


def check_digest(value: Mapping[object, object]) -> str:
    """Return the digest of a stored file."""
    digest = value["media"]
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise UnusableValueError(
            f"The key media must be the SHA-256 of an uploaded file, not {kind_of(digest)}."
        )
    return digest


def check_alt(value: Mapping[object, object]) -> str:
    """Return what a picture shows in words, empty where nobody said."""
    alt = value.get("alt")
    text = "" if alt is None else check_text(alt)
    if len(text) > MAX_ALT_LENGTH:
        raise UnusableValueError(
            f"The alt text has {len(text)} characters; at most {MAX_ALT_LENGTH} are allowed."
        )
    return text


def digest_of(value: object) -> str:
    """Return the digest of a checked value."""
    assert isinstance(value, Mapping)
    return str(value["media"])
