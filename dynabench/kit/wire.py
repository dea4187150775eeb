"""The base of every shape that crosses the wire."""

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue

Json: TypeAlias = JsonValue
Values: TypeAlias = dict[str, JsonValue]


class WireModel(BaseModel):
    """A shape of the API: frozen, and strict about unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)
