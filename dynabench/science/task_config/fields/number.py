"""The field type `number`: a number between bounds, on a step."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import ClassVar, Self

from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.mapping_reader import MappingReader, is_number, kind_of
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError

Number = int | float

MAX_NUMBER = 10**15
"""No number is larger either way: up to here every program reads the same number."""

MIN_STEP = 1e-9
STEP_TOLERANCE = Decimal("1e-6")
"""How far from a step, in steps, a number may lie by rounding."""

BOUND_SCHEMA: dict[str, object] = {
    "type": "number",
    "minimum": -MAX_NUMBER,
    "maximum": MAX_NUMBER,
}
STEP_SCHEMA: dict[str, object] = {"type": "number", "minimum": MIN_STEP, "maximum": MAX_NUMBER}


@dataclass(frozen=True, slots=True)
class NumberType:
    """A JSON number from `min` to `max`; with a `step`, counted from `min` (else from 0).

    Whole numbers are stored as such, so that 3.0 and 3 are one value.
    """

    type_name: ClassVar[str] = "number"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = False
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = {
        "min": {**BOUND_SCHEMA, "description": "The smallest number."},
        "max": {**BOUND_SCHEMA, "description": "The largest number."},
        "step": {
            **STEP_SCHEMA,
            "description": "The distance of the numbers that can be given, counted from min.",
        },
    }

    min: Number | None = None
    max: Number | None = None
    step: Number | None = None

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `min`, `max` and `step`."""
        low = read_number(reader, "min")
        high = read_number(reader, "max")
        if low is not None and high is not None and low > high:
            reader.wrong("min", f"It is larger than max, which is {high}.")
        return cls(min=low, max=high, step=read_number(reader, "step", low=MIN_STEP))

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Return itself; a number refers to nothing."""
        del neighbours, at, problems
        return self

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the number, put exactly onto the step it is meant to be on."""
        del context
        return check_number(value, low=self.min, high=self.max, step=self.step)

    def is_equal(self, one: object, other: object) -> bool:
        """Compare the numbers."""
        return one == other

    def text_of(self, value: object) -> str:
        """Return the number as it is written."""
        return str(value)

    def describe(self) -> dict[str, object]:
        """Return the bounds and the step."""
        return {"min": self.min, "max": self.max, "step": self.step}


def read_number(reader: MappingReader, key: str, *, low: float = -MAX_NUMBER) -> Number | None:
    """Read an optional number of the config; a whole one stays whole."""
    found = reader.number(key, low=low, high=MAX_NUMBER)
    return None if found is None else _plain(found)


def check_number(
    value: object, *, low: Number | None, high: Number | None, step: Number | None
) -> Number:
    """Return a number that lies between the bounds and on the step."""
    if not is_number(value):
        raise UnusableValueError(f"It must be a number, not {kind_of(value)}.")
    if abs(value) > MAX_NUMBER:
        raise UnusableValueError(f"It is beyond {MAX_NUMBER}; write a smaller number.")
    if low is not None and value < low:
        raise UnusableValueError(f"It is {value}; write at least {low}.")
    if high is not None and value > high:
        raise UnusableValueError(f"It is {value}; write at most {high}.")
    return _plain(value) if step is None else _on_step(value, start=low or 0, step=step)


def _on_step(value: Number, *, start: Number, step: Number) -> Number:
    with localcontext() as settings:
        settings.prec = 60
        size, base = Decimal(str(step)), Decimal(str(start))
        steps = (Decimal(str(value)) - base) / size
        nearest = steps.to_integral_value()
        if abs(steps - nearest) > STEP_TOLERANCE:
            below = _plain(float(base + size * steps.to_integral_value("ROUND_FLOOR")))
            above = _plain(float(base + size * steps.to_integral_value("ROUND_CEILING")))
            raise UnusableValueError(
                f"It is {value}, which is not a step of {step} from {start}; "
                f"write {below} or {above}."
            )
        return _plain(float(base + size * nearest))


def _plain(value: Number) -> Number:
    """Return a whole number as an integer, so that it is written in one way."""
    return int(value) if value == int(value) else value
