"""From a plan to the items and the card of a release."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.releases.rules import seeded_order
from dynabench.loop.datasets.releases.values import Collected, Exclusion, Plan, Source
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.validations.rates.rules import error_rates
from dynabench.loop.validations.rates.values import RateWithInterval


def canary_of(round_id: UUID) -> str:
    """Return a text to search training data for; each round has its own.

    Example:
        >>> canary_of(UUID(int=0)).startswith("dynabench canary ")
        True
    """
    found = UUID(bytes=hashlib.sha256(b"canary\0" + round_id.bytes).digest()[:16])
    return f"dynabench canary {found}: this benchmark must not be in training data"


def build_items(collected: Sequence[Collected], plan: Plan, *, seed: int) -> list[DatasetItem]:
    """Return the released items by uid; people get numbers that no id can be told from."""
    released = sorted(
        (one for one in collected if one.candidate.uid in plan.splits),
        key=lambda one: one.candidate.uid,
    )
    people = sorted(
        {one.candidate.annotator for one in released},
        key=lambda annotator: seeded_order(seed, "pseudonym", annotator),
    )
    pseudonyms = {person: f"annotator-{number}" for number, person in enumerate(people, start=1)}
    positions: Counter[Split] = Counter()
    items = []
    for one in released:
        split = plan.splits[one.candidate.uid]
        items.append(
            DatasetItem(
                uid=one.candidate.uid,
                split=split,
                position=positions[split],
                context=one.context,
                inputs=one.inputs,
                gold=one.gold,
                tags=one.tags,
                annotator=pseudonyms[one.candidate.annotator],
                is_fooling=one.is_fooling,
                is_verified=one.is_verified,
                context_digest=bytes.fromhex(one.candidate.context),
            )
        )
        positions[split] += 1
    return items


def build_card(
    collected: Sequence[Collected], plan: Plan, *, source: Source, seed: int, licence: str
) -> Values:
    """Return the card: what was collected, what is released, what is not and why."""
    parts = {
        split: [one for one in collected if plan.splits.get(one.candidate.uid) is split]
        for split in Split
    }
    return {
        "task": source.task_slug,
        "title": source.title,
        "language": source.language,
        "round_number": source.round_number,
        "licence": licence,
        "content_warning": source.content_warning,
        "canary": canary_of(source.round_id),
        "targets": [*source.targets],
        "gold_from": source.gold_from,
        "is_replay": source.is_replay,
        "splits": {
            split.value: _describe(items, people_are_known=source.people_are_known)
            for split, items in parts.items()
        },
        "excluded": _exclusions(plan, source),
        "stored": source.stored,
        "annotators": _people(collected) if source.people_are_known else None,
        "test_only_annotators": _test_only(parts[Split.TEST], plan),
        "error_rate": _error_rate(source),
        "seed": seed,
        "notes": [*plan.notes],
    }


def _people(items: Sequence[Collected]) -> int:
    return len({one.candidate.annotator for one in items})


def _describe(items: Sequence[Collected], *, people_are_known: bool) -> Values:
    labels = Counter(one.candidate.label for one in items if one.candidate.label is not None)
    return {
        "items": len(items),
        "fooling": sum(one.is_fooling is True for one in items),
        "undecided": sum(one.is_fooling is None for one in items),
        "verified": sum(one.is_verified for one in items),
        "contexts": len({one.candidate.context for one in items}),
        "annotators": _people(items) if people_are_known else None,
        "labels": {label: labels[label] for label in sorted(labels)},
    }


def _exclusions(plan: Plan, source: Source) -> Values:
    counts = Counter(plan.held_out.values()) + Counter(source.excluded)
    return {reason.value: counts[reason] for reason in Exclusion}


def _test_only(test: Sequence[Collected], plan: Plan) -> Values:
    theirs = sum(one.candidate.annotator in plan.test_only_annotators for one in test)
    return {
        "annotators": len(plan.test_only_annotators),
        "items": theirs,
        "of_items": len(test),
    }


def _error_rate(source: Source) -> Values:
    rates = error_rates(source.tallies, people_are_known=source.people_are_known)
    return {
        "model_error_rate": _rate(rates.model_error_rate),
        "validated_model_error_rate": _rate(rates.validated_model_error_rate),
    }


def _rate(found: RateWithInterval) -> Values:
    interval = found.interval
    return {
        "value": found.rate.value,
        "part": found.rate.part,
        "whole": found.rate.whole,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
    }
