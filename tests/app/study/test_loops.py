from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynabench.app.study.draws import candidates, control_draw, draw, fifths, require_disjoint
from dynabench.app.study.errors import PoolTooSmallError
from dynabench.app.study.loops import Game, play_adversarial, play_control
from dynabench.app.study.materials.files import cleaned
from dynabench.app.study.results import RoundDrawn, RoundPlayed
from dynabench.app.study.values import Arm, Item, Material, Plan, ScoredSet, SetKind
from dynabench.loop.datasets.releases.mixing.values import Splitting
from dynabench.loop.datasets.releases.rules import plan_release
from dynabench.loop.datasets.values import Split
from dynabench.loop.validations.values import Verdict


def an_item(number: int, *, context: str, votes: tuple[str, ...] = ()) -> Item:
    return Item(
        uid=str(number),
        context=context,
        inputs={"statement": f"text {number}"},
        label="positive",
        votes=votes,
    )


def test_only_what_fools_the_target_is_released_and_the_control_is_as_large(
    material: Material, plan: Plan
) -> None:
    played = play_adversarial(material, plan=plan, seed=0)
    control = play_control(material, plan=plan, played=played)

    game = Game.of(material, plan=plan, seed=0)
    target = game.fit(material.base)
    learned = list(material.base)
    for number, (one, other) in enumerate(zip(played.rounds, control.rounds, strict=True), 1):
        assert isinstance(one, RoundPlayed)
        assert isinstance(other, RoundDrawn)
        shown = game.draw.slices[number - 1]
        right = game.right(target, shown)
        assert one.fooled == [i.uid for i, ok in zip(shown, right, strict=True) if not ok]
        released = game.release(number, set(one.fooled))
        for split in Split:
            assert {item.uid for item in released.items[split]} <= set(one.fooled)
        assert 0 < one.train == other.train == len(released.items[Split.TRAIN])
        assert other.shared < other.train
        learned += released.items[Split.TRAIN]
        target = game.fit(learned)
    # The target of a round is wrong on all of its test, and the first model is the same in both.
    for number in (0, 1):
        assert set(played.sets[number].right[number]) == {"0"}
    first, drawn = played.rounds[0], control.rounds[0]
    assert isinstance(first, RoundPlayed)
    assert drawn.fooled == first.first_fooled == len(first.fooled)
    assert [one.name for one in played.sets] == ["round 1", "round 2", "held out", "static"]
    assert [len(one.right) for one in played.sets] == [3] * 4
    assert [len(one.right) for one in control.sets] == [2] * 4


def test_the_same_seed_plays_the_same_and_another_one_another(
    material: Material, plan: Plan
) -> None:
    first = play_adversarial(material, plan=plan, seed=3)

    assert play_adversarial(material, plan=plan, seed=3) == first
    assert play_adversarial(material, plan=plan, seed=4).rounds != first.rounds


@settings(max_examples=25)
@given(
    sizes=st.lists(st.integers(1, 4), min_size=6, max_size=40),
    seed=st.integers(0, 2**40),
    rounds=st.integers(1, 3),
)
def test_no_context_is_both_held_out_or_tested_and_learned_from(
    sizes: list[int], seed: int, rounds: int
) -> None:
    pool = tuple(
        an_item(number * 10 + part, context=f"context {number}")
        for number, size in enumerate(sizes)
        for part in range(size)
    )
    material = Material(name="sentiment", title="", task="sentiment", base=(), pool=pool, sets=())

    drawn = draw(material, seed=seed, rounds=rounds)

    parts = [drawn.held_out, *drawn.slices]
    assert sorted(item.uid for part in parts for item in part) == sorted(i.uid for i in pool)
    contexts = [{item.context for item in part} for part in parts]
    assert sum(map(len, contexts)) == len(set().union(*contexts))
    for number, shown in enumerate(drawn.slices, 1):
        plan = plan_release(candidates(shown), Splitting(seed=seed, people_are_known=False))
        train = [one for one in shown if plan.splits.get(one.uid) is Split.TRAIN]
        tested = [one for one in shown if plan.splits.get(one.uid) in {Split.DEV, Split.TEST}]
        closed = {item.context for item in tested}
        control = control_draw(
            shown, plan=plan, closed=closed, learned=train, seed=seed, number=number
        )
        assert len(control) == len(train) == len({item.uid for item in control})
        require_disjoint([*train, *control], [*tested, *drawn.held_out])


def test_what_others_found_wrong_is_learned_from_by_neither_arm() -> None:
    wrong = an_item(1, context="a", votes=("negative", "negative", "negative", "positive"))
    open_ = an_item(2, context="b", votes=("negative", "negative", "positive", "positive"))
    right = an_item(3, context="c", votes=("positive", "positive", "positive", "negative"))
    unvoted = an_item(4, context="d")
    shown = [wrong, open_, right, unvoted]

    found = candidates(shown)
    plan = plan_release(found, Splitting(seed=0, people_are_known=False))
    control = control_draw(shown, plan=plan, closed=(), learned=shown[1:], seed=0, number=1)

    assert [one.verdict() for one in shown] == [
        Verdict.INCORRECT,
        Verdict.DISPUTED,
        Verdict.CORRECT,
        Verdict.CORRECT,
    ]
    assert [(one.uid, one.is_eligible) for one in found] == [("2", False), ("3", True), ("4", True)]
    assert {item.uid for item in control} == {"2", "3", "4"}


def test_a_leak_by_context_or_by_text_stops_the_study() -> None:
    scored = an_item(1, context="a")
    same_text = replace(scored, uid="2", context="b", inputs={"statement": "Text  1"})

    with pytest.raises(ValueError, match="3 is learned from"):
        require_disjoint([an_item(3, context="a")], [scored])
    with pytest.raises(ValueError, match="2 is learned from"):
        require_disjoint([same_text], [scored])


def test_an_input_stands_in_one_place_and_a_contrast_of_one_emoji_is_two_inputs() -> None:
    def said(text: str, number: int) -> Item:
        return replace(an_item(number, context=str(number)), inputs={"statement": text})

    scored = said("I like 🐈", 1)
    material = Material(
        name="hate",
        title="",
        task="hate-speech",
        base=(said("i LIKE 🐈", 2), said("base", 3), said("pool", 4)),
        pool=(said("I like 🐕", 5), said("i like  🐈", 6), said("pool", 7), said("Pool", 8)),
        sets=(ScoredSet(name="s", kind=SetKind.STATIC, items=(scored,)),),
    )

    found = cleaned(material)

    assert [item.uid for item in found.pool] == ["5", "7"]
    assert [item.uid for item in found.base] == ["3"]
    assert found.left_out == {"of the pool": 2, "of the base": 2}


def test_source_rounds_stay_in_their_order_with_a_context_in_its_first() -> None:
    pool = tuple(
        replace(an_item(number, context=f"c{number % 7}"), source_round=1 + number // 10)
        for number in range(30)
    )
    material = Material(
        name="nli-lots",
        title="",
        task="nli",
        base=(),
        pool=pool,
        sets=(),
        has_source_rounds=True,
    )

    drawn = draw(material, seed=1, rounds=3)

    # All of the seven contexts come in round 1 already, and stay there.
    assert [{item.source_round for item in part} for part in drawn.slices] == [{1}]


def test_a_pool_that_fools_nobody_ends_with_a_sentence(material: Material, plan: Plan) -> None:
    easy = replace(material, pool=tuple(one for one in material.pool if "plain" in one.uid))

    with pytest.raises(
        PoolTooSmallError, match=r"Round \d of the study sentiment collected nothing"
    ):
        play_adversarial(easy, plan=plan, seed=0)


def test_a_matched_control_learns_as_many_items_of_each_label(
    material: Material, plan: Plan
) -> None:
    played = play_adversarial(material, plan=plan, seed=0)

    for arm in (Arm.BY_LABEL, Arm.BY_CONFIDENCE):
        control = play_control(material, plan=plan, played=played, arm=arm)
        assert control.arm is arm
        for one, other in zip(played.rounds, control.rounds, strict=True):
            assert isinstance(other, RoundDrawn)
            assert other.labels == one.labels
            assert other.train == one.train
    free = play_control(material, plan=plan, played=played)
    assert [one.labels for one in free.rounds] != [one.labels for one in played.rounds]


def test_a_control_matched_by_confidence_has_as_many_items_of_each_fifth() -> None:
    shown = [an_item(number, context=str(number)) for number in range(50)]
    fifth = fifths({item.uid: int(item.uid) / 50 for item in shown})
    learned = shown[40:45] + shown[0:3]

    drawn = control_draw(
        shown,
        plan=plan_release([], Splitting(seed=0, people_are_known=False)),
        closed=(),
        learned=learned,
        seed=0,
        number=1,
        kind_of=lambda item: fifth[item.uid],
    )

    assert sorted(fifth[item.uid] for item in drawn) == [0, 0, 0, 4, 4, 4, 4, 4]
    assert {item.uid for item in drawn} != {item.uid for item in learned}
