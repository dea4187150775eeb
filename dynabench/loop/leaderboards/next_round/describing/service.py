"""From a plan's values to its wire shapes."""

from collections.abc import Sequence

from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.leaderboards.next_round.schemas import (
    ComparedReleaseRead,
    ContextPlanRead,
    LeaksRead,
    RepeatRead,
    TagUseRead,
    TargetCandidateRead,
    TargetSuggestionRead,
)
from dynabench.loop.leaderboards.next_round.values import (
    Candidate,
    Leaks,
    ReleaseScore,
    Suggestion,
    TagUse,
)
from dynabench.loop.leaderboards.schemas import FigureRead, RankRead

_POINTS = 100.0


def describe_release(version: DatasetVersion, *, round_number: int) -> ComparedReleaseRead:
    """Return a released round."""
    return ComparedReleaseRead(
        version_id=version.id, round_number=round_number, items=version.sizes[Split.TEST]
    )


def describe_candidate(one: Candidate) -> TargetCandidateRead:
    """Return a model that could be the target."""
    return TargetCandidateRead(
        model_id=one.model_id,
        name=one.name,
        version=one.version,
        scores=[_figure(score) for score in one.scores],
        rank=None if one.rank is None else RankRead(low=one.rank[0], high=one.rank[1]),
        dynascore=one.dynascore,
        examples_per_second=one.speed.examples_per_second,
        is_measured_at_client=one.speed.is_measured_at_client,
        was_target_of=list(one.was_target_of),
        is_published=one.is_published,
    )


def describe_suggestion(found: Suggestion | None) -> TargetSuggestionRead | None:
    """Return the targets that the figures speak for."""
    if found is None:
        return None
    return TargetSuggestionRead(
        target_model_ids=list(found.target_model_ids),
        policy=found.policy,
        code=found.code,
        is_repeated=found.is_repeated,
        reason=found.reason,
    )


def describe_contexts(
    tags: Sequence[TagUse], *, drawn: Sequence[TagUse], leaks: Leaks
) -> ContextPlanRead:
    """Return what there is to write about, and what of it is released already."""
    names = {one.tag for one in drawn}
    return ContextPlanRead(
        tags=[
            TagUseRead(
                tag=one.tag,
                contexts=one.contexts,
                used=one.used,
                never_used=one.contexts - one.used,
                annotators=one.annotators,
                is_drawn=one.tag in names,
            )
            for one in tags
        ],
        leaks=LeaksRead(
            drawn=leaks.drawn,
            same=leaks.same,
            sampled=leaks.sampled,
            near=leaks.near,
            compared=leaks.compared,
            examples=[
                RepeatRead(context=context, released=released)
                for context, released in leaks.examples
            ],
        ),
    )


def _figure(score: ReleaseScore) -> FigureRead:
    return FigureRead(
        value=_times(score.value), low=_times(score.low), high=_times(score.high), items=None
    )


def _times(value: float | None) -> float | None:
    return None if value is None else value * _POINTS
