"""How often ranks and averages of equal models are right, in simulation.

`tools/interval_coverage.py` writes the table of the design page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.leaderboards.columns.values import (
    Columns,
    DatasetColumn,
    MetricColumn,
    Unit,
    Weights,
)
from dynabench.loop.leaderboards.figures.values import Figures, ItemScores
from dynabench.loop.leaderboards.preparing.rules import prepare
from dynabench.loop.leaderboards.ranking.rules import rank_models
from dynabench.loop.leaderboards.ranking.values import Ranking
from dynabench.loop.leaderboards.values import DEFAULT_BUDGET_GIB
from dynabench.science.statistics.clusters import reduced_error
from dynabench.science.statistics.rates import Z_95

EASE, LEAST, MOST = 0.65, 0.02, 0.98
"""How easy contexts are in the mean on boards of equal models, and the ends where it is cut off."""

_BOARD_ITEMS = 300
_SEED = 11
_BEGIN = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Field:
    """A board of equal models: on how many contexts, of sizes how unlike, and how unlike there.

    `unevenness` is the σ of log-normal sizes of contexts, `likeness` the standard deviation, in
    probability, of what a model of its own has on a context. So many `rounds` are drawn from the
    same contexts.
    """

    models: int
    contexts: int = 100
    unevenness: float = 0.0
    likeness: float = 0.0
    rounds: int = 1


def contexts_of(random: np.random.Generator, field: Field) -> NDArray[np.int64]:
    """Return each item's context, at least one item of each."""
    shares = random.lognormal(0, field.unevenness, field.contexts)
    wanted = np.rint(_BOARD_ITEMS * shares / shares.sum())
    items = np.asarray(np.maximum(1, wanted), dtype=np.int64)
    return np.repeat(np.arange(field.contexts, dtype=np.int64), items)


def equal_models(random: np.random.Generator, field: Field) -> Figures:
    """Return what was measured of models of which none is better in anything."""
    count, rounds, groups = field.models, field.rounds, contexts_of(random, field)
    models = [UUID(int=100 + number) for number in range(count)]
    versions = [UUID(int=1 + number) for number in range(rounds)]
    # Items are hard or easy for all; contexts have something in common.
    shared = 0.2 * random.standard_normal(field.contexts)
    own = field.likeness * random.standard_normal((count, field.contexts))
    easy = np.clip(EASE + shared + own, LEAST, MOST)[:, groups]
    scores = [(random.random(easy.shape) < easy).astype(np.float32) for _ in versions]
    errors = [[reduced_error(row.astype(float), groups) or 0.0 for row in one] for one in scores]
    accuracies = np.stack([one.mean(axis=1, dtype=float) for one in scores], axis=1)
    unknown, alone = np.full((count, rounds), np.nan), np.ones((1, rounds))
    measured = {
        "accuracy": (100 * accuracies, 100 * np.array(errors).T),
        "throughput": ((40 + random.uniform(0, 1.5, count))[:, None] * alone, unknown),
        "memory": ((2 + random.uniform(0, 0.05, count))[:, None] * alone, unknown),
    }
    for name, share in (("robustness", 0.8), ("fairness", 0.9)):
        kept = random.binomial(_BOARD_ITEMS, share, (count, rounds)) / _BOARD_ITEMS
        measured[name] = (100 * kept, 100 * np.sqrt(kept * (1 - kept) / _BOARD_ITEMS))
    values = np.stack([value for value, _ in measured.values()])
    reach = np.stack([Z_95 * error for _, error in measured.values()])
    names = (np.arange(field.contexts, dtype=np.uint64), tuple(models), tuple(map(str, models)))
    return Figures(
        stamp="",
        metrics=list(measured),
        models=models,
        versions=versions,
        values=values,
        lows=values - reach,
        highs=values + reach,
        items=np.full(values.shape, _BOARD_ITEMS),
        failed=np.zeros((count, rounds), dtype=np.int64),
        evaluated_at=np.zeros((count, rounds)),
        at_client=np.zeros(count, dtype=bool),
        item_scores={
            version: ItemScores(version, groups, *names, one)
            for version, one in zip(versions, scores, strict=True)
        },
    )


def columns_of(figures: Figures) -> Columns:
    """Return the columns of a board of one dataset, or of its rounds, with the usual weights."""
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
    versions = tuple(
        DatasetVersion(
            id=version,
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
        for version in figures.versions
    )
    return Columns(metrics, [DatasetColumn("one", "one", versions)])


def coverage_of_boards(field: Field, *, trials: int) -> tuple[float, float, float]:
    """Return how often no model of equal ones gets a false rank, and how often there are ranks.

    Returns:
        By the Dynascore, by performance, and the share of boards that have ranks at all.
    """
    models = field.models
    random = np.random.default_rng([_SEED, models])
    by_score, by_performance, ranked = 0, 0, 0
    for _ in range(trials):
        found = ranking_of(equal_models(random, field))
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


def ranking_of(figures: Figures) -> Ranking:
    """Rank all models of a board with the usual weights."""
    columns = columns_of(figures)
    weights = Weights(
        metrics={one.name: one.default_weight for one in columns.metrics},
        datasets={"one": 1.0},
        budget_gib=DEFAULT_BUDGET_GIB,
    )
    return rank_models(prepare(figures), columns, weights, members=np.arange(len(figures.models)))


def coverage_of_averages(field: Field, *, trials: int) -> float:
    """Return how often the interval of a model's average holds how easy contexts are for it."""
    random = np.random.default_rng([_SEED, field.models])
    spread = np.hypot(0.2, field.likeness)
    evenly = ndtri((np.arange(10_000) + 0.5) / 10_000)
    truth = 100 * float(np.clip(EASE + spread * evenly, LEAST, MOST).mean())
    hits = 0.0
    for _ in range(trials):
        found = ranking_of(equal_models(random, field))
        hits += float(((found.lows[0] <= truth) & (truth <= found.highs[0])).mean())
    return hits / trials


def table_of_boards(trials: int) -> Iterator[str]:
    """Write how often the ranks of equal models are all right together."""
    yield (
        "| equal models | rounds | contexts | sizes, σ | own effect | boards with ranks "
        "| ranks by the Dynascore | ranks by performance |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    settings = [(1, 100, 0.0, 0.0), (1, 100, 1.0, 0.2), (1, 100, 1.5, 0.2)]
    settings += [(1, 30, one, 0.2) for one in (0.0, 1.0)]
    settings += [(1, 10, 0.0, 0.0), (1, 4, 0.0, 0.0), (3, 50, 0.0, 0.2), (5, 50, 0.0, 0.2)]
    for rounds, contexts, unevenness, likeness in settings:
        for models in (3, 5, 8, 20):
            field = Field(models, contexts, unevenness, likeness, rounds)
            by_score, by_performance, ranked = coverage_of_boards(field, trials=trials)
            cells = " | ".join(f"{100 * one:.1f}" for one in (ranked, by_score, by_performance))
            yield f"| {models} | {rounds} | {contexts} | {unevenness:g} | {likeness:g} | {cells} |"
