"""The field type `context_string_selection`: words marked in a text of the context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.protocol import Neighbours, Types
from dynabench.science.task_config.fields.string import StringType, check_text, count_characters
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import (
    Path,
    Problems,
    UnusableValueError,
    list_names,
    nearest,
    quote,
)
from dynabench.science.texts.normalise import squad_normalise

MAX_OFFSET = 10**9
"""No text is longer; it keeps numbers from outside small."""

_KEYS = ("text", "start", "end")


@dataclass(frozen=True, slots=True)
class SelectionType:
    """`{text, start, end}` with offsets in code points, `end` after the last of them.

    Plain text is accepted too, as data sets and many models give it: it means its first
    occurrence. Two selections are the same answer when their texts are, normalised as in
    SQuAD, wherever they stand.
    """

    type_name: ClassVar[str] = "context_string_selection"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ("reference_name",)
    argument_schema: ClassVar[dict[str, object]] = {
        "reference_name": {
            "type": "string",
            "description": "The string of the context in which words are marked.",
        }
    }

    reference_name: str

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `reference_name`."""
        return cls(reference_name=reader.name("reference_name") or "")

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Note a reference that is not a string of the context."""
        refuse_no_text(self.reference_name, neighbours.context, "context", at=at, problems=problems)
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return `{text, start, end}`, checked against the context where that is at hand."""
        passage = None if context is None else context.get(self.reference_name)
        if isinstance(value, str):
            return self._find(check_text(value), passage)
        if not isinstance(value, Mapping):
            raise UnusableValueError(
                f"It must be a selection {{text, start, end}}, not {kind_of(value)}."
            )
        require_keys(value, _KEYS, "A selection")
        text, start, end = check_slice(value, passage, source=self.reference_name)
        return {"text": text, "start": start, "end": end}

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the SQuAD-normalised texts."""
        return squad_normalise(self.text_of(one)) == squad_normalise(self.text_of(other))

    def text_of(self, value: object) -> str:
        """Return the selected words."""
        if isinstance(value, str):
            return value
        assert isinstance(value, Mapping)
        return str(value["text"])

    def describe(self) -> dict[str, object]:
        """Return which text of the context is selected from."""
        return {"reference_name": self.reference_name}

    def _find(self, text: str, passage: object) -> object:
        if not text.strip():
            raise UnusableValueError(f"It is empty; select some words of {self.reference_name}.")
        if not isinstance(passage, str):
            return {"text": text, "start": 0, "end": len(text)}
        start = passage.find(text)
        if start < 0:
            raise UnusableValueError(
                f"These words do not stand in {self.reference_name}; select them there."
            )
        return {"text": text, "start": start, "end": start + len(text)}


def require_keys(value: Mapping[object, object], keys: Sequence[str], what: str) -> None:
    """Refuse a mapping that lacks one of the keys or has others."""
    if len(value) != len(keys) or any(key not in value for key in keys):
        *first, last = keys
        raise UnusableValueError(f"{what} has exactly the keys {', '.join(first)} and {last}.")


def check_slice(
    value: Mapping[object, object], passage: object, *, source: str
) -> tuple[str, int, int]:
    """Return the text, start and end of words marked in a passage.

    Args:
        value: A mapping with the three keys.
        passage: The text they stand in; no text where that is not at hand.
        source: The name of the field that holds the passage.
    """
    text = check_text(value["text"])
    start, end = _offset(value["start"], "start"), _offset(value["end"], "end")
    if end - start != len(text) or not text.strip():
        raise UnusableValueError(
            f"The selection from {start} to {end} does not fit its text, which has "
            f"{count_characters(len(text))}; select at least one word."
        )
    if not isinstance(passage, str):
        return text, start, end
    if end > len(passage):
        raise UnusableValueError(
            f"The selection ends at {end}, but {source} has only "
            f"{len(passage)} characters; select again."
        )
    if passage[start:end] != text:
        raise UnusableValueError(
            f"{source} reads {quote(passage[start:end])} from {start} to {end}, "
            f"not {quote(text)}; count in characters (code points) and select again."
        )
    return text, start, end


def refuse_no_text(name: str, texts: Types, where: str, *, at: Path, problems: Problems) -> None:
    """Note a reference that does not name a string field among some fields."""
    target = texts.get(name)
    is_unread = name in texts and target is None
    if name and not is_unread and not isinstance(target, StringType):
        known = [other for other, one in texts.items() if isinstance(one, StringType)]
        problems.add(
            (*at, "reference_name"),
            f"{quote(name)} is not a string field of the {where}.",
            suggest_reference(name, known),
        )


def suggest_reference(name: str, known: list[str]) -> str:
    """Name the fields that a reference could mean."""
    close = nearest(name, known)
    if close:
        return f"Did you mean {quote(close)}?"
    return f"It can be {list_names(known)}." if known else "There is none to refer to yet; add one."


def _offset(value: object, key: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_OFFSET:
        return value
    raise UnusableValueError(f"The key {key} must be a whole number from 0, not {kind_of(value)}.")
