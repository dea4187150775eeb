"""Decisions about tasks: the order of roles, and what of a config is fixed."""

import re
from collections.abc import Iterable

from dynabench.loop.tasks.values import TaskRole
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.schema import TaskConfig

_ORDER = (TaskRole.ANNOTATOR, TaskRole.EXPERT, TaskRole.OWNER)
_FROZEN_ARGUMENTS = (
    "labels",
    "reference_name",
    "reply_name",
    "multiple",
    "min",
    "max",
    "step",
    "not_applicable",
    "candidates",
)

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{1,63}")

Shape = dict[str, tuple[object, ...]]


def is_slug(text: str) -> bool:
    """Tell whether a task could be called this.

    Example:
        >>> is_slug("hate-speech"), is_slug("Hate speech")
        (True, False)
    """
    return _SLUG.fullmatch(text) is not None


def includes(role: TaskRole | None, wanted: TaskRole) -> bool:
    """Tell whether a role is the wanted one or more."""
    return role is not None and _ORDER.index(role) >= _ORDER.index(wanted)


def higher_role(one: TaskRole | None, other: TaskRole) -> TaskRole:
    """Return the one of two roles that includes the other."""
    return one if one is not None and includes(one, other) else other


def is_loss(before: str | None, after: str | None) -> bool:
    """Tell whether a change of a role, as the audit trail names them, takes some of it away.

    Example:
        >>> is_loss("expert", "annotator"), is_loss("expert", None), is_loss(None, "expert")
        (True, True, False)
    """
    if before is None or after is None:
        return after is None
    return not includes(TaskRole(after), TaskRole(before))


def shape_of(config: TaskConfig) -> Shape:
    """Return what of a config stays fixed once examples may have been made.

    For each field of the context, the input and the output: its type, whether models see it,
    its labels in no order, the field it refers to, the scale of its numbers, and how many replies a
    conversation compares. What people read (names shown, placeholders) and how long a text
    or a conversation may be is not part of it. The rule by which a model is wrong is: counts
    of one round must not mix two meanings of "fooled".
    """
    parts: dict[str, Iterable[Field]] = {
        "context": config.context,
        "input": config.input,
        "output": config.output,
    }
    rule = config.model_wrong_metric
    fields_shape = {
        f"{part}.{field.name}": _field_shape(field)
        for part, fields in parts.items()
        for field in fields
    }
    return fields_shape | {
        "model_wrong_metric": (
            rule.rule,
            frozenset(rule.reference_names),
            rule.threshold,
            rule.judge,
            frozenset(rule.criteria),
        )
    }


def summary_of(config: TaskConfig) -> dict[str, object]:
    """Return what the list of tasks shows of a config, as plain JSON."""
    return {
        "title": config.text(config.title),
        "description": config.text(config.description),
        "language": config.language,
        "has_content_warning": config.content_warning is not None,
    }


def changed_fields(before: Shape, after: Shape) -> list[str]:
    """Name what was added, removed or changed between two shapes."""
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def _field_shape(field: Field) -> tuple[object, ...]:
    arguments = field.type.describe()
    kept = (arguments.get(name) for name in _FROZEN_ARGUMENTS)
    return (
        field.type.type_name,
        *(frozenset(value) if isinstance(value, list) else value for value in kept),
        field.is_shown_to_model,
    )
