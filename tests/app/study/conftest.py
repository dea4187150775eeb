"""A small collection made up by a seed, in which one word decides the label."""

import random
from collections.abc import Iterator

import pytest

from dynabench.app.study.values import Item, Material, Plan, ScoredSet, SetKind

WORDS = {"positive": ["good", "warm", "kind"], "negative": ["bad", "cold", "rude"]}
FILLER = ["tea", "bus", "book", "shop", "film", "road", "song", "lamp", "desk", "tree"]


def made_up(seed: int, count: int, *, name: str, is_turned: bool = False) -> Iterator[Item]:
    """Give items in pairs of one context; turned ones use the words the other way round."""
    chance = random.Random(seed)
    for number in range(count):
        label = chance.choice(sorted(WORDS))
        told = {"positive": "negative", "negative": "positive"}[label] if is_turned else label
        words = [chance.choice(WORDS[told]), *chance.choices(FILLER, k=5), f"no{number}{name}"]
        if is_turned:
            words.append("hardly")
        chance.shuffle(words)
        yield Item(
            uid=f"{name} {number}",
            context=f"{name} {number // 2}",
            inputs={"statement": " ".join(words)},
            label=label,
            writer=f"writer {number % 7}",
            votes=("positive", "negative", "neutral", label, label) if number % 5 == 0 else (),
            source_round=1 + number * 3 // count,
        )


@pytest.fixture(scope="session")
def material() -> Material:
    pool = [*made_up(2, 70, name="plain"), *made_up(3, 70, name="turned", is_turned=True)]
    return Material(
        name="sentiment",
        title="Made up",
        task="sentiment",
        base=tuple(made_up(1, 50, name="base")),
        pool=tuple(pool),
        sets=(
            ScoredSet(
                name="static", kind=SetKind.STATIC, items=tuple(made_up(4, 20, name="static"))
            ),
        ),
    )


@pytest.fixture(scope="session")
def plan() -> Plan:
    return Plan(seeds=2, rounds=2)
