"""The performance metrics by the name that a task config writes."""

from types import MappingProxyType

from dynabench.science.metrics.accuracy import accuracy
from dynabench.science.metrics.exact_match import exact_match
from dynabench.science.metrics.macro_f1 import macro_f1
from dynabench.science.metrics.squad_f1 import squad_f1
from dynabench.science.metrics.values import Metric

METRICS: MappingProxyType[str, Metric] = MappingProxyType(
    {
        "accuracy": accuracy,
        "exact_match": exact_match,
        "macro_f1": macro_f1,
        "squad_f1": squad_f1,
    }
)


def metric(name: str) -> Metric:
    """Return the metric of a name.

    Raises:
        ValueError: If this version does not compute it.

    Example:
        >>> metric("accuracy")(["a"], ["a"]).value
        1.0
    """
    if name not in METRICS:
        message = f"The metric {name} is not computed in this version."
        raise ValueError(message)
    return METRICS[name]
