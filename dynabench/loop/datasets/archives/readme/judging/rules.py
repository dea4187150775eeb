"""What a release measured of its votes, its time, its controls and its shortcuts."""

from collections.abc import Iterator, Mapping

from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.readme.wording.rules import (
    OPEN_END,
    count,
    mapping,
    plain,
    rate,
    table,
)

_MINUTE = 60
_ARMS: Mapping[str, str] = {
    "target": "the target",
    "no_model": "no model",
    "earlier_target": "an earlier target",
}


def judging(card: Values) -> Iterator[str]:
    """Give the sections that the card has numbers for."""
    yield from _agreement(mapping(card.get("agreement")))
    yield from _time(mapping(card.get("seconds_per_validated_fooling")))
    yield from _arms(mapping(card.get("arms")))
    yield from _artifacts(mapping(card.get("artifacts")))


def _agreement(found: Values) -> Iterator[str]:
    if not found.get("examples"):
        return
    share, of, _ = rate(found.get("unanimous"))
    rows = [
        ["examples with votes", count(found.get("examples"))],
        ["votes", count(found.get("votes"))],
        ["all votes alike", f"{share} ({of})"],
        ["Krippendorff's alpha", count(found.get("krippendorff_alpha"))],
        ["Fleiss' kappa", count(found.get("fleiss_kappa"))],
    ]
    yield f"## How far validators agree\n\n{table(['', ''], rows)}"


def _time(found: Values) -> Iterator[str]:
    if not found.get("validated_fooling"):
        return
    told = (
        f"A validated fooling example took {_duration(found.get('mean'))} of writing, all attempts "
        f"of the round together ÷ {count(found['validated_fooling'])} such examples; the median "
        f"of those attempts themselves is {_duration(found.get('median'))}. The time is known of "
        f"{count(found.get('timed_attempts'))} of {count(found.get('attempts'))} attempts."
    )
    yield f"## How long it took\n\n{told}"


def _duration(seconds: object) -> str:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return OPEN_END
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds // _MINUTE:.0f} min {seconds % _MINUTE:.0f} s"


def _arms(found: Values) -> Iterator[str]:
    if not found.keys() - {"target"}:
        return
    counts = {arm: mapping(numbers) for arm, numbers in found.items()}
    rows = [
        [
            _ARMS.get(arm, plain(arm)),
            *(count(numbers.get(one)) for one in ("stored", "fooling", "verified_fooling")),
            count(numbers.get("released")),
        ]
        for arm, numbers in counts.items()
    ]
    told = (
        "A share of the attempts was a control, in which annotators saw no model or an earlier "
        "one. The rates above are of the target alone; controls are tagged, and never in dev or "
        "test."
    )
    head = ["annotators saw", "attempts", "fooled the target", "verified", "released"]
    yield f"## Controls\n\n{told}\n\n{table(head, rows)}"


def _artifacts(found: Values) -> Iterator[str]:
    reason, learned = found.get("reason"), found.get("input_only_accuracy")
    if isinstance(reason, str):
        yield f"## Shortcuts\n\nNo model of the inputs alone was tried. {plain(reason)}"
        return
    if not isinstance(learned, dict):
        return
    rows = [
        [title, *rate(found.get(name))]
        for name, title in (
            ("input_only_accuracy", "a model that sees no context"),
            ("majority_accuracy", "always the most frequent label"),
        )
        if found.get(name) is not None
    ]
    told = (
        f"A small model learned from {count(found.get('trained_on'))} items of train without "
        "their context. Where it is far better than the most frequent label, the inputs alone "
        "give answers away. How right that label is stands here once no answer is withheld."
    )
    head = ["", "accuracy on dev and test", "right", "95 % interval"]
    yield f"## Shortcuts\n\n{told}\n\n{table(head, rows)}"
