"""What became of a batch of records."""

from dataclasses import dataclass

from dynabench.loop.examples.values import StoredExample
from dynabench.loop.interchange.values import SourceRecord
from dynabench.loop.rounds.values import Round
from dynabench.loop.validations.outcomes.values import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record beside its row and what the platform derives from its votes.

    `is_left` says that the row or a vote was there already with other content.
    """

    record: SourceRecord
    example: StoredExample
    outcome: Outcome
    is_left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBatch:
    """A batch of one round; the counts are of what was new."""

    round: Round
    records: tuple[StoredRecord, ...]
    examples_added: int
    votes_added: int
