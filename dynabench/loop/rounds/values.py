"""Ids, states and policies of rounds."""

from enum import StrEnum
from typing import NewType
from uuid import UUID

RoundId = NewType("RoundId", UUID)


class RoundStatus(StrEnum):
    """Where a round stands; it only ever moves forward."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"
    RELEASED = "released"


class TargetPolicy(StrEnum):
    """Which of a round's target models must be wrong for an example to fool."""

    SINGLE = "single"
    RANDOM = "random"
    ANY_FOOLED = "any-fooled"
    ALL_FOOLED = "all-fooled"
    MAJORITY = "majority"


class ContextPolicy(StrEnum):
    """Which context an annotator gets next."""

    MIN = "min"
    UNIFORM = "uniform"
    LEAST_FOOLED = "least_fooled"
    VALIDATION_FAILED = "validation_failed"


class ValidationMode(StrEnum):
    """Whether a validator judges the author's answer or answers the task anew."""

    REVIEW = "review"
    BLIND = "blind"


class GoldFrom(StrEnum):
    """Whose answer is the gold one."""

    AUTHOR = "author"
    VALIDATORS = "validators"
