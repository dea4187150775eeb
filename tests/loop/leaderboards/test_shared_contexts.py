"""Sets that share contexts say less together than sets on contexts of their own."""

from dataclasses import replace
from typing import TypeVar
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray

from dynabench.loop.leaderboards.figures.rules import context_keys
from dynabench.loop.leaderboards.figures.values import Figures
from dynabench.loop.leaderboards.preparing import rules as preparing
from dynabench.loop.leaderboards.preparing.rules import prepare
from dynabench.loop.leaderboards.scales import values
from dynabench.loop.leaderboards.scales.separations.rules import mean_differences
from dynabench.science.statistics.ranks import pair_variances
from tools.board_coverage import Field, columns_of, equal_models, ranking_of

Kind = TypeVar("Kind", bound=np.generic)
ROUNDS = 3
FIELD = Field(4, contexts=40, likeness=0.2, rounds=ROUNDS)


def drawn() -> Figures:
    return equal_models(np.random.default_rng(5), FIELD)


def repeated(figures: Figures, times: int) -> Figures:
    """Return figures in which so many rounds have the very answers of the first."""
    versions = figures.versions[:times]
    first = figures.item_scores[versions[0]]

    def again(array: NDArray[Kind]) -> NDArray[Kind]:
        return np.repeat(array[..., :1], times, axis=-1)

    return replace(
        figures,
        versions=versions,
        item_scores={one: replace(first, version_id=one) for one in versions},
        values=again(figures.values),
        lows=again(figures.lows),
        highs=again(figures.highs),
        items=again(figures.items),
        failed=again(figures.failed),
        evaluated_at=again(figures.evaluated_at),
    )


def elsewhere(figures: Figures) -> Figures:
    """Return the same answers, each round on contexts of its own."""
    return replace(
        figures,
        item_scores={
            version: replace(one, contexts=one.contexts + np.uint64(1000 * number))
            for number, (version, one) in enumerate(figures.item_scores.items())
        },
    )


def sets_of(figures: Figures) -> list[values.Tested]:
    """Return the rounds as sets on which every model's answers count."""
    versions = columns_of(figures).datasets[0].versions
    return [
        values.Tested(
            version=version,
            place=place,
            round_number=place + 1,
            models=np.arange(FIELD.models),
            right=figures.item_scores[version.id].scores,
            groups=figures.item_scores[version.id].groups,
            contexts=figures.item_scores[version.id].contexts,
            targets=(),
        )
        for place, version in enumerate(versions)
    ]


@pytest.mark.parametrize("most", [None, 0], ids=["exact", "too large to keep"])
def test_the_same_answers_thrice_say_no_more_than_once(
    monkeypatch: pytest.MonkeyPatch, most: int | None
) -> None:
    if most is not None:
        monkeypatch.setattr(preparing, "_MOST_SHARED_BYTES", most)
    figures = drawn()

    once, thrice = ranking_of(repeated(figures, 1)), ranking_of(repeated(figures, ROUNDS))

    assert once.performance.covariance is not None
    assert thrice.performance.covariance is not None
    assert thrice.performance.covariance == pytest.approx(once.performance.covariance, rel=1e-4)
    assert thrice.lows[0] == pytest.approx(once.lows[0])
    assert thrice.highs[0] == pytest.approx(once.highs[0])


def test_rounds_on_contexts_of_their_own_are_independent() -> None:
    figures = elsewhere(drawn())
    prepared = prepare(figures)

    found = ranking_of(figures).performance.covariance

    assert found is not None
    assert found == pytest.approx(prepared.covariances.mean(axis=0) / ROUNDS, rel=1e-4)
    assert (prepared.shared.overlaps == np.eye(ROUNDS)).all()
    assert not len(prepared.shared.pairs)


def test_what_rounds_share_is_aligned_by_context_and_by_model() -> None:
    figures = drawn()
    name = figures.versions[1]
    one = figures.item_scores[name]
    # The second set numbers its contexts and its models the other way round.
    turned = replace(
        one,
        groups=FIELD.contexts - 1 - one.groups,
        contexts=one.contexts[::-1].copy(),
        models=one.models[::-1],
        scores=one.scores[::-1].copy(),
    )
    other = replace(figures, item_scores={**figures.item_scores, name: turned})

    found, wanted = prepare(other), prepare(figures)

    assert found.shared.covariances is not None
    assert wanted.shared.covariances is not None
    assert found.shared.covariances == pytest.approx(wanted.shared.covariances, abs=1e-4)
    assert found.memory_bytes == found.covariances.nbytes + found.shared.covariances.nbytes


def test_a_mean_of_sets_on_the_same_contexts_is_as_unsure_as_one_of_them() -> None:
    figures = repeated(drawn(), ROUNDS)
    sets = sets_of(figures)
    pair = ([0], [1])
    one = pair_variances(prepare(figures).covariances[0])[pair]

    means, together, counts = mean_differences(prepare(figures), sets)
    _, apart, _ = mean_differences(prepare(elsewhere(figures)), sets)

    assert means[pair] == pytest.approx(figures.values[0, 0, 0] - figures.values[0, 1, 0])
    assert (counts == ROUNDS).all()
    assert together[pair] == pytest.approx(one, rel=1e-4)
    assert apart[pair] == pytest.approx(one / ROUNDS, rel=1e-4)
    # Nobody knows how a model differs from itself.
    assert np.isinf(np.diag(together)).all()


def test_the_key_of_a_context_is_the_first_of_its_digest() -> None:
    digests = [UUID(int=number).bytes[::-1] * 2 for number in (7, 9, 7)]

    assert context_keys(digests).tolist() == [7 << 56, 9 << 56]
    assert context_keys([]).tolist() == []
