"""The field type `context_string_selection`: words marked in a text of the context."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.protocol import Types
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
    required_arguments: ClassVar[tuple[str, ...]] = ("reference_name",)
    argument_schema: ClassVar[dict[str, object]] = {"reference_name": {"type": "string"}}

    reference_name: str

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `reference_name`."""
        return cls(reference_name=reader.name("reference_name") or "")

    def link(self, *, context: Types, others: Types, at: Path, problems: Problems) -> Self:
        """Note a reference that is not a string of the context."""
        del others
        target = context.get(self.reference_name)
        is_unread = self.reference_name in context and target is None
        if self.reference_name and not is_unread and not isinstance(target, StringType):
            texts = [name for name, one in context.items() if isinstance(one, StringType)]
            problems.add(
                (*at, "reference_name"),
                f"{quote(self.reference_name)} is not a string field of the context.",
                suggest_reference(self.reference_name, texts),
            )
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
        extra = [str(key) for key in value if key not in _KEYS]
        if extra or len(value) < len(_KEYS):
            raise UnusableValueError("A selection has exactly the keys text, start and end.")
        text = check_text(value["text"])
        start, end = _offset(value["start"], "start"), _offset(value["end"], "end")
        if end - start != len(text) or not text.strip():
            raise UnusableValueError(
                f"The selection from {start} to {end} does not fit its text, which has "
                f"{count_characters(len(text))}; select at least one word."
            )
        if isinstance(passage, str):
            self._require_slice(passage, text=text, start=start, end=end)
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

    def _require_slice(self, passage: str, *, text: str, start: int, end: int) -> None:
        if end > len(passage):
            raise UnusableValueError(
                f"The selection ends at {end}, but {self.reference_name} has only "
                f"{len(passage)} characters; select again."
            )
        if passage[start:end] != text:
            raise UnusableValueError(
                f"{self.reference_name} reads {quote(passage[start:end])} from {start} to {end}, "
                f"not {quote(text)}; count in characters (code points) and select again."
            )


def suggest_reference(name: str, known: list[str]) -> str:
    """Name the fields that a reference could mean."""
    close = nearest(name, known)
    if close:
        return f"Did you mean {quote(close)}?"
    return f"It can be {list_names(known)}." if known else "There is none to refer to yet; add one."


def _offset(value: object, key: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise UnusableValueError(f"The key {key} must be a whole number from 0, not {kind_of(value)}.")
