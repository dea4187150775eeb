"""What every target model looks like from outside: `TargetModel` and the values it exchanges.

No adapter, no numpy: the annotate path, the evaluation jobs and the tests all import this
module, and none of them should pay for machinery that another one needs.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, get_args

from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetSpecError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.science.task_config.conversations import messages_of

# What a model sees: field name -> value, context and input fields merged, never the gold answer.
ModelInput: TypeAlias = Mapping[str, object]

SAMPLE_KEY = "$sample"
"""Beside an input's fields: which further answer to the same input is wanted, from 1.

A model that can answer in several ways gives another one; any other model ignores it. No
field of a task can have this name.
"""

TargetKind = Literal[
    "handler",
    "huggingface",
    "onnx",
    "container",
    "endpoint",
    "openai",
    "predictions",
    "recorded",
]
TARGET_KINDS: tuple[TargetKind, ...] = get_args(TargetKind)
# What runs in a worker process, which takes one batch at a time.
WORKER_KINDS: frozenset[TargetKind] = frozenset({"handler", "huggingface", "onnx", "container"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What a model answered to one input, or why its answer cannot be used.

    Either `error` is None and `outputs` holds every output field of the task, or `error` is a
    sentence that names the wrong field and `outputs` is empty. `probabilities` is label ->
    probability where the model gave them.
    """

    outputs: dict[str, object] = field(default_factory=dict)
    probabilities: dict[str, float] | None = None
    latency_seconds: float = 0.0
    error: str | None = None


def require_answer(prediction: Prediction, *, name: str) -> Prediction:
    """Return the prediction, or raise `TargetAnswerInvalidError` if it carries an error."""
    if prediction.error is not None:
        raise TargetAnswerInvalidError(name=name, reason=prediction.error)
    return prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Who a model is: `digest` changes whenever its answers may change."""

    name: str
    digest: str
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]


class TargetModel(Protocol):
    """A model that can be asked; see the adapters beside this module.

    `predict` returns one prediction per input, in order. A wrong answer is a
    `Prediction.error`; only a model that cannot be asked at all raises (errors.py).
    """

    async def describe(self) -> Description:
        """Return who the model is; starts it where it has to be started."""
        ...

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Answer each input, in order."""
        ...

    async def close(self) -> None:
        """Let go of processes and connections; a later `predict` may take them up again."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """Everything needed to reach one model version, as plain JSON.

    Attributes:
        kind: Which adapter runs it.
        name: The model's name, for sentences people read.
        input_names: The fields the model is sent; other fields of an input are left out.
        output_names: The fields its answer must hold.
        labels: Output field -> the labels it may take; a field without entry is free.
        multilabel_names: Those of `labels` whose value is a list of labels.
        list_names: Fields whose value is a list; read as JSON where a server can send texts alone.
        probability_name: The output field that holds probabilities (a `prob` field), if any.
        probability_of: The one of `labels` that they are about; None is the first.
        chat_name: The field that holds a conversation, if any; models are sent it as messages.
        reply_name: The output field that is the next reply to it, if it is one.
        digest: The artifact's digest; empty means "the digest of this spec".
        options: What the adapter needs: `folder`, `url`, `model`, `prompt` and so on.
    """

    kind: TargetKind
    name: str
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    multilabel_names: tuple[str, ...] = ()
    list_names: tuple[str, ...] = ()
    probability_name: str | None = None
    probability_of: str | None = None
    chat_name: str | None = None
    reply_name: str | None = None
    digest: str = ""
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.output_names:
            raise _spec_error("output_names", "must name at least one field.")

    def to_json(self) -> dict[str, object]:
        """Return the spec as JSON values; `from_json` reads them back."""
        # Named only where there is one: the digests of other specs stay what they were.
        rare = {
            "chat_name": self.chat_name,
            "reply_name": self.reply_name,
            "list_names": list(self.list_names) or None,
            "probability_of": self.probability_of,
        }
        return {
            "kind": self.kind,
            "name": self.name,
            "input_names": list(self.input_names),
            "output_names": list(self.output_names),
            "labels": {name: list(labels) for name, labels in self.labels.items()},
            "multilabel_names": list(self.multilabel_names),
            "probability_name": self.probability_name,
            "digest": self.digest,
            "options": dict(self.options),
            **{key: value for key, value in rare.items() if value is not None},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> "TargetSpec":
        """Read a spec; a wrong value is a `TargetSpecError` that names its key."""
        kind = next((known for known in TARGET_KINDS if known == value.get("kind")), None)
        if kind is None:
            known = ", ".join(TARGET_KINDS)
            raise _spec_error("kind", f"must be one of {known}.")
        labels = value.get("labels") or {}
        options = value.get("options") or {}
        if not isinstance(labels, Mapping):
            raise _spec_error("labels", "must map an output field to its labels.")
        if not isinstance(options, Mapping):
            raise _spec_error("options", "must be an object.")
        return cls(
            kind=kind,
            name=str(value.get("name") or kind),
            input_names=_names(value, "input_names"),
            output_names=_names(value, "output_names"),
            labels={str(name): _names(labels, str(name)) for name in labels},
            multilabel_names=_names({"multilabel_names": [], **value}, "multilabel_names"),
            list_names=_names({"list_names": [], **value}, "list_names"),
            probability_name=_name(value, "probability_name"),
            probability_of=_name(value, "probability_of"),
            chat_name=_name(value, "chat_name"),
            reply_name=_name(value, "reply_name"),
            digest=str(value.get("digest") or ""),
            options={str(key): item for key, item in options.items()},
        )

    @property
    def version_digest(self) -> str:
        """The artifact's digest, or else a digest of this spec."""
        return self.digest or digest_of(self.to_json())

    def describe(self) -> Description:
        """Return the description that an adapter of this spec gives."""
        return Description(
            name=self.name,
            digest=self.version_digest,
            input_names=self.input_names,
            output_names=self.output_names,
        )

    def option(self, key: str, default: str | None = None) -> str:
        """Return a text option; one that is missing without a default is an error naming it."""
        value = self.options.get(key, default)
        if not isinstance(value, str) or not value:
            raise _spec_error(key, "is needed and must be a text.")
        return value

    def text_map(self, key: str) -> dict[str, str]:
        """Return an option that maps texts to texts; empty if it is not given."""
        value = self.options.get(key) or {}
        if not isinstance(value, Mapping):
            raise _spec_error(key, "must be an object.")
        return {str(name): str(item) for name, item in value.items()}

    def visible(self, model_input: ModelInput) -> dict[str, object]:
        """Return the fields of an input that this model may see, as it is sent them.

        A conversation becomes messages, without the reply that the model is to give.
        """
        names = self.input_names or tuple(model_input)
        seen = {name: model_input[name] for name in names if name in model_input}
        if SAMPLE_KEY in model_input:
            seen[SAMPLE_KEY] = model_input[SAMPLE_KEY]
        if self.chat_name is not None and self.chat_name in seen:
            awaits_reply = self.reply_name is not None
            seen[self.chat_name] = messages_of(seen[self.chat_name], awaits_reply=awaits_reply)
        return seen


class Stopwatch:
    """Wall-clock time since it was made."""

    def __init__(self) -> None:
        self._started = time.perf_counter()

    def seconds(self) -> float:
        """Return the time so far."""
        return time.perf_counter() - self._started


def digest_of(value: object) -> str:
    """Return the SHA-256 of a JSON value, the same for equal values in any key order."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class FakeTargetModel:
    """A target model for tests and demonstrations: a function from an input to output fields.

    What the function raises becomes the prediction's error, so that a test can play a model
    that fails on one input. The errors of a model that cannot be asked at all (unavailable,
    timeout, busy) leave `predict`, as they do with real adapters. Every input it was asked
    is kept in `asked`.

    Example:
        >>> model = FakeTargetModel(lambda item: {"label": "positive"})
    """

    def __init__(
        self,
        rule: Callable[[ModelInput], Mapping[str, object]],
        *,
        name: str = "fake",
        input_names: Sequence[str] = (),
        output_names: Sequence[str] = ("label",),
    ) -> None:
        self._rule = rule
        self._description = Description(
            name=name,
            digest=digest_of({"fake": name}),
            input_names=tuple(input_names),
            output_names=tuple(output_names),
        )
        self.asked: list[ModelInput] = []
        self.batch_sizes: list[int] = []
        self.is_closed = False

    async def describe(self) -> Description:
        """Return the name and fields it was made with."""
        return self._description

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Apply the rule to each input."""
        names = self._description.input_names
        seen = [{key: item[key] for key in item if not names or key in names} for item in batch]
        self.batch_sizes.append(len(batch))
        self.asked.extend(seen)
        return [self._answer(item) for item in seen]

    async def close(self) -> None:
        """Remember that it was closed."""
        self.is_closed = True

    def _answer(self, item: ModelInput) -> Prediction:
        watch = Stopwatch()
        try:
            outputs = dict(self._rule(item))
        except (TargetUnavailableError, TargetTimeoutError, TargetBusyError):
            raise
        # A test's rule may raise anything; the fake promises what real adapters promise.
        except Exception as error:  # noqa: BLE001
            return Prediction(error=f"The model failed with {type(error).__name__}: {error}")
        for name in self._description.output_names:
            if name not in outputs:
                return Prediction(error=f"The output field '{name}' is missing.")
        probabilities = outputs.pop("probabilities", None)
        return Prediction(
            outputs=outputs,
            probabilities=probabilities if isinstance(probabilities, dict) else None,
            latency_seconds=watch.seconds(),
        )


def _name(value: Mapping[str, object], key: str) -> str | None:
    name = value.get(key)
    return None if name is None else str(name)


def _names(value: Mapping[str, object], key: str) -> tuple[str, ...]:
    names = value.get(key)
    if not isinstance(names, list | tuple):
        raise _spec_error(key, "must be a list of names.")
    return tuple(str(name) for name in names)


def _spec_error(key: str, problem: str) -> TargetSpecError:
    sentence = f"The model's setting '{key}' {problem}"
    return TargetSpecError(sentence, fields={key: sentence})
