"""Laws of the splits of a release."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.datasets.releases.mixing.values import Splitting
from dynabench.loop.datasets.releases.notes.rules import ALL_FOOLED, what_is_missing
from dynabench.loop.datasets.releases.rules import (
    LARGEST_SPLIT,
    TEST_ONLY_PERCENT,
    candidate_of,
    exclusion_of,
    plan_release,
    split_size,
)
from dynabench.loop.datasets.releases.values import (
    Attempt,
    Candidate,
    Content,
    Exclusion,
    MissingPart,
)
from dynabench.loop.datasets.releases.writing.rules import ItemMaker
from dynabench.loop.datasets.values import Split
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.values import Verdict


def candidate(
    number: int,
    *,
    context: int = 0,
    annotator: int = 0,
    label: str | None = None,
    is_eligible: bool = True,
) -> Candidate:
    return Candidate(
        uid=f"{number:016x}",
        context=f"c{context}",
        annotator=f"a{annotator}",
        label=label,
        is_eligible=is_eligible,
    )


@st.composite
def rounds(draw: st.DrawFn) -> list[Candidate]:
    """Rounds of any shape: few or many contexts and people, labelled or not."""
    contexts = draw(st.integers(1, 40))
    people = draw(st.integers(1, 12))
    choices: list[list[str | None]] = [[None], ["x", "y"], ["x", "y", "z"]]
    labels = draw(st.sampled_from(choices))
    random = draw(st.randoms(use_true_random=False))
    return [
        candidate(
            number,
            context=random.randrange(contexts),
            annotator=min(random.randrange(people), random.randrange(people)),
            label=random.choice(labels),
            is_eligible=random.random() < 0.7,
        )
        for number in range(draw(st.integers(0, 250)))
    ]


@given(items=rounds(), seed=st.integers())
def test_every_candidate_is_in_one_split_or_held_out_with_a_reason(
    items: list[Candidate], seed: int
) -> None:
    plan = plan_release(items, Splitting(seed=seed))
    assert plan.splits.keys() | plan.held_out.keys() == {one.uid for one in items}
    assert not plan.splits.keys() & plan.held_out.keys()


@given(items=rounds(), seed=st.integers(), random=st.randoms(use_true_random=False))
def test_the_order_of_the_examples_changes_nothing(
    items: list[Candidate], seed: int, random: Random
) -> None:
    shuffled = random.sample(items, len(items))
    assert plan_release(shuffled, Splitting(seed=seed)) == plan_release(items, Splitting(seed=seed))


@given(items=rounds(), seed=st.integers())
def test_no_context_is_in_two_splits(items: list[Candidate], seed: int) -> None:
    plan = plan_release(items, Splitting(seed=seed))
    splits: dict[str, set[Split]] = {}
    for one in items:
        if one.uid in plan.splits:
            splits.setdefault(one.context, set()).add(plan.splits[one.uid])
    assert all(len(found) == 1 for found in splits.values())


@given(items=rounds(), seed=st.integers())
def test_dev_and_test_hold_only_verified_fooling_examples_and_at_most_a_tenth(
    items: list[Candidate], seed: int
) -> None:
    plan = plan_release(items, Splitting(seed=seed))
    eligible = {one.uid for one in items if one.is_eligible}
    for split in (Split.DEV, Split.TEST):
        uids = {uid for uid, found in plan.splits.items() if found is split}
        assert uids <= eligible
        assert len(uids) <= split_size(len(eligible))


@given(items=rounds(), seed=st.integers())
def test_test_only_annotators_are_nowhere_else_and_wrote_their_part(
    items: list[Candidate], seed: int
) -> None:
    plan = plan_release(items, Splitting(seed=seed))
    test = [one for one in items if plan.splits.get(one.uid) is Split.TEST]
    theirs = [one for one in items if one.annotator in plan.test_only_annotators]
    assert all(plan.splits.get(one.uid, Split.TEST) is Split.TEST for one in theirs)
    if plan.test_only_annotators:
        wrote = sum(one.annotator in plan.test_only_annotators for one in test)
        assert wrote * 100 >= TEST_ONLY_PERCENT * len(test)
        assert {one.annotator for one in items} > plan.test_only_annotators


@given(items=rounds(), seed=st.integers())
def test_with_ten_verified_fooling_examples_on_three_contexts_test_is_not_empty_and_train_is_left(
    items: list[Candidate], seed: int
) -> None:
    plan = plan_release(items, Splitting(seed=seed))
    eligible = [one for one in items if one.is_eligible]
    sizes = Counter(plan.splits.values())
    if len(eligible) >= 10 and len({one.context for one in eligible}) >= 3:
        assert sizes[Split.TEST] >= 1
        assert sizes[Split.DEV] >= 1 or "Dev is empty" in " ".join(plan.notes)
    else:
        assert plan.notes
    if items:
        assert sizes[Split.TRAIN] >= 1 or sizes[Split.TEST] == 0 or plan.held_out


def ordinary_round(*, contexts: int = 100, people: int = 20) -> list[Candidate]:
    return [
        candidate(
            number,
            context=number % contexts,
            annotator=number // 3 % people,
            label="xyz"[number % 3],
            is_eligible=number // contexts % 10 < 4,
        )
        for number in range(1000)
    ]


def test_an_ordinary_round_gets_whole_splits_with_even_labels_and_own_annotators() -> None:
    items = ordinary_round()
    plan = plan_release(items, Splitting(seed=3))
    sizes = Counter(plan.splits.values())
    assert 30 <= sizes[Split.TEST] <= split_size(400) == 40
    assert 30 <= sizes[Split.DEV] <= 40
    assert sizes[Split.TRAIN] >= 500
    assert len(plan.test_only_annotators) >= 1
    assert plan.notes == (ALL_FOOLED.say(),)
    labels = Counter(one.label for one in items if plan.splits.get(one.uid) is Split.TEST)
    assert max(labels.values()) - min(labels.values()) <= 4


def test_where_people_are_not_known_nobody_writes_for_test_alone() -> None:
    plan = plan_release(ordinary_round(), Splitting(seed=3, people_are_known=False))
    assert plan.test_only_annotators == frozenset()
    assert plan.notes == (
        ALL_FOOLED.say(),
        "Test has no annotators of its own: who wrote what is not known.",
    )


def test_another_seed_gives_another_test() -> None:
    items = ordinary_round()
    tests = [
        {
            uid
            for uid, split in plan_release(items, Splitting(seed=seed)).splits.items()
            if split is Split.TEST
        }
        for seed in (1, 2)
    ]
    assert tests[0] != tests[1]


def test_what_shares_a_context_with_test_is_held_out() -> None:
    items = ordinary_round()
    plan = plan_release(items, Splitting(seed=0))
    closed = {one.context for one in items if plan.splits.get(one.uid) in {Split.DEV, Split.TEST}}
    assert Exclusion.CONTEXT_HELD_OUT in plan.held_out.values()
    assert not any(
        one.context in closed and plan.splits.get(one.uid) is Split.TRAIN for one in items
    )


def test_nine_verified_fooling_examples_are_all_train_and_the_card_says_why() -> None:
    plan = plan_release(
        [candidate(number, context=number) for number in range(9)], Splitting(seed=0)
    )
    assert set(plan.splits.values()) == {Split.TRAIN}
    assert "at least 10" in plan.notes[0]


def test_one_context_or_one_person_or_one_label_is_said() -> None:
    one_context = plan_release([candidate(n, annotator=n) for n in range(30)], Splitting(seed=0))
    assert set(one_context.splits.values()) == {Split.TRAIN}
    assert "one context" in one_context.notes[0]
    alike = [candidate(n, context=n, label="surely") for n in range(30)]
    plan = plan_release(alike, Splitting(seed=0))
    notes = " ".join(plan.notes)
    assert "one person wrote everything" in notes
    assert "has the same gold label" in notes
    # The card is for everybody, and test's answers are not.
    missing = " ".join(one.sentence for one in what_is_missing(alike, plan))
    assert "same gold label" in missing
    assert "surely" not in notes + missing


def test_two_contexts_give_a_test_and_no_dev() -> None:
    plan = plan_release(
        [candidate(n, context=n % 2, annotator=n % 5) for n in range(40)], Splitting(seed=0)
    )
    sizes = Counter(plan.splits.values())
    assert sizes[Split.TEST] == 4
    assert sizes[Split.DEV] == 0
    assert "Dev is empty" in " ".join(plan.notes)


def test_no_split_is_larger_than_twelve_hundred() -> None:
    items = [
        candidate(n, context=n % 3000, annotator=n % 50, label="xy"[n % 2]) for n in range(20_000)
    ]
    sizes = Counter(plan_release(items, Splitting(seed=0)).splits.values())
    assert LARGEST_SPLIT - 7 <= sizes[Split.TEST] <= LARGEST_SPLIT
    assert LARGEST_SPLIT - 7 <= sizes[Split.DEV] <= LARGEST_SPLIT


def codes(items: list[Candidate], *, people_are_known: bool = True) -> set[MissingPart]:
    plan = plan_release(items, Splitting(seed=0, people_are_known=people_are_known))
    return {one.code for one in what_is_missing(items, plan, people_are_known=people_are_known)}


def test_what_a_release_lacks_is_said_and_nothing_of_a_whole_one() -> None:
    assert codes(ordinary_round()) == set()
    assert codes([candidate(1)]) == {MissingPart.VERIFIED, MissingPart.ANNOTATORS}
    alike = [candidate(n, context=n, annotator=n, label="x") for n in range(30)]
    assert codes(alike) == {MissingPart.LABELS}
    one_context = [candidate(n, annotator=n) for n in range(30)]
    assert codes(one_context) == {MissingPart.CONTEXTS}
    two_contexts = [candidate(n, context=n % 2, annotator=n % 5) for n in range(40)]
    assert codes(two_contexts) == {MissingPart.DEV}
    alone = [candidate(n, context=n) for n in range(30)]
    assert codes(alone) == {MissingPart.ANNOTATORS}
    assert codes(alone, people_are_known=False) == set()


@given(items=rounds(), seed=st.integers())
def test_a_release_that_lacks_nothing_has_all_splits(items: list[Candidate], seed: int) -> None:
    plan = plan_release(items, Splitting(seed=seed))
    if items and not what_is_missing(items, plan):
        assert {Split.DEV, Split.TEST} <= set(plan.splits.values())


@given(verdict=st.sampled_from(Verdict), facts=st.lists(st.booleans(), min_size=4, max_size=4))
def test_what_is_not_excluded_stands_and_has_an_answer(verdict: Verdict, facts: list[bool]) -> None:
    attempt = Attempt("uid", b"", "ann", None, verdict.value, True, Arm.TARGET.value, True, *facts)
    excluded = exclusion_of(attempt)
    stands = verdict not in {Verdict.INCORRECT, Verdict.FLAGGED} and not any(facts[:3])
    assert (excluded is None) == (stands and facts[3])
    if stands and not facts[3]:
        assert excluded is Exclusion.NO_ANSWER


def test_only_verified_examples_that_fooled_the_target_are_measured_with() -> None:
    def of(verdict: Verdict, *, fooled: bool | None, arm: Arm = Arm.TARGET) -> Candidate:
        attempt = Attempt(
            "uid", b"", "ann", "x", verdict, fooled, arm, True, False, False, False, True
        )
        return candidate_of(attempt, context="c", annotator="ann")

    assert of(Verdict.CORRECT, fooled=True).is_eligible
    assert not of(Verdict.CORRECT, fooled=None).is_eligible
    assert not of(Verdict.CORRECT, fooled=True, arm=Arm.NO_MODEL).is_eligible
    waiting = of(Verdict.PENDING, fooled=True)
    assert (waiting.is_eligible, waiting.is_open) == (False, True)


def contents(items: list[Candidate]) -> list[Content]:
    said = sorted(items, key=lambda one: one.uid)
    return [Content(one.uid, "{}", "{}", "{}", "") for one in said]


@given(items=rounds(), seed=st.integers(), size=st.integers(1, 50))
def test_items_come_out_alike_however_many_are_read_at_once(
    items: list[Candidate], seed: int, size: int
) -> None:
    items = [replace(one, context=one.context[1:].zfill(2)) for one in items]
    plan = plan_release(items, Splitting(seed=seed))
    whole = ItemMaker(items, plan, seed=seed).make(contents(items))
    maker = ItemMaker(items[::-1], plan, seed=seed)
    said = contents(items)
    parts = [maker.make(said[start : start + size]) for start in range(0, len(said), size)]
    assert [one for part in parts for one in part] == whole
    assert len(maker) == len(whole) == len(plan.splits)
    for split in Split:
        positions = [one.position for one in whole if one.split is split]
        assert positions == list(range(len(positions)))


def test_other_ids_of_people_change_their_pseudonyms_alone() -> None:
    items = ordinary_round()
    renamed = [replace(one, annotator=f"{one.annotator} of elsewhere") for one in items]
    plans = [
        plan_release(found, Splitting(seed=3, people_are_known=False)) for found in (items, renamed)
    ]
    assert plans[0].splits == plans[1].splits
    makers = [
        ItemMaker([replace(one, context="00") for one in found], plan, seed=3)
        for found, plan in zip((items, renamed), plans, strict=True)
    ]
    here, there = (maker.make(contents(items)) for maker in makers)
    assert [replace(one, annotator="") for one in here] == [
        replace(one, annotator="") for one in there
    ]
    assert len({(a.annotator, b.annotator) for a, b in zip(here, there, strict=True)}) == 20
