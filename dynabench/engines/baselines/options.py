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


_OPTIONS: Mapping[str, tuple[RecipeOption, ...]] = MappingProxyType(
    {
        "text-classifier": (
            RecipeOption(
                name="inverse_regularisation",
                title="Inverse regularisation (C)",
                description="The larger, the closer the weights follow the training data.",
                kind=OptionKind.NUMBER,
                default=1.0,
                lowest=0.001,
                highest=1000.0,
            ),
            RecipeOption(
                name="word_ngrams",
                title="Longest word n-gram",
                description="How many words in a row make a feature: 1 or 2.",
                kind=OptionKind.WHOLE_NUMBER,
                default=2,
                lowest=1,
                highest=2,
            ),
            RecipeOption(
                name="character_ngrams",
                title="Longest character n-gram",
                description="How many characters of a word make a feature; below 2, none do.",
                kind=OptionKind.WHOLE_NUMBER,
                default=5,
                lowest=0,
                highest=5,
            ),
            RecipeOption(
                name="max_features",
                title="Most features of a kind",
                description="Keeps the most frequent n-grams of a kind; empty keeps them all.",
                kind=OptionKind.WHOLE_NUMBER,
                lowest=100,
                highest=10_000_000,
            ),
        ),
        "extractive-reader": (
            RecipeOption(
                name="ridge",
                title="Regularisation",
                description="The larger, the smaller the weights stay.",
                kind=OptionKind.NUMBER,
                default=0.3,
                lowest=0.001,
                highest=1000.0,
            ),
            RecipeOption(
                name="rivals",
                title="Rivals of each answer",
                description="With how many wrong spans of its passage an answer is compared.",
                kind=OptionKind.WHOLE_NUMBER,
                default=100,
                lowest=1,
                highest=1000,
            ),
        ),
    }
)


def options_of(recipe: str) -> tuple[RecipeOption, ...]:
    """Return what can be set of one of the learners that ship with the package."""
    return _OPTIONS.get(recipe, ())


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
