"""The field type `image`: a picture that is stored once by its digest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.media import (
    IMAGE_TYPES,
    check_alt,
    check_digest,
    digest_of,
    is_address,
    media_schema,
    read_media_types,
)
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.mapping_reader import MappingReader
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError

MAX_IMAGE_BYTES = 50 * 1024 * 1024
DEFAULT_IMAGE_BYTES = 10 * 1024 * 1024

_KEYS: tuple[str, ...] = ("alt",)


@dataclass(frozen=True, slots=True)
class ImageType:
    """A stored picture, `{"media": digest, "alt": text}`; the text is empty where none is known.

    On the way in it may also be an address, `{"url": …}`, which the server fetches before
    anything is checked here. Two values are the same answer when their bytes are.
    """

    type_name: ClassVar[str] = "image"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = True
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = media_schema(
        IMAGE_TYPES, largest=MAX_IMAGE_BYTES
    )

    max_bytes: int = DEFAULT_IMAGE_BYTES
    media_types: tuple[str, ...] = IMAGE_TYPES

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `max_bytes` and `media_types`."""
        return cls(
            max_bytes=reader.count("max_bytes", low=1, high=MAX_IMAGE_BYTES) or DEFAULT_IMAGE_BYTES,
            media_types=read_media_types(reader, IMAGE_TYPES),
        )

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; a picture refers to nothing."""
        del neighbours, at, problems
        return self

    def is_reference(self, value: object) -> bool:
        """Tell an address that has to be fetched first from a stored file.

        Raises:
            UnusableValueError: If the value is neither.
        """
        return is_address(value, keys=_KEYS, what="a picture")

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the stored form; whether such a file is stored is not known here."""
        del context
        if self.is_reference(value):
            raise UnusableValueError("It is still an address; upload the picture first.")
        assert isinstance(value, Mapping)
        found: dict[str, object] = {"media": check_digest(value)}
        return {**found, "alt": check_alt(value)}

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the bytes by their digests."""
        return digest_of(one) == digest_of(other)

    def text_of(self, value: object) -> str:
        """Return nothing: a picture is no text."""
        del value
        return ""

    def describe(self) -> dict[str, object]:
        """Return how large the file may be, and of which types."""
        return {"max_bytes": self.max_bytes, "media_types": list(self.media_types)}
