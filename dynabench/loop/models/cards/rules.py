"""Decisions about model cards: what a published one must say."""

from collections.abc import Mapping

NEEDED = ("intended_use", "training_data", "limitations", "licence")
"""Without these a reader could not tell what to make of a model."""


def missing_of(card: Mapping[str, object] | None) -> tuple[str, ...]:
    """Return which needed fields of a card say nothing.

    Example:
        >>> missing_of({"intended_use": "Research.", "licence": "MIT", "limitations": " "})
        ('training_data', 'limitations')
    """
    said = card or {}
    return tuple(name for name in NEEDED if not str(said.get(name, "")).strip())
