"""Ids and states of examples."""

from enum import StrEnum
from typing import NewType
from uuid import UUID

ExampleId = NewType("ExampleId", UUID)


class Origin(StrEnum):
    """Who wrote an example."""

    HUMAN = "human"
    ASSISTED = "assisted"
    MACHINE = "machine"
