"""A model's answer as it is kept, or why it cannot be used.

What a task's config asks of an answer is the same for every item of a dataset. Where its
output fields are labels, texts and probabilities, which is nearly always, a common answer is
recognised by a few comparisons; whatever is not recognised goes the long way, which alone
says what is wrong. Both ways give the same for every answer [a property test holds them to it].
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from dynabench.engines.inference.outputs import checked_prediction
from dynabench.engines.inference.protocol import Prediction, TargetSpec
from dynabench.science.task_config.characters import without_refused
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.prob import PROBABILITY_TOLERANCE, ProbType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.problems import FieldValueError, UnusableValueError
from dynabench.science.task_config.schema import TaskConfig

Values: TypeAlias = Mapping[str, object]
Outputs: TypeAlias = dict[str, object]
Probabilities: TypeAlias = dict[str, float]
Checked: TypeAlias = tuple[Outputs, Probabilities | None, str | None]
"""The outputs as they are kept, the probabilities, and the problem; of a problem nothing else."""

_UNRECOGNISED = object()
# A text of so many characters is never too large an answer, however its JSON is written.
_SURELY_SMALL = 5_000
# Sums close to the edge of what is allowed are judged by the long way.
_SURELY_ONE = PROBABILITY_TOLERANCE / 2
_NO_ANSWER = "The model gave no answer to this input."
_PROBABILITIES = "probabilities"
_LONGEST_REASON = 1_000

_Recognise: TypeAlias = Callable[[object], object]


class AnswerChecker:
    """Checks the answers of one model to the items of one task."""

    def __init__(self, spec: TargetSpec, config: TaskConfig) -> None:
        self._spec = spec
        self._config = config
        self._common = _common_fields(spec, config)
        self._label = _only_label(config)

    def check_all(
        self, answers: Sequence[Prediction | Mapping[str, object]], values: Sequence[Values]
    ) -> list[Checked]:
        """Check the answers to some items: what an adapter made of them, or a worker sent."""
        found: list[Checked] = []
        label = self._label
        for answer, asked in zip(answers, values, strict=True):
            if isinstance(answer, Prediction):
                found.append(self.check(answer, asked))
                continue
            given = answer.get("outputs")
            # The commonest of all, without a call: one label and nothing else.
            if label is not None and given.__class__ is dict and "error" not in answer:
                assert isinstance(given, dict)
                said = given.get(label[0])
                if said.__class__ is str and said in label[1] and len(given) == 1:
                    found.append((given, None, None))
                    continue
            found.append(self.check_raw(answer, asked))
        return found

    def check_raw(self, result: Mapping[str, object], values: Values) -> Checked:
        """Check what a worker sent for an item: `{"outputs": …}` or `{"error": …}`."""
        error = result.get("error")
        if error is not None:
            return _failed(error if isinstance(error, str) else _NO_ANSWER)
        given = result.get("outputs")
        if self._common is not None and given.__class__ is dict:
            assert isinstance(given, dict)
            found = self._recognise(given)
            if found is not None:
                return found
        return self.check(checked_prediction(self._spec, given, latency_seconds=0.0), values)

    def check(self, prediction: Prediction, values: Values) -> Checked:
        """Check what an adapter made of an answer."""
        if prediction.error is not None:
            return _failed(prediction.error)
        try:
            outputs = self._config.check_prediction(prediction.outputs, context=values)
        except FieldValueError as error:
            return _failed(error.message)
        return outputs, prediction.probabilities, None

    def _recognise(self, given: Outputs) -> Checked | None:
        """Return a common answer as it is kept; None for one that must be looked at."""
        assert self._common is not None
        outputs: Outputs = {}
        for name, recognise in self._common:
            kept = recognise(given.get(name))
            if kept is _UNRECOGNISED:
                return None
            if kept is not None:
                outputs[name] = kept
        if self._spec.probability_name is None:
            # A model may add how sure it is by itself.
            return (outputs, None, None) if given.get(_PROBABILITIES) is None else None
        said = given.get(self._spec.probability_name)
        if said is None:
            return outputs, None, None
        assert isinstance(said, dict)
        return outputs, {label: float(number) for label, number in said.items()}, None


def _common_fields(
    spec: TargetSpec, config: TaskConfig
) -> tuple[tuple[str, _Recognise], ...] | None:
    """Return how each output field of a task is recognised; None if one cannot be."""
    found: list[tuple[str, _Recognise]] = []
    for field in config.output:
        recognise = _recognise_field(spec, field)
        if recognise is None:
            return None
        found.append((field.name, recognise))
    return tuple(found)


def _only_label(config: TaskConfig) -> tuple[str, frozenset[str]] | None:
    """Return the one field and its labels of a task that asks for a label alone."""
    if len(config.output) != 1:
        return None
    (field,) = config.output
    kind = field.type
    return (field.name, frozenset(kind.labels)) if isinstance(kind, MulticlassType) else None


def _recognise_field(spec: TargetSpec, field: Field) -> _Recognise | None:
    match field.type:
        case MulticlassType(labels=labels):
            return _label(frozenset(labels))
        case StringType() as kind:
            return _text(kind)
        case ProbType() as kind:
            is_plain = (
                kind.is_one_of and not kind.single_prob and field.name == spec.probability_name
            )
            same_labels = [set(labels) for labels in spec.labels.values()] == [set(kind.labels)]
            return _probabilities(kind.labels) if is_plain and same_labels else None
        case _:
            return None


def _label(labels: frozenset[str]) -> _Recognise:
    def recognise(value: object) -> object:
        return value if value.__class__ is str and value in labels else _UNRECOGNISED

    return recognise


def _text(kind: StringType) -> _Recognise:
    def recognise(value: object) -> object:
        if not isinstance(value, str) or len(value) > _SURELY_SMALL:
            return _UNRECOGNISED
        try:
            return kind.check(value, context=None)
        except UnusableValueError:
            return _UNRECOGNISED

    return recognise


def _probabilities(labels: tuple[str, ...]) -> _Recognise:
    known = frozenset(labels)

    def recognise(value: object) -> object:
        if value is None:
            return None
        if value.__class__ is not dict:
            return _UNRECOGNISED
        assert isinstance(value, dict)
        total = 0.0
        for label, number in value.items():
            if label not in known or number.__class__ not in {float, int} or not 0 <= number <= 1:
                return _UNRECOGNISED
            total += number
        if abs(total - 1) > _SURELY_ONE:
            return _UNRECOGNISED
        return {label: float(value.get(label, 0)) for label in labels}

    return recognise


def _failed(reason: str) -> Checked:
    # What a model says when it fails may be anything, also what PostgreSQL does not store.
    return {}, None, without_refused(reason[:_LONGEST_REASON])
