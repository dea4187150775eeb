"""Laws of dev and test: what did not fool stands beside what did, and releases keep apart."""

from collections import Counter, defaultdict
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.datasets.releases.mixing.values import Earlier, Splitting
from dynabench.loop.datasets.releases.rules import TEST_ONLY_PERCENT, plan_release
from dynabench.loop.datasets.releases.values import Candidate, Exclusion, Plan
from dynabench.loop.datasets.values import Split

_HALF = 0.5


def candidate(number: int, *, context: int, annotator: int, fooled: bool) -> Candidate:
    return Candidate(
        uid=f"{number:016x}",
        context=f"c{context}",
        annotator=f"a{annotator}",
        label="xy"[number % 2],
        is_eligible=fooled,
        is_other=not fooled,
        is_fooling=fooled,
        is_verified=True,
    )


def a_round(
    count: int = 400, *, contexts: int = 80, people: int = 10, fooling: float = 0.5, seed: int = 0
) -> list[Candidate]:
    random = Random(seed)
    return [
        candidate(
            number,
            context=random.randrange(contexts),
            annotator=min(random.randrange(people), random.randrange(people)),
            fooled=random.random() < fooling,
        )
        for number in range(count)
    ]


def in_split(items: list[Candidate], plan: Plan, split: Split) -> list[Candidate]:
    return [one for one in items if plan.splits.get(one.uid) is split]


rounds = st.builds(
    a_round,
    st.integers(0, 250),
    contexts=st.integers(1, 40),
    people=st.integers(1, 12),
    fooling=st.floats(0.1, 1),
    seed=st.integers(0, 1000),
)


def test_half_of_test_did_not_fool_so_that_the_other_label_is_right_half_of_the_time() -> None:
    items = a_round()
    plan = plan_release(items, Splitting(seed=1, share_of_others=_HALF))
    test = in_split(items, plan, Split.TEST)
    assert sum(not one.is_fooling for one in test) == sum(bool(one.is_fooling) for one in test)
    assert len(test) >= 30


@given(items=rounds, seed=st.integers(0, 50), share=st.sampled_from([0.0, 0.2, 0.5]))
def test_others_come_on_top_and_never_cost_dev_or_test_what_fooled(
    items: list[Candidate], seed: int, share: float
) -> None:
    alone = plan_release(items, Splitting(seed=seed))
    plan = plan_release(items, Splitting(seed=seed, share_of_others=share))
    for split in (Split.TEST, Split.DEV):
        fooling = [one for one in in_split(items, plan, split) if one.is_fooling]
        assert fooling == in_split(items, alone, split)
        others = len(in_split(items, plan, split)) - len(fooling)
        assert others <= len(fooling) * share / (1 - share) + 1e-9


@given(items=rounds, seed=st.integers(0, 50))
def test_with_others_splits_still_share_no_context_and_test_only_people_write_enough(
    items: list[Candidate], seed: int
) -> None:
    plan = plan_release(items, Splitting(seed=seed, share_of_others=_HALF))
    where = defaultdict(set)
    for one in items:
        if one.uid in plan.splits:
            where[one.context].add(plan.splits[one.uid])
    assert all(len(splits) == 1 for splits in where.values())
    test = [one for one in in_split(items, plan, Split.TEST) if one.is_fooling]
    theirs = [one for one in items if one.annotator in plan.test_only_annotators]
    assert all(plan.splits.get(one.uid, Split.TEST) is Split.TEST for one in theirs)
    if plan.test_only_annotators:
        written = sum(one.annotator in plan.test_only_annotators for one in test)
        assert written * 100 >= TEST_ONLY_PERCENT * len(test)


def test_the_same_items_in_another_order_give_the_same_plan() -> None:
    items = a_round()
    shuffled = items[:]
    Random(5).shuffle(shuffled)
    splitting = Splitting(seed=3, share_of_others=_HALF)
    assert plan_release(items, splitting) == plan_release(shuffled, splitting)


def test_the_card_says_where_every_item_of_test_fooled() -> None:
    plan = plan_release(a_round(fooling=1.0), Splitting(seed=0, share_of_others=_HALF))
    assert any("Every item of test fooled" in note for note in plan.notes)


def _earlier_of(items: list[Candidate], plan: Plan) -> Earlier:
    contexts = defaultdict(set)
    people = defaultdict(set)
    for one in items:
        if one.uid in plan.splits:
            contexts[one.context].add(plan.splits[one.uid])
            people[one.annotator].add(plan.splits[one.uid])
    return Earlier(
        contexts=contexts,
        trained=frozenset(one for one, found in people.items() if found - {Split.TEST}),
        test_only=frozenset(one for one, found in people.items() if found == {Split.TEST}),
    )


@given(first=rounds, second=rounds, seed=st.integers(0, 20))
def test_over_two_releases_no_context_changes_its_split_and_nobody_leaves_test(
    first: list[Candidate], second: list[Candidate], seed: int
) -> None:
    before = plan_release(first, Splitting(seed=seed, share_of_others=_HALF))
    earlier = _earlier_of(first, before)
    plan = plan_release(second, Splitting(seed=seed, share_of_others=_HALF, earlier=earlier))
    for one in second:
        split = plan.splits.get(one.uid)
        if split is not None:
            assert earlier.contexts.get(one.context, {split}) == {split}
            assert one.annotator not in earlier.test_only or split is Split.TEST
    assert not plan.test_only_annotators & earlier.trained


def test_what_an_earlier_release_costs_is_counted() -> None:
    items = a_round()
    earlier = Earlier(contexts={"c1": {Split.TEST}, "c2": {Split.DEV}})
    plan = plan_release(items, Splitting(seed=0, earlier=earlier))
    counts = Counter(plan.held_out.values())
    assert counts[Exclusion.EARLIER_RELEASE] > 0


def test_a_context_that_older_releases_put_into_two_splits_is_for_train_alone() -> None:
    earlier = Earlier(contexts={"c": {Split.TRAIN, Split.TEST}, "d": {Split.DEV, Split.TEST}})
    assert [split for split in Split if earlier.allows("c", split=split)] == [Split.TRAIN]
    assert not any(earlier.allows("d", split=split) for split in Split)
