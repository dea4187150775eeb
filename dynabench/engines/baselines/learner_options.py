"""What can be set of the learners that ship with the package."""

from collections.abc import Mapping
from types import MappingProxyType

from dynabench.engines.baselines.options import OptionKind, RecipeOption

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
