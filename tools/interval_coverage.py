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

from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.leaderboards.columns.values import (
    Columns,
    DatasetColumn,
    MetricColumn,
    Unit,
    Weights,
)
from dynabench.loop.leaderboards.figures.values import Figures, ItemScores
from dynabench.loop.leaderboards.humans.values import VotedItem
from dynabench.loop.leaderboards.live.rules import human_gap
from dynabench.loop.leaderboards.live.values import VotedExample
from dynabench.loop.leaderboards.preparing.rules import prepare
from dynabench.loop.leaderboards.ranking.rules import rank_models
from dynabench.loop.leaderboards.values import DEFAULT_BUDGET_GIB
from dynabench.loop.rounds.values import Round, RoundStatus, RoundValidation, ValidationMode
from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.statistics.rates import Z_95, Interval, Rate

PEOPLE = (3, 5, 10, 30)
RATES = (0.05, 0.15, 0.3, 0.5)
LIKENESS = (0.0, 0.03, 0.1, 0.25)
"""How alike two tries of one person are: 0 where all people have the same rate."""

_TRIES_EACH = 20
_ITEMS_EACH = 4
_BOARD_ITEMS = 300
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


@dataclass(frozen=True, slots=True)
class Field:
    """A board of equal models: on how many contexts, of sizes how unlike, and how unlike there.

    `unevenness` is the σ of log-normal sizes of contexts, `likeness` the standard deviation, in
    probability, of what a model of its own has on a context.
    """

    models: int
    contexts: int = 100
    unevenness: float = 0.0
    likeness: float = 0.0


def contexts_of(random: np.random.Generator, field: Field) -> NDArray[np.int64]:
    """Return each item's context, at least one item of each."""
    shares = random.lognormal(0, field.unevenness, field.contexts)
    wanted = np.rint(_BOARD_ITEMS * shares / shares.sum())
    items = np.asarray(np.maximum(1, wanted), dtype=np.int64)
    return np.repeat(np.arange(field.contexts, dtype=np.int64), items)


def equal_models(random: np.random.Generator, field: Field) -> Figures:
    """Return what was measured of models of which none is better in anything."""
    count, groups = field.models, contexts_of(random, field)
    version, models = UUID(int=1), [UUID(int=2 + number) for number in range(count)]
    # Items are hard or easy for all; contexts have something in common.
    shared = 0.2 * random.standard_normal(field.contexts)
    own = field.likeness * random.standard_normal((count, field.contexts))
    easy = np.clip(0.65 + shared + own, 0.02, 0.98)[:, groups]
    scores = (random.random(easy.shape) < easy).astype(np.float32)
    measured = {
        "accuracy": (100 * scores.mean(axis=1), 100 * scores.std(axis=1) / np.sqrt(len(groups))),
        "throughput": (40 + random.uniform(0, 1.5, count), np.full(count, np.nan)),
        "memory": (2 + random.uniform(0, 0.05, count), np.full(count, np.nan)),
    }
    for name, share in (("robustness", 0.8), ("fairness", 0.9)):
        kept = random.binomial(_BOARD_ITEMS, share, count) / _BOARD_ITEMS
        measured[name] = (100 * kept, 100 * np.sqrt(kept * (1 - kept) / _BOARD_ITEMS))
    values = np.stack([value for value, _ in measured.values()])[:, :, None]
    reach = np.stack([Z_95 * error for _, error in measured.values()])[:, :, None]
    marks = tuple(map(str, models))
    return Figures(
        stamp="",
        metrics=list(measured),
        models=models,
        versions=[version],
        values=values,
        lows=values - reach,
        highs=values + reach,
        items=np.full(values.shape, _BOARD_ITEMS),
        failed=np.zeros((count, 1), dtype=np.int64),
        evaluated_at=np.zeros((count, 1)),
        at_client=np.zeros(count, dtype=bool),
        item_scores={version: ItemScores(version, groups, tuple(models), marks, scores)},
    )


def columns_of(figures: Figures) -> Columns:
    """Return the columns of a board of one dataset with the usual weights."""
    units = {"throughput": Unit.EXAMPLES_PER_SECOND, "memory": Unit.GIB}
    metrics = [
        MetricColumn(
            name=name,
            title=name,
            unit=units.get(name, Unit.POINTS),
            default_weight=1.0 if place else 4.0,
            is_lower_better=name == "memory",
            is_principal=place == 0,
        )
        for place, name in enumerate(figures.metrics)
    ]
    version = DatasetVersion(
        id=figures.versions[0],
        dataset_id=UUID(int=0),
        task_id=UUID(int=0),
        round_id=None,
        name="one",
        version=1,
        digest="",
        licence="",
        card={},
        sizes={},
        created_at=_BEGIN,
    )
    return Columns(metrics, [DatasetColumn("one", "one", (version,))])


def coverage_of_boards(field: Field, *, trials: int) -> tuple[float, float, float]:
    """Return how often no model of equal ones gets a false rank, and how often there are ranks.

    Returns:
        By the Dynascore, by performance, and the share of boards that have ranks at all.
    """
    models = field.models
    random = np.random.default_rng([_SEED, models])
    by_score, by_performance, ranked = 0, 0, 0
    for _ in range(trials):
        figures = equal_models(random, field)
        columns = columns_of(figures)
        weights = Weights(
            metrics={one.name: one.default_weight for one in columns.metrics},
            datasets={"one": 1.0},
            budget_gib=DEFAULT_BUDGET_GIB,
        )
        found = rank_models(prepare(figures), columns, weights, members=np.arange(models))
        assert found.sureness is not None
        if found.sureness.ranks is None or found.performance.ranks is None:
            by_score, by_performance = by_score + 1, by_performance + 1
            continue
        ranked += 1
        for ranks, is_score in ((found.sureness.ranks, True), (found.performance.ranks, False)):
            is_right = bool((ranks.lows == 1).all() and (ranks.highs == models).all())
            by_score += is_right and is_score
            by_performance += is_right and not is_score
    return by_score / trials, by_performance / trials, ranked / trials


def table_of_boards(trials: int) -> Iterator[str]:
    """Write how often the ranks of equal models are all right together."""
    yield (
        "| equal models | contexts | sizes, σ | own effect | boards with ranks "
        "| ranks by the Dynascore | ranks by performance |"
    )
    yield "|---|---|---|---|---|---|---|"
    settings = [(100, 0.0, 0.0), (100, 1.0, 0.2), (100, 1.5, 0.2)]
    settings += [(30, one, 0.2) for one in (0.0, 1.0)] + [(10, 0.0, 0.0), (4, 0.0, 0.0)]
    for contexts, unevenness, likeness in settings:
        for models in (3, 5, 8, 20):
            field = Field(models, contexts, unevenness, likeness)
            by_score, by_performance, ranked = coverage_of_boards(field, trials=trials)
            cells = " | ".join(f"{100 * one:.1f}" for one in (ranked, by_score, by_performance))
            yield f"| {models} | {contexts} | {unevenness:g} | {likeness:g} | {cells} |"


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
