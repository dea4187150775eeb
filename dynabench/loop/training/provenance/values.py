"""Everything that decided what a model has learned."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dynabench.engines.baselines.options import OptionValue
from dynabench.loop.training.learners.values import Learnt
from dynabench.loop.training.values import Origin, RecipeName


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """How a model came about.

    Attributes:
        recipe: How it was trained.
        seed: The seed, as it was asked for.
        options: What was set of the recipe, defaults and all.
        origin: What it was trained on.
        learnt: What the learning process says; None before it ran.
        checkpoint: What it was fine-tuned from.
    """

    recipe: RecipeName
    seed: int
    origin: Origin
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    learnt: Learnt | None = None
    checkpoint: Mapping[str, object] | None = None
