"""Turning what a model returned into a `Prediction`: every adapter's answers pass here.

A wrong or missing output field becomes `Prediction.error`, a sentence with the field's name,
and never an exception: a nonsense answer is the model's failure, not the platform's.
"""

import json
import math
from collections.abc import Mapping

from dynabench.engines.inference.protocol import Prediction, TargetSpec
from dynabench.science.task_config.characters import find_refused_character

MAX_OUTPUT_BYTES = 262_144
# Design, section 3: the probabilities of a `prob` field sum to 1 within this.
SUM_TOLERANCE = 1e-4
_SHOWN = 60
_MOST_NAMED = 8
_MAX_DEPTH = 8


class AnswerProblemError(ValueError):
    """An answer breaks the task's output fields; the message names the field."""


def checked_prediction(spec: TargetSpec, raw: object, *, latency_seconds: float) -> Prediction:
    """Return the prediction that a raw answer amounts to.

    Fields that the task does not know are left out. Probabilities are read from the field
    `spec.probability_name`, else from a field `probabilities` that the model adds by itself.
    """
    try:
        outputs, probabilities = _read(spec, raw)
    except AnswerProblemError as problem:
        return Prediction(error=str(problem), latency_seconds=latency_seconds)
    return Prediction(outputs=outputs, probabilities=probabilities, latency_seconds=latency_seconds)


def _read(spec: TargetSpec, raw: object) -> tuple[dict[str, object], dict[str, float] | None]:
    if not isinstance(raw, Mapping):
        raise AnswerProblemError(f"The answer must be an object, not {_shown(raw)}.")
    outputs: dict[str, object] = {}
    for name in spec.output_names:
        if name == spec.probability_name and raw.get(name) is None:
            # A model may keep its confidence to itself (a prompted one has none to give).
            continue
        if raw.get(name) is None:
            came = ", ".join(_shown(str(one)) for one in list(raw)[:_MOST_NAMED]) or "none"
            raise AnswerProblemError(f"The output field '{name}' is missing. What came: {came}.")
        _check_finite(name, raw[name])
        outputs[name] = raw[name]
    _check_size(outputs)
    for name, labels in spec.labels.items():
        if name in outputs:
            is_many = name in spec.multilabel_names
            _check_labels(name, outputs[name], labels, is_many=is_many)
    return outputs, _probabilities(spec, raw, outputs)


def _check_size(values: Mapping[str, object]) -> None:
    if len(json.dumps(values)) > MAX_OUTPUT_BYTES:
        raise AnswerProblemError(f"The answer is larger than {MAX_OUTPUT_BYTES // 1024} KiB.")


def _check_finite(name: str, value: object, depth: int = 0) -> None:
    if depth > _MAX_DEPTH:
        raise AnswerProblemError(f"The output field '{name}' is nested too deeply.")
    if isinstance(value, float) and not math.isfinite(value):
        raise AnswerProblemError(f"The output field '{name}' holds {value}, which is no number.")
    if isinstance(value, Mapping):
        for item in value.values():
            _check_finite(name, item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check_finite(name, item, depth + 1)


def _check_labels(name: str, value: object, labels: tuple[str, ...], *, is_many: bool) -> None:
    if is_many and not isinstance(value, list):
        raise AnswerProblemError(f"The output field '{name}' must be a list of labels.")
    chosen = value if is_many and isinstance(value, list) else [value]
    for label in chosen:
        if label not in labels:
            known = ", ".join(labels)
            raise AnswerProblemError(
                f"The output field '{name}' is {_shown(label)}, but must be one of: {known}."
            )


def _probabilities(
    spec: TargetSpec, raw: Mapping[str, object], outputs: Mapping[str, object]
) -> dict[str, float] | None:
    name = spec.probability_name or "probabilities"
    value = outputs.get(name, raw.get(name))
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not 0 <= value <= 1:
            raise AnswerProblemError(f"The output field '{name}' must lie between 0 and 1.")
        return None
    if not isinstance(value, Mapping):
        raise AnswerProblemError(f"The output field '{name}' must map labels to probabilities.")
    probabilities = {str(label): _probability(name, item) for label, item in value.items()}
    total = sum(probabilities.values())
    if _is_one_of(spec, probabilities) and abs(total - 1) > SUM_TOLERANCE:
        raise AnswerProblemError(f"The output field '{name}' must sum to 1, not {total:.4f}.")
    if len(spec.labels) == 1:
        labels = next(iter(spec.labels.values()))
        unknown = sorted(set(probabilities) - set(labels))
        if unknown:
            raise AnswerProblemError(f"The output field '{name}' names no label: {unknown[0]!r}.")
    for label in probabilities:
        refused = find_refused_character(label)
        if refused is not None:
            raise AnswerProblemError(f"The output field '{name}' names {_shown(label)}: {refused}")
    _check_size(probabilities)
    return probabilities


def _is_one_of(spec: TargetSpec, probabilities: Mapping[str, float]) -> bool:
    """Tell whether one label excludes the others, so that their probabilities sum to 1.

    Labels of a field that takes several are judged each by itself.
    """
    many = [set(spec.labels.get(name, ())) for name in spec.multilabel_names]
    return not any(probabilities.keys() <= labels for labels in many)


def _probability(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise AnswerProblemError(
            f"The output field '{name}' holds {_shown(value)}, which is no probability."
        )
    return float(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
