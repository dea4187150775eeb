"""What a round's votes say together."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from dynabench.science.statistics.dawid_skene import Consensus


@dataclass(frozen=True, slots=True)
class WeighedVotes:
    """Labels of a round's examples from votes that are weighed by who cast them.

    Attributes:
        consensus: The labels by example.
        votes: How many votes each example has.
        field_name: The field that blind validators answered; None where they judged the
            author's answer as `correct`, `incorrect` or `flagged`.
    """

    consensus: Consensus
    votes: Mapping[Hashable, int]
    field_name: str | None
