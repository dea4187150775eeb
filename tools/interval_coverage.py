"""How often 95 % intervals hold the truth, in simulation: the tables of the design page.

    python tools/interval_coverage.py [--trials 1000]

Everything is drawn with fixed seeds. `tests/science/statistics/test_coverage.py` holds a part
of it to its bounds.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.humans.values import VotedItem
from dynabench.loop.leaderboards.live.rules import human_gap
from dynabench.loop.leaderboards.live.values import VotedExample
from dynabench.loop.rounds.values import Round, RoundStatus, RoundValidation, ValidationMode
from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.statistics.rates import Interval, Rate
from tools.board_coverage import table_of_boards

PEOPLE = (3, 5, 10, 30)
RATES = (0.05, 0.15, 0.3, 0.5)
LIKENESS = (0.0, 0.03, 0.1, 0.25)
"""How alike two tries of one person are: 0 where all people have the same rate."""

_TRIES_EACH = 20
_ITEMS_EACH = 4
_UNEVEN = 1.2
_AUTHORS = 10
_SEED = 11
_BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
_BLIND_ROUND = Round(
    id=UUID(int=1),
    task_id=UUID(int=2),
    task_slug="simulated",
    number=1,
    status=RoundStatus.OPEN,
    config_version=1,
    targets=(),
    arm_secret=UUID(int=3),
    is_replay=False,
    validation=RoundValidation(mode=ValidationMode.BLIND),
    created_at=_BEGIN,
    opened_at=_BEGIN,
    closed_at=None,
    released_at=None,
    close_reason=None,
)


@dataclass(frozen=True, slots=True)
class Crowd:
    """A setting: how many people of what rate, how unlike, and whether they write as much."""

    people: int
    rate: float
    likeness: float
    is_even: bool


def sizes(
    random: np.random.Generator, count: int, *, each: int, is_even: bool
) -> NDArray[np.int64]:
    """Return how much each of some people writes; unevenly, a few write most."""
    shares = np.ones(count) if is_even else random.lognormal(0, _UNEVEN, count)
    wanted = np.rint(each * count * shares / shares.sum())
    return np.asarray(np.maximum(1, wanted), dtype=np.int64)


def own_rates(
    random: np.random.Generator, count: int, *, rate: float, likeness: float
) -> NDArray[np.float64]:
    """Return each person's own rate, of a beta distribution with the mean `rate`."""
    if likeness == 0:
        return np.full(count, rate)
    size = (1 - likeness) / likeness
    return random.beta(rate * size, (1 - rate) * size, count)


def holds(interval: Interval | None, truth: float) -> bool:
    """Tell whether there is an interval and the truth lies in it."""
    return interval is not None and interval.low <= truth <= interval.high


def coverage_of_rates(crowd: Crowd, *, trials: int) -> tuple[float, float]:
    """Return how often an interval holds the rate that people are drawn from, and its width."""
    random = np.random.default_rng([_SEED, crowd.people, round(1000 * crowd.rate)])
    hits, width = 0, 0.0
    for _ in range(trials):
        tries = sizes(random, crowd.people, each=_TRIES_EACH, is_even=crowd.is_even)
        own = own_rates(random, crowd.people, rate=crowd.rate, likeness=crowd.likeness)
        people = [
            Rate(int(part), int(whole))
            for part, whole in zip(random.binomial(tries, own), tries, strict=True)
        ]
        found = clustered_interval(people)
        assert found is not None
        hits += holds(found, crowd.rate)
        width += found.high - found.low
    return hits / trials, width / trials


def answered(
    random: np.random.Generator, crowd: Crowd, *, author: float
) -> tuple[list[VotedExample], float]:
    """Return examples of ten authors with blind answers of a crowd, and the true gap.

    Two validators answer each example; authors' own rates of what does not fool have the mean
    `author`, and a likeness of 0.1.
    """
    work = sizes(random, crowd.people, each=_TRIES_EACH, is_even=crowd.is_even)
    own = own_rates(random, crowd.people, rate=crowd.rate, likeness=crowd.likeness)
    targets = own_rates(random, _AUTHORS, rate=author, likeness=0.1)
    examples = int(work.sum()) // 2
    # The two largest of such keys are drawn without replacement, in shares of the work.
    keys = np.log(work) + random.gumbel(size=(examples, crowd.people))
    who = np.argsort(-keys, axis=1)[:, :2]
    answers = np.where(random.random(who.shape) < own[who], "right", "wrong").tolist()
    writers = random.integers(_AUTHORS, size=examples)
    fooled = (random.random(examples) >= targets[writers]).tolist()
    names = [UUID(int=number) for number in range(max(crowd.people, _AUTHORS))]
    found = [
        VotedExample(
            item=VotedItem(
                str(place), "right", b"", answers[place], [names[one] for one in who[place]]
            ),
            author=names[writers[place]],
            fooled=fooled[place],
        )
        for place in range(examples)
    ]
    return found, crowd.rate - author


def coverage_of_gaps(crowd: Crowd, *, trials: int) -> tuple[float, float]:
    """Return how often the interval of people's lead holds the truth, and its width."""
    random = np.random.default_rng([_SEED, crowd.people, round(1000 * crowd.likeness)])
    hits, width = 0, 0.0
    for _ in range(trials):
        voted, truth = answered(random, crowd, author=0.4)
        found = human_gap(voted, _BLIND_ROUND, lambda one, other: one == other)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
        width += found.high - found.low
    return hits / trials, width / trials


def scores_by_context(
    random: np.random.Generator, crowd: Crowd, *, is_binary: bool
) -> tuple[list[float], list[int]]:
    """Return a model's scores on contexts that have several items and an effect of their own."""
    items = sizes(random, crowd.people, each=_ITEMS_EACH, is_even=crowd.is_even)
    groups = np.repeat(np.arange(crowd.people), items)
    if is_binary:
        own = own_rates(random, crowd.people, rate=crowd.rate, likeness=crowd.likeness)
        scores = (random.random(len(groups)) < own[groups]).astype(float)
    else:
        # Small enough that next to none is cut off at 0 or 1.
        shared = np.sqrt(crowd.likeness) * random.standard_normal(crowd.people)[groups]
        alone = np.sqrt(1 - crowd.likeness) * random.standard_normal(len(groups))
        scores = crowd.rate + 0.1 * (shared + alone)
    return scores.tolist(), groups.tolist()


def coverage_of_means(crowd: Crowd, *, is_binary: bool, trials: int) -> float:
    """Return how often the interval of a mean over contexts holds the truth."""
    random = np.random.default_rng([_SEED, crowd.people, round(1000 * crowd.likeness)])
    hits = 0
    for _ in range(trials):
        scores, groups = scores_by_context(random, crowd, is_binary=is_binary)
        found = mean_with_interval(scores, groups)
        hits += found is not None and holds(found.interval, crowd.rate)
    return hits / trials


def table_of_rates(trials: int) -> Iterator[str]:
    """Write coverage and, behind it, mean width of rates over people."""
    yield "| people | work | rate | " + " | ".join(f"likeness {one:g}" for one in LIKENESS) + " |"
    yield "|---|---|---|" + "---|" * len(LIKENESS)
    for people in PEOPLE:
        for is_even in (True, False):
            for rate in RATES:
                found = [
                    coverage_of_rates(Crowd(people, rate, one, is_even), trials=trials)
                    for one in LIKENESS
                ]
                cells = " | ".join(f"{100 * hit:.1f} ({width:.2f})" for hit, width in found)
                yield f"| {people} | {'even' if is_even else 'uneven'} | {rate:g} | {cells} |"


def table_of_gaps(trials: int) -> Iterator[str]:
    """Write coverage and mean width of how far people are ahead of the targets."""
    yield "| validators | work | " + " | ".join(f"likeness {one:g}" for one in LIKENESS) + " |"
    yield "|---|---|" + "---|" * len(LIKENESS)
    for people in PEOPLE:
        for is_even in (True, False):
            found = [
                coverage_of_gaps(Crowd(people, 0.8, one, is_even), trials=trials)
                for one in LIKENESS
            ]
            cells = " | ".join(f"{100 * hit:.1f} ({width:.2f})" for hit, width in found)
            yield f"| {people} | {'even' if is_even else 'uneven'} | {cells} |"


def table_of_means(trials: int) -> Iterator[str]:
    """Write the coverage of means over contexts, for 0/1 and for other scores."""
    means = (0.7, 0.95, 0.99)
    heads = " | ".join(f"0/1 scores, mean {one:g}" for one in means)
    yield f"| contexts | items | likeness | {heads} | other scores |"
    yield "|---|---|---|---|---|---|---|"
    for contexts in (3, 5, 10, 20, 60, 150, 400):
        for is_even in (True, False):
            for likeness in (0.0, 0.3, 0.6):
                hits = [
                    coverage_of_means(
                        Crowd(contexts, rate, likeness, is_even), is_binary=is_binary, trials=trials
                    )
                    for is_binary, rate in (*((True, one) for one in means), (False, 0.5))
                ]
                cells = " | ".join(f"{100 * hit:.1f}" for hit in hits)
                yield f"| {contexts} | {'even' if is_even else 'uneven'} | {likeness:g} | {cells} |"


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    trials = parser.parse_args().trials
    for table in (table_of_boards, table_of_rates, table_of_gaps, table_of_means):
        for line in table(trials):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
