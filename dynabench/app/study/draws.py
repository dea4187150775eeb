"""Who is shown what and who is never learned from: draws that a seed repeats."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dynabench.app.study.materials.files import comparable
from dynabench.app.study.values import HELD_OUT_PERCENT, Item, Material
from dynabench.loop.datasets.releases.values import Candidate, Plan, seeded_order
from dynabench.loop.validations.values import Verdict

KindOf: TypeAlias = Callable[[Item], Hashable]
"""What a control has as much of as the adversarial arm."""

_FIFTHS = 5


def any_kind(item: Item) -> Hashable:
    """Treat all items as of one kind."""
    del item
    return None


@dataclass(frozen=True, slots=True)
class Draw:
    """The pool of one seed: what no target is shown, and what each round shows."""

    held_out: tuple[Item, ...]
    slices: tuple[tuple[Item, ...], ...]


def draw(material: Material, *, seed: int, rounds: int) -> Draw:
    """Deal the pool out in whole contexts: a fifth is held out, the rest goes to rounds."""
    order = _contexts(material.pool, seed=seed, purpose="held-out")
    held = _first(order, least=max(1, len(material.pool) * HELD_OUT_PERCENT // 100))
    rest = [item for item in material.pool if item.context not in held]
    if material.has_source_rounds:
        slices = _by_source(rest, rounds=rounds)
    else:
        slices = _by_chance(rest, seed=seed, rounds=rounds)
    held_out = tuple(item for item in material.pool if item.context in held)
    return Draw(held_out=held_out, slices=slices)


def _contexts(items: Iterable[Item], *, seed: int, purpose: str) -> dict[str, int]:
    """Return how many items each context has, contexts in an order by chance."""
    counts = Counter(item.context for item in items)
    order = sorted(counts, key=lambda key: seeded_order(seed, purpose, key))
    return {key: counts[key] for key in order}


def _first(contexts: dict[str, int], *, least: int) -> frozenset[str]:
    taken: set[str] = set()
    have = 0
    for context, count in contexts.items():
        if have >= least:
            break
        taken.add(context)
        have += count
    return frozenset(taken)


def _by_chance(items: Sequence[Item], *, seed: int, rounds: int) -> tuple[tuple[Item, ...], ...]:
    """Deal contexts out to rounds of about the same size."""
    place: dict[str, int] = {}
    dealt = 0
    for context, count in _contexts(items, seed=seed, purpose="round").items():
        place[context] = dealt * rounds // len(items)
        dealt += count
    return tuple(
        tuple(item for item in items if place[item.context] == number) for number in range(rounds)
    )


def _by_source(items: Sequence[Item], *, rounds: int) -> tuple[tuple[Item, ...], ...]:
    """Keep the source's rounds; a context that comes back stays with its first one."""
    first: dict[str, int] = {}
    for item in sorted(items, key=lambda one: one.source_round):
        first.setdefault(item.context, item.source_round)
    numbers = sorted(set(first.values()))[:rounds]
    return tuple(
        tuple(
            item for item in items if item.source_round == number and first[item.context] == number
        )
        for number in numbers
    )


def candidates(fooling: Iterable[Item]) -> list[Candidate]:
    """Return what the platform's rules split: what fooled and was not found wrong.

    Only what a quorum of the source's votes confirms, or nobody voted on, may be in dev or
    test.
    """
    return [
        Candidate(
            uid=item.uid,
            context=item.context,
            annotator=item.writer,
            label=item.label,
            is_eligible=item.verdict() is Verdict.CORRECT,
        )
        for item in fooling
        if item.verdict() is not Verdict.INCORRECT
    ]


def control_draw(
    shown: Sequence[Item],
    *,
    plan: Plan,
    closed: Collection[str],
    learned: Iterable[Item],
    seed: int,
    number: int,
    kind_of: KindOf = any_kind,
) -> tuple[Item, ...]:
    """Draw as many items at random from all that the target was shown, fooled or not.

    Of each kind there are as many as among what the adversarial arm learns from, which is free
    itself: there are always enough.

    What the release must not learn from is closed to the control too: contexts of dev and
    test, people who write for test alone, and what others found wrong.
    """
    free = [
        item
        for item in shown
        if item.context not in closed
        and item.writer not in plan.test_only_annotators
        and item.verdict() is not Verdict.INCORRECT
    ]
    wanted = Counter(kind_of(item) for item in learned)
    free.sort(key=lambda item: seeded_order(seed, f"control {number}", item.uid))
    drawn: list[Item] = []
    for item in free:
        kind = kind_of(item)
        if wanted[kind]:
            wanted[kind] -= 1
            drawn.append(item)
    assert not wanted.total(), "what was released for training is among them"
    return tuple(drawn)


def fifths(confidences: Mapping[str, float]) -> dict[str, int]:
    """Return which fifth each item is in, by a model's confidence in its own answer."""
    order = sorted(confidences, key=lambda uid: (confidences[uid], uid))
    return {uid: place * _FIFTHS // len(order) for place, uid in enumerate(order)}


def require_disjoint(learned: Iterable[Item], scored: Iterable[Item]) -> None:
    """Stop where a context or a whole input is both learned from and scored on.

    Raises:
        ValueError: Naming the first item; our own draws would be wrong.
    """
    scored_items = tuple(scored)
    contexts = {item.context for item in scored_items}
    texts = {comparable(item) for item in scored_items}
    for leak in _leaks(learned, contexts=contexts, texts=texts):
        message = f"{leak.uid} is learned from and stands in a scored set."
        raise ValueError(message)


def _leaks(learned: Iterable[Item], *, contexts: set[str], texts: set[str]) -> Iterator[Item]:
    for item in learned:
        if item.context in contexts or comparable(item) in texts:
            yield item
