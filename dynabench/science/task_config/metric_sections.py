"""Reads the rule for "fooled", the delta metrics and how metrics are put together."""

from collections.abc import Sequence

from dynabench.science.task_config.elements import (
    AggregationMetric,
    DeltaMetric,
    FoolingRule,
    ModelWrongMetric,
)
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.performance_section import MAX_METRICS
from dynabench.science.task_config.problems import Path, list_names, nearest, quote
from dynabench.science.task_config.rubric_section import read_rubric
from dynabench.science.task_config.sections import Sections

FOOLING_RULES = tuple(one.value for one in FoolingRule)
DELTA_METRICS = ("fairness", "robustness")
MAX_WEIGHT = 5
DEFAULT_THRESHOLD_HINT = "Add a number from 0 to 1, such as 0.4."

_TEXT_TYPES = ("string", "context_string_selection")


def read_model_wrong_metric(top: MappingReader, sections: Sections) -> ModelWrongMetric | None:
    """Read `model_wrong_metric`, which asks the author where it is absent.

    None where it has no usable type.
    """
    value = top.take("model_wrong_metric")
    if value is None:
        return ModelWrongMetric(FoolingRule.ASK_USER)
    reader = MappingReader.of(value, (*top.at, "model_wrong_metric"), top.problems)
    rule = None if reader is None else _read_type(reader, FOOLING_RULES)
    if reader is None or rule is None:
        return None
    if rule == FoolingRule.RUBRIC:
        rubric = read_rubric(reader)
        reader.finish()
        return rubric
    names: tuple[str, ...] = ()
    threshold: float | None = None
    if rule == FoolingRule.EXACT_MATCH:
        names = reader.names("reference_names")
        for position, name in enumerate(names):
            _check_gold(reader, ("reference_names", position), name, sections)
    if rule == FoolingRule.STRING_F1:
        compared = reader.name("reference_name")
        if compared is not None:
            names = (compared,)
            _check_gold(reader, ("reference_name",), compared, sections)
            _check_text(reader, rule, compared, sections)
        threshold = reader.number("threshold", low=0, high=1)
        if reader.values.get("threshold") is None:
            reader.wrong("threshold", "The key “threshold” is missing.", DEFAULT_THRESHOLD_HINT)
    reader.finish()
    return ModelWrongMetric(FoolingRule(rule), names, threshold)


def read_delta_metrics(top: MappingReader, sections: Sections) -> tuple[DeltaMetric, ...]:
    """Read `delta_metrics`, which may be absent."""
    value = top.take("delta_metrics")
    if value is None:
        return ()
    if not isinstance(value, list):
        top.wrong("delta_metrics", f"This must be a list of metrics, not {kind_of(value)}.")
        return ()
    found: list[DeltaMetric] = []
    for position, entry in enumerate(value[:MAX_METRICS]):
        reader = MappingReader.of(entry, (*top.at, "delta_metrics", position), top.problems)
        name = None if reader is None else _read_type(reader, DELTA_METRICS)
        if reader is None or name is None:
            continue
        fields = reader.names("perturb_fields") if "perturb_fields" in reader.values else ()
        for place, one in enumerate(fields):
            _check_perturbed(reader, place, one, sections)
        transforms = reader.names("transforms") if "transforms" in reader.values else ()
        reader.known |= dict.fromkeys(("perturb_fields", "transforms"))
        reader.finish()
        if any(one.name == name for one in found):
            reader.wrong("type", f"The metric {quote(name)} stands twice.", "Remove one.")
        found.append(DeltaMetric(name, fields, transforms))
    return tuple(found)


def read_aggregation_metric(top: MappingReader) -> AggregationMetric:
    """Read `aggregation_metric`; absent means a Dynascore with equal weights."""
    value = top.take("aggregation_metric")
    if value is None:
        return AggregationMetric()
    reader = MappingReader.of(value, (*top.at, "aggregation_metric"), top.problems)
    if reader is None:
        return AggregationMetric()
    name = _read_type(reader, ("dynascore",))
    given = reader.take("default_weights")
    weights: dict[str, float] = {}
    inner = None
    if given is not None:
        inner = MappingReader.of(given, (*reader.at, "default_weights"), top.problems)
    for metric in () if inner is None else inner.values:
        weight = inner.number(metric, low=0, high=MAX_WEIGHT) if inner else None
        if weight is not None:
            weights[metric] = weight
    reader.finish()
    return AggregationMetric(name or "dynascore", weights)


def _read_type(reader: MappingReader, options: tuple[str, ...]) -> str | None:
    if reader.need("type", f"one of {list_names(options)}") is None:
        return None
    return reader.choice("type", options)


def _check_gold(reader: MappingReader, place: Path, name: str, sections: Sections) -> None:
    if name not in sections.gold_names:
        reader.problems.add(
            (*reader.at, *place),
            f"{quote(name)} is not a field that stands in both input and output.",
            _suggest(name, sections.gold_names),
        )


def _check_text(reader: MappingReader, rule: str, name: str, sections: Sections) -> None:
    kind = sections.types.get(name)
    if kind is not None and kind.type_name not in _TEXT_TYPES:
        reader.wrong(
            "reference_name",
            f"{rule} needs a field of type {' or '.join(_TEXT_TYPES)}; "
            f"{quote(name)} is {kind.type_name}.",
        )


def _check_perturbed(reader: MappingReader, place: int, name: str, sections: Sections) -> None:
    types = sections.types
    texts = [one for one in sections.text_names if isinstance(types[one], StringType)]
    is_unread = name in types and types[name] is None
    if name not in texts and not is_unread:
        reader.problems.add(
            (*reader.at, "perturb_fields", place),
            f"{quote(name)} is not a text that a model reads.",
            _suggest(name, texts),
        )


def _suggest(name: str, known: Sequence[str]) -> str:
    close = nearest(name, known)
    if close:
        return f"Did you mean {quote(close)}?"
    return f"It can be {list_names(known)}." if known else "There is no such field yet; add one."
