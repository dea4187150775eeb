"""Collections made elsewhere, in the form that every reader brings them into."""

from dataclasses import dataclass, field
from enum import StrEnum

from dynabench.kit.wire import Values
from dynabench.loop.rounds.values import RoundValidation
from dynabench.loop.validations.values import Verdict, Vote


class SourceFormat(StrEnum):
    """Formats that can be replayed: three published ones, and rounds of one's own."""

    ANLI = "anli"
    DYNASENT = "dynasent"
    HATEMOJI = "hatemoji"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceVote:
    """One vote; `voter` is unique within its record.

    A blind one is an `answer`; else `vote` says what the voter thinks of the author's.
    """

    voter: str
    answer: Values
    vote: Vote | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceClaims:
    """What the source itself says of a record; None where it says nothing."""

    verdict: Verdict | None = None
    gold: Values | None = None
    fooled: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """One attempt as its source tells it.

    Attributes:
        file: The file it was read from.
        line: Where it begins; lines count from 1.
        uid: Its id in the source.
        round_number: The round it was collected in.
        context: What was written about.
        inputs: What was written.
        answer: The author's answer; empty where the source lacks it.
        author: The author's name, unique within the collection.
        prediction: The recorded answer of the model in the loop, if there is one.
        votes: Blind answers in the order cast.
        explanations: What the author added.
        contrast_uid: The record that this one was made from by a small change.
        claims: What the source says of it.
    """

    file: str
    line: int
    uid: str
    round_number: int
    context: Values
    inputs: Values
    answer: Values
    author: str
    prediction: Values | None = None
    votes: tuple[SourceVote, ...] = ()
    explanations: Values = field(default_factory=dict)
    contrast_uid: str | None = None
    claims: SourceClaims = SourceClaims()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCollection:
    """What is true of a whole collection.

    Attributes:
        format: Its format.
        title: Its name, for sentences.
        source: Its publication, as one cites it.
        licence: The licence under which it was published.
        task_slug: The task that it is replayed into unless another is named.
        config_file: The task config for where there is no such task; None: there must be one.
        validation: How its examples were validated.
        people_are_known: Whether names in it are people's; else each record's people are
            pseudonyms of that record alone.
        model_name: The model in the loop, with `{round}` for the round's number; None where
            no answers were recorded.
        lacks_votes: Why no votes are there, in a sentence; None where they are.
    """

    format: SourceFormat
    title: str
    source: str
    licence: str
    task_slug: str
    config_file: str | None
    validation: RoundValidation
    people_are_known: bool
    model_name: str | None
    lacks_votes: str | None = None

    @property
    def provenance(self) -> Values:
        """What its rounds say of where they come from."""
        return {
            "format": self.format.value,
            "title": self.title,
            "source": self.source,
            "licence": self.licence,
        }
