"""From a plan to the card of a release: everything that a reader of its files should know."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.kit.sentences import Sentence, Told, recall
from dynabench.kit.wire import Values
from dynabench.loop.datasets.cards.artifacts.rules import WHY_NONE, written_rate
from dynabench.loop.datasets.perturbing.rules import WHY_LEFT_OUT
from dynabench.loop.datasets.releases.notes.rules import NOTES
from dynabench.loop.datasets.releases.values import (
    Candidate,
    Errata,
    Exclusion,
    Gathered,
    Plan,
    Source,
    Terms,
    TimeSpent,
)
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.rates.rules import error_rates, is_one_person
from dynabench.loop.validations.rates.values import RateWithInterval
from dynabench.science.statistics.agreement import Agreement
from dynabench.science.statistics.concentration import describe_concentration

# A card is a page: of more errata the latest releases' are named.
_MOST_ERRATA = 500


_SENTENCES = (*NOTES, *WHY_NONE, *WHY_LEFT_OUT)


def canary_of(round_id: UUID) -> str:
    """Return a text to search training data for; each round has its own.

    Example:
        >>> canary_of(UUID(int=0)).startswith("dynabench canary ")
        True
    """
    found = UUID(bytes=hashlib.sha256(b"canary\0" + round_id.bytes).digest()[:16])
    return f"dynabench canary {found}: this benchmark must not be in training data"


def build_card(gathered: Gathered, plan: Plan, *, source: Source, terms: Terms) -> Values:
    """Return the card: what was collected, what is released, what is not and why.

    It holds no date: the same rows and seed give the same card.
    """
    parts = split_up(gathered.candidates, plan)
    released = [one for part in parts.values() for one in part]
    return {
        "task": source.task_slug,
        "title": source.title,
        "language": source.language,
        "round_number": source.round_number,
        "licence": terms.licence,
        "content_warning": source.content_warning,
        "canary": canary_of(source.round_id),
        "targets": [*source.targets],
        "gold_from": source.gold_from,
        "is_replay": source.is_replay,
        "provenance": source.provenance,
        "test_gold_withheld": True,
        "splits": {
            split.value: describe_part(items, people_are_known=source.people_are_known)
            for split, items in parts.items()
        },
        "excluded": {reason.value: count for reason, count in exclusions(gathered, plan).items()},
        "stored": gathered.stored,
        "open_verdicts": sum(one.is_open for one in released),
        "annotators": _people(gathered.candidates) if source.people_are_known else None,
        "test_only_annotators": _test_only(parts[Split.TEST], plan),
        "concentration": _concentration(released) if source.people_are_known else None,
        "error_rate": _error_rate(source),
        "agreement": _agreement(source.agreement),
        "seconds_per_validated_fooling": _seconds(source.time_spent),
        "arms": _arms(gathered, released),
        "artifacts": terms.artifacts,
        "earlier_errata": _errata(source.errata),
        "seed": terms.seed,
        **terms.shares,
        "missing": [one.sentence for one in terms.missing],
        "notes": [*plan.notes],
    }


def sentences_of(version: DatasetVersion) -> dict[str, Told]:
    """Return what the sentences of a version's card and of its variants say, by the sentence."""
    artifacts, varied = version.card.get("artifacts"), version.perturbation
    texts = [
        *_listed(version.card.get("missing")),
        *_listed(version.card.get("notes")),
        artifacts.get("reason") if isinstance(artifacts, dict) else None,
        *_listed(varied.get("left_out") if varied is not None else None),
    ]
    said = [recall(text, _SENTENCES) for text in texts if isinstance(text, str)]
    return {str(one): one.told for one in said if isinstance(one, Sentence)}


def _listed(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value.values()]
    return value if isinstance(value, list) else []


def split_up(candidates: Sequence[Candidate], plan: Plan) -> dict[Split, list[Candidate]]:
    """Return the released candidates of each split."""
    parts: dict[Split, list[Candidate]] = {split: [] for split in Split}
    for one in candidates:
        split = plan.splits.get(one.uid)
        if split is not None:
            parts[split].append(one)
    return parts


def describe_part(items: Sequence[Candidate], *, people_are_known: bool) -> Values:
    """Return what a split holds, in numbers."""
    labels = Counter(one.label for one in items if one.label is not None)
    return {
        "items": len(items),
        "fooling": sum(one.is_fooling is True for one in items),
        "undecided": sum(one.is_fooling is None for one in items),
        "verified": sum(one.is_verified for one in items),
        "contexts": len({one.context for one in items}),
        "annotators": _people(items) if people_are_known else None,
        "labels": {label: labels[label] for label in sorted(labels)},
    }


def exclusions(gathered: Gathered, plan: Plan) -> Mapping[Exclusion, int]:
    """Return how many attempts are in no split, by the reason."""
    counts = Counter(plan.held_out.values()) + Counter(gathered.excluded)
    return {reason: counts[reason] for reason in Exclusion}


def _errata(found: Errata) -> Values | None:
    """Return what was found wrong in earlier releases; None where nobody has looked."""
    wrong = len(found.wrong) + found.withheld
    if not wrong and not found.right:
        return None
    return {
        "looked_at": wrong + found.right,
        "wrong": wrong,
        "withheld": found.withheld,
        "items": [
            {
                "release": one.release,
                "version": one.version,
                "split": one.split.value,
                "uid": one.uid,
                "experts": "wrong",
            }
            for one in found.wrong[:_MOST_ERRATA]
        ],
    }


def _people(items: Sequence[Candidate]) -> int:
    return len({one.annotator for one in items})


def _test_only(test: Sequence[Candidate], plan: Plan) -> Values:
    theirs = sum(one.annotator in plan.test_only_annotators for one in test)
    return {
        "annotators": len(plan.test_only_annotators),
        "items": theirs,
        "of_items": len(test),
    }


def _concentration(released: Sequence[Candidate]) -> Values | None:
    counts = Counter(one.annotator for one in released)
    found = describe_concentration([*counts.values()])
    if found is None:
        return None
    return {
        "people": found.people,
        "top_share": found.top.value,
        "top_tenth_share": found.top_tenth.value,
        "gini": found.gini,
    }


def _error_rate(source: Source) -> Values:
    rates = error_rates(source.tallies, people_are_known=source.people_are_known)
    return {
        "model_error_rate": _rate(rates.model_error_rate),
        "validated_model_error_rate": _rate(rates.validated_model_error_rate),
        "interval_reason": _why_unsure(source),
    }


def _why_unsure(source: Source) -> str | None:
    """Return why the rates have no interval; None where they have one."""
    if not source.people_are_known:
        return "It is not known who wrote what."
    return "One person wrote everything." if is_one_person(source.tallies) else None


def _rate(found: RateWithInterval) -> Values:
    return written_rate(found.rate, found.interval)


def _agreement(found: Agreement) -> Values:
    return {
        "examples": found.items,
        "votes": found.votes,
        "krippendorff_alpha": found.krippendorff_alpha,
        "fleiss_kappa": found.fleiss_kappa,
        # Several people vote on each example, and on others: no interval is known over them.
        "unanimous": written_rate(found.unanimous, None),
    }


def _seconds(found: TimeSpent) -> Values | None:
    """Return what a validated fooling example costs; None where too little time is known."""
    if not found.validated_fooling or 2 * found.timed < found.attempts:
        return None
    return {
        "median": found.median,
        "mean": round(found.seconds / found.validated_fooling, 3),
        "validated_fooling": found.validated_fooling,
        "timed_attempts": found.timed,
        "attempts": found.attempts,
    }


def _arms(gathered: Gathered, released: Sequence[Candidate]) -> Values:
    """Return what was stored, released and fooled in each arm; rates are of the first alone."""
    counts = {arm: Counter[str]() for arm in Arm}
    for one in released:
        counts[one.arm]["released"] += 1
    for one in gathered.candidates:
        counts[one.arm]["fooling"] += one.is_fooling is True
        counts[one.arm]["verified_fooling"] += one.is_fooling is True and one.is_verified
    return {
        arm.value: {
            "stored": gathered.arms.get(arm, 0),
            **{name: found[name] for name in ("released", "fooling", "verified_fooling")},
        }
        for arm, found in counts.items()
        if arm is Arm.TARGET or gathered.arms.get(arm)
    }
