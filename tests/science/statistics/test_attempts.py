"""Skill, strength and difficulty: who played is taken out of a round's error rate."""

import numpy as np
import pytest
from scipy.special import expit

from dynabench.science.statistics.attempts import Attempts, Contest, fit_attempts

STRENGTHS = (0.5, 1.5)
PEOPLE, CONTEXTS = 30, 40


def play(random: np.random.Generator, *, skew: float) -> tuple[Attempts, list[float]]:
    """Return two rounds' attempts, and the rate of each if everybody had played alike.

    With a skew skilled people play the second round more.
    """
    skills = random.standard_normal(PEOPLE)
    hard = random.standard_normal((2, CONTEXTS))
    rows: list[tuple[int, int, int, bool]] = []
    for number, strength in enumerate(STRENGTHS):
        sign = 1 if number else -1
        for person, times in enumerate(random.poisson(20 * np.exp(sign * skew * skills))):
            for context in random.integers(CONTEXTS, size=times):
                chance = expit(skills[person] - strength - hard[number, context])
                rows.append((person, number, number * CONTEXTS + context, random.random() < chance))
    people, numbers, contexts, fooled = np.array(rows).T
    everybody = np.random.default_rng(1).standard_normal(1000)
    rates = [
        float(expit(everybody[:, None] - strength - hard[number]).mean())
        for number, strength in enumerate(STRENGTHS)
    ]
    return attempts(people, numbers, contexts, fooled), rates


def attempts(*columns: object) -> Attempts:
    people, numbers, contexts, fooled = map(np.asarray, columns)
    return Attempts(
        annotators=np.unique(people, return_inverse=True)[1],
        models=numbers,
        contexts=np.unique(contexts, return_inverse=True)[1],
        rounds=numbers,
        tried=np.ones(len(people)),
        fooled=fooled.astype(np.float64),
    )


def holds(found: Contest, place: int, rate: float) -> bool:
    one = found.rates[place]
    assert one.low is not None
    assert one.high is not None
    return one.low <= rate <= one.high


def test_rates_are_corrected_for_who_played() -> None:
    random = np.random.default_rng(0)
    raw, corrected, held, strengths = [], [], [], []
    for _ in range(40):
        played, rates = play(random, skew=0.7)
        found = fit_attempts(played)
        for place, rate in enumerate(rates):
            seen = played.fooled[played.rounds == place].mean()
            raw.append((1 if place else -1) * (seen - rate))
            corrected.append((1 if place else -1) * (found.rates[place].value - rate))
            held.append(holds(found, place, rate))
        strengths.append([one.value for one in found.strengths])

    assert np.mean(raw) > 0.08
    assert abs(np.mean(corrected)) < 0.025
    assert 0.89 <= np.mean(held) <= 0.99
    assert np.mean(strengths, axis=0) == pytest.approx(STRENGTHS, abs=0.25)


def test_skills_are_found_with_intervals() -> None:
    random = np.random.default_rng(2)
    skills = np.linspace(-2, 2, 12)
    people = np.repeat(np.arange(12), 60)
    contexts = random.integers(30, size=720)
    fooled = random.random(720) < expit(skills[people] - 0.5)

    found = fit_attempts(attempts(people, np.zeros(720, dtype=int), contexts, fooled))

    values = [one.value for one in found.skills]
    assert np.corrcoef(values, skills)[0, 1] > 0.95
    assert all(one.low is not None and one.low < one.value for one in found.skills)
    assert found.strengths[0].low is not None


def test_few_people_give_no_intervals_and_one_gives_nothing() -> None:
    two = attempts([0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 1, 1])
    one = attempts([0, 0], [0, 0], [0, 1], [1, 0])

    found = fit_attempts(two)

    assert found.skills[1].value > found.skills[0].value
    assert (found.rates[0].low, found.strengths[0].high) == (None, None)
    with pytest.raises(ValueError, match="two annotators"):
        fit_attempts(one)


def test_a_round_and_a_model_that_few_played_have_no_interval_of_everybody() -> None:
    random = np.random.default_rng(3)
    # Twenty people play one round, and one of them another with another model.
    people = np.concatenate([np.repeat(np.arange(20), 40), np.repeat(0, 40)])
    second = np.repeat([0, 1], [800, 40])
    contexts = random.integers(60, size=840)
    fooled = random.random(840) < 0.4

    found = fit_attempts(
        Attempts(
            annotators=people,
            models=second,
            contexts=contexts,
            rounds=second,
            tried=np.ones(840),
            fooled=fooled.astype(np.float64),
        )
    )

    for kind in (found.rates, found.strengths):
        assert [one.low is None for one in kind] == [False, True]


def test_counting_alike_attempts_together_changes_nothing() -> None:
    played, _ = play(np.random.default_rng(4), skew=0.0)
    keys = np.column_stack([played.annotators, played.models, played.contexts, played.rounds])
    cells, of = np.unique(keys, axis=0, return_inverse=True)
    together = Attempts(
        annotators=cells[:, 0],
        models=cells[:, 1],
        contexts=cells[:, 2],
        rounds=cells[:, 3],
        tried=np.bincount(of.ravel()).astype(np.float64),
        fooled=np.asarray(np.bincount(of.ravel(), weights=played.fooled), dtype=np.float64),
    )

    one, other = fit_attempts(played), fit_attempts(together)

    assert len(cells) < len(keys)
    for first, second in zip(one.strengths, other.strengths, strict=True):
        assert first.value == pytest.approx(second.value, abs=1e-5)
        assert first.low == pytest.approx(second.low, abs=1e-5)
