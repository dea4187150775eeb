"""The field type `spans`: places marked in a text, with or without a label each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.multiclass import LABEL_LIST_SCHEMA
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.fields.selection import (
    check_slice,
    refuse_no_text,
    require_keys,
)
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError, list_names

MAX_SPANS = 500
"""So many places at most are marked in one text."""

_KEYS = ("text", "start", "end")


@dataclass(frozen=True, slots=True)
class SpansType:
    """A list of `{text, start, end}`, with a `label` each where the config has `labels`.

    Offsets count code points, `end` after the last. The list is sorted by start, end and
    label, holds nothing twice, and may overlap; `[]` says: nothing to mark. Two lists are
    the same answer when they mark the same places with the same labels.
    """

    type_name: ClassVar[str] = "spans"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ("reference_name",)
    argument_schema: ClassVar[dict[str, object]] = {
        "reference_name": {
            "type": "string",
            "description": "The string in which places are marked: of the context, or one of the "
            "input that is written and no answer.",
        },
        "labels": {
            **LABEL_LIST_SCHEMA,
            "minItems": 1,
            "description": "The labels that a place can have; none if not said.",
        },
        "multiple": {
            "type": "boolean",
            "description": "Whether more than one place can be marked; true if not said.",
        },
    }

    reference_name: str
    labels: tuple[str, ...] = ()
    multiple: bool = True

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `reference_name`, `labels` and `multiple`."""
        has_labels = reader.take("labels") is not None
        return cls(
            reference_name=reader.name("reference_name") or "",
            labels=reader.labels("labels", at_least=1) if has_labels else (),
            multiple=reader.boolean("multiple") is not False,
        )

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Note a reference that is no string of the context or of what is written."""
        refuse_no_text(
            self.reference_name,
            neighbours.shown,
            "context or of what is written",
            at=at,
            problems=problems,
        )
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the sorted list, checked against its text where that is at hand."""
        if not isinstance(value, (list, tuple)):
            raise UnusableValueError(
                f"It must be a list of spans (an empty list for nothing), not {kind_of(value)}."
            )
        limit = MAX_SPANS if self.multiple else 1
        if len(value) > limit:
            raise UnusableValueError(f"It marks {len(value)} places; at most {limit} can be.")
        passage = None if context is None else context.get(self.reference_name)
        found = {self._check_span(span, passage) for span in value}
        return [
            {"text": text, "start": start, "end": end, **({"label": label} if label else {})}
            for start, end, label, text in sorted(found)
        ]

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the places and labels as sets."""
        return _places(one) == _places(other)

    def text_of(self, value: object) -> str:
        """Return the marked words, one place after the other."""
        return "; ".join(str(span["text"]) for span in _spans(value))

    def describe(self) -> dict[str, object]:
        """Return which text is marked, the labels, and whether more than one place can be."""
        return {
            "reference_name": self.reference_name,
            "labels": list(self.labels),
            "multiple": self.multiple,
        }

    def _check_span(self, span: object, passage: object) -> tuple[int, int, str, str]:
        if not isinstance(span, Mapping):
            raise UnusableValueError(
                f"Each of them must be a span {{text, start, end}}, not {kind_of(span)}."
            )
        label = span.get("label")
        require_keys(span, (*_KEYS, "label") if self.labels else _KEYS, "A span")
        if self.labels and (not isinstance(label, str) or label not in self.labels):
            raise UnusableValueError(
                f"The label of a span must be one of {list_names(self.labels)}, "
                f"not {kind_of(label)}."
            )
        text, start, end = check_slice(span, passage, source=self.reference_name)
        return start, end, str(label) if self.labels else "", text


def _spans(value: object) -> Sequence[Mapping[str, object]]:
    assert isinstance(value, Sequence)
    return value


def _places(value: object) -> set[tuple[object, object, object]]:
    return {(span["start"], span["end"], span.get("label")) for span in _spans(value)}
