"""Which models and sets hang together: a model that was scored on two sets links them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

SetT = TypeVar("SetT", bound=Hashable)
ModelT = TypeVar("ModelT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Component(Generic[SetT, ModelT]):
    """Sets and models that can be compared with each other, directly or through others."""

    sets: tuple[SetT, ...]
    models: tuple[ModelT, ...]


def components(scored: Mapping[SetT, Sequence[ModelT]]) -> list[Component[SetT, ModelT]]:
    """Return the connected parts of the graph of models and sets, in the order of the sets.

    Args:
        scored: By set, the models that were scored on it. A set without any is a part of its
            own.

    Example:
        >>> [one.sets for one in components({"r1": "ab", "r2": "bc", "r3": "d"})]
        [('r1', 'r2'), ('r3',)]
    """
    parts: list[tuple[list[SetT], dict[ModelT, None]]] = []
    for name, models in scored.items():
        mine: tuple[list[SetT], dict[ModelT, None]] = ([name], dict.fromkeys(models))
        apart = []
        for part in parts:
            if mine[1].keys().isdisjoint(part[1]):
                apart.append(part)
            else:
                mine = (part[0] + mine[0], part[1] | mine[1])
        parts = [*apart, mine]
    order = {name: place for place, name in enumerate(scored)}
    found = [
        Component(tuple(sorted(sets, key=order.__getitem__)), tuple(models))
        for sets, models in parts
    ]
    return sorted(found, key=lambda one: order[one.sets[0]])
