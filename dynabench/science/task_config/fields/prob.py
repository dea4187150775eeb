"""The field type `prob`: how sure a model is, by label or as one number."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.fields.selection import suggest_reference
from dynabench.science.task_config.mapping_reader import MappingReader, is_number, kind_of
from dynabench.science.task_config.problems import (
    Path,
    Problems,
    UnusableValueError,
    list_names,
    quote,
)

PROBABILITY_TOLERANCE = 1e-4
"""How far the probabilities of a prediction may sum from 1."""


@dataclass(frozen=True, slots=True)
class ProbType:
    """Label to probability, summing to 1 ± 1e-4, or one number where `single_prob` is set.

    A label that is left out has probability 0. About a multilabel field each label has a
    probability of its own, and they need not sum to anything.
    """

    type_name: ClassVar[str] = "prob"
    for_model_output_only: ClassVar[bool] = True
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = {
        "reference_name": {
            "type": "string",
            "description": "The multiclass or multilabel field that the probabilities are about.",
        },
        "single_prob": {
            "type": "boolean",
            "description": "Whether it is one number: how sure the model is of its answer.",
        },
    }

    reference_name: str | None = None
    single_prob: bool = False
    labels: tuple[str, ...] = ()
    is_one_of: bool = True

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `single_prob`, else the `reference_name` of the choice it is about.

        The original platform allowed a `reference_name` beside `single_prob` and did not use
        it; neither is it used here.
        """
        single = reader.boolean("single_prob") or False
        if not single:
            return cls(reference_name=reader.name("reference_name"))
        if reader.take("reference_name") is not None:
            reader.name("reference_name")
        return cls(single_prob=True)

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Take the labels over from the choice it refers to."""
        if self.reference_name is None:
            return self
        others = neighbours.answered
        target = others.get(self.reference_name)
        if target is None and self.reference_name in others:
            return self
        if isinstance(target, MulticlassType):
            return replace(self, labels=target.labels)
        if isinstance(target, MultilabelType):
            return replace(self, labels=target.labels, is_one_of=False)
        kinds = (MulticlassType, MultilabelType)
        choices = [name for name, one in others.items() if isinstance(one, kinds)]
        problems.add(
            (*at, "reference_name"),
            f"{quote(self.reference_name)} is not a multiclass or multilabel field.",
            suggest_reference(self.reference_name, choices),
        )
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return one number, or a number for each label."""
        del context
        if self.single_prob:
            return _probability(value, "It")
        if not isinstance(value, Mapping):
            raise UnusableValueError(f"It must map labels to probabilities, not {kind_of(value)}.")
        unknown = [str(label) for label in value if label not in self.labels]
        if unknown:
            raise UnusableValueError(
                f"{quote(unknown[0])} is not a label; the labels are {list_names(self.labels)}."
            )
        found = {
            label: _probability(value.get(label, 0), f"The probability of {label}")
            for label in self.labels
        }
        total = math.fsum(found.values())
        if self.is_one_of and abs(total - 1) > PROBABILITY_TOLERANCE:
            raise UnusableValueError(f"The probabilities sum to {total:.6g}; they must sum to 1.")
        return found

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the numbers."""
        return one == other

    def text_of(self, value: object) -> str:
        """Return nothing: a probability is no text."""
        del value
        return ""

    def describe(self) -> dict[str, object]:
        """Return what the probabilities are about."""
        return {"reference_name": self.reference_name, "single_prob": self.single_prob}


def _probability(value: object, what: str) -> float:
    if not is_number(value):
        raise UnusableValueError(f"{what} must be a number from 0 to 1, not {kind_of(value)}.")
    if not -PROBABILITY_TOLERANCE <= value <= 1 + PROBABILITY_TOLERANCE:
        raise UnusableValueError(f"{what} is {value:.6g}; it must be from 0 to 1.")
    return min(max(float(value), 0.0), 1.0)
