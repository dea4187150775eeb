"""What stands in the report: means over seeds with their intervals, in per cent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dynabench.app.study.results import RoundNumbers, SetNumbers, StudyNumbers
from dynabench.app.study.values import HELD_OUT_KNOWN, Arm, SetKind
from dynabench.science.statistics.replicates import mean_of_replicates

_PER_CENT = 100.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over seeds in per cent or points; the interval may be None (`mean_of_replicates`)."""

    mean: float
    low: float | None
    high: float | None
    seeds: int

    @classmethod
    def of(cls, shares: Iterable[float | None], *, least: float = 0.0) -> "Figure | None":
        """Return the mean of what is there, from `least` to 1; None where nothing is."""
        found = [share * _PER_CENT for share in shares if share is not None]
        if not found:
            return None
        interval = mean_of_replicates(found)
        return cls(
            mean=sum(found) / len(found),
            low=None if interval is None else max(interval.low, least * _PER_CENT),
            high=None if interval is None else min(interval.high, _PER_CENT),
            seeds=len(found),
        )

    @property
    def is_above(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.low is not None and self.low > 0

    @property
    def is_below(self) -> bool:
        """Whether the whole interval is below 0."""
        return self.high is not None and self.high < 0


@dataclass(frozen=True, slots=True)
class SetFigures:
    """A set over all seeds.

    Attributes:
        accuracy: Of each arm after 0, 1, … rounds.
        differences: Adversarial minus each control after the last round, paired by seed.
        gains: Each arm after the last round minus the first model.
        surely_above: In how many seeds the items alone tell that adversarial is above.
        surely_below: In how many they tell that it is below.
    """

    first: SetNumbers
    items: tuple[int, int]
    accuracy: dict[Arm, list[Figure | None]]
    differences: dict[Arm, Figure | None]
    gains: dict[Arm, Figure | None]
    surely_above: int
    surely_below: int

    @property
    def difference(self) -> Figure | None:
        """Adversarial minus the random control."""
        return self.differences[Arm.CONTROL]


def arms_of(numbers: SetNumbers) -> list[Arm]:
    """Return the arms that were played, in the order in which they are told."""
    return [arm for arm in Arm if arm in numbers.accuracy]


def set_figures(study: StudyNumbers) -> list[SetFigures]:
    """Return every scored set, in the order in which a seed names them."""
    seeds = [_with_known(seed.sets) for seed in study.seeds]
    return [_over_seeds([sets[place] for sets in seeds]) for place in range(len(seeds[0]))]


def _with_known(sets: Sequence[SetNumbers]) -> Sequence[SetNumbers]:
    """Add what the first model had right of what was held out, where it was not kept.

    It is what is left of the whole without the part that fooled the first model.
    """
    if any(one.kind is SetKind.HELD_OUT_KNOWN for one in sets):
        return sets
    found: list[SetNumbers] = []
    for one in sets:
        found.append(one)
        if one.kind is SetKind.HELD_OUT_FOOLING:
            whole = next(other for other in sets if other.kind is SetKind.HELD_OUT)
            found.append(_rest(whole, one))
    return found


def _rest(whole: SetNumbers, part: SetNumbers) -> SetNumbers:
    items = whole.items - part.items
    accuracy = {
        arm: [
            (share * whole.items - (other or 0.0) * part.items) / items
            if items and share is not None
            else None
            for share, other in zip(shares, part.accuracy[arm], strict=True)
        ]
        for arm, shares in whole.accuracy.items()
    }
    return SetNumbers(
        name=HELD_OUT_KNOWN,
        kind=SetKind.HELD_OUT_KNOWN,
        items=items,
        contexts=0,
        accuracy=accuracy,
        paired=None,
    )


def _over_seeds(found: Sequence[SetNumbers]) -> SetFigures:
    after = range(len(found[0].accuracy[Arm.ADVERSARIAL]))
    accuracy = {
        arm: [Figure.of(one.accuracy[arm][number] for one in found) for number in after]
        for arm in arms_of(found[0])
    }
    intervals = [one.paired for one in found if one.paired is not None]
    return SetFigures(
        first=found[0],
        items=(min(one.items for one in found), max(one.items for one in found)),
        accuracy=accuracy,
        differences={
            arm: Figure.of(_differences(found, Arm.ADVERSARIAL, arm), least=-1.0)
            for arm in arms_of(found[0])
            if arm is not Arm.ADVERSARIAL
        },
        gains={arm: Figure.of(_gains(found, arm), least=-1.0) for arm in arms_of(found[0])},
        surely_above=sum(one.low is not None and one.low > 0 for one in intervals),
        surely_below=sum(one.high is not None and one.high < 0 for one in intervals),
    )


def _differences(found: Iterable[SetNumbers], arm: Arm, other: Arm) -> Iterator[float]:
    for one in found:
        mine, theirs = one.accuracy[arm][-1], one.accuracy[other][-1]
        if mine is not None and theirs is not None:
            yield mine - theirs


def _gains(found: Iterable[SetNumbers], arm: Arm) -> Iterator[float]:
    for one in found:
        first, last = one.accuracy[arm][0], one.accuracy[arm][-1]
        if first is not None and last is not None:
            yield last - first


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """A round over all seeds: how often what was shown fooled whom, and what came of it.

    Attributes:
        target: The rate of the target, which had learned from the rounds before.
        first: The rate of the first model on the same items.
        control: The rate of the control's model on the same items.
    """

    number: int
    shown: float
    target: Figure | None
    first: Figure | None
    control: Figure | None
    validated: Figure | None
    train: float
    dev: float
    test: float
    shared: Figure | None


def round_figures(study: StudyNumbers) -> list[RoundFigures]:
    """Return every round."""
    return [
        _round(place + 1, [seed.rounds[place] for seed in study.seeds])
        for place in range(len(study.seeds[0].rounds))
    ]


def _round(number: int, found: Sequence[RoundNumbers]) -> RoundFigures:
    return RoundFigures(
        number=number,
        shown=_mean(one.shown for one in found),
        target=Figure.of(one.fooled / one.shown for one in found),
        first=Figure.of(one.first_fooled / one.shown for one in found),
        control=Figure.of(one.control_fooled / one.shown for one in found),
        validated=Figure.of(one.verified / one.shown for one in found),
        train=_mean(one.train for one in found),
        dev=_mean(one.dev for one in found),
        test=_mean(one.test for one in found),
        shared=Figure.of(one.shared_with_control / one.train for one in found),
    )


def label_shares(study: StudyNumbers, arm: Arm) -> dict[str, float]:
    """Return the labels' shares among all that an arm learned from, in per cent."""
    counts: dict[str, int] = {}
    for seed in study.seeds:
        for one in seed.rounds:
            for label, count in one.labels[arm].items():
                counts[label] = counts.get(label, 0) + count
    total = sum(counts.values())
    return {label: _PER_CENT * count / total for label, count in sorted(counts.items())}


def input_only_figures(study: StudyNumbers) -> dict[Arm, Figure | None] | None:
    """Return how often the input alone gives the answer away; None where nothing is hidden."""
    found = [seed.input_only for seed in study.seeds]
    if any(one is None for one in found):
        return None
    played = [arm for arm in Arm if found[0] is not None and arm in found[0]]
    return {arm: Figure.of(one[arm] for one in found if one is not None) for arm in played}


def majority_figure(study: StudyNumbers) -> Figure | None:
    """Return how often the most frequent label is right on what was held out."""
    return Figure.of(seed.majority for seed in study.seeds)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
