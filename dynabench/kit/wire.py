"""The base of every shape that crosses the wire."""

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

# Plain JSON by field name. `object` and not a recursive type: a dict of values is invariant,
# and what a field may hold is the task config's to check.
Values: TypeAlias = dict[str, object]


class WireModel(BaseModel):
    """A shape of the API: frozen, and strict about unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)
