"""The field type `multilabel`: any number of labels out of a list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.multiclass import LABEL_LIST_SCHEMA
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError, list_names


@dataclass(frozen=True, slots=True)
class MultilabelType:
    """A list of `labels` in the order of the config, each once; `[]` says: none of these."""

    type_name: ClassVar[str] = "multilabel"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ("labels",)
    argument_schema: ClassVar[dict[str, object]] = {"labels": {**LABEL_LIST_SCHEMA, "minItems": 1}}

    labels: tuple[str, ...]

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `labels`."""
        return cls(labels=reader.labels("labels", at_least=1))

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; the labels stand here."""
        del neighbours, at, problems
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the labels in the order of the config; what is named twice counts once."""
        del context
        if not isinstance(value, (list, tuple)):
            raise UnusableValueError(
                f"It must be a list of labels (an empty list for none), not {kind_of(value)}."
            )
        for label in value:
            if not isinstance(label, str) or label not in self.labels:
                raise UnusableValueError(
                    f"Each of them must be one of {list_names(self.labels)}, not {kind_of(label)}."
                )
        chosen = set(value)
        return [label for label in self.labels if label in chosen]

    def is_equal(self, one: object, other: object) -> bool:
        """Compare as sets."""
        return set(_labels(one)) == set(_labels(other))

    def text_of(self, value: object) -> str:
        """Return the labels, one after the other."""
        return ", ".join(_labels(value))

    def describe(self) -> dict[str, object]:
        """Return the labels."""
        return {"labels": list(self.labels)}


def _labels(value: object) -> Sequence[str]:
    assert isinstance(value, Sequence)
    return value
