"""What stands in the report: means over seeds with their intervals, in per cent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dynabench.app.study.results import RoundNumbers, SetNumbers, StudyNumbers
from dynabench.app.study.values import Arm
from dynabench.science.statistics.replicates import mean_of_replicates

_PER_CENT = 100.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over seeds in per cent or points; the interval is None with fewer than two."""

    mean: float
    low: float | None
    high: float | None
    seeds: int

    @classmethod
    def of(cls, shares: Iterable[float | None]) -> "Figure | None":
        """Return the mean of what is there; None where nothing is."""
        found = [share * _PER_CENT for share in shares if share is not None]
        if not found:
            return None
        interval = mean_of_replicates(found)
        return cls(
            mean=sum(found) / len(found),
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
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
        difference: Adversarial minus control after the last round, paired by seed.
        gain: Adversarial after the last round minus the first model.
        control_gain: The same of the control.
        surely_above: In how many seeds the items alone tell that adversarial is above.
        surely_below: In how many they tell that it is below.
    """

    first: SetNumbers
    items: tuple[int, int]
    accuracy: dict[Arm, list[Figure | None]]
    difference: Figure | None
    gain: Figure | None
    control_gain: Figure | None
    surely_above: int
    surely_below: int


def set_figures(study: StudyNumbers) -> list[SetFigures]:
    """Return every scored set, in the order in which a seed names them."""
    return [
        _over_seeds([seed.sets[place] for seed in study.seeds])
        for place in range(len(study.seeds[0].sets))
    ]


def _over_seeds(found: Sequence[SetNumbers]) -> SetFigures:
    after = range(len(found[0].accuracy[Arm.ADVERSARIAL]))
    accuracy = {
        arm: [Figure.of(one.accuracy[arm][number] for one in found) for number in after]
        for arm in Arm
    }
    intervals = [one.paired for one in found if one.paired is not None]
    return SetFigures(
        first=found[0],
        items=(min(one.items for one in found), max(one.items for one in found)),
        accuracy=accuracy,
        difference=Figure.of(_differences(found, Arm.ADVERSARIAL, Arm.CONTROL)),
        gain=Figure.of(_gains(found, Arm.ADVERSARIAL)),
        control_gain=Figure.of(_gains(found, Arm.CONTROL)),
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
    return {arm: Figure.of(one[arm] for one in found if one is not None) for arm in Arm}


def majority_figure(study: StudyNumbers) -> Figure | None:
    """Return how often the most frequent label is right on what was held out."""
    return Figure.of(seed.majority for seed in study.seeds)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
