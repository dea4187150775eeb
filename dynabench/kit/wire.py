"""The base of every shape that crosses the wire."""

from typing import TypeAlias
from uuid import UUID

from pydantic import BaseModel, ConfigDict

# Plain JSON by field name. `object` and not a recursive type: a dict of values is invariant,
# and what a field may hold is the task config's to check.
Values: TypeAlias = dict[str, object]

_LONGEST_VALUE = 48
_LONGEST_REPR = 88


class WireModel(BaseModel):
    """A shape of the API: frozen, and strict about unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)

    def __repr__(self) -> str:
        """Write what it is and its first plain values, in a line at most."""
        parts = [f"{name}={_plain(value)}" for name, value in self if _is_plain(value)]
        while parts and len(", ".join(parts)) > _LONGEST_REPR:
            parts.pop()
        return f"{type(self).__name__}({', '.join(parts)})"


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | UUID) and str(value) != ""


def _plain(value: object) -> str:
    text = str(value) if isinstance(value, UUID) else repr(getattr(value, "value", value))
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
