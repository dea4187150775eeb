"""What is decided of a release before its items are written."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench.loop.datasets.releases.values import Gathered, Missing, Plan, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A release but for what its items say.

    Attributes:
        gathered: The attempts of the round.
        plan: Where they go.
        source: What the card says about where they come from.
        missing: What the release has not, and is let out without.
    """

    gathered: Gathered
    plan: Plan
    source: Source
    missing: Sequence[Missing]
