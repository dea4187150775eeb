"""The field type `multiclass`: one label out of a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.mapping_reader import (
    MAX_LABEL_LENGTH,
    MAX_LABELS,
    MIN_LABELS,
    MappingReader,
    kind_of,
)
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError, list_names

LABEL_LIST_SCHEMA: dict[str, object] = {
    "type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": MAX_LABEL_LENGTH},
    "minItems": MIN_LABELS,
    "maxItems": MAX_LABELS,
    "uniqueItems": True,
    "description": "The labels to choose from, in the order in which they are shown.",
}


@dataclass(frozen=True, slots=True)
class MulticlassType:
    """One of `labels`, which are compared as they are written."""

    type_name: ClassVar[str] = "multiclass"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ("labels",)
    argument_schema: ClassVar[dict[str, object]] = {
        "labels": LABEL_LIST_SCHEMA,
        "as_goal_message": {
            "type": "boolean",
            "description": "Whether a label is assigned as the goal; the annotator may change it.",
        },
    }

    labels: tuple[str, ...]
    as_goal_message: bool = False

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `labels` and `as_goal_message`."""
        return cls(
            labels=reader.labels("labels"),
            as_goal_message=reader.boolean("as_goal_message") or False,
        )

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; the labels stand here."""
        del neighbours, at, problems
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the label if it is one of the list."""
        del context
        if isinstance(value, str) and value in self.labels:
            return value
        raise UnusableValueError(
            f"It must be one of {list_names(self.labels)}, not {kind_of(value)}."
        )

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the labels."""
        return one == other

    def text_of(self, value: object) -> str:
        """Return the label."""
        assert isinstance(value, str)
        return value

    def describe(self) -> dict[str, object]:
        """Return the labels, and whether one of them is assigned as the goal."""
        return {"labels": list(self.labels), "as_goal_message": self.as_goal_message}
