"""From the two arms of each seed to the numbers that are published."""

from collections.abc import Iterable, Mapping, Sequence

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
from dynabench.app.study.values import HELD_OUT_KNOWN, Arm, Material, Plan, SetKind
from dynabench.loop.validations.values import Verdict
from dynabench.science.statistics.pairs import paired_difference

HELD_OUT_FOOLING = "held out, fooling the first model"
_WRONG, _RIGHT = "0", "1"


def collate(
    material: Material, *, plan: Plan, seeds: Iterable[Sequence[ArmPlayed]]
) -> StudyNumbers:
    """Put the seeds of a loop together: the adversarial arm of each and its controls."""
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
        seeds=[numbers_of(played, controls) for played, *controls in seeds],
    )


def numbers_of(played: ArmPlayed, controls: Sequence[ArmPlayed]) -> SeedNumbers:
    """Return what one seed says of its arms; the random control is the first of the others."""
    assert controls[0].arm is Arm.CONTROL, "items are compared with the random control"
    input_only = {
        one.arm: one.input_only for one in (played, *controls) if one.input_only is not None
    }
    sets: list[SetNumbers] = []
    for place, one in enumerate(played.sets):
        others = {control.arm: control.sets[place] for control in controls}
        sets.append(_scored(one, others))
        if one.kind is SetKind.HELD_OUT:
            for mark in (_WRONG, _RIGHT):
                parts = {arm: _part(other, first=one, mark=mark) for arm, other in others.items()}
                sets.append(_scored(_part(one, first=one, mark=mark), parts))
    rounds = [
        _round(one, {control.arm: control.rounds[place] for control in controls})
        for place, one in enumerate(played.rounds)
    ]
    return SeedNumbers(
        seed=played.seed,
        rounds=rounds,
        sets=sets,
        input_only=input_only or None,
        majority=played.majority,
    )


def _round(
    one: RoundPlayed | RoundDrawn, others: Mapping[Arm, RoundPlayed | RoundDrawn]
) -> RoundNumbers:
    other = others[Arm.CONTROL]
    assert isinstance(one, RoundPlayed), "the adversarial arm comes first"
    assert isinstance(other, RoundDrawn), "the controls come after it"
    assert all(one.train == drawn.train for drawn in others.values()), "they learn as many items"
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
        labels={
            Arm.ADVERSARIAL: one.labels,
            **{arm: drawn.labels for arm, drawn in others.items()},
        },
    )


def _part(scored: SetScored, *, first: SetScored, mark: str) -> SetScored:
    """Return the part of what was held out that the first model gets wrong, or right."""
    places = [place for place, one in enumerate(first.right[0]) if one == mark]
    assert scored.name == HELD_OUT, "it is of what was held out"
    is_fooling = mark == _WRONG
    return SetScored(
        name=HELD_OUT_FOOLING if is_fooling else HELD_OUT_KNOWN,
        kind=SetKind.HELD_OUT_FOOLING if is_fooling else SetKind.HELD_OUT_KNOWN,
        contexts=[scored.contexts[place] for place in places],
        right=["".join(marks[place] for place in places) for marks in scored.right],
    )


def _scored(one: SetScored, others: Mapping[Arm, SetScored]) -> SetNumbers:
    """Compare the arms on a set; the first model is the same in all."""
    first = one.right[0]
    accuracy = {Arm.ADVERSARIAL: [_share(marks) for marks in one.right]}
    for arm, other in others.items():
        accuracy[arm] = [_share(marks) for marks in (first, *other.right)]
    control = others[Arm.CONTROL]
    found = paired_difference(_marks(one.right[-1]), _marks(control.right[-1]), one.contexts)
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
