"""`dynabench board scale`: models and rounds on one scale."""

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, notice, say, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.loop.leaderboards.scales.schemas import (
    CorrectedRateRead,
    EstimateRead,
    ScaledSetRead,
    ScaleRead,
)


def scale(*, slug: Slug, as_json: AsJson = False) -> None:
    """Compare models across rounds: ability and difficulty in logits, with intervals."""
    with open_client() as client:
        found = client.scales.get(slug)
    if as_json:
        show_json(found)
        return
    _show(found)


def _show(found: ScaleRead) -> None:
    if not found.is_current:
        notice("Something has changed; a worker computes this anew. Ask again in a moment.")
    if found.as_of is None:
        return
    if found.reason is not None:
        notice(found.reason)
    show_table(
        ["model", "ability", "scored on", *(one.name for one in found.sets)],
        [
            (
                f"{one.name} v{one.version}",
                _estimate(one.ability),
                one.sets,
                *(_estimate(share, digits=1) for share in one.expected),
            )
            for one in found.models
        ],
        empty=f"No model of {found.task_slug} is on a scale.",
    )
    show_table(
        ["set", "difficulty", "models", "told apart", "by intervals", "agreement"],
        [_set(one) for one in found.sets],
        empty=f"{found.task_slug} has no set with test items yet.",
    )
    show_table(
        ["round", "attempts", "annotators", "error rate", "corrected for who played"],
        [_rate(one) for one in found.contest.rounds],
        empty=f"{found.task_slug} has no closed round yet.",
    )
    for note in found.notes:
        notice(note)
    say(f"As of {found.as_of:%Y-%m-%d %H:%M} UTC; shares are of each set's items, in per cent.")


def _set(one: ScaledSetRead) -> tuple[object, ...]:
    told, apart = one.separability.told_apart, one.separability.by_intervals
    agreement = one.agreement.value
    return (
        one.name,
        _estimate(one.difficulty),
        one.separability.models,
        f"{told.part} of {told.whole}" if told.whole else None,
        f"{apart.part} of {apart.whole}" if apart.whole else None,
        None if agreement is None else f"{agreement:.2f}",
    )


def _rate(one: CorrectedRateRead) -> tuple[object, ...]:
    observed = None if one.observed is None else f"{one.observed:.1f}"
    corrected = one.reason if one.corrected is None else _estimate(one.corrected, digits=1)
    return (one.round_number, one.attempts, one.annotators, observed, corrected)


def _estimate(one: EstimateRead | None, *, digits: int = 2) -> str | None:
    if one is None:
        return None
    if one.low is None or one.high is None:
        return f"{one.value:.{digits}f}"
    return f"{one.value:.{digits}f} [{one.low:.{digits}f}, {one.high:.{digits}f}]"
