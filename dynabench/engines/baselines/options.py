"""What can be set of a recipe: named, bounded options, read from what a person wrote."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from dynabench.engines.baselines.errors import RecipeOptionsError
from dynabench.science.task_config.problems import nearest

OptionValue: TypeAlias = int | float | str | None
OptionValues: TypeAlias = Mapping[str, OptionValue]

_SHOWN = 60


class OptionKind(StrEnum):
    """What an option's value is."""

    WHOLE_NUMBER = "whole_number"
    NUMBER = "number"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeOption:
    """One thing that can be set of a recipe.

    Attributes:
        name: Its key.
        title: What it is called.
        description: What it changes.
        kind: What its value is.
        default: The value where nothing is said; None where nothing is needed.
        lowest: The least number that is taken.
        highest: The largest.
        is_needed: Whether training does without it.
    """

    name: str
    title: str
    description: str
    kind: OptionKind
    default: OptionValue = None
    lowest: float | None = None
    highest: float | None = None
    is_needed: bool = False


def read_recipe_options(
    known: Sequence[RecipeOption], given: Mapping[str, object]
) -> dict[str, OptionValue]:
    """Return every option's value: the given one, else its default.

    A number may be written as text, as a command line hands it over.

    Raises:
        RecipeOptionsError: With a sentence for each option that is unknown, missing or wrong.
    """
    wrong: dict[str, str] = {}
    names = [one.name for one in known]
    for name in given:
        if name not in names:
            near = nearest(name, names)
            some = f"Did you mean {near}?" if near else f"There are: {', '.join(names) or 'none'}."
            wrong[name[:_SHOWN]] = f"This recipe has no option “{name[:_SHOWN]}”. {some}"
    found: dict[str, OptionValue] = {}
    for option in known:
        value = given.get(option.name)
        if value is None or (isinstance(value, str) and not value.strip()):
            found[option.name] = option.default
            if option.is_needed:
                wrong[option.name] = f"{option.title}: this recipe cannot do without it."
            continue
        read = _READERS[option.kind](value)
        problem = _problem(option, read)
        if problem is None:
            found[option.name] = read
        else:
            wrong[option.name] = f"{option.title}: {problem}"
    if wrong:
        raise RecipeOptionsError(wrong)
    return found


def _problem(option: RecipeOption, value: OptionValue) -> str | None:
    if value is None:
        return {
            OptionKind.WHOLE_NUMBER: "it must be a whole number.",
            OptionKind.NUMBER: "it must be a number.",
            OptionKind.TEXT: "it must be a text of at most 200 characters in one line.",
        }[option.kind]
    if isinstance(value, str):
        return None
    low, high = option.lowest, option.highest
    if (low is not None and value < low) or (high is not None and value > high):
        return f"it must be from {low:,g} to {high:,.15g}."
    return None


def _whole_number(value: object) -> OptionValue:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return int(str(value))
    except ValueError:
        return None


def _number(value: object) -> OptionValue:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _text(value: object) -> OptionValue:
    longest = 200
    if not isinstance(value, str) or len(value) > longest or not value.strip().isprintable():
        return None
    return value.strip()


_READERS: Mapping[OptionKind, Callable[[object], OptionValue]] = MappingProxyType(
    {
        OptionKind.WHOLE_NUMBER: _whole_number,
        OptionKind.NUMBER: _number,
        OptionKind.TEXT: _text,
    }
)
