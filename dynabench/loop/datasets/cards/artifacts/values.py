"""What goes into the process that looks for artifacts, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dynabench.loop.datasets.values import DatasetItem, Split

LARGEST_TRAINING = 20_000
"""So many items of train are learned from at most."""
SMALLEST_TRAINING = 100
# What a text says beyond this changes little and costs much.
_LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Sampled:
    """An item without its context.

    Attributes:
        is_train: Whether it is learned from, or measured with.
        context: The digest of its context: items on one are not independent.
        text: What was written; empty where that was no text.
        label: Its gold label.
    """

    is_train: bool
    context: bytes
    text: str
    label: str

    @classmethod
    def of(cls, item: DatasetItem, *, label: str, text_names: Sequence[str]) -> Self:
        """Return what of an item a model of the input alone sees: the texts of its fields."""
        texts = [str(item.inputs.get(name) or "") for name in text_names]
        return cls(
            is_train=item.split is Split.TRAIN,
            context=item.context_digest,
            text="\n".join(texts).strip()[:_LONGEST_TEXT],
            label=label,
        )


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered to the measured items, in their order.

    Attributes:
        learned: By the model that saw the inputs of train.
        majority: The label that most items of train have.
    """

    learned: Sequence[str]
    majority: str
