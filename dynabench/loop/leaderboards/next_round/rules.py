"""Decisions of a plan: which models, which parents, how large a round, and what to warn of."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from uuid import UUID

from dynabench.loop.leaderboards.next_round.values import (
    Budget,
    BudgetReason,
    Candidate,
    Leaks,
    Notice,
    PastRound,
    Period,
    Suggestion,
    SuggestionCode,
    TagUse,
    WarningCode,
)
from dynabench.loop.rounds.values import (
    Round,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundStatus,
    TargetPolicy,
)
from dynabench.science.statistics.agreement_change import agreement_change
from dynabench.science.statistics.planning import (
    people_for_width,
    rate_change,
    size_for_width,
)

FEW_ANNOTATORS = 10
"""Fewer people than this make the interval of a rate say nothing of other people."""

SLOWEST_PER_SECOND = 0.5
"""A target that answers less often keeps annotators waiting for more than two seconds."""

_BUSY_SHARE = 0.5
_LEAK_SHARE = 0.05
_MOST_TOGETHER = 3
_DAY_SECONDS = 86_400
_UNKNOWN_RATE = 0.5
# More than so many examples say no more about how far people agree.
_MOST_JUDGED = 5_000


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates, the best on the last releases first; the newest where none is known."""
    return sorted(
        candidates,
        key=lambda one: (one.good is None, -(one.good or 0.0), one.name, -one.version),
    )


def suggest_targets(
    candidates: Sequence[Candidate], *, last_targets: Sequence[UUID]
) -> Suggestion | None:
    """Return the targets that the figures speak for; None where no model can be one.

    Args:
        candidates: The best first.
        last_targets: The last round's, which come after an equal that is new.
    """
    usable = [one for one in candidates if one.is_published]
    if not usable:
        return None
    best = usable[0]
    equals = [one for one in usable if _overlap(one, best)][:_MOST_TOGETHER]
    chosen = tuple(one.model_id for one in equals)
    is_repeated = set(chosen) == set(last_targets)
    if len(equals) > 1:
        code = SuggestionCode.TIED
        names = ", ".join(_with_rank(one) for one in equals)
        reason = (
            f"On the last releases these cannot be told apart: {names}. Drawing one of them for "
            "each attempt keeps the round from fitting the weaknesses of one."
        )
    else:
        code, reason = _why_alone(best, rivals=len(usable) - 1)
    was = " It was the last round's target too." if is_repeated and len(equals) == 1 else ""
    return Suggestion(
        target_model_ids=chosen,
        policy=TargetPolicy.RANDOM if len(equals) > 1 else TargetPolicy.SINGLE,
        code=code,
        is_repeated=is_repeated,
        reason=f"{reason}{was}",
    )


def _overlap(one: Candidate, best: Candidate) -> bool:
    if one.rank is None or best.rank is None:
        return one is best
    return one.rank[0] <= best.rank[1] and best.rank[0] <= one.rank[1]


def _with_rank(one: Candidate) -> str:
    assert one.rank is not None, "only ranks overlap"
    low, high = one.rank
    return f"{one.title} (rank {low})" if low == high else f"{one.title} (ranks {low}–{high})"


def _why_alone(best: Candidate, *, rivals: int) -> tuple[SuggestionCode, str]:
    if best.good is None:
        sentence = f"No release says yet which model is best; {best.title} is ready and public."
        return SuggestionCode.UNSCORED, sentence
    if not rivals:
        return SuggestionCode.ONLY, f"{best.title} is the only public model that can be asked."
    if best.rank is None:
        sentence = f"{best.title} scores best on the last releases; none is ranked on all of them."
        return SuggestionCode.UNRANKED, sentence
    return SuggestionCode.BEST, f"{best.title} is surely the best on the last releases."


def draws_from(tags: Sequence[TagUse], wanted: Sequence[str]) -> list[TagUse]:
    """Return the tags that a round draws from; without a wish from all."""
    return [one for one in tags if not wanted or one.tag in set(wanted)]


def plan_budget(last: PastRound | None, *, width: float, period: Period | None) -> Budget:
    """Return what a round costs whose vMER has an interval of at most some width.

    People differ, so that it is people that it takes, each with the tries that are usual: the
    same few cannot narrow an interval however much they write.

    Args:
        last: What came of the last round; None before the first.
        width: From 0 to 1.
        period: When the last round collected.
    """
    # What is known of half the examples is no rate to plan by.
    rate = None if last is None or last.votes_missing else last.rate.value
    expected = _UNKNOWN_RATE if rate is None else rate
    least = size_for_width(expected, width)
    assert least is not None, "a width lies between 0 and 1"
    per_day = None if last is None or period is None else _pace(last, period)
    reason = _why_unplanned(last)
    people = tries = attempts = alike = None
    if reason is None and last is not None:
        assert last.likeness is not None, "two people wrote"
        assert last.tries_each is not None, "people are known"
        alike, tries = last.likeness, max(round(last.tries_each), 1)
        people = people_for_width(expected, width, likeness=alike, tries_each=tries)
        assert people is not None, "a width lies between 0 and 1"
        attempts = people * tries
    return Budget(
        width=width,
        people=people,
        tries_each=tries,
        attempts=attempts,
        least_attempts=least,
        validated_fooling=None if rate is None or attempts is None else round(attempts * rate),
        days=None if per_day is None or attempts is None else ceil(attempts / per_day),
        expected_rate=expected,
        is_rate_known=rate is not None,
        likeness=alike,
        attempts_per_day=per_day,
        reason=reason,
    )


def _why_unplanned(last: PastRound | None) -> BudgetReason | None:
    """Return why a round does not tell how many people the next one needs."""
    if last is None or not last.total.collected:
        return BudgetReason.NO_ROUND
    if not last.round_.people_are_known:
        return BudgetReason.PEOPLE_UNKNOWN
    if last.votes_missing:
        return BudgetReason.PENDING
    return BudgetReason.ONE_PERSON if last.likeness is None else None


def plan_round(
    last: Round | None,
    *,
    suggestion: Suggestion | None,
    budget: Budget,
    tags: Sequence[str] | None,
) -> RoundPlan:
    """Return the round that is proposed: like the last one but for its targets and budget.

    Its parents are the last round and the models that it is written against. Nothing is drawn
    for control arms unless the last round did so without a model.

    Args:
        last: The last round that is past its draft.
        suggestion: Its targets.
        budget: How much to collect.
        tags: What to draw from; None for what the last round drew from.
    """
    before = RoundPlan() if last is None else last
    targets = () if suggestion is None else suggestion.target_model_ids
    return RoundPlan(
        target_model_ids=targets,
        target_policy=TargetPolicy.SINGLE if suggestion is None else suggestion.policy,
        context_policy=before.context_policy,
        context_tags=before.context_tags if tags is None else tuple(tags),
        validation=before.validation,
        max_tries=before.max_tries,
        budget=RoundBudget(examples=budget.attempts),
        parent_round_ids=() if last is None else (last.id,),
        parent_model_ids=targets,
        controls=RoundControls(no_model_share=before.controls.no_model_share),
        seed=before.seed + 1,
    )


def _pace(last: PastRound, period: Period) -> float | None:
    if last.round_.is_replay or period.opened_at is None or not last.total.collected:
        return None
    days = (period.ended_at - period.opened_at).total_seconds() / _DAY_SECONDS
    # A round of an hour says nothing of what a day brings.
    return last.total.collected / max(days, 1.0)


def warnings_of(
    *,
    has_release: bool,
    past: Sequence[PastRound],
    rounds: Sequence[Round],
    targets: Sequence[Candidate],
    tags: Sequence[TagUse],
    leaks: Leaks,
) -> list[Notice]:
    """Return what to look at before the next round opens.

    Args:
        has_release: Whether a round of the task is released.
        past: The last two rounds that hold anything, the newest first.
        rounds: All of the task's rounds, the newest first.
        targets: The targets that are suggested.
        tags: The tags that it would draw from.
        leaks: What of these contexts is released already.
    """
    return [
        *_about_rounds(has_release=has_release, rounds=rounds),
        *_about_series(past),
        *_about_people(past),
        *_about_targets(targets, last=past[0].round_ if past else None),
        *_about_contexts(tags, leaks),
    ]


def _about_rounds(*, has_release: bool, rounds: Sequence[Round]) -> Iterator[Notice]:
    collecting = next((one for one in rounds if one.status is RoundStatus.OPEN), None)
    if collecting is not None:
        yield Notice(
            code=WarningCode.ROUND_OPEN,
            sentence=f"Round {collecting.number} still collects. Close it before the next one "
            "opens; a draft can be made now.",
            figures={"round": collecting.number},
        )
    if not has_release:
        yield Notice(
            code=WarningCode.NO_RELEASE,
            sentence="No round is released yet, so nothing says which model is hard to fool and "
            "nothing new was trained on. Close a round and release it first.",
        )


def _about_series(past: Sequence[PastRound]) -> Iterator[Notice]:
    if len(past) < 2:  # noqa: PLR2004
        return
    after, before = past[0], past[1]
    is_known = not (before.votes_missing or after.votes_missing)
    change = rate_change(before=(before.rate, before.interval), after=(after.rate, after.interval))
    numbers = {"before": before.round_.number, "after": after.round_.number}
    if is_known and change is not None and not change.is_certain:
        yield Notice(
            code=WarningCode.STALLED,
            sentence=f"Rounds {before.round_.number} and {after.round_.number} cannot be told "
            f"apart: vMER changed by {_points(change.difference)} (95 % interval "
            f"{_points(change.low)} to {_points(change.high)}). Retrain on the last release or "
            "collect more before going on.",
            figures={
                **numbers,
                "difference": change.difference,
                "low": change.low,
                "high": change.high,
            },
        )
    agreed = agreement_change(before.judged[:_MOST_JUDGED], after.judged[:_MOST_JUDGED])
    if is_known and agreed is not None and agreed.high < 0:
        yield Notice(
            code=WarningCode.AGREEMENT_FELL,
            sentence=f"People agreed less on round {after.round_.number} than on round "
            f"{before.round_.number}: Krippendorff's alpha fell by {-agreed.difference:.2f} "
            f"(95 % interval {-agreed.high:.2f} to {-agreed.low:.2f}). Look at disputed examples "
            "and at the instructions: harder may have become unclear.",
            figures={
                **numbers,
                "difference": agreed.difference,
                "low": agreed.low,
                "high": agreed.high,
            },
        )


def _about_people(past: Sequence[PastRound]) -> Iterator[Notice]:
    if not past or past[0].work is None:
        return
    work, number = past[0].work, past[0].round_.number
    top = work.top.value or 0.0
    if work.people >= FEW_ANNOTATORS and top <= _BUSY_SHARE:
        return
    few = f"Round {number} was written by {_people(work.people)}"
    yield Notice(
        code=WarningCode.FEW_ANNOTATORS,
        sentence=f"{few}, the busiest of whom wrote {top:.0%}. A test part that no author of "
        "train shares, and intervals that hold for other people, need more: invite some.",
        figures={"round": number, "annotators": work.people, "top_share": top},
    )


def _about_targets(targets: Sequence[Candidate], *, last: Round | None) -> Iterator[Notice]:
    if not targets:
        yield Notice(
            code=WarningCode.NO_CANDIDATE,
            sentence="No public model of the task can be asked. Submit or train one, and publish "
            "it.",
        )
        return
    ids = {one.model_id for one in targets}
    if last is not None and ids == set(last.target_model_ids):
        names = ", ".join(one.title for one in targets)
        yield Notice(
            code=WarningCode.SAME_TARGET,
            sentence=f"{names} was the last round's target too, so nothing was retrained "
            "between. Train a model on the last release first.",
            figures={"targets": names},
        )
    for one in targets:
        speed = one.speed.examples_per_second
        if speed is not None and speed < SLOWEST_PER_SECOND:
            yield Notice(
                code=WarningCode.SLOW_TARGET,
                sentence=f"{one.title} takes about {1 / speed:.0f} seconds for an answer, and "
                "annotators wait for every one. A faster model gets more attempts.",
                figures={"target": one.title, "seconds": 1 / speed},
            )


def _about_contexts(tags: Sequence[TagUse], leaks: Leaks) -> Iterator[Notice]:
    contexts = sum(one.contexts for one in tags)
    if not sum(one.contexts - one.used for one in tags):
        yield Notice(
            code=WarningCode.NO_NEW_CONTEXTS,
            sentence="The task has no contexts. Upload some."
            if not contexts
            else f"All {contexts:,} contexts were written on in earlier rounds. Upload new ones, "
            "so that the next round is about something else.",
            figures={"contexts": contexts},
        )
    same, near = leaks.same, leaks.near
    is_much = same > _LEAK_SHARE * leaks.drawn or near > _LEAK_SHARE * max(leaks.sampled, 1)
    if is_much:
        yield Notice(
            code=WarningCode.LEAKS,
            sentence=f"{same:,} of {leaks.drawn:,} contexts are in released train data, and "
            f"{near:,} of {leaks.sampled:,} others that were compared nearly repeat it: the "
            "target may have learnt them. Draw from other tags, or upload new contexts.",
            figures={
                "same": same,
                "drawn": leaks.drawn,
                "near": near,
                "sampled": leaks.sampled,
            },
        )


def _people(count: int) -> str:
    return "one person" if count == 1 else f"{count} people"


def _points(value: float) -> str:
    return f"{value * 100:+.1f} points"
