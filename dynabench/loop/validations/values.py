"""Ids, votes and verdicts of validations."""

from datetime import timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

ValidationId = NewType("ValidationId", UUID)

FREE_SKIPS = 20
"""So many examples of a round one may pass over before judging any."""

SKIPS_PER_VOTE = 2
"""So many more for each example of the round that one judged."""

LEASE_DURATION = timedelta(minutes=10)
LEASE_KEPT_FOR = timedelta(days=1)
WITHDRAWAL_WINDOW = timedelta(seconds=10)


class Vote(StrEnum):
    """One other person's judgement of an example."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"


class Verdict(StrEnum):
    """What the votes on an example add up to."""

    PENDING = "pending"
    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
