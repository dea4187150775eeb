"""What a study is made of: items, the material of one loop, what was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from dynabench.kit.canonical_json import digest_of
from dynabench.loop.validations.outcomes.rules import decide_verdict
from dynabench.loop.validations.values import Verdict, Vote

FORMAT = 1
"""Grows when finished results of an earlier version must not be taken up again."""

QUORUM = 3
HELD_OUT_PERCENT = 20


class StudyName(StrEnum):
    """What people ask for; one may hold several loops."""

    SENTIMENT = "sentiment"
    HATE = "hate"
    NLI = "nli"


class Arm(StrEnum):
    """How the train items of a round are chosen."""

    ADVERSARIAL = "adversarial"
    # At random from all that the target was shown.
    CONTROL = "control"
    # At random, with as many items of each label as the adversarial arm has.
    BY_LABEL = "control-by-label"
    # At random, as many of each label and of each fifth by the first model's confidence.
    BY_CONFIDENCE = "control-by-confidence"

    @property
    def words(self) -> str:
        """What reports call it."""
        return self.value.replace("-", " ")


HELD_OUT_KNOWN = "held out, right by the first model"
CONTROLS = (Arm.CONTROL, Arm.BY_LABEL, Arm.BY_CONFIDENCE)
"""The arms that learn what was drawn at random."""


class SetKind(StrEnum):
    """What a set tells that models are scored on."""

    # The test split of a round's release: what fooled the target of that round.
    ROUND = "round"
    # Drawn from the pool before anything else, and shown to no target.
    HELD_OUT = "held_out"
    # Those of them that fool the first model, from which both arms start.
    HELD_OUT_FOOLING = "held_out_fooling"
    # The others of them. Those alone would reward disagreeing with the first model.
    HELD_OUT_KNOWN = "held_out_known"
    # Of the kind that the first model learned from: is it forgotten?
    STATIC = "static"
    # Of other makers altogether.
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One published example.

    Attributes:
        context: What it has in common with others (a premise, a review, a contrast pair).
        inputs: What a model sees, by the task's field names.
        writer: Who wrote it; empty where nobody says.
        votes: The labels that other people gave it; empty where the source tells none, and
            then its label is taken as it stands.
        source_round: The round of the published collection.
    """

    uid: str
    context: str
    inputs: Mapping[str, str]
    label: str
    writer: str = ""
    votes: tuple[str, ...] = ()
    source_round: int = 0

    def verdict(self) -> Verdict:
        """Return what the votes of the source add up to by the platform's quorum."""
        if not self.votes:
            return Verdict.CORRECT
        votes = [Vote.CORRECT if one == self.label else Vote.INCORRECT for one in self.votes]
        return decide_verdict(votes, quorum=QUORUM, maximum=len(votes))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSet:
    """A set that is never learned from, the same for every seed."""

    name: str
    kind: SetKind
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that one loop is played with.

    Attributes:
        task: The task of the catalogue whose fields and labels the items have.
        base: What the first model learns from.
        pool: What is shown to targets, round by round.
        has_source_rounds: Whether round k is collected from the source's round k; else the
            pool is dealt out by chance.
        people_are_known: Whether every item of the pool names its writer.
        left_out: How many items were left out before anything began, by reason.
    """

    name: str
    title: str
    task: str
    base: tuple[Item, ...]
    pool: tuple[Item, ...]
    sets: tuple[ScoredSet, ...]
    has_source_rounds: bool = False
    people_are_known: bool = False
    left_out: Mapping[str, int] = field(default_factory=dict)

    def digest(self) -> str:
        """Return a digest of all items: results are taken up again for the same data alone."""
        parts = [self.base, self.pool, *(one.items for one in self.sets)]
        return digest_of([[_written(item) for item in items] for items in parts])


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a study is played."""

    seeds: int = 5
    rounds: int = 3
    recipe: str = "text-classifier"
    is_quick: bool = False

    def settings(self) -> dict[str, JsonValue]:
        """Return what the results of one seed hang on, as JSON."""
        return {
            "format": FORMAT,
            "rounds": self.rounds,
            "recipe": self.recipe,
            "is_quick": self.is_quick,
            "held_out_percent": HELD_OUT_PERCENT,
        }


def _written(item: Item) -> JsonValue:
    votes: list[JsonValue] = list(item.votes)
    inputs: dict[str, JsonValue] = dict(item.inputs)
    return [item.uid, item.context, inputs, item.label, item.writer, votes, item.source_round]
