"""What a release counted: sizes, rates, people, models and what was left out."""

from collections.abc import Iterator, Mapping

from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.readme.judging.rules import judging
from dynabench.loop.datasets.archives.readme.wording.rules import (
    count,
    mapping,
    percent,
    plain,
    rate,
    table,
)
from dynabench.loop.datasets.archives.rules import SPLIT_NAMES
from dynabench.loop.datasets.values import Split

_COUNTED = (
    ("items", "items"),
    ("fooling", "fooled the models"),
    ("verified", "verified"),
    ("undecided", "undecided"),
    ("contexts", "contexts"),
    ("annotators", "annotators"),
)
_REASONS: Mapping[str, str] = {
    "retracted": "taken back by its author",
    "voided": "taken out by an expert",
    "flagged": "flagged",
    "incorrect": "its answer was found wrong",
    "no_answer": "no right answer is known",
    "context_held_out": "about a context of dev or test, and not part of it",
    "annotator_held_out": "by an author who writes for test alone",
    "earlier_release": "kept apart from an earlier release, where their context is in another "
    "split or their author in test alone",
}


def statistics(card: Values) -> Iterator[str]:
    """Give the sections that the card has numbers for."""
    splits = mapping(card.get("splits"))
    yield from _sizes(splits)
    yield from _rates(mapping(card.get("error_rate")))
    yield from _labels(splits)
    yield from _people(card)
    yield from judging(card)
    yield from _targets(card)
    yield from _left_out(mapping(card.get("excluded")), card)


def _sizes(splits: Values) -> Iterator[str]:
    parts = {split: mapping(splits.get(split.value)) for split in Split}
    shown = [(key, title) for key, title in _COUNTED if any(key in part for part in parts.values())]
    rows = [
        [SPLIT_NAMES[split], *(count(part.get(key)) for key, _ in shown)]
        for split, part in parts.items()
        if part.get("items")
    ]
    yield f"## How large it is\n\n{table(['split', *(title for _, title in shown)], rows)}"


def _rates(found: Values) -> Iterator[str]:
    names = {
        "model_error_rate": "Model error rate (fooled ÷ collected)",
        "validated_model_error_rate": "Validated model error rate (verified ÷ collected)",
    }
    rows = [[title, *rate(found.get(name))] for name, title in names.items() if name in found]
    if rows:
        head = ["", "rate", "of", "95 % interval"]
        reason = found.get("interval_reason")
        unsure = f"\n\nThe rates have no interval: {plain(reason)}" if reason else ""
        yield f"## How often the models were fooled\n\n{table(head, rows)}{unsure}"


def _labels(splits: Values) -> Iterator[str]:
    counts = {split: mapping(mapping(splits.get(split.value)).get("labels")) for split in Split}
    labels = list(dict.fromkeys(label for found in counts.values() for label in found))
    if not labels:
        return
    kept_back = [
        SPLIT_NAMES[split]
        for split in Split
        if mapping(splits.get(split.value)).get("labels", {}) is None
    ]
    shown = [split for split, found in counts.items() if found]
    rows = [
        [plain(label), *(count(counts[one].get(label, 0)) for one in shown)] for label in labels
    ]
    told = table(["label", *(SPLIT_NAMES[one] for one in shown)], rows)
    if kept_back:
        told += (
            f"\n\nThose of {' and '.join(kept_back)} are kept back: they would tell of "
            "answers that are withheld."
        )
    yield f"## Labels\n\n{told}"


def _people(card: Values) -> Iterator[str]:
    told = []
    annotators, alone = card.get("annotators"), mapping(card.get("test_only_annotators"))
    if isinstance(annotators, int):
        told.append(
            f"{count(annotators)} {'person' if annotators == 1 else 'people'} wrote examples. "
            "They are named by pseudonyms that hold within this dataset."
        )
    if alone.get("annotators"):
        told.append(
            f"{count(alone['annotators'])} of them are in test alone and wrote "
            f"{count(alone.get('items'))} of its {count(alone.get('of_items'))} items, so that a "
            "model does not do well there by knowing its authors."
        )
    shares = mapping(card.get("concentration"))
    if shares.get("top_share") is not None and shares.get("people") != 1:
        told.append(
            f"The one who wrote most wrote {percent(shares['top_share'])} of it, and the tenth "
            f"who wrote most {percent(shares.get('top_tenth_share'))} "
            f"(Gini coefficient {count(shares.get('gini'))})."
        )
    if told:
        yield "## Who wrote it\n\n" + "\n\n".join(told)


def _targets(card: Values) -> Iterator[str]:
    targets = [mapping(one) for one in _items(card.get("targets"))]
    if targets:
        rows = [
            [plain(one.get("name", "")), count(one.get("version")), f"`{plain(one.get('digest'))}`"]
            for one in targets
        ]
        told = (
            "Dev and test hold what fooled these models, so their own scores here are lower than "
            "elsewhere, by construction."
        )
        head = ["model", "version", "digest"]
        yield f"## The models it was written against\n\n{table(head, rows)}\n\n{told}"


def _left_out(excluded: Values, card: Values) -> Iterator[str]:
    rows = [
        [_REASONS.get(reason, plain(reason.replace("_", " "))), count(number)]
        for reason, number in excluded.items()
        if number
    ]
    if rows:
        told = f"Of {count(card.get('stored'))} attempts these are in no split."
        yield f"## What was left out\n\n{told}\n\n{table(['why', 'attempts'], rows)}"


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []
