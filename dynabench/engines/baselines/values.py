"""What the learners exchange with the rest: items, the task's summary, the trained model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

ModelInput: TypeAlias = Mapping[str, object]

# Called with the share done, 0 to 1, and what is being done.
Progress: TypeAlias = Callable[[float, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingItem:
    """One example with its gold answer; `answer` maps the answer field to its value.

    `weight` says how many times it counts.
    """

    context: Mapping[str, object]
    inputs: Mapping[str, object]
    answer: Mapping[str, object]
    weight: int = 1

    def model_input(self) -> dict[str, object]:
        """Return what a model may see of it."""
        return {**self.context, **self.inputs}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigSummary:
    """What a learner must know of a task.

    Attributes:
        context_names: The context's text fields (the premise, the passage).
        input_names: The input's text fields without the gold answer (the hypothesis).
        answer_name: The field that holds the gold answer and the model's.
        labels: Its labels, in the task's order; empty for a span of text.
        reference_name: The context field that a span is taken from.
        probability_name: The output's `prob` field, if it has one.
        media_names: The fields with pictures or sounds, those a person brings first.
    """

    context_names: tuple[str, ...]
    input_names: tuple[str, ...]
    answer_name: str
    labels: tuple[str, ...] = ()
    reference_name: str | None = None
    probability_name: str | None = None
    media_names: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the summary as JSON values."""
        return {
            "context_names": list(self.context_names),
            "input_names": list(self.input_names),
            "answer_name": self.answer_name,
            "labels": list(self.labels),
            "reference_name": self.reference_name,
            "probability_name": self.probability_name,
            # Said only where there are any, so that other models keep their digests.
            **({"media_names": list(self.media_names)} if self.media_names else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> "ConfigSummary":
        """Read what `to_json` wrote."""
        reference_name = value.get("reference_name")
        probability_name = value.get("probability_name")
        return cls(
            context_names=_texts(value["context_names"]),
            input_names=_texts(value["input_names"]),
            answer_name=str(value["answer_name"]),
            labels=_texts(value["labels"]),
            reference_name=None if reference_name is None else str(reference_name),
            probability_name=None if probability_name is None else str(probability_name),
            media_names=_texts(value.get("media_names", [])),
        )

    def label_answer(self, probabilities: Mapping[str, float]) -> dict[str, object]:
        """Return the output fields that label probabilities amount to."""
        best = max(probabilities, key=lambda label: probabilities[label])
        return {
            self.answer_name: best,
            self.probability_name or "probabilities": dict(probabilities),
        }


class TrainedModel(Protocol):
    """A learner after training."""

    @property
    def recipe(self) -> str:
        """The recipe's name."""
        ...

    @property
    def config(self) -> ConfigSummary:
        """The task it was trained for."""
        ...

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer each input with the task's output fields."""
        ...

    def save(self, folder: Path) -> None:
        """Write a handler folder; see `model_folder`."""
        ...


def ignore_progress(share: float, doing: str) -> None:
    """Report to nobody."""


def repeated(items: Sequence[TrainingItem]) -> list[TrainingItem]:
    """Return each item as many times as its weight says."""
    return [item for item in items for _ in range(item.weight)]


def joined_text(model_input: ModelInput, names: Sequence[str]) -> str:
    """Return the text fields that are there, one per line."""
    return "\n".join(str(model_input[name]) for name in names if model_input.get(name))


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, list | tuple)
    return tuple(str(item) for item in value)
