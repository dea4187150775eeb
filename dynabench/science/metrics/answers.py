"""Stored values of an output field as the answers that metrics compare."""

from collections.abc import Hashable, Mapping

from dynabench.science.metrics.values import Answer, Gold

_SETS = frozenset({"multilabel", "spans"})


def as_answer(type_name: str, value: object) -> Answer:
    """Return a stored value as an answer; labels and spans are compared as sets.

    Example:
        >>> as_answer("multilabel", ["b", "a"]) == as_answer("multilabel", ["a", "b"])
        True
    """
    if type_name in _SETS and isinstance(value, list):
        return frozenset(_member(one) for one in value)
    if isinstance(value, str | Mapping):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return str(value)


def as_gold(type_name: str, value: object) -> Gold:
    """Return a stored gold value; a list of answers means that each of them is acceptable.

    Example:
        >>> as_gold("string", ["1998", "in 1998"])
        ['1998', 'in 1998']
        >>> as_gold("multilabel", ["rude"])
        frozenset({'rude'})
    """
    if not isinstance(value, list):
        return as_answer(type_name, value)
    if type_name not in _SETS or (value and all(isinstance(one, list) for one in value)):
        return [as_answer(type_name, one) for one in value]
    return as_answer(type_name, value)


def _member(value: object) -> Hashable:
    """Return a label, or what a span is known by: its place and its label."""
    if isinstance(value, Mapping):
        return (value.get("start"), value.get("end"), value.get("label"))
    return str(value)
