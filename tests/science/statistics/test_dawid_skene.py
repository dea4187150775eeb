"""Labels from votes of validators who differ in how reliable they are."""

import numpy as np
import pytest

from dynabench.science.statistics.dawid_skene import VoteOf, dawid_skene

_ITEMS = 400


def cast(seed: int, reliable: dict[str, float]) -> tuple[list[str], list[VoteOf]]:
    """Have validators vote, each right so often, on items of two labels."""
    random = np.random.default_rng(seed)
    truth = ["yes" if one < 0.3 else "no" for one in random.random(_ITEMS)]
    other = {"yes": "no", "no": "yes"}
    votes = [
        VoteOf(item, person, label if random.random() < share else other[label])
        for item, label in enumerate(truth)
        for person, share in reliable.items()
    ]
    return truth, votes


def test_it_finds_who_is_reliable_and_beats_the_majority() -> None:
    # Who is right how often shows in how three agree; two would not tell each other apart.
    reliable = {"good": 0.97, "fair": 0.85, "okay": 0.75, "coin": 0.5, "coin too": 0.5}
    truth, votes = cast(11, reliable)

    found = dawid_skene(votes)

    assert found is not None
    right = sum(found.best(item)[0] == label for item, label in enumerate(truth))
    said = {item: [one.label for one in votes if one.item == item] for item in range(_ITEMS)}
    majority = sum(said[item].count(label) >= 3 for item, label in enumerate(truth))
    assert right > majority + 20
    for person, share in reliable.items():
        assert found.confusion[person].trace() / 2 == pytest.approx(share, abs=0.09)
    assert found.shares.tolist() == pytest.approx([0.7, 0.3], abs=0.06)


def test_agreeing_validators_are_believed() -> None:
    votes = [VoteOf(item, who, "b" if item else "a") for item in range(4) for who in "xyz"]

    found = dawid_skene(votes)

    assert found is not None
    assert found.labels == ("a", "b")
    label, chance = found.best(2)
    assert (label, round(chance, 3)) == ("b", 1.0)
    assert all(rows.sum(axis=1) == pytest.approx([1, 1]) for rows in found.confusion.values())


def test_no_votes_are_no_labels() -> None:
    assert dawid_skene([]) is None
