"""Tells the shapes of Dynabench configs apart.

The *classic* shape (`context`, `input`, `output` as lists of fields) is the one that is read
here. The *earliest* one is the same with every argument below `constructor_args`; the *later*
one describes the page instead (`goal`, `context` as one mapping, `user_input`).
"""

from collections.abc import Mapping
from enum import StrEnum

from dynabench.science.task_config.problems import Path

LATER_KEYS = (
    "user_input",
    "model_input",
    "response_fields",
    "model_output",
    "model_evaluation_metric",
    "required_fields",
    "cast_output",
)

_SECTIONS = ("context", "input", "target", "output", "delta_metrics")
_METRICS = ("model_wrong_metric", "perf_metric", "aggregation_metric")


class Shape(StrEnum):
    """How a config is written."""

    CLASSIC = "classic"
    EARLIEST = "earliest"
    LATER = "later"


def recognise(data: object) -> Shape:
    """Return the shape of a config; what is in doubt is classic, whose checks say more.

    Example:
        >>> recognise({"goal": {"type": "plain-text"}, "user_input": []})
        <Shape.LATER: 'later'>
    """
    if not isinstance(data, Mapping):
        return Shape.CLASSIC
    if _later_marker(data) is not None:
        return Shape.LATER
    return Shape.CLASSIC if _earliest_marker(data) is None else Shape.EARLIEST


def first_marker(data: object, shape: Shape) -> Path:
    """Return where a config shows its shape, for a message."""
    if not isinstance(data, Mapping):
        return ()
    found = _later_marker(data) if shape is Shape.LATER else _earliest_marker(data)
    return found or ()


def _later_marker(data: Mapping[str, object]) -> Path | None:
    has_fields = isinstance(data.get("input"), list)
    for key, value in data.items():
        describes_page = key in {"goal", "context"} and isinstance(value, Mapping)
        if describes_page or key == "user_input" or (key in LATER_KEYS and not has_fields):
            return (key,)
    return None


def _earliest_marker(data: Mapping[str, object]) -> Path | None:
    for key in _METRICS:
        value = data.get(key)
        if isinstance(value, Mapping) and "constructor_args" in value:
            return (key, "constructor_args")
    for key in _SECTIONS:
        value = data.get(key)
        for position, one in enumerate(value if isinstance(value, list) else []):
            if isinstance(one, Mapping) and "constructor_args" in one:
                return (key, position, "constructor_args")
    return None
