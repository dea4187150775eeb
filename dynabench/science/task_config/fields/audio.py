"""The field type `audio`: a sound that is stored once by its digest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.media import (
    AUDIO_TYPES,
    check_digest,
    digest_of,
    is_address,
    media_schema,
    read_media_types,
)
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.mapping_reader import MappingReader
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError

MAX_AUDIO_BYTES = 100 * 1024 * 1024
DEFAULT_AUDIO_BYTES = 25 * 1024 * 1024

_KEYS: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AudioType:
    """A stored sound: `{"media": digest}`.

    On the way in it may also be an address, `{"url": …}`, which the server fetches before
    anything is checked here. Two values are the same answer when their bytes are.
    """

    type_name: ClassVar[str] = "audio"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = True
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = media_schema(
        AUDIO_TYPES, largest=MAX_AUDIO_BYTES
    )

    max_bytes: int = DEFAULT_AUDIO_BYTES
    media_types: tuple[str, ...] = AUDIO_TYPES

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `max_bytes` and `media_types`."""
        return cls(
            max_bytes=reader.count("max_bytes", low=1, high=MAX_AUDIO_BYTES) or DEFAULT_AUDIO_BYTES,
            media_types=read_media_types(reader, AUDIO_TYPES),
        )

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; a sound refers to nothing."""
        del neighbours, at, problems
        return self

    def is_reference(self, value: object) -> bool:
        """Tell an address that has to be fetched first from a stored file.

        Raises:
            UnusableValueError: If the value is neither.
        """
        return is_address(value, keys=_KEYS, what="a sound")

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the stored form; whether such a file is stored is not known here."""
        del context
        if self.is_reference(value):
            raise UnusableValueError("It is still an address; upload the sound first.")
        assert isinstance(value, Mapping)
        return {"media": check_digest(value)}

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the bytes by their digests."""
        return digest_of(one) == digest_of(other)

    def text_of(self, value: object) -> str:
        """Return nothing: a sound is no text."""
        del value
        return ""

    def describe(self) -> dict[str, object]:
        """Return how large the file may be, and of which types."""
        return {"max_bytes": self.max_bytes, "media_types": list(self.media_types)}
