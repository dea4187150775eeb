"""The field type `string`: text that a person or a model writes."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.characters import find_refused_character
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.languages import direction_of
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError

MAX_STRING_LENGTH = 20_000
"""No text is longer than this, whatever the config says; counted in code points."""


@dataclass(frozen=True, slots=True)
class StringType:
    """Text, kept as typed. Two texts are the same answer after NFC and trim."""

    type_name: ClassVar[str] = "string"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = {
        "min_length": {
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_STRING_LENGTH,
            "description": "The fewest characters, without the space around; 1 if not said.",
        },
        "max_length": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_STRING_LENGTH,
            "description": "The most characters.",
        },
        "multiline": {"type": "boolean", "description": "Whether it may have several lines."},
        "language": {
            "type": "string",
            "description": "The language of the text, such as ar or pt-BR, where it is not the "
            "task's. It also says in which direction the text is written.",
        },
    }

    min_length: int = 1
    max_length: int = MAX_STRING_LENGTH
    multiline: bool = False
    language: str | None = None

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `min_length`, `max_length`, `multiline` and `language`."""
        low = reader.count("min_length", high=MAX_STRING_LENGTH)
        high = reader.count("max_length", low=1, high=MAX_STRING_LENGTH)
        if low is not None and high is not None and low > high:
            reader.wrong("min_length", f"It is larger than max_length, which is {high}.")
        return cls(
            min_length=1 if low is None else low,
            max_length=MAX_STRING_LENGTH if high is None else high,
            multiline=reader.boolean("multiline") or False,
            language=reader.language("language"),
        )

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; a string refers to nothing."""
        del neighbours, at, problems
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the text as typed; lengths count without the space around it."""
        del context
        text = check_text(value)
        length = len(text.strip())
        if length == 0 and self.min_length > 0:
            raise UnusableValueError("It is empty; write something.")
        if length < self.min_length:
            raise UnusableValueError(
                f"It has {count_characters(length)}; write at least {self.min_length}."
            )
        if len(text) > self.max_length:
            raise UnusableValueError(
                f"It has {count_characters(len(text))}; at most {self.max_length} are allowed."
            )
        return text

    def is_equal(self, one: object, other: object) -> bool:
        """Compare after NFC and trim."""
        return trimmed_nfc(self.text_of(one)) == trimmed_nfc(self.text_of(other))

    def text_of(self, value: object) -> str:
        """Return the text."""
        assert isinstance(value, str)
        return value

    def describe(self) -> dict[str, object]:
        """Return the lengths, whether there are lines, the language and its direction.

        Both are None where the config names no language: then the task's holds.
        """
        return {
            "min_length": self.min_length,
            "max_length": self.max_length,
            "multiline": self.multiline,
            "language": self.language,
            "direction": None if self.language is None else direction_of(self.language),
        }


def check_text(value: object) -> str:
    """Return a value that is text which can be kept, of any length up to the cap."""
    if not isinstance(value, str):
        raise UnusableValueError(f"It must be text, not {kind_of(value)}.")
    if len(value) > MAX_STRING_LENGTH:
        raise UnusableValueError(
            f"It has {count_characters(len(value))}; at most {MAX_STRING_LENGTH} are allowed."
        )
    refused = find_refused_character(value)
    if refused is not None:
        raise UnusableValueError(refused)
    return value


def count_characters(count: int) -> str:
    """Say how many characters there are."""
    return "1 character" if count == 1 else f"{count} characters"


def trimmed_nfc(text: str) -> str:
    r"""Return the form in which two typed texts are compared.

    Example:
        >>> trimmed_nfc(" cafe\u0301 ") == "caf\u00e9"
        True
    """
    return unicodedata.normalize("NFC", text).strip()
