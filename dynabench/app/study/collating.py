"""From the two arms of each seed to the numbers that are published."""

from collections.abc import Iterable, Sequence

from dynabench.app.study.loops import HELD_OUT
from dynabench.app.study.results import (
    ArmPlayed,
    Counts,
    Paired,
    RoundDrawn,
    RoundNumbers,
    RoundPlayed,
    SeedNumbers,
    SetNumbers,
    SetScored,
    StudyNumbers,
)
from dynabench.app.study.values import Arm, Material, Plan, SetKind
from dynabench.loop.validations.values import Verdict
from dynabench.science.statistics.pairs import paired_difference

HELD_OUT_FOOLING = "held out, fooling the first model"


def collate(
    material: Material, *, plan: Plan, seeds: Iterable[tuple[ArmPlayed, ArmPlayed]]
) -> StudyNumbers:
    """Put the seeds of a loop together: the adversarial arm and the control of each."""
    return StudyNumbers(
        study=material.name,
        title=material.title,
        settings=plan.settings(),
        data=material.digest(),
        counts=Counts(
            base=len(material.base),
            pool=len(material.pool),
            pool_contexts=len({item.context for item in material.pool}),
            pool_voted=sum(bool(item.votes) for item in material.pool),
            pool_found_wrong=sum(item.verdict() is Verdict.INCORRECT for item in material.pool),
            left_out=dict(material.left_out),
        ),
        seeds=[numbers_of(played, control) for played, control in seeds],
    )


def numbers_of(played: ArmPlayed, control: ArmPlayed) -> SeedNumbers:
    """Return what one seed says of the two arms."""
    input_only = None
    if played.input_only is not None and control.input_only is not None:
        input_only = {Arm.ADVERSARIAL: played.input_only, Arm.CONTROL: control.input_only}
    sets: list[SetNumbers] = []
    for one, other in zip(played.sets, control.sets, strict=True):
        sets.append(_scored(one, other))
        if one.kind is SetKind.HELD_OUT:
            sets.append(_scored(_fooling(one, first=one), _fooling(other, first=one)))
    rounds = [_round(one, other) for one, other in zip(played.rounds, control.rounds, strict=True)]
    return SeedNumbers(
        seed=played.seed,
        rounds=rounds,
        sets=sets,
        input_only=input_only,
        majority=played.majority,
    )


def _round(one: RoundPlayed | RoundDrawn, other: RoundPlayed | RoundDrawn) -> RoundNumbers:
    assert isinstance(one, RoundPlayed), "the adversarial arm comes first"
    assert isinstance(other, RoundDrawn), "the control comes second"
    assert one.train == other.train, "the control learns from as many items"
    return RoundNumbers(
        shown=one.shown,
        fooled=len(one.fooled),
        first_fooled=one.first_fooled,
        control_fooled=other.fooled,
        verified=one.verified,
        train=one.train,
        dev=one.dev,
        test=one.test,
        held_out=one.held_out,
        shared_with_control=other.shared,
        labels={Arm.ADVERSARIAL: one.labels, Arm.CONTROL: other.labels},
    )


def _fooling(scored: SetScored, *, first: SetScored) -> SetScored:
    """Return the part of what was held out that the first model gets wrong."""
    places = [place for place, mark in enumerate(first.right[0]) if mark == "0"]
    assert scored.name == HELD_OUT, "it is of what was held out"
    return SetScored(
        name=HELD_OUT_FOOLING,
        kind=SetKind.HELD_OUT_FOOLING,
        contexts=[scored.contexts[place] for place in places],
        right=["".join(marks[place] for place in places) for marks in scored.right],
    )


def _scored(one: SetScored, other: SetScored) -> SetNumbers:
    """Compare the arms on a set; the first model is the same in both."""
    first = one.right[0]
    accuracy = {
        Arm.ADVERSARIAL: [_share(marks) for marks in one.right],
        Arm.CONTROL: [_share(marks) for marks in (first, *other.right)],
    }
    found = paired_difference(_marks(one.right[-1]), _marks(other.right[-1]), one.contexts)
    paired = None
    if found is not None:
        paired = Paired(
            difference=found.difference,
            low=None if found.interval is None else found.interval.low,
            high=None if found.interval is None else found.interval.high,
            p_value=found.p_value,
        )
    return SetNumbers(
        name=one.name,
        kind=one.kind,
        items=len(one.contexts),
        contexts=len(set(one.contexts)),
        accuracy=accuracy,
        paired=paired,
    )


def _marks(right: str) -> Sequence[float]:
    return [float(mark) for mark in right]


def _share(right: str) -> float | None:
    return right.count("1") / len(right) if right else None
