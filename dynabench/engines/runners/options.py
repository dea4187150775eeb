"""The options of models that a runner of ours loads, read against the task's config."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.protocol import TargetKind
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.problems import nearest
from dynabench.science.task_config.schema import TaskConfig

_SHORTEST_LENGTH, _LONGEST_LENGTH = 8, 8_192
_MOST_NEW_TOKENS = 4_096
_PAIR = 2
# Put beside the builder's options by whoever runs the model.
_OURS = {"folder", "isolation"}


class Pipeline(StrEnum):
    """What a model of the transformers library was made for, as the library calls it."""

    TEXT_CLASSIFICATION = "text-classification"
    TAGGING = "token-classification"
    QUESTION_ANSWERING = "question-answering"
    TEXT2TEXT_GENERATION = "text2text-generation"
    TEXT_GENERATION = "text-generation"


_KEYS: dict[TargetKind, dict[str, str]] = {
    "handler": {},
    "onnx": {
        "inputs": "list",
        "labels": "list",
        "max_length": "number",
        "threshold": "number",
    },
    "huggingface": {
        "hub": "text",
        "revision": "text",
        "pipeline": "text",
        "inputs": "list",
        "labels": "map",
        "max_length": "number",
        "max_new_tokens": "number",
        "threshold": "number",
        "prompt": "text",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerOptions:
    """Everything that a generated `model.py` needs to know, as `runner.json` says it.

    Attributes:
        pipeline: How outputs are made from what the model computes.
        inputs: The fields that the model reads, in its order; for a question the passage last.
        answer: The output field that it fills.
        task_labels: The labels that the answer can have.
        labels: What the builder says of the model's own labels: their order, or their names here.
        is_multilabel: Whether several labels can hold.
        probability: The output field for probabilities, if the task has one.
        is_single_probability: Whether that field takes one number.
        max_length: Where long texts are cut, in tokens.
        max_new_tokens: How long a written answer can be.
        threshold: From which probability one of several labels holds.
        prompt: How the fields become one text for a model that writes, `{field}` each.
        hub: The model's id on a hub, where its files are to be fetched from there.
        revision: Which state of it.
    """

    pipeline: Pipeline
    inputs: tuple[str, ...]
    answer: str
    task_labels: tuple[str, ...] = ()
    labels: tuple[str, ...] | Mapping[str, str] = ()
    is_multilabel: bool = False
    probability: str | None = None
    is_single_probability: bool = False
    max_length: int = 256
    max_new_tokens: int = 128
    threshold: float = 0.5
    prompt: str | None = None
    hub: str | None = None
    revision: str | None = None
    chat: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the options as JSON values."""
        return asdict(self)


def read_options(
    kind: TargetKind, options: Mapping[str, object], *, config: TaskConfig
) -> RunnerOptions | None:
    """Return what the generated `model.py` is told; None for a handler, which is told nothing.

    Raises:
        TargetSpecError: With every wrong option.
    """
    reader = _Reader(options, known=_KEYS.get(kind, {}))
    if kind not in {"onnx", "huggingface"}:
        reader.raise_if_any()
        return None
    answer = _answer_field(config)
    pipeline = reader.pipeline(_suggested(answer, config), kind)
    chat = None if config.chat_field is None else config.chat_field.name
    inputs = reader.inputs(_texts(config), _default_inputs(config, answer), has_chat=bool(chat))
    labels = _labels(answer)
    probability = config.probability_field
    prob_type = None if probability is None else probability.type
    found = RunnerOptions(
        pipeline=pipeline,
        inputs=inputs,
        answer=answer.name,
        task_labels=labels,
        labels=reader.labels(kind, labels),
        is_multilabel=isinstance(answer.type, MultilabelType),
        probability=None if probability is None else probability.name,
        is_single_probability=isinstance(prob_type, ProbType) and prob_type.single_prob,
        max_length=reader.number("max_length", 256, _SHORTEST_LENGTH, _LONGEST_LENGTH),
        max_new_tokens=reader.number("max_new_tokens", 128, 1, _MOST_NEW_TOKENS),
        threshold=reader.share("threshold", 0.5),
        prompt=reader.prompt(_texts(config)),
        hub=reader.text("hub"),
        revision=reader.text("revision"),
        chat=chat,
    )
    reader.raise_if_any()
    return found


def _answer_field(config: TaskConfig) -> Field:
    """Return the output that the model fills: the first that is no probability."""
    return next(one for one in config.output if not one.type.for_model_output_only)


def _labels(answer: Field) -> tuple[str, ...]:
    kinds = (MulticlassType, MultilabelType, SpansType)
    return answer.type.labels if isinstance(answer.type, kinds) else ()


def _texts(config: TaskConfig) -> tuple[str, ...]:
    """Return the visible fields that are texts."""
    fields = config.model_input_fields
    return tuple(one.name for one in fields if isinstance(one.type, StringType))


def _default_inputs(config: TaskConfig, answer: Field) -> tuple[str, ...]:
    """Return which texts the model reads where nobody says so: one or two; the passage last."""
    texts = _texts(config)
    if isinstance(answer.type, SelectionType):
        passage = answer.type.reference_name
        return (*[name for name in texts if name != passage], passage)
    if isinstance(answer.type, SpansType):
        return (answer.type.reference_name,)
    return texts


def _suggested(answer: Field, config: TaskConfig) -> Pipeline | None:
    match answer.type:
        case MulticlassType() | MultilabelType():
            return Pipeline.TEXT_CLASSIFICATION
        case SelectionType():
            return Pipeline.QUESTION_ANSWERING
        case SpansType():
            return Pipeline.TAGGING
        case StringType():
            is_chat = any(isinstance(one.type, ChatType) for one in config.input)
            return Pipeline.TEXT_GENERATION if is_chat else Pipeline.TEXT2TEXT_GENERATION
    return None


@dataclass
class _Reader:
    """Reads options one by one and keeps what is wrong with each."""

    options: Mapping[str, object]
    known: Mapping[str, str]
    wrong: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in self.options:
            if key not in self.known and key not in _OURS:
                near = nearest(key, list(self.known))
                hint = f" Did you mean {near}?" if near else ""
                self._refuse(key[:80], f"There is no such option.{hint}")

    def raise_if_any(self) -> None:
        """Raise everything that was noted."""
        if self.wrong:
            raise TargetSpecError(" ".join(self.wrong.values()), fields=self.wrong)

    def pipeline(self, suggested: Pipeline | None, kind: TargetKind) -> Pipeline:
        """Return the pipeline that was named, else the one that fits the task's answer."""
        told = self.text("pipeline")
        possible = {
            Pipeline.TEXT2TEXT_GENERATION: (
                Pipeline.TEXT2TEXT_GENERATION,
                Pipeline.TEXT_GENERATION,
            ),
            Pipeline.QUESTION_ANSWERING: (Pipeline.QUESTION_ANSWERING,),
        }.get(suggested or Pipeline.TEXT_GENERATION, (suggested,))
        of_labels = {Pipeline.TEXT_CLASSIFICATION, Pipeline.QUESTION_ANSWERING}
        if suggested is None or (kind == "onnx" and suggested not in of_labels):
            self._refuse(
                "pipeline",
                f"Models of kind {kind} cannot fill this task's answer. Hand in a handler.",
            )
        elif told is not None and told not in {str(one) for one in possible}:
            fitting = " or ".join(str(one) for one in possible)
            self._refuse("pipeline", f"This task's answer needs {fitting}, not {told[:60]}.")
        elif told is not None:
            return Pipeline(told)
        return suggested or Pipeline.TEXT_CLASSIFICATION

    def inputs(
        self, texts: tuple[str, ...], default: tuple[str, ...], *, has_chat: bool
    ) -> tuple[str, ...]:
        """Return the fields that the model reads, one or two."""
        told = self.options.get("inputs")
        if not texts and not has_chat:
            self._refuse("inputs", "This task shows no text. Hand in a handler instead.")
            return ()
        if told is None:
            if not 1 <= len(default) <= _PAIR and not has_chat and "prompt" not in self.options:
                some = ", ".join(default) or "none"
                self._refuse("inputs", f"Name the one or two texts to read; there are: {some}.")
            return default
        if isinstance(told, str) or not isinstance(told, Sequence) or len(told) not in {1, _PAIR}:
            self._refuse("inputs", "It must be a list of one or two names of fields.")
            return default
        for name in told:
            if name not in texts:
                some = ", ".join(texts) or "none"
                self._refuse("inputs", f"{str(name)[:60]} is no text that models see; {some}.")
        return tuple(str(name) for name in told)

    def labels(
        self, kind: TargetKind, task_labels: tuple[str, ...]
    ) -> tuple[str, ...] | dict[str, str]:
        """Return the order of the labels (onnx), or the model's names for them (huggingface)."""
        told = self.options.get("labels")
        if told is None:
            return ()
        if kind == "onnx":
            names = list(told) if isinstance(told, list | tuple) else []
            if sorted(map(str, names)) != sorted(task_labels):
                self._refuse(
                    "labels",
                    "It must list each label once, in the order of the model's outputs: "
                    f"{', '.join(task_labels)}.",
                )
            return tuple(str(name) for name in names)
        if not isinstance(told, Mapping):
            self._refuse("labels", "It must map the model's labels to the task's.")
            return ()
        for name in told.values():
            if name is not None and name not in task_labels:
                self._refuse(
                    "labels",
                    f"{str(name)[:60]} is no label of the task: {', '.join(task_labels)}.",
                )
        return {str(ours): str(theirs) for ours, theirs in told.items() if theirs is not None}

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number within its bounds."""
        value = self.options.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self._refuse(key, f"It must be a whole number from {low} to {high}.")
            return default
        return value

    def share(self, key: str, default: float) -> float:
        """Return a number from 0 to 1."""
        value = self.options.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self._refuse(key, "It must be a number from 0 to 1.")
            return default
        return float(value)

    def prompt(self, texts: tuple[str, ...]) -> str | None:
        """Return the prompt; one that names none of the texts cannot be meant."""
        told = self.text("prompt")
        if told is not None and not any(f"{{{name}}}" in told for name in texts):
            some = ", ".join(f"{{{name}}}" for name in texts)
            self._refuse("prompt", f"It must name at least one of {some}.")
        return told

    def text(self, key: str) -> str | None:
        """Return a text, or None if it is not there."""
        value = self.options.get(key)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self._refuse(key, "It must be a text.")
            return None
        return value

    def _refuse(self, key: str, sentence: str) -> None:
        self.wrong.setdefault(key, sentence)
