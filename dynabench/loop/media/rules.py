"""Decisions about stored files: what fits a field, which files a value names."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from dynabench.loop.media.values import MediaFile, MediaKind
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.problems import UnusableValueError

QUOTA_BYTES = 500 * 1024 * 1024
QUOTA_PERIOD = timedelta(days=1)
FETCHED_FOR = timedelta(hours=1)

_ENDINGS: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "audio/wav": "wav",
    "audio/flac": "flac",
    "audio/ogg": "ogg",
    "audio/mpeg": "mp3",
}
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MEGABYTE = 1024 * 1024

MediaType = ImageType | AudioType


@dataclass(frozen=True, slots=True)
class Mention:
    """A file that a field names, by its digest or by where it lies.

    Attributes:
        name: The field's name.
        type: The field's type.
        value: The value as it came.
        url: Where it has to be fetched; None for one that is stored.
    """

    name: str
    type: MediaType
    value: Mapping[str, object]
    url: str | None

    @property
    def digest(self) -> str:
        """What the value calls the file; empty where that is no text."""
        found = self.value.get("media", "")
        return found if isinstance(found, str) else ""

    def stored(self, digest: str) -> dict[str, object]:
        """Return the value as it is kept."""
        rest = {key: value for key, value in self.value.items() if key not in {"media", "url"}}
        return {"media": digest, **rest}


def kind_of_type(media_type: str) -> MediaKind:
    """Return what a media type shows."""
    return MediaKind(media_type.partition("/")[0])


def file_name(digest: str, media_type: str) -> str:
    """Return what a stored file is called in a folder.

    Example:
        >>> file_name("0" * 4, "image/jpeg"), file_name("0" * 4, "image/../../x")
        ('0000.jpg', '0000.bin')
    """
    return f"{digest}.{_ENDINGS.get(media_type, 'bin')}"


def find_mentions(
    fields: Iterable[Field], values: Mapping[str, object]
) -> tuple[list[Mention], dict[str, str]]:
    """Return the files that values name, and a sentence for each field that names none rightly.

    A field that is empty is nobody's business here: the check of the values tells of it.
    """
    mentions: list[Mention] = []
    wrong: dict[str, str] = {}
    for field in fields:
        value = values.get(field.name)
        if not isinstance(field.type, MediaType) or value is None:
            continue
        try:
            is_address = field.type.is_reference(value)
        except UnusableValueError as problem:
            wrong[field.name] = problem.sentence
            continue
        assert isinstance(value, Mapping)
        url = str(value["url"]) if is_address else None
        mentions.append(Mention(field.name, field.type, value, url))
    return mentions, wrong


def stand_in(url: str) -> str:
    """Return what stands for the digest of a file that is not fetched yet.

    Example:
        >>> is_digest(stand_in("https://example.org/a.png"))
        True
    """
    return hashlib.sha256(b"url:" + url.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str) -> bool:
    """Tell whether a text can be the name of a stored file."""
    return _DIGEST.fullmatch(text) is not None


def misfit(file: MediaFile | None, kind: MediaType) -> str | None:
    """Return why a file cannot fill a field; None if it can."""
    wanted = MediaKind(kind.type_name)
    what = {MediaKind.IMAGE: "picture", MediaKind.AUDIO: "sound"}
    if file is None:
        return f"No such {what[wanted]} is stored here; upload it first."
    if file.kind is not wanted:
        return f"It is a {what[file.kind]}; this field takes a {what[wanted]}."
    if file.media_type not in kind.media_types:
        return f"It is {file.media_type}; this field takes {', '.join(kind.media_types)}."
    if file.size_bytes > kind.max_bytes:
        return (
            f"It has {file.size_bytes / _MEGABYTE:.1f} MB; this field takes "
            f"{kind.max_bytes / _MEGABYTE:.1f} MB at most."
        )
    return None


def stored_digests(value: object) -> Sequence[str]:
    """Return the digests of all files in a value, however deep, in order and once.

    Example:
        >>> stored_digests({"a": [{"media": "0" * 64, "alt": ""}], "b": "media"}) == ["0" * 64]
        True
    """
    found: dict[str, None] = {}
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            digest = one.get("media")
            if isinstance(digest, str) and is_digest(digest):
                found[digest] = None
            waiting.extend(reversed(list(one.values())))
        elif isinstance(one, list | tuple):
            waiting.extend(reversed(one))
    return list(found)
