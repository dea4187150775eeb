"""The field type `rating`: a point on a short scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dynabench.science.task_config.fields.number import (
    BOUND_SCHEMA,
    MIN_STEP,
    STEP_SCHEMA,
    Number,
    check_number,
    read_number,
)
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.mapping_reader import MappingReader
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError

NOT_APPLICABLE = "not_applicable"
"""The value that says: the question does not fit this case."""

MAX_POINTS = 101
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class RatingType:
    """A number from `min` to `max` in steps, or `not_applicable` where the config allows it."""

    type_name: ClassVar[str] = "rating"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = {
        "min": {**BOUND_SCHEMA, "description": "The lowest point; 1 if not said."},
        "max": {**BOUND_SCHEMA, "description": "The highest point; 5 if not said."},
        "step": {**STEP_SCHEMA, "description": "From point to point; 1 if not said."},
        "not_applicable": {
            "type": "boolean",
            "description": "Whether one may say that the question does not apply.",
        },
    }

    min: Number = 1
    max: Number = 5
    step: Number = 1
    not_applicable: bool = False

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `min`, `max`, `step` and `not_applicable`."""
        low, high = read_number(reader, "min"), read_number(reader, "max")
        step = read_number(reader, "step", low=MIN_STEP)
        found = cls(
            min=1 if low is None else low,
            max=5 if high is None else high,
            step=1 if step is None else step,
            not_applicable=reader.boolean("not_applicable") or False,
        )
        steps = (found.max - found.min) / found.step
        if not 1 <= round(steps) < MAX_POINTS or abs(steps - round(steps)) > _TOLERANCE:
            reader.wrong(
                "max",
                f"A rating goes from min to max in 1 to {MAX_POINTS - 1} whole steps; from "
                f"{found.min} to {found.max} are {steps:g} steps of {found.step}.",
                "Change max or step.",
            )
        return found

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; a rating refers to nothing."""
        del neighbours, at, problems
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the point on the scale, or `not_applicable`."""
        del context
        if value == NOT_APPLICABLE:
            if self.not_applicable:
                return NOT_APPLICABLE
            raise UnusableValueError("This question always applies; choose a rating.")
        return check_number(value, low=self.min, high=self.max, step=self.step)

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the points."""
        return one == other

    def text_of(self, value: object) -> str:
        """Return the point as it is written."""
        return str(value)

    def describe(self) -> dict[str, object]:
        """Return the scale, and whether the question may not apply."""
        return {
            "min": self.min,
            "max": self.max,
            "step": self.step,
            "not_applicable": self.not_applicable,
        }
